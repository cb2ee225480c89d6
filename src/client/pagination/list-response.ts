import { SalonError } from '../../contract/errors.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { type Fields, isFields } from '../fields.ts';
import { type ResponseHeaders, readHeader, readRequestId } from '../headers.ts';
import type { ApiResponse } from '../http/decode.ts';

/** The rows and the pagination metadata of a list response in any common shape. */
export interface ListResponse {
  readonly rows: readonly unknown[];
  /** The member with the rows; null for a bare array. */
  readonly rowsKey: string | null;
  /** The member with the total; null if there is none. */
  readonly totalKey: string | null;
  /** Page, page size and total as the server reports them, if they are whole numbers. */
  readonly page: number | undefined;
  readonly perPage: number | undefined;
  readonly total: number | undefined;
  readonly next: string | undefined;
  /** Whether the server links its pages, so that a missing `next` is the end. */
  readonly isLinked: boolean;
}

/** Throws `unexpected_response` if there is no array of objects. */
export function parseListResponse(
  { body, status, headers }: ApiResponse,
  dialect: Dialect,
  noun: string,
): ListResponse {
  const found = findRows(body, [dialect.rowsKey ?? 'data', 'data', 'items', 'results', noun]);
  if (found === undefined || !found.rows.every(isFields)) {
    throw new SalonError(
      'unexpected_response',
      `The server responded with ${status} but no list of ${noun}.`,
      {
        status,
        hint: 'Check the base URL and the path.',
        requestId: readRequestId(headers),
      },
    );
  }
  const objects = metadataObjects(body);
  const totalNames = [dialect.totalKey ?? 'total', 'total', 'total_count', 'totalCount', 'count'];
  const totalKey = findKey(objects, totalNames);
  const total = totalKey === undefined ? readHeader(headers, 'x-total-count') : readMember(objects, totalKey);
  return {
    ...found,
    totalKey: totalKey ?? null,
    page: toWholeNumber(readMember(objects, findKey(objects, ['page', 'current_page']))),
    perPage: toWholeNumber(readMember(objects, findKey(objects, ['per_page', 'page_size']))),
    total: toWholeNumber(total),
    ...findNext(headers, objects),
  };
}

function findRows(
  body: unknown,
  keys: readonly string[],
): Pick<ListResponse, 'rows' | 'rowsKey'> | undefined {
  if (Array.isArray(body)) return { rows: body, rowsKey: null };
  if (!isFields(body)) return undefined;
  const rowsKey = keys.find((key) => Object.hasOwn(body, key) && Array.isArray(body[key]));
  if (rowsKey !== undefined) return { rows: body[rowsKey] as unknown[], rowsKey };
  // `{data: {items: […]}}`
  return isFields(body['data']) ? findRows(body['data'], keys) : undefined;
}

/** Where servers put pagination metadata, the contract's own member first. */
function metadataObjects(body: unknown): Fields[] {
  if (!isFields(body)) return [];
  const { pagination, meta, paging, links, data } = body;
  const inner = isFields(meta) ? meta['pagination'] : undefined;
  return [pagination, inner, meta, paging, links, body, data].filter(isFields);
}

function findKey(objects: readonly Fields[], keys: readonly string[]): string | undefined {
  return keys.find((key) => objects.some((object) => Object.hasOwn(object, key)));
}

function readMember(objects: readonly Fields[], key: string | undefined): unknown {
  if (key === undefined) return undefined;
  return objects.find((object) => Object.hasOwn(object, key))?.[key];
}

function findNext(
  headers: ResponseHeaders,
  objects: readonly Fields[],
): Pick<ListResponse, 'next' | 'isLinked'> {
  const links = parseLinks(headers);
  const member = readMember(objects, findKey(objects, ['next', 'next_page_url']));
  const inBody = typeof member === 'string' && /^(https?:|[/?])/i.test(member) ? member : undefined;
  const isLinked = ['first', 'prev', 'next', 'last'].some((relation) => links.has(relation));
  return { next: links.get('next') ?? inBody, isLinked: isLinked || inBody !== undefined || member === null };
}

function toWholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) >= 0 ? Number(number) : undefined;
}

/** Targets of a `Link` header by relation. The first of each relation counts. */
export function parseLinks(headers: ResponseHeaders): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  // The connection limits the size of headers, so matching is cheap.
  for (const [, target = '', parameters = ''] of (readHeader(headers, 'link') ?? '').matchAll(linkValue)) {
    for (const relation of parseRelations(parameters)) {
      if (!links.has(relation)) links.set(relation, target);
    }
  }
  return links;
}

const linkValue = /<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]+))?)*)/g;
const parameter = /;\s*([^\s=;,]+)(?:\s*=\s*("[^"]*"|[^\s;,"]+))?/g;

function parseRelations(parameters: string): string[] {
  const values = [...parameters.matchAll(parameter)].filter(([, name]) => name?.toLowerCase() === 'rel');
  const relations = values[0]?.[2]?.replaceAll('"', '').toLowerCase() ?? '';
  return relations.split(/\s+/).filter((relation) => relation !== '');
}
const commonSizes = [10, 12, 15, 20, 24, 25, 30, 40, 50, 60, 75, 100, 150, 200, 250, 300, 500, 1_000];

/** Whether a response may be a whole list: it has no pagination metadata, and its length is no likely page size. */
export function mayBeWholeList(response: ListResponse, requestedSize: number): boolean {
  const { rows, page, perPage, total, isLinked } = response;
  const hasMetadata = page !== undefined || perPage !== undefined || total !== undefined || isLinked;
  return !hasMetadata && rows.length !== requestedSize && !commonSizes.includes(rows.length);
}
