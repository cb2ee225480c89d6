import type { PageInfo, PageRequest } from './page.ts';

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
