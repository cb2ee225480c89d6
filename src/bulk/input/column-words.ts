import { foldText } from '../../text/search-text.ts';
import words from './heading-words.json' with { type: 'json' };

const toMeanings = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(table).flatMap(([meaning, text]) => text.split(' ').map((word) => [word, meaning])));

/**
 * Words in English, German, French, Spanish, Italian, Portuguese, Dutch and Polish, without case, accents and marks.
 * A heading means a field, names of two fields in the order of the words in a cell, or one of
 * - `name`: a first, last or whole name, which the other headings decide
 * - `mobile`, `phone`, `landline`: numbers, of which one is taken first
 * - `-`: a running number, which is left out
 * - `client`, `client_first_name`, `client_last_name`, `date`, `end`: of appointments
 */
const meaningsOf = {
  clients: toMeanings(words.clients),
  appointments: toMeanings(words.appointments),
  statuses: toMeanings(words.statuses),
  labels: toMeanings(words.labels),
};

/** What people add to a heading: a form of dates, and whether a value is needed. */
const additions = /\((?:[dmytjagr./ -]+|optional|required|pflichtfeld|facultatif|opcional)\)|[*:]/gi;

/** The meaning of a heading as other programs and people write it; undefined for others. */
export function recogniseHeading(heading: string, noun: 'clients' | 'appointments'): string | undefined {
  const meanings = meaningsOf[noun];
  return meanings.get(foldHeading(heading)) ?? meanings.get(foldHeading(heading.replace(additions, '')));
}

/** The status of an appointment as other programs and people write it. */
export function readStatusWord(cell: string): string | undefined {
  return meaningsOf.statuses.get(foldHeading(cell));
}

/** `mobile`, `home`, `work` or `fax` for the label of a phone number, such as `* Mobile`. */
export function kindOfLabel(label: string): string | undefined {
  return meaningsOf.labels.get(foldHeading(label));
}

/** Letters and digits of a heading, without case and accents. */
export function foldHeading(heading: string): string {
  // A byte order mark may have been read as Windows-1252.
  return foldText(heading.replace(/^\u00EF\u00BB\u00BF|[º°]/g, '')).replace(/[^\p{L}\p{N}]/gu, '');
}
