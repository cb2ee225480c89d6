import { keyOf, type PageRead } from './page.ts';

/** Where one run of rows goes over into another: up to `leave` in the first, from `enter` on in the second. */
export interface PageOverlap {
  readonly leave: number;
  readonly enter: number;
}

/** Whether two sightings are of one row in one and the same place of the list. */
export type IsSamePlace = (one: unknown, other: unknown) => boolean;

/** In creation order a row never moves. */
export const isSameRow: IsSamePlace = (one, other) => keyOf(one) === keyOf(other);

/** In any other order a row has not moved when nothing of it has changed. */
export const isUnchangedRow: IsSamePlace = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The first row of `behind` that `ahead` holds too: up to there both tell the same of the list. */
export function findPageOverlap(
  behind: readonly unknown[],
  ahead: readonly unknown[],
  isSamePlace: IsSamePlace,
): PageOverlap | undefined {
  const places = new Map(ahead.map((row, index) => [keyOf(row), index]));
  for (const [leave, row] of behind.entries()) {
    const enter = places.get(keyOf(row));
    if (enter !== undefined && isSamePlace(row, ahead[enter])) return { leave, enter };
  }
  return undefined;
}

/** Whether nothing can lie between two pages: one moment, or the second was read behind the first one's last row. */
export function isSeamless(page: PageRead<unknown>, next: PageRead<unknown>): boolean {
  const { cursor } = page.facts;
  if (cursor !== undefined && next.facts.place.link === cursor) return true;
  const isNeighbour = !isLinked(page) && !isLinked(next) && next.page === page.page + 1;
  return isNeighbour && page.version !== undefined && page.version === next.version;
}

/** Whether rows may have slid across the border of two pages between their readings. `size`: rows of a full page. */
export function isSuspicious(page: PageRead<unknown>, next: PageRead<unknown>, size: number): boolean {
  // Behind a cursor nobody knows at which number the list goes on.
  if (isLinked(page) && !isLinked(next)) return true;
  if (page.version !== undefined && next.version !== undefined) return page.version !== next.version;
  if (page.total === undefined || next.total === undefined) return false;
  if (page.total !== next.total || isLinked(next)) return page.total !== next.total;
  return next.facts.count < Math.min(size, next.total - (next.page - 1) * size);
}

/** Whether a page was read by its address. */
export function isLinked({ facts }: PageRead<unknown>): boolean {
  return facts.place.link !== undefined;
}

/** Whether a page is the one before once more, as from a server that does not know the page parameter. */
export function isRepeated(page: PageRead<unknown>, next: PageRead<unknown>): boolean {
  // A list that has changed may well show the same rows on another page.
  if (page.version !== next.version) return false;
  const [before, after] = [page.rows, next.rows];
  const isEchoed = !isLinked(page) && !isLinked(next) && page.echo !== undefined && next.echo !== undefined;
  if (isEchoed && Number(next.echo) <= Number(page.echo) && after.length > 0) return true;
  if (before.length !== after.length || after.length === 0) return false;
  return after.every((row, index) => keyOf(row) === keyOf(before[index]));
}
