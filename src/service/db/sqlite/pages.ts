import type { Reader } from '../engine.ts';
import type { PageDialect } from '../page-reader.ts';
import type { ListPageRequest } from '../pages.ts';
import type { Condition, SqlValue } from '../rows.ts';

/** All rows of such a list are read in about a millisecond, with any filter. */
const shortListRows = 2000;

/** Whether a page is fast to read: it is near its start in a list in creation order, or its list is short. */
export async function isShort(reader: Reader, request: ListPageRequest): Promise<boolean> {
  const { accountId, collection, conditions, from, order } = request;
  const skipped = 'offset' in from ? from.offset : 0;
  if (conditions.length === 0 && order.column === 'seq' && skipped <= shortListRows) return true;
  const text = 'select total from collections where account_id = ? and name = ?';
  const [list] = await reader.run<{ total: number }>(text, [accountId, collection]);
  return (list?.total ?? 0) <= shortListRows;
}

/** For pages that are fast to read. The search index covers all accounts: a short list is searched sooner without it. */
export const shortPages: PageDialect = { renderBytes: (text) => `cast(${text} as blob)` };

export const longPages: PageDialect = { ...shortPages, renderIndexed: renderSearch };

/**
 * Renders a condition on the rows that the search index leads to; undefined if the others do not search, or only for
 * two letters.
 */
function renderSearch(conditions: readonly Condition[], values: SqlValue[]): string | undefined {
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
    return alternatives.includes(undefined) ? undefined : `(${[...new Set(alternatives)].join(' OR ')})`;
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
