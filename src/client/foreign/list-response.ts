import { SalonError } from '../../contract/errors.ts';
import { isJsonNumber } from '../../text/json.ts';
import type { Dialect, ResourceDialect } from '../dialect/dialect.ts';
import { findFieldsKey, toRow } from '../dialect/record-form.ts';
import type { ApiResponse } from '../http/decode.ts';
import { type Fields, isFields, readPath } from '../json-object.ts';
import type { Echo } from '../pagination/page.ts';
import { readRequestId } from '../response-headers.ts';
import { type Continuation, findContinuation, parseContentRange, type RowRange } from './continuation.ts';
import { collectMetadata, findMetadata, type ListMetadata, type Metadata } from './list-metadata.ts';

/** The rows and the pagination metadata of a list response in any common shape. */
export interface ListResponse {
  readonly rows: readonly unknown[];
  /** Page number, offset, page size and number of pages as the server reports them, if they are whole numbers. */
  readonly page?: Echo | undefined;
  readonly offset?: Echo | undefined;
  readonly perPage?: number | undefined;
  readonly pages?: Echo | undefined;
  readonly total?: number | undefined;
  /** A member that may be the total, if there is no other. */
  readonly supposedTotal?: Echo | undefined;
  readonly range?: RowRange | undefined;
  readonly continuation: Continuation;
}

const rowNames = [
  ...['data', 'items', 'results', 'value', 'content', 'records', 'entries', 'hydra:member', 'member'],
  ...['list', 'values', 'docs', 'elements', 'objects', 'result', 'nodes', 'collection'],
];
const totalNames = [
  ...['total', 'totalcount', 'totalelements', 'totalitems', 'totalresults', 'totalrecords', 'totalrows'],
  ...['odatacount', 'recordcount', 'hydratotalitems'],
];
/** Some servers count the whole list in these, others the page. */
const countNames = [
  ...['count', 'items', 'resultcount', 'recordstotal', 'numfound', 'nbhits', 'found', 'rowcount'],
  ...['objectcount', 'paginationcount'],
];
/** What a total may be called otherwise: `data_total`, `num_clients`. */
const unusualTotal =
  /^(?=.*(?:total|count|num|nb))(?:total|count|num(?:ber)?|nb|of|all|overall|grand|full|list|data|set|rows?|records?|items?|results?|entr(?:y|ies)|objects?|elements?|docs?|documents?|resources?|hits?|match(?:es|ing)?)+$/;
/** Numbers that are no total: positions, sizes, times, limits, sums and codes. */
const otherNumber =
  /page|size|limit|offset|skip|start|from|cursor|next|prev|per|max|min|id$|time|took|duration|elapsed|(?<!ite)ms$|seconds|stamp|date|expir|ttl|status|code|version|remaining|quota|rate|retr|request|sum|amount|balance|price|revenue|year|byte|length/;
const pageNames = ['page', 'currentpage', 'pagenumber', 'number', 'pageindex', 'pageno'];
const offsetNames = ['offset', 'skip', 'start', 'startat'];
const sizeNames = ['perpage', 'pagesize', 'limit', 'size', 'itemsperpage', 'maxresults', 'pagelimit', 'max'];
const pagesNames = ['totalpages', 'lastpage', 'pagecount', 'pages', 'numpages'];

/** Throws `unexpected_response` if there is no array of objects. `nouns`: what the server may call the records. */
export function parseListResponse(
  response: ApiResponse,
  dialect: ResourceDialect,
  nouns: readonly string[],
): ListResponse {
  const { body, headers } = response;
  const metadata = collectMetadata(body, headers);
  const range = parseContentRange(headers);
  const found =
    findRows(body, nouns, dialect) ?? (isEmptyList(response, metadata, { nouns, dialect }) ? [] : undefined);
  const [noun = 'records'] = nouns;
  if (found === undefined || !found.every(isFields)) throw notAList(response, noun);
  const rows = flatten(found, dialect);
  const total =
    readTotal(body, { dialect, metadata, count: rows.length }) ??
    (dialect.totalKey === null ? undefined : range?.total);
  return {
    rows,
    page: readEcho(metadata, pageNames),
    offset: readEcho(metadata, offsetNames),
    perPage: readEcho(metadata, sizeNames)?.value,
    pages: readEcho(metadata, pagesNames),
    total,
    supposedTotal:
      total === undefined && dialect.totalKey !== null ? findSupposedTotal(metadata, nouns) : undefined,
    range,
    continuation: findContinuation({ ...response, metadata, dialect, range }),
  };
}

function findRows(
  body: unknown,
  nouns: readonly string[],
  { rowsKey }: Dialect,
): readonly unknown[] | undefined {
  const configured = rowsKey === null ? body : readPath(body, rowsKey);
  if (Array.isArray(configured)) return configured;
  if (Array.isArray(body)) return body;
  const names = [...nouns, ...rowNames];
  const inner = ['data', 'd', '_embedded', 'embedded'].flatMap((outer) =>
    names.map((name) => `${outer}.${name}`),
  );
  for (const path of [...names, ...inner]) {
    const rows = readPath(body, path);
    if (Array.isArray(rows)) return rows;
  }
  // HAL calls the rows by the name of their class.
  const embedded = readPath(body, '_embedded');
  const lists = isFields(embedded) ? Object.values(embedded).filter((value) => Array.isArray(value)) : [];
  return lists.length === 1 ? lists[0] : undefined;
}

/** Ways to write an empty list: 204, `{data: null}`, a total of zero, and a page that only names the next one. */
function isEmptyList(
  { body, status }: ApiResponse,
  metadata: ListMetadata,
  { nouns, dialect }: { readonly nouns: readonly string[]; readonly dialect: Dialect },
): boolean {
  if (status === 204 && body === undefined) return true;
  if (!isFields(body)) return false;
  const names = [...nouns, ...rowNames, ...(dialect.rowsKey === null ? [] : [dialect.rowsKey])];
  if (names.some((name) => readPath(body, name) === null)) return true;
  if (toWholeNumber(findMetadata(metadata, totalNames)?.value) === 0) return true;
  const isCursorOnly = dialect.paging === 'cursor' && dialect.nextKey !== null;
  return isCursorOnly && Object.keys(body).every((name) => name === dialect.nextKey);
}

/** The fields of JSON:API records become members. The first row decides, because there are many. */
function flatten(rows: readonly Fields[], dialect: ResourceDialect): readonly unknown[] {
  const [first] = rows;
  if (first === undefined) return rows;
  const fieldsKey = findFieldsKey(first, dialect);
  const { idKey, map } = dialect;
  if (fieldsKey === null && idKey === 'id' && 'id' in first && map === undefined) return rows;
  return rows.map((row) => toRow(row, { fieldsKey, idKey, map }));
}

function readTotal(
  body: unknown,
  { dialect, metadata, count }: { dialect: Dialect; metadata: ListMetadata; count: number },
): number | undefined {
  if (dialect.totalKey === null) return undefined;
  const configured = toWholeNumber(readPath(body, dialect.totalKey));
  const total = configured ?? readEcho(metadata, totalNames)?.value;
  const counted = readEcho(metadata, countNames)?.value;
  return total ?? (counted === count ? undefined : counted);
}

function findSupposedTotal(metadata: ListMetadata, nouns: readonly string[]): Echo | undefined {
  const words = nouns.flatMap((noun) => [noun, noun.replace(/s$/, '')]);
  const toBare = (key: string) => words.reduce((rest, word) => rest.replace(word, 'rows'), key);
  // Of members that do not describe the list by a usual name, only numbers at the top may count it.
  const isTop = (key: string, { name, value }: Metadata) =>
    (isJsonNumber(value) || /total|count/.test(key)) && !name.includes('.') && !otherNumber.test(key);
  return [...metadata]
    .filter(([key, found]) => unusualTotal.test(toBare(key)) || isTop(key, found))
    .flatMap(([key]) => (countNames.includes(key) ? [] : (readEcho(metadata, [key]) ?? [])))
    .toSorted((one, other) => other.value - one.value)[0];
}

function readEcho(metadata: ListMetadata, names: readonly string[]): Echo | undefined {
  for (const key of names) {
    const found = metadata.get(key);
    // Elasticsearch: {"value": 45, "relation": "eq"}
    const given = found?.value;
    const value = toWholeNumber(isFields(given) && given['relation'] === 'eq' ? given['value'] : given);
    if (found !== undefined && value !== undefined) return { name: found.name, value };
  }
  return undefined;
}

function toWholeNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^\d{1,15}$/.test(value)) return undefined;
  const number = typeof value === 'string' || isJsonNumber(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

function notAList({ status, headers, body }: ApiResponse, noun: string): SalonError {
  const members = isFields(body) ? Object.entries(body) : [];
  const [array] = members.find(([, value]) => Array.isArray(value) && value.every(isFields)) ?? [];
  return new SalonError(
    'unexpected_response',
    `The server responded with ${status} but no list of ${noun}.`,
    {
      status,
      hint:
        array === undefined
          ? 'Check the base URL and the path, or set the member with the rows: "salon profiles set <profile> rows_key data.rows".'
          : `If the rows are in another member, set it: "salon profiles set <profile> rows_key ${array}".`,
      requestId: readRequestId(headers),
    },
  );
}
