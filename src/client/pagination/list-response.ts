import { SalonError } from '../../contract/errors.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { headerOf, type ResponseHeaders } from '../headers.ts';
import { type ApiResponse, type Fields, isFields } from '../http/decode.ts';

/** One list answer, whatever it was wrapped in. */
export interface Envelope {
  readonly rows: readonly unknown[];
  /** The member that holds the rows; null for a bare array. */
  readonly rowsKey: string | null;
  /** The member that holds the total; null where there is none. */
  readonly totalKey: string | null;
  /** Page, page size and total as the server echoes them; nothing that is not a whole number counts. */
  readonly page: number | undefined;
  readonly perPage: number | undefined;
  readonly total: number | undefined;
  /** Address of the next page as the server gives it. */
  readonly next: string | undefined;
  /** Whether the server links its pages at all, so that a missing `next` means the end. */
  readonly isLinked: boolean;
}

/** Finds rows and paging in a list answer. Throws `unexpected_response` where there is no array to be found. */
export function toEnvelope(answer: ApiResponse, dialect: Dialect, noun: string): Envelope {
  const found = findRows(answer.body, [dialect.rowsKey ?? 'data', 'data', 'items', 'results', noun]);
  if (found === undefined || !found.rows.every(isFields)) {
    throw new SalonError(
      'unexpected_response',
      `The server answered ${answer.status} without a list of ${noun}.`,
      {
        status: answer.status,
        hint: 'Check the base address and the path.',
        requestId: headerOf(answer.headers, 'x-request-id'),
      },
    );
  }
  const places = pagingPlaces(answer.body);
  const totalKey = firstKey(places, [
    dialect.totalKey ?? 'total',
    'total',
    'total_count',
    'totalCount',
    'count',
  ]);
  const counted =
    totalKey === undefined ? headerOf(answer.headers, 'x-total-count') : memberOf(places, totalKey);
  return {
    ...found,
    totalKey: totalKey ?? null,
    page: toWhole(memberOf(places, firstKey(places, ['page', 'current_page']))),
    perPage: toWhole(memberOf(places, firstKey(places, ['per_page', 'page_size']))),
    total: toWhole(counted),
    ...findNext(answer, places),
  };
}

function findRows(body: unknown, keys: readonly string[]): Pick<Envelope, 'rows' | 'rowsKey'> | undefined {
  if (Array.isArray(body)) return { rows: body, rowsKey: null };
  if (!isFields(body)) return undefined;
  const rowsKey = keys.find((key) => Object.hasOwn(body, key) && Array.isArray(body[key]));
  if (rowsKey !== undefined) return { rows: body[rowsKey] as unknown[], rowsKey };
  // `{data: {items: […]}}`
  return isFields(body['data']) ? findRows(body['data'], keys) : undefined;
}

/** Everywhere that paging is found in the wild, the contract's own place first. */
function pagingPlaces(body: unknown): Fields[] {
  if (!isFields(body)) return [];
  const { pagination, meta, paging, links, data } = body;
  const inner = isFields(meta) ? meta['pagination'] : undefined;
  return [pagination, inner, meta, paging, links, body, data].filter(isFields);
}

function firstKey(places: readonly Fields[], keys: readonly string[]): string | undefined {
  return keys.find((key) => places.some((place) => Object.hasOwn(place, key)));
}

function memberOf(places: readonly Fields[], key: string | undefined): unknown {
  if (key === undefined) return undefined;
  return places.find((place) => Object.hasOwn(place, key))?.[key];
}

function findNext(answer: ApiResponse, places: readonly Fields[]): Pick<Envelope, 'next' | 'isLinked'> {
  const links = parseLinks(answer.headers);
  const own = memberOf(places, firstKey(places, ['next', 'next_page_url']));
  const inBody = typeof own === 'string' && /^(https?:|[/?])/i.test(own) ? own : undefined;
  const isLinked = ['first', 'prev', 'next', 'last'].some((relation) => links.has(relation));
  return { next: links.get('next') ?? inBody, isLinked: isLinked || inBody !== undefined || own === null };
}

function toWhole(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) >= 0 ? Number(number) : undefined;
}

/** Sizes that servers like to cut pages to, whatever they were asked for. */
const usualSizes = [10, 12, 15, 20, 24, 25, 30, 40, 50, 60, 75, 100, 150, 200, 250, 300, 500, 1_000];

/**
 * Whether an answer may be the whole of a list although it does not say so: nothing on it speaks of pages, and its
 * length is none that a page would have, given the size that was asked for.
 */
export function isBarePage(envelope: Envelope, askedSize: number): boolean {
  const { rows, page, perPage, total, isLinked } = envelope;
  const tellsNothing = page === undefined && perPage === undefined && total === undefined && !isLinked;
  return tellsNothing && rows.length !== askedSize && !usualSizes.includes(rows.length);
}

/** Targets of a `Link` header by relation; the first of each counts. */
export function parseLinks(headers: ResponseHeaders): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  // A header is limited by the connection, so that matching it stays cheap.
  for (const [, target = '', parameters = ''] of (headerOf(headers, 'link') ?? '').matchAll(linkValue)) {
    for (const relation of relationsIn(parameters)) {
      if (!links.has(relation)) links.set(relation, target);
    }
  }
  return links;
}

const linkValue = /<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]+))?)*)/g;
const parameter = /;\s*([^\s=;,]+)(?:\s*=\s*("[^"]*"|[^\s;,"]+))?/g;

function relationsIn(parameters: string): string[] {
  const values = [...parameters.matchAll(parameter)].filter(([, name]) => name?.toLowerCase() === 'rel');
  const relations = values[0]?.[2]?.replaceAll('"', '').toLowerCase() ?? '';
  return relations.split(/\s+/).filter((relation) => relation !== '');
}
