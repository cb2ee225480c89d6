import type { Condition, SqlValue } from '../conditions.ts';

/** Renders a condition on the rows that the search index leads to; undefined if the others do not search, or only for two letters. */
export function renderSearch(conditions: readonly Condition[], values: SqlValue[]): string | undefined {
  const expression = toExpression(conditions);
  if (expression === undefined) return undefined;
  values.push(expression);
  return 'row in (select rowid from client_search where client_search match ?)';
}

/** The trigrams that all matches have; undefined if the conditions have none. */
function toExpression(conditions: readonly Condition[]): string | undefined {
  const parts = conditions.flatMap((one) => renderTrigrams(one) ?? []);
  return parts.length === 0 ? undefined : parts.join(' AND ');
}

function renderTrigrams(condition: Condition): string | undefined {
  if ('anyOf' in condition) {
    const alternatives = condition.anyOf.map(renderTrigrams);
    return alternatives.includes(undefined) ? undefined : `(${alternatives.join(' OR ')})`;
  }
  if (!('contains' in condition)) return undefined;
  const letters = selectLetters(condition.contains);
  const trigrams = letters.slice(2).map((_, index) => letters.slice(index, index + 3).join(''));
  const quoted = [...new Set(trigrams)].map((trigram) => `"${trigram.replaceAll('"', '""')}"`);
  return quoted.length === 0 ? undefined : `(${quoted.join(' AND ')})`;
}

/** Eight letters lead to few enough rows: the last digits of a phone number, the beginning of anything else. */
function selectLetters(text: string): readonly string[] {
  const letters = [...text];
  return /\d{8}$/.test(text) ? letters.slice(-8) : letters.slice(0, 8);
}
