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

/** What a page reveals about its list, given what is known of the dialect. */
export function toPageInfo(request: PageRequest, list: ListResponse, options: PageInfoOptions): PageInfo {
  const { rows, total, perPage, pages, continuation } = list;
  const link = findLink(request, list, options);
  const isNumbered = hasNumbers(link, request, options);
  const more = link === undefined ? findMore(request, list, isNumbered) : undefined;
  const isLastLink = request.link !== undefined && !isNumbered;
  const isLastNumber = request.link === undefined && pages !== undefined && request.page >= pages.value;
  return {
    request,
    count: rows.length,
    total,
    perPage,
    next: link?.text,
    cursor: link?.isCursor ? link.text : undefined,
    isEnd:
      link === undefined && more === undefined && (continuation.kind === 'end' || isLastNumber || isLastLink),
    more,
    isNumbered,
  };
}

/** A link to this server, unchanged. */
interface Link {
  readonly text: string;
  readonly parameters: URLSearchParams;
  /** Whether it continues after a row, as the contract's `after` does. */
  readonly isCursor: boolean;
}

function findLink(
  request: PageRequest,
  { continuation, rows }: ListResponse,
  { dialect, origin, path, continueAfter, onForeignLink }: PageInfoOptions,
): Link | undefined {
  if (continuation.kind === 'link') {
    const link = parseLink(continuation.link, { origin, path });
    if (link === undefined) onForeignLink(continuation.link);
    // Some links keep the page number and lose the page size, as Laravel's: another size would have other pages.
    return link !== undefined && isSizeLost(link, request, dialect) ? undefined : link;
  }
  if (dialect.paging === 'cursor' && continuation.kind === 'cursor') {
    const text = continueAfter(continuation.cursor);
    // Some servers repeat the last cursor at the end, for a later look at what is new.
    return rows.length === 0 && text === request.link ? undefined : toCursorLink(text);
  }
  if (dialect.paging !== 'last_id' || continuation.kind === 'end') return undefined;
  const id = readPath(rows.at(-1), 'id');
  return id === undefined || id === null ? undefined : toCursorLink(continueAfter(String(id)));
}

function isSizeLost({ parameters }: Link, { page, link }: PageRequest, dialect: Dialect): boolean {
  const { perPageParameter } = dialect;
  if (link !== undefined || perPageParameter === null || parameters.has(perPageParameter)) return false;
  return isPageNumber(parameters, page + 1, dialect);
}

function isPageNumber(parameters: URLSearchParams | undefined, page: number, dialect: Dialect): boolean {
  const { paging, pageParameter, firstPage } = dialect;
  const number = pageParameter === null ? undefined : parameters?.get(pageParameter);
  return paging === 'page' && number === String(page - 1 + firstPage);
}

function toCursorLink(text: string): Link {
  return { text, parameters: new URLSearchParams(), isCursor: true };
}

/**
 * A link to this server. One to the same list elsewhere counts: a server behind a proxy may not know its own address,
 * and only the query of the link is used.
 */
function parseLink(
  text: string,
  { origin, path }: Pick<PageInfoOptions, 'origin' | 'path'>,
): Link | undefined {
  const url = URL.parse(text, origin + path);
  if (url === null || (url.origin !== origin && !url.pathname.endsWith(path))) return undefined;
  const { searchParams: parameters } = url;
  return { text, parameters, isCursor: parameters.has('after') || parameters.has('cursor') };
}

/** Whether pages can be requested by number. If links have no numbers, a number would return the first page. */
function hasNumbers(
  next: Link | undefined,
  { page, link }: PageRequest,
  { dialect, origin, path }: PageInfoOptions,
): boolean {
  const { paging, pageParameter } = dialect;
  if (paging === 'range') return true;
  if (pageParameter === null || (paging !== 'page' && paging !== 'offset')) return false;
  if (next !== undefined) return isPageNumber(next.parameters, page + 1, dialect);
  return link === undefined || isPageNumber(parseLink(link, { origin, path })?.parameters, page, dialect);
}

/** The member that says that there is more, where no link shows how to read it. */
function findMore(request: PageRequest, list: ListResponse, isNumbered: boolean): string | undefined {
  const { continuation, pages, total, rows } = list;
  // With page numbers and a total, a link to another server is not needed.
  if (continuation.kind === 'link' && (!isNumbered || total === undefined)) return continuation.name;
  if (continuation.kind === 'more' || continuation.kind === 'page') return continuation.name;
  // Where pages link to the next one, the last has no link, and only names its own rows (Facebook's `cursors`).
  const isPosition =
    request.link !== undefined && /\bcursors\./.test(continuation.kind === 'cursor' ? continuation.name : '');
  if (continuation.kind === 'cursor' && rows.length > 0 && !isPosition) return continuation.name;
  if (request.link !== undefined) return undefined;
  if (pages !== undefined && request.page < pages.value) return pages.name;
  const isCut = !isNumbered && request.page === 1 && total !== undefined && total > rows.length;
  return isCut ? 'the total' : undefined;
}

/**
 * Rows on the other pages. The server may have limited the size of the first one without saying so, and count pages
 * by the size that was requested: theirs is what it returned.
 */
export function sizeAfter({ rows, perPage }: ListResponse, size: number): number {
  return perPage !== size && rows.length > 0 ? Math.min(size, rows.length) : size;
}
