import type { Dialect } from '../dialect/dialect.ts';
import { readPath } from '../json-object.ts';
import type { PageInfo, PageRequest } from '../pagination/page.ts';
import type { ListResponse } from './list-response.ts';

interface PageInfoOptions {
  readonly dialect: Dialect;
  readonly origin: string;
  /** Path of the list below the prefix. */
  readonly path: string;
  /** The link to the page after a cursor. */
  readonly continueAfter: (cursor: string) => string;
  /** Called with a link to another server, which is not followed. */
  readonly onForeignLink: (link: string) => void;
}

/** What a page reveals about its list, given what is declared of its dialect. */
export function toPageInfo(request: PageRequest, list: ListResponse, options: PageInfoOptions): PageInfo {
  const { dialect, origin, path, continueAfter, onForeignLink } = options;
  const { paging, pageParameter, perPageParameter, firstPage } = dialect;
  const { rows, total, perPage, pages, continuation } = list;
  const isByNumber = request.link === undefined;
  const link = findLink();
  const next = typeof link === 'string' ? link : link?.text;
  const isNumbered = hasNumbers();
  const more = next === undefined ? findMore() : undefined;
  const isLast = isByNumber ? pages !== undefined && request.page >= pages.value : !isNumbered;
  return {
    ...{ request, count: rows.length, total, perPage, next, more, isNumbered },
    cursor: typeof link === 'string' || link?.continuesAfterRow ? next : undefined,
    isEnd: next === undefined && more === undefined && (continuation.kind === 'end' || isLast),
  };

  /** A link of the server, unchanged, or one that a cursor makes. */
  function findLink() {
    if (continuation.kind === 'link') {
      const found = parseLink(continuation.link);
      if (found === undefined) onForeignLink(continuation.link);
      // Some links keep the page number and lose the page size, as Laravel's: another size would have other pages.
      const isSizeLost =
        isByNumber && perPageParameter !== null && found?.parameters.has(perPageParameter) === false;
      return isSizeLost && found.number === numberOf(request.page + 1) ? undefined : found;
    }
    if (paging === 'cursor' && continuation.kind === 'cursor') {
      const text = continueAfter(continuation.cursor);
      // Some servers repeat the last cursor at the end, for a later look at what is new.
      return rows.length === 0 && text === request.link ? undefined : text;
    }
    if (paging !== 'last_id' || continuation.kind === 'end') return undefined;
    const id = readPath(rows.at(-1), 'id');
    return id === undefined || id === null ? undefined : continueAfter(String(id));
  }

  /**
   * A link to this server. One to the same list elsewhere counts: a server behind a proxy may not know its own address,
   * and only the query of the link is used.
   */
  function parseLink(text: string) {
    const url = URL.parse(text, origin + path);
    if (url === null || (url.origin !== origin && !url.pathname.endsWith(path))) return undefined;
    const { searchParams: parameters } = url;
    const number = paging === 'page' && pageParameter !== null ? parameters.get(pageParameter) : undefined;
    const continuesAfterRow = parameters.has('after') || parameters.has('cursor');
    return { text, parameters, number, continuesAfterRow };
  }

  /** Whether pages can be requested by number. If links have no numbers, a number would return the first page. */
  function hasNumbers(): boolean {
    if (paging === 'range') return true;
    if (pageParameter === null || (paging !== 'page' && paging !== 'offset')) return false;
    if (typeof link === 'object') return link.number === numberOf(request.page + 1);
    return request.link === undefined || parseLink(request.link)?.number === numberOf(request.page);
  }

  function numberOf(page: number): string {
    return String(page - 1 + firstPage);
  }

  /** The member that says that there is more, where no link shows how to read it. */
  function findMore(): string | undefined {
    // With page numbers and a total, a link to another server is not needed.
    if (continuation.kind === 'link' && (!isNumbered || total === undefined)) return continuation.name;
    if (continuation.kind === 'more' || continuation.kind === 'page') return continuation.name;
    // Where pages link to the next one, the last has no link, and only names its own rows (Facebook's `cursors`).
    const isPosition = !isByNumber && continuation.kind === 'cursor' && /\bcursors\./.test(continuation.name);
    if (continuation.kind === 'cursor' && rows.length > 0 && !isPosition) return continuation.name;
    if (!isByNumber) return undefined;
    if (pages !== undefined && request.page < pages.value) return pages.name;
    const isCut = !isNumbered && request.page === 1 && total !== undefined && total > rows.length;
    return isCut ? 'the total' : undefined;
  }
}

/**
 * Rows on the other pages. The server may have limited the size of the first one without saying so, and count pages
 * by the size that was requested: theirs is what it returned.
 */
export function sizeAfter({ rows, perPage }: ListResponse, size: number): number {
  return perPage !== size && rows.length > 0 ? Math.min(size, rows.length) : size;
}
