import { SalonError } from '../../contract/errors.ts';
import { type Dialect, type ListDialect, pagingParts, pickParts } from '../dialect/dialect.ts';
import { type PresetName, toFullDialect } from '../dialect/presets.ts';
import { findIdKey } from '../dialect/record-names.ts';
import { emptyPage, type ListResponse, parseListResponse } from '../foreign/list-response.ts';
import { looksFull } from '../foreign/pages.ts';
import type { ApiResponse } from '../http/decode.ts';
import { type PageAddress, toPageAddress } from '../pagination/list-query.ts';
import { explorePaging, type Finding, type PagingCandidate } from './explore-paging.ts';
import { recognisePreset } from './recognise-preset.ts';

/**
 * What was found out about a list: how it is paged, or that this is not clear. `rows`: those of its first page, as sent.
 * `readPage` reads another one of it, while requests are left.
 */
export type RecognisedList =
  | { readonly kind: 'missing'; readonly preset?: undefined }
  | { readonly kind: 'forbidden'; readonly preset?: undefined; readonly error: SalonError }
  | { readonly kind: 'empty'; readonly preset: PresetName | undefined }
  | {
      readonly kind: 'recognised' | 'unclear';
      readonly preset: PresetName | undefined;
      readonly list: ListDialect;
      readonly rows: ListResponse['rows'];
      readonly readPage: (address: PageAddress) => Promise<ListResponse | SalonError>;
    };

interface Recognition {
  /** Sends a GET request for the list. */
  readonly read: (address: PageAddress) => Promise<ApiResponse>;
  /** What the server may call the records. */
  readonly nouns: readonly string[];
  /** A way to try first: the declared one, or that of the server's other lists. */
  readonly usual?: ListDialect | undefined;
}

/** GET requests for one list. */
const maxRequests = 12;

/**
 * Finds out how a list is paged, with GET requests alone. Throws what the server says about the key or a rate limit
 * (401, 403, 429), unless it forbids this list (403): nothing more is asked then.
 */
export async function recogniseList({ read, nouns, usual = {} }: Recognition): Promise<RecognisedList> {
  let left = maxRequests;
  const first = await tryRead({ query: new URLSearchParams(), headers: undefined }, [401, 429]);
  if (first instanceof SalonError && first.status === 403) return { kind: 'forbidden', error: first };
  if (first instanceof SalonError) return { kind: 'missing' };
  const preset = recognisePreset(first);
  const dialect = toFullDialect(preset);
  const page = parse(first);
  if (page === undefined && preset === undefined) return { kind: 'missing' };
  if (page === undefined || page.rows.length === 0) return { kind: 'empty', preset };
  // Without a size: for some servers every parameter that they do not know is a filter.
  const bare: Dialect = { ...dialect, perPageParameter: null };
  const list = {
    filters: {},
    parameters: undefined,
    size: Number.MAX_SAFE_INTEGER,
    rangeUnit: page.range?.unit,
  };
  const finding: Finding | undefined =
    page.continuation.kind === 'link'
      ? { kind: 'ended', candidate: toLinked(page.continuation.link, dialect) }
      : await explorePaging({
          first: page,
          dialect: bare,
          usual: pickParts(preset === undefined ? usual : { ...dialect, ...usual }, pagingParts),
          list,
          tryRead: readPage,
        });
  let sample = page;
  const found = await toListOf(finding, page);
  return {
    kind: found === undefined ? 'unclear' : 'recognised',
    preset,
    list: { ...toKeys(sample), ...(found ?? unknownPaging) },
    rows: page.rows,
    readPage,
  };

  async function toListOf(of: Finding | undefined, first: ListResponse) {
    const { rows, total } = first;
    if (of !== undefined) {
      const { kind, candidate } = of;
      const wrongTotal = kind === 'found' && total !== undefined && total <= rows.length;
      return {
        paging: bare.paging,
        ...candidate,
        ...(wrongTotal && { totalKey: null }),
        ...(await findSize({ ...bare, ...candidate }, rows.length)),
      };
    }
    // What its documentation says is not contradicted.
    if (preset !== undefined) return {};
    const isKnown = total !== undefined && total > rows.length;
    if (isKnown || looksFull(first, 0)) return undefined;
    return rows.length > maxUsualPage ? ({ ...unknownPaging, paging: 'none' } as const) : unknownPaging;
  }

  /** The parameter for the page size: with one row fewer than the first page, one row fewer comes. */
  async function findSize(way: Dialect, length: number): Promise<ListDialect> {
    const names = [
      way.perPageParameter,
      dialect.perPageParameter,
      'per_page',
      'page_size',
      'limit',
      'pageSize',
    ];
    const wanted = length - 1;
    for (const perPageParameter of wanted === 0 ? [] : new Set(names)) {
      if (perPageParameter === null) continue;
      const sized = await readPage(toPageAddress(1, { ...list, size: wanted }, { ...way, perPageParameter }));
      if (sized instanceof SalonError || sized.rows.length !== wanted) continue;
      sample = sized;
      const most = { ...list, size: dialect.perPage };
      const large = await readPage(toPageAddress(1, most, { ...way, perPageParameter }));
      const isRefused = large instanceof SalonError && large !== noRequestLeft;
      return { perPageParameter, ...(isRefused && { perPage: length }) };
    }
    return { perPageParameter: null };
  }

  /** Where the rows, their total, their IDs and what leads to the next page are. */
  function toKeys({ rows, rowsKey, totalKey, continuation }: ListResponse): ListDialect {
    const isNext = continuation.kind === 'link' || continuation.kind === 'cursor';
    const nextKey = isNext && !/^link|^x-/i.test(continuation.name) ? continuation.name : undefined;
    return {
      ...(rowsKey !== undefined && { rowsKey }),
      ...(totalKey !== undefined && { totalKey }),
      ...(nextKey !== undefined && { nextKey }),
      idKey: findIdKey(nouns[0] ?? '', rows),
    };
  }

  async function readPage(address: PageAddress): Promise<ListResponse | SalonError> {
    const response = await tryRead(address);
    // Some servers respond with an error instead of an empty page.
    if (response instanceof SalonError)
      return [404, 416].includes(response.status ?? 0) ? emptyPage : response;
    return parse(response) ?? notAList;
  }

  function parse(response: ApiResponse): ListResponse | undefined {
    try {
      return parseListResponse(response, dialect, nouns);
    } catch (thrown) {
      if (!(thrown instanceof SalonError)) throw thrown;
      return undefined;
    }
  }

  /** The error if the server rejects the request. */
  async function tryRead(address: PageAddress, fatal = [401, 403, 429]): Promise<ApiResponse | SalonError> {
    if (left === 0) return noRequestLeft;
    left -= 1;
    try {
      return await read(address);
    } catch (thrown) {
      const mayPass =
        thrown instanceof SalonError && !thrown.retryable && !fatal.includes(thrown.status ?? 0);
      if (!mayPass) throw thrown;
      return thrown;
    }
  }
}

/** A list of more rows in one response has no pages, unless their number is one of a full page. */
const maxUsualPage = 250;
/** Of a list that does not show how it is paged: it is read as long as one page is certainly all. */
export const unknownPaging = { paging: 'unknown', pageParameter: null, perPageParameter: null } as const;
/** Instead of the response, where a request would be one too many. */
export const noRequestLeft = new SalonError('unexpected_response', 'There are no requests left.', {
  status: 400,
});
const notAList = new SalonError('unexpected_response', 'The server sent no list.', { status: 400 });

/** How a list with links is paged: by the number that its first link has, or by its links. */
function toLinked(link: string, { paging, pageParameter }: Dialect): PagingCandidate {
  if (paging !== 'page') return { paging, pageParameter };
  const query = [...(URL.parse(link, 'http://server/')?.searchParams ?? [])];
  const number = query.find(([name, value]) => /page$|page[\])]$|^p$/i.test(name) && /^[12]$/.test(value));
  if (number === undefined) return { paging: 'link', pageParameter: null };
  return { paging: 'page', pageParameter: number[0], firstPage: Number(number[1]) - 1 };
}
