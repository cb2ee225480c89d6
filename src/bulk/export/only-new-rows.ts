import { keysOf } from '../../client/pagination/page.ts';
import type { SeenKeys } from '../../client/pagination/seen-keys.ts';
import type { PouredPage } from './pour.ts';

/** Pages without the rows that `sightings` knows; it knows all of them then. */
export async function* onlyNewRows(
  pages: AsyncIterable<PouredPage>,
  sightings: SeenKeys,
): AsyncGenerator<PouredPage, void> {
  for await (const page of pages) {
    const isNew = sightings.note(keysOf(page.rows));
    yield { ...page, rows: page.rows.filter((_row, index) => isNew[index]) };
  }
}
