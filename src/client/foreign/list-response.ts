import { SalonError } from '../../contract/errors.ts';
import { isJsonNumber } from '../../text/json.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { findFieldsKey, toRow } from '../dialect/record-form.ts';
import type { ApiResponse } from '../http/decode.ts';
import { type Fields, isFields, readPath, simplifyName } from '../json-object.ts';
import type { Echo } from '../pagination/page.ts';
import { readRequestId } from '../response-headers.ts';
import { type Continuation, findContinuation, parseContentRange, type RowRange } from './continuation.ts';
import {
  collectMembers,
  findNumber,
  type ListMember,
  type ListMembers,
  toWholeNumber,
} from './list-members.ts';

/** The rows and the pagination metadata of a list response in any common shape. */
export interface ListResponse {
  readonly rows: readonly Fields[];
  /** Where the rows and the total were found; undefined where there are none, null for an array. */
  readonly rowsKey?: string | null | undefined;
  readonly totalKey?: string | undefined;
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

/** A page that the server does not have. */
export const emptyPage: ListResponse = { rows: [], continuation: { kind: 'unknown' } };

const rowName =
  /^(?:data|items|results?|values?|content|records|entries|(?:hydra)?member|list|docs|elements|objects|nodes|collection)$/;
const totalName =
  /^(?:(?:hydra)?total(?:count|elements|items|results|records|rows)?|odatacount|recordcount|recordstotal)$/;
/** Some servers count the whole list in these, others the page. */
const countName = /^(?:count|items|resultcount|numfound|nbhits|found|rowcount|objectcount|paginationcount)$/;
/** What a total may be called otherwise: `data_total`, `num_clients`. */
const unusualTotal =
  /^(?=.*(?:total|count|num|nb))(?:total|count|num(?:ber)?|nb|of|all|overall|grand|full|list|data|set|rows?|records?|items?|results?|entr(?:y|ies)|objects?|elements?|docs?|documents?|resources?|hits?|match(?:es|ing)?)+$/;
/** Numbers that are no total: positions, sizes, times, limits, sums and codes. */
const otherNumber =
  /page|size|limit|offset|skip|start|from|cursor|next|prev|per|max|min|id$|time|took|duration|elapsed|(?<!ite)ms$|seconds|stamp|date|expir|ttl|status|code|version|remaining|quota|rate|retr|request|sum|amount|balance|price|revenue|year|byte|length/;

/** Throws `unexpected_response` if there is no array of objects. `nouns`: what the server may call the records. */
export function parseListResponse(
  response: ApiResponse,
  dialect: Dialect,
  nouns: readonly string[],
): ListResponse {
  const { body, headers } = response;
  const members = collectMembers(body, headers);
  const range = parseContentRange(headers);
  const rowsKey = findRowsKey(body, nouns, dialect);
  const isEmpty = rowsKey === undefined && isEmptyList(response, members, { nouns, dialect });
  const all = isEmpty ? [] : rowsKey === null ? body : readPath(body, rowsKey ?? '');
  const [noun = 'records'] = nouns;
  if (!Array.isArray(all) || !all.every(isFields)) throw notAList(response, noun);
  const rows = flatten(all, dialect);
  const hasTotal = dialect.totalKey !== null;
  const counted = findNumber(members, countName);
  const found = !hasTotal
    ? undefined
    : (findDeclared(dialect.totalKey, body, members) ??
      findNumber(members, totalName) ??
      (counted?.value === rows.length ? undefined : counted));
  const total = found?.value ?? (hasTotal ? range?.total : undefined);
  return {
    rows,
    page: findNumber(members, /^(?:current)?page(?:number|index|no)?$|^number$/),
    offset: findNumber(members, /^(?:offset|skip|start(?:at)?)$/),
    perPage: findNumber(members, /^(?:perpage|page(?:size|limit)|limit|size|itemsperpage|max(?:results)?)$/)
      ?.value,
    pages: findNumber(members, /^(?:totalpages|lastpage|pagecount|(?:num)?pages)$/),
    total,
    ...{ rowsKey, totalKey: found?.name },
    supposedTotal: total === undefined && hasTotal ? findSupposedTotal(members, nouns) : undefined,
    range,
    continuation: findContinuation({ ...response, members, dialect, range }),
  };
}

/** The number in a member of that path, or in a header. */
function findDeclared(key: string, body: unknown, members: ListMembers): Echo | undefined {
  const header = [...members.values()].find(({ name }) => name === key)?.value;
  const value = toWholeNumber(readPath(body, key) ?? header);
  return value === undefined ? undefined : { name: key, value };
}

/** Path of the member with the rows; null for an array, undefined if there are none. */
function findRowsKey(
  body: unknown,
  nouns: readonly string[],
  { rowsKey }: Dialect,
): string | null | undefined {
  if (rowsKey !== null && Array.isArray(readPath(body, rowsKey))) return rowsKey;
  if (Array.isArray(body)) return null;
  const outer = toArrays(body);
  const inner = ['data', 'd', '_embedded', 'embedded'].flatMap((name) =>
    toArrays(readPath(body, name)).map((key) => `${name}.${key}`),
  );
  const paths = [...outer, ...inner];
  const nameOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);
  const named = paths.find((path) => nouns.includes(nameOf(path)));
  const usual = named ?? paths.find((path) => rowName.test(simplifyName(nameOf(path))));
  // HAL calls the rows by the name of their class.
  const embedded = inner.filter((path) => path.startsWith('_embedded.'));
  return usual ?? (embedded.length === 1 ? embedded[0] : undefined);
}

function toArrays(value: unknown): readonly string[] {
  const members = isFields(value) ? Object.entries(value) : [];
  return members.flatMap(([name, member]) => (Array.isArray(member) ? [name] : []));
}

/** Ways to write an empty list: 204, `{data: null}`, a total of zero, and a page that only names the next one. */
function isEmptyList(
  { body, status }: ApiResponse,
  members: ListMembers,
  { nouns, dialect }: { readonly nouns: readonly string[]; readonly dialect: Dialect },
): boolean {
  if (status === 204 && body === undefined) return true;
  if (!isFields(body)) return false;
  const { paging, rowsKey, nextKey } = dialect;
  const isRows = (name: string) =>
    name === rowsKey || nouns.includes(name) || rowName.test(simplifyName(name));
  if (Object.keys(body).some((name) => body[name] === null && isRows(name))) return true;
  if (findNumber(members, totalName)?.value === 0) return true;
  return paging === 'cursor' && nextKey !== null && Object.keys(body).every((name) => name === nextKey);
}

/** The fields of JSON:API records become members. The first row decides, because there are many. */
function flatten(rows: readonly Fields[], dialect: Dialect): readonly Fields[] {
  const [first] = rows;
  if (first === undefined) return rows;
  const fieldsKey = findFieldsKey(first, dialect);
  const { idKey } = dialect;
  if (fieldsKey === null && idKey === 'id' && 'id' in first) return rows;
  return rows.map((row) => toRow(row, { fieldsKey, idKey }));
}

function findSupposedTotal(members: ListMembers, nouns: readonly string[]): Echo | undefined {
  const words = nouns.flatMap((noun) => [noun, noun.replace(/s$/, '')]);
  const toBare = (key: string) => words.reduce((rest, word) => rest.replace(word, 'rows'), key);
  // Of members that do not describe the list by a usual name, only numbers at the top may count it.
  const isTop = (key: string, { name, value }: ListMember) =>
    (isJsonNumber(value) || /total|count/.test(key)) && !name.includes('.') && !otherNumber.test(key);
  return [...members]
    .filter(([key, member]) => unusualTotal.test(toBare(key)) || isTop(key, member))
    .flatMap(([key, { name, value: given }]) => {
      const value = countName.test(key) ? undefined : toWholeNumber(given);
      return value === undefined ? [] : [{ name, value }];
    })
    .toSorted((one, other) => other.value - one.value)[0];
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
