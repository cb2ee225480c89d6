import { type FetchedPage, keyOf, keysOf } from './page.ts';

/** Where two runs of rows meet: before `end` in the first, from `start` in the second. */
export interface PageOverlap {
  readonly end: number;
  readonly start: number;
}

/** Whether two copies of a row have the same position in the list. */
export type IsSamePosition = (one: unknown, other: unknown) => boolean;

/** In creation order a row never moves. */
export const isSameRow: IsSamePosition = (one, other) => keyOf(one) === keyOf(other);

/** In any other order a row stays where it is as long as it does not change. */
export const isUnchangedRow: IsSamePosition = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Finds the first row of `rows` that is also in `later`. */
export function findPageOverlap(
  rows: readonly unknown[],
  later: readonly unknown[],
  isSamePosition: IsSamePosition,
): PageOverlap | undefined {
  const positions = new Map(later.map((row, index) => [keyOf(row), index]));
  for (const [end, row] of rows.entries()) {
    const start = positions.get(keyOf(row));
    if (start !== undefined && isSamePosition(row, later[start])) return { end, start };
  }
  return undefined;
}

/** Whether no row can be missing between two pages: same version, or the second continues after the first's last row. */
export function isContiguous(page: FetchedPage<unknown>, next: FetchedPage<unknown>): boolean {
  const { cursor } = page.info;
  if (cursor !== undefined && next.info.request.link === cursor) return true;
  const isNextNumber = !isFetchedByLink(page) && !isFetchedByLink(next) && next.page === page.page + 1;
  return isNextNumber && page.version !== undefined && page.version === next.version;
}

/** Whether rows may have shifted between two pages while they were fetched. `size`: rows per page. */
export function mayHaveShifted(
  page: FetchedPage<unknown>,
  next: FetchedPage<unknown>,
  size: number,
): boolean {
  // A cursor does not reveal its page number.
  if (isFetchedByLink(page) && !isFetchedByLink(next)) return true;
  if (page.version !== undefined && next.version !== undefined) return page.version !== next.version;
  if (page.total === undefined || next.total === undefined) return false;
  if (page.total !== next.total || isFetchedByLink(next)) return page.total !== next.total;
  return next.info.count < Math.min(size, next.total - (next.page - 1) * size);
}

export function isFetchedByLink({ info }: FetchedPage<unknown>): boolean {
  return info.request.link !== undefined;
}

/** Whether a page repeats the one before, as from a server that ignores the page parameter. */
export function isRepeated(page: FetchedPage<unknown>, next: FetchedPage<unknown>): boolean {
  // A changed list may have the same rows on another page.
  if (page.version !== next.version) return false;
  const [before, after] = [page.rows, next.rows];
  const isEchoed =
    !isFetchedByLink(page) && !isFetchedByLink(next) && page.echo !== undefined && next.echo !== undefined;
  if (isEchoed && Number(next.echo) <= Number(page.echo) && after.length > 0) return true;
  if (before.length !== after.length || after.length === 0) return false;
  const keys = keysOf(before);
  return keysOf(after).every((key, index) => key === keys[index]);
}
