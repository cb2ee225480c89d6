import { toIdText } from '../../contract/identifiers.ts';
import { isFields } from '../json-object.ts';

/** One page of a list. */
export interface Page<T> {
  /** As the server sent them, with unknown members. */
  readonly rows: readonly T[];
  readonly page: number;
  /** The number of matching records, if the server reports it. */
  readonly total: number | undefined;
  /** The collection's version, if the server reports it. */
  readonly version: number | undefined;
  /** Where to resume after this page; rows cut off by a limit are skipped. Undefined if the rows were sorted here. */
  readonly resume: ResumePoint | undefined;
  /** How many rows count as one request, if the page is a part of a whole list. */
  readonly rowsPerRequest?: number | undefined;
  /** Rows read so far while the list is being sorted here and none can be returned yet. */
  readonly heldBack?: number | undefined;
}

/** Where pagination resumes. Stored as JSON, so the names of the members are a file format. */
export interface ResumePoint {
  /** The next page, and the page size that its number refers to. */
  readonly page: number;
  readonly perPage: number;
  /** Rows returned so far. */
  readonly rows: number;
  /** The link to the next page, if the server sends links. */
  readonly cursor?: string | undefined;
  /**
   * Keys of the rows returned last. They show how far a list without cursors has shifted, and are not returned again.
   * A few pages of them make it certain that at least one still exists.
   */
  readonly behind?: readonly string[] | undefined;
}

/** A number that the response repeats, with the name of its member. */
export interface Echo {
  readonly name: string;
  readonly value: number;
}

/** A page by number, or by the link the server sent for it. */
export interface PageRequest {
  readonly page: number;
  readonly link?: string | undefined;
}

/** What a page reveals about its list. */
export interface PageInfo {
  readonly request: PageRequest;
  readonly count: number;
  readonly total: number | undefined;
  readonly perPage: number | undefined;
  readonly next: string | undefined;
  /** The link to the next page if it continues after a row, not at a page number. */
  readonly cursor: string | undefined;
  /** Whether the response says that the list ends with this page. */
  readonly isEnd: boolean;
  /** The member that says that there is more, if no link shows how to read it. */
  readonly more: string | undefined;
  /** Whether pages can be requested by number. */
  readonly isNumbered: boolean;
}

export interface FetchedPage<T> extends Omit<Page<T>, 'resume'> {
  readonly info: PageInfo;
  /** The page number that the server reports. */
  readonly echo: number | undefined;
  /** How many requests it took, if it is a part of a whole list: mostly none. */
  readonly requests?: number | undefined;
  /** A member that may be the total of the list, under an unusual name. */
  readonly supposedTotal?: Echo | undefined;
}

export type FetchPage<T> = (request: PageRequest, signal: AbortSignal) => Promise<FetchedPage<T>>;

/** The identity of a row: its ID, otherwise all of it. */
export function keyOf(row: unknown): string {
  return toIdText(isFields(row) ? row['id'] : undefined) ?? JSON.stringify(row);
}

/** The keys of a page. Equal rows without an ID count as different rows. */
export function keysOf(rows: readonly unknown[]): readonly string[] {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    const key = keyOf(row);
    if ('id' in Object(row)) return key;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count === 0 ? key : `${key} ${count}`;
  });
}

/**
 * Finds the first row of `rows`, at `end`, that is also in `later`, at `start`. In creation order a row never moves; in
 * any other order it stays where it is as long as it does not change.
 */
export function findPageOverlap(
  rows: readonly unknown[],
  later: readonly unknown[],
  { isSorted }: { readonly isSorted: boolean },
) {
  const positions = new Map(later.map((row, index) => [keyOf(row), index]));
  for (const [end, row] of rows.entries()) {
    const start = positions.get(keyOf(row));
    if (start === undefined) continue;
    if (!isSorted || JSON.stringify(row) === JSON.stringify(later[start])) return { end, start };
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
  return after.every((row, index) => keyOf(row) === keyOf(before[index]));
}

/** What to request after a page; undefined at the end of the list. `rows`: those up to the end of this page. */
export function nextPageRequest(info: PageInfo, rows: number): PageRequest | undefined {
  const page = info.request.page + 1;
  if (info.next !== undefined) return { page, link: info.next };
  if (info.isEnd || !info.isNumbered) return undefined;
  if (info.more !== undefined) return { page };
  if (info.count === 0) return undefined;
  // A total lower than the rows read is wrong. Stopping there would lose the remaining rows.
  // Without one, only an empty page is the end: a page may be short because rows are hidden, or its size is limited.
  return info.total === rows ? undefined : { page };
}

/**
 * Page numbers that can be fetched concurrently; `last` is less than `first` if nothing can be planned. `before`: rows
 * before the first page that was fetched. `wanted`: the last row wanted, counted from the start of the list.
 */
export function planPages(
  info: PageInfo,
  { before, wanted, size: known }: { before: number; wanted: number; size: number | undefined },
) {
  const { count, total, perPage, request, isEnd, isNumbered } = info;
  // The first of several pages is full, even if the server reports another page size.
  const size = known ?? (request.page === 1 ? count : (perPage ?? count));
  const first = request.link === undefined ? request.page + 1 : Math.floor((before + count) / size) + 1;
  const isLast = total === undefined || before + count >= total || isEnd;
  if (isLast || count === 0 || !isNumbered) return { size, first, last: 0 };
  return { size, first, last: Math.ceil(Math.min(total, wanted) / size) };
}

/** The page size that reads `limit` rows with the fewest unneeded ones. */
export function pageSizeFor(limit: number | undefined, max: number): number {
  if (limit === undefined || limit === 0) return max;
  return Math.ceil(limit / Math.ceil(limit / max));
}
