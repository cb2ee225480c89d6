import { SalonError } from '../../contract/errors.ts';
import type { Dialect, pagingParts } from '../dialect/dialect.ts';
import type { ListResponse } from '../foreign/list-response.ts';
import { sizeAfter } from '../foreign/page-info.ts';
import { readPath } from '../json-object.ts';
import { type ListQuery, type PageAddress, toCursorQuery, toPageAddress } from '../pagination/list-query.ts';
import { keyOf } from '../pagination/page.ts';

interface Exploration {
  /** The rows of the first page, in the dialect that is assumed. */
  readonly first: ListResponse;
  readonly dialect: Dialect;
  /** The way to try first. */
  readonly usual: PagingCandidate;
  /** What the first page was requested with. */
  readonly list: ListQuery;
  /** Reads a page that may not exist. An error if the server rejects the request. */
  readonly tryRead: (address: PageAddress) => Promise<ListResponse | SalonError>;
}

/** `found`: a way that leads to other rows. `ended`: a way that the server reads, without a second page. */
export interface Finding {
  readonly kind: 'found' | 'ended';
  readonly candidate: PagingCandidate;
}

/**
 * What a way leads to: `same`, the first page again; `empty`, no rows, which does not show whether the server reads the way;
 * `filtered`, no rows even for the first page, as from a server that filters by parameters it does not know.
 */
type Attempt = Finding | 'same' | 'empty' | 'filtered' | SalonError;

/**
 * Finds out how a list is continued, for a first page that does not show it: tries what it suggests, then what other
 * servers have. A way counts if the second page has other rows than the first.
 */
export async function explorePaging({
  first,
  dialect,
  usual,
  list: given,
  tryRead,
}: Exploration): Promise<Finding | undefined> {
  const list = { ...given, size: sizeAfter(first, given.size) };
  const lastRowId = String(readPath(first.rows.at(-1), 'id') ?? '');
  const mayEnd =
    ['unknown', 'end'].includes(first.continuation.kind) && (first.total ?? 0) <= first.rows.length;
  const hasPages = !['none', 'unknown', undefined].includes(usual.paging);
  const suggested = [...(hasPages ? [usual] : []), ...suggestPaging(first, dialect)];
  const attempts: Attempt[] = [];
  for (const candidate of suggested) {
    const second = await trySecond(candidate);
    const attempt = second === 'empty' ? await tryStart(candidate) : second;
    if (isFinding(attempt, 'found')) return attempt;
    attempts.push(attempt);
    if (attempts.includes('filtered') && attempts.some((one) => isFinding(one, 'ended'))) break;
  }
  const ended = attempts.find((one) => isFinding(one, 'ended'));
  if (ended !== undefined && mayEnd) return ended;
  const isFiltered = attempts.includes('filtered');
  const others = otherPaging.filter((one) => !suggested.includes(one));
  const together = isFiltered ? 'refused' : compare(first, await tryRead(toCombined(others)));
  // Where none of them shows other rows, filters are to be asked for, too.
  for (const candidate of together === 'same' ? [] : together === 'other' ? others : others.slice(0, 5)) {
    // Where other parameters are filters, one that finds the first page is none.
    const start = isFiltered ? await tryStart(candidate) : undefined;
    if (start !== undefined && !isFinding(start)) continue;
    const second = await trySecond(candidate);
    if (second === 'empty' && start !== undefined) return start;
    if (isFinding(second, isFiltered ? undefined : 'found')) return second;
  }
  // A page that cannot be read is not the end. For a parameter that it does not know, a server responds with 400.
  const failure = attempts.find((one) => one instanceof SalonError);
  const { status = 0 } = failure ?? {};
  if (failure !== undefined && (status === 401 || status === 403 || status >= 500)) throw failure;
  return undefined;

  async function trySecond(candidate: PagingCandidate): Promise<Exclude<Attempt, 'filtered'>> {
    const wanted = { ...dialect, ...candidate };
    const second = await tryRead(toSecond(wanted));
    if (second instanceof SalonError) return second;
    const result = compare(first, second);
    if (result === 'same') return 'same';
    const found = { kind: 'found', candidate } as const;
    if (isNumberKnown(wanted, candidate)) return result === 'other' ? found : 'empty';
    // Where the first page is number 0, page 2 is the third one.
    const atPage1 = compare(first, await tryRead(toSecond({ ...wanted, firstPage: 0 })));
    if (atPage1 === 'other') return { kind: 'found', candidate: { ...candidate, firstPage: 0 } };
    const oneBased = { ...candidate, firstPage: 1 };
    if (result === 'other') return { kind: 'found', candidate: oneBased };
    return atPage1 === 'empty' ? 'empty' : { kind: 'ended', candidate: oneBased };
  }

  /**
   * Reads the first page by its number, after an empty second one. A page that names its own number may call the
   * parameter otherwise: Feathers has `$skip`. A cursor and a range have no number.
   */
  async function tryStart(candidate: PagingCandidate): Promise<Finding | 'filtered' | SalonError> {
    const known = { ...dialect, ...candidate };
    const numbered = isNumberKnown(known, candidate) ? candidate : { ...candidate, firstPage: 0 };
    const wanted = { ...known, ...numbered };
    const address = toSecond(wanted);
    const number = wanted.paging === 'offset' ? 0 : wanted.firstPage;
    address.query.set(wanted.pageParameter ?? '', String(number));
    const start = /cursor|range/.test(wanted.paging) ? first : await tryRead(address);
    if (start instanceof SalonError) return start;
    return start.rows.length > 0 ? { kind: 'ended', candidate: numbered } : 'filtered';
  }

  function toSecond(wanted: Dialect): PageAddress {
    const { paging } = wanted;
    const { continuation } = first;
    const cursor = continuation.kind === 'cursor' ? continuation.cursor : undefined;
    const last = paging === 'last_id' ? lastRowId : paging === 'cursor' ? cursor : undefined;
    if (last === undefined) return toPageAddress(2, list, wanted);
    return { query: toCursorQuery(last, list, wanted), headers: undefined };
  }

  /** The list with the parameters of several ways at once. */
  function toCombined(candidates: readonly PagingCandidate[]): PageAddress {
    const { query, headers } = toPageAddress(1, given, dialect);
    for (const { paging, pageParameter } of candidates) {
      const position = paging === 'offset' ? first.rows.length : paging === 'last_id' ? lastRowId : 2;
      query.set(pageParameter ?? '', String(position));
    }
    return { query, headers };
  }
}

function isFinding(attempt: Attempt, kind?: Finding['kind']): attempt is Finding {
  return typeof attempt === 'object' && 'candidate' in attempt && (kind ?? attempt.kind) === attempt.kind;
}

function isNumberKnown({ paging }: Dialect, { firstPage }: PagingCandidate): boolean {
  return paging !== 'page' || firstPage !== undefined;
}

/** Compares a page with the first one. A list that changes meanwhile may repeat some rows, but not most. */
function compare(first: ListResponse, page: ListResponse | SalonError) {
  if (page instanceof SalonError) return 'refused';
  if (page.rows.length === 0) return 'empty';
  const keys = new Set(first.rows.map(keyOf));
  const repeated = page.rows.filter((row) => keys.has(keyOf(row))).length;
  return repeated * 2 > page.rows.length ? 'same' : 'other';
}

/** A way to read the next page that a server may support. */
export type PagingCandidate = Partial<Pick<Dialect, (typeof pagingParts)[number]>>;

const offset = { paging: 'offset', pageParameter: 'offset', perPageParameter: 'limit' } as const;
/** Feathers: it answers with `skip`. */
const feathers = { paging: 'offset', pageParameter: '$skip', perPageParameter: '$limit' } as const;
/** It answers with `meta.pagination.page`. */
const strapi = {
  paging: 'page',
  pageParameter: 'pagination[page]',
  perPageParameter: 'pagination[pageSize]',
} as const;
const lastId = { paging: 'last_id', pageParameter: 'starting_after', perPageParameter: 'limit' } as const;

/** The ways that a first page suggests, most likely first. */
function suggestPaging(first: ListResponse, dialect: Dialect): readonly PagingCandidate[] {
  const { continuation, page, offset: echoed, range } = first;
  if (continuation.kind === 'cursor') {
    return cursorParameters(continuation).map((pageParameter) => ({ paging: 'cursor', pageParameter }));
  }
  if (continuation.kind === 'page') return [{ firstPage: continuation.page === 1 ? 0 : 1 }];
  if (range !== undefined) return [{ paging: 'range' }, offset];
  const isOffset = echoed !== undefined && page === undefined;
  if (isOffset) return [{ ...offset, pageParameter: lastName(echoed.name) }, feathers, {}];
  const byPage = pageCandidates(first, dialect);
  return isStripeLike(first) ? [lastId, ...byPage] : byPage;
}

function pageCandidates({ page }: ListResponse, { pageParameter }: Dialect): readonly PagingCandidate[] {
  if (page === undefined) return [{}];
  const numbering = page.value === 0 ? { firstPage: 0 } : { firstPage: 1 };
  const name = lastName(page.name);
  const isCurrent = name === pageParameter || /^current/i.test(name);
  const nested = page.name.includes('pagination.') ? [{ ...strapi, ...numbering }] : [];
  return [numbering, ...(isCurrent ? [] : [{ ...numbering, pageParameter: name }]), ...nested];
}

/** Ways that other servers have, which a first page does not show. */
const otherPaging: readonly PagingCandidate[] = [
  offset,
  { paging: 'offset', pageParameter: 'skip', perPageParameter: 'limit' },
  { paging: 'offset', pageParameter: 'start' },
  { paging: 'page', pageParameter: 'pageNumber' },
  lastId,
  { paging: 'page', pageParameter: 'page_number' },
  { paging: 'page', pageParameter: '_page' },
  { paging: 'page', pageParameter: 'p' },
  { paging: 'page', pageParameter: 'page[number]', perPageParameter: 'page[size]' },
  strapi,
];

/** `next_page_token` of a response is `page_token` of a request, and so on. */
function cursorParameters({ name, parameter }: { readonly name: string; readonly parameter?: string }) {
  const member = lastName(name);
  const bare = member.replace(/^next_?/i, '').replace(/^x?-?(?:next-)?/, '');
  const base = bare.charAt(0).toLowerCase() + bare.slice(1);
  const start = `start_${base}`;
  const usual = ['after', 'page_token', 'pageToken', 'starting_after'];
  const names = [parameter ?? '', base, member, 'cursor', start, ...usual];
  return [...new Set(names.filter((one) => one !== ''))];
}

function lastName(path: string): string {
  return path.split('.').at(-1) ?? path;
}

function isStripeLike({ continuation, page, rows }: ListResponse): boolean {
  const id = readPath(rows.at(-1), 'id');
  return continuation.kind === 'more' && page === undefined && typeof id === 'string';
}
