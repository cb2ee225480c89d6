import { keysOf } from '../../client/walk/page.ts';
import type { Sightings } from '../../client/walk/sightings.ts';
import type { PouredPage } from './pour.ts';

/** Pages more than a list has that may bring nothing: its borders and its end are read again. */
const patience = 20;

/**
 * Pages without the rows that `sightings` knows, until so many in a row brought nothing that the whole list must have
 * gone by. A server that only follows its own links answers any page number with its first page, again and again.
 */
export async function* untilNothingNew(
  pages: AsyncIterable<PouredPage>,
  { sightings, pagesBefore }: { readonly sightings: Sightings; readonly pagesBefore: number },
): AsyncGenerator<PouredPage, void> {
  let most = pagesBefore + patience;
  let idle = 0;
  for await (const page of pages) {
    const isNew = sightings.note(keysOf(page.rows));
    const rows = page.rows.filter((_row, index) => isNew[index]);
    idle = rows.length === 0 ? idle + 1 : 0;
    most += rows.length === 0 ? 0 : 1;
    yield { ...page, rows };
    if (idle > most) return;
  }
}
