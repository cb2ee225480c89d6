import { toQuote } from '../../client/http/quote.ts';
import type { Edit } from '../edit/edit.ts';
import type { Refusal } from '../edit/planned-row.ts';
import type { Pair } from './current/pairing.ts';

export interface Search {
  readonly noun: Edit['noun'];
  readonly match: string;
  /** Whether a record that was not found is certain not to be there. */
  readonly isSure: boolean;
}

/** Why a row cannot be used: it names no record, one of several, or one that another row names too. */
export function findRefusal(pair: Pair<unknown>, { noun, match, isSure }: Search): Refusal | undefined {
  const one = noun.replace(/s$/, '');
  const { key, lines, found } = pair;
  if (key === null) return { code: 'not_found', reason: `The row has no ${match} to find a ${one} by.` };
  if (lines.length > 1) {
    return { code: 'ambiguous', reason: `Lines ${join(lines)} name the same ${one}.` };
  }
  const shown = toQuote(key, 80);
  if (found === undefined) {
    const named = match === 'id' ? shown : `with the ${match} ${shown}`;
    const reason = isSure
      ? `There is no ${one} ${named}.`
      : `No ${one} ${named} was found, in a list that could not be read at one moment.`;
    return { code: 'not_found', reason };
  }
  if (found.ids.length === 1) return undefined;
  return { code: 'ambiguous', reason: `More than one ${one} has the ${match} ${shown}: ${join(found.ids)}.` };
}

function join(names: readonly (string | number)[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
