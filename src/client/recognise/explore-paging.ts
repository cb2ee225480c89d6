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

/**
 * `found`: a way that leads to other rows. `ended`: a way that the server reads, without a second page. `ignored`: every
 * request returns the first page. `filtered`: every request returns nothing, even for the first page, as from a server that filters by
 * parameters it does not know.
 */
export type Finding =
  | { readonly kind: 'found'; readonly candidate: PagingCandidate }
  | { readonly kind: 'ended'; readonly candidate: PagingCandidate }
  | { readonly kind: 'ignored' | 'filtered' };

/**
 * Finds out how a list is continued, for a first page that does not show it: tries what it suggests, then what other
 * servers have. A way counts if the second page has other rows than the first.
 */
export async function explorePaging(exploration: Exploration): Promise<Finding> {
  const { first, tryRead } = exploration;
  const mayEnd =
    ['unknown', 'end'].includes(first.continuation.kind) && (first.total ?? 0) <= first.rows.length;
  let ended: Finding | undefined;
  let failure: SalonError | undefined;
  let isFiltered = false;
  const { usual, dialect } = exploration;
  const hasPages = !['none', 'unknown', undefined].includes(usual.paging);
  const suggested = [...(hasPages ? [usual] : []), ...suggestPaging(first, dialect)];
  for (const candidate of suggested) {
    const finding = await tryCandidate(candidate, exploration);
    if (finding instanceof SalonError) failure ??= finding;
    else if (finding?.kind === 'found') return finding;
    else if (finding?.kind === 'filtered') isFiltered = true;
    else ended ??= finding;
  }
  if (ended !== undefined && mayEnd) return ended;
  const others = otherPaging.filter((one) => !suggested.includes(one));
  const all = isFiltered ? undefined : await tryRead(toCombined(others, exploration));
  if (all !== undefined && compare(first, all) === 'same') return ignored();
  for (const candidate of others) {
    const finding = await tryCandidate(candidate, exploration);
    if (finding === undefined || finding instanceof SalonError) continue;
    // Where other parameters are filters, one that finds the first page is none.
    if (finding.kind === 'found' || (isFiltered && finding.kind === 'ended')) return finding;
  }
  return ignored();

  /** A page that cannot be read is not the end. For a parameter that it does not know, a server responds with 400. */
  function ignored(): Finding {
    const { status = 0 } = failure ?? {};
    if (failure !== undefined && (status === 401 || status === 403 || status >= 500)) throw failure;
    return { kind: isFiltered ? 'filtered' : 'ignored' };
  }
}

async function tryCandidate(
  candidate: PagingCandidate,
  exploration: Exploration,
): Promise<Finding | SalonError | undefined> {
  const { first, dialect, tryRead } = exploration;
  const wanted = { ...dialect, ...candidate };
  const { paging } = wanted;
  const second = await tryRead(toSecond(wanted, exploration));
  if (second instanceof SalonError) return second;
  const result = compare(first, second);
  const isNumberKnown = paging !== 'page' || candidate.firstPage !== undefined;
  if (result === 'same') return undefined;
  if (!isNumberKnown) {
    // Where the first page is number 0, page 2 is the third one.
    const zeroBased = { ...candidate, firstPage: 0 };
    const page1 = await tryRead(toSecond({ ...wanted, firstPage: 0 }, exploration));
    const atPage1 = compare(first, page1);
    if (atPage1 === 'other' && !(page1 instanceof SalonError)) {
      return { kind: 'found', candidate: zeroBased };
    }
    const oneBased = { ...candidate, firstPage: 1 };
    if (result === 'other') return { kind: 'found', candidate: oneBased };
    if (atPage1 !== 'empty') return { kind: 'ended', candidate: oneBased };
  }
  if (result === 'other') return { kind: 'found', candidate };
  // A cursor and a range have no number. A page that names its own may call the parameter otherwise: Feathers has $skip.
  const numbering = isNumberKnown ? {} : { firstPage: 0 };
  const isRead = /cursor|range/.test(paging);
  const start = isRead ? first : await tryRead(toStart({ ...wanted, ...numbering }, exploration));
  if (start instanceof SalonError) return start;
  const isStart = start.rows.length > 0;
  return isStart ? { kind: 'ended', candidate: { ...candidate, ...numbering } } : { kind: 'filtered' };
}

function toSecond(candidate: Dialect, { first, list: given }: Exploration): PageAddress {
  const { paging } = candidate;
  const list = { ...given, size: sizeAfter(first, given.size) };
  const { continuation } = first;
  if (paging === 'cursor' && continuation.kind === 'cursor') {
    return { query: toCursorQuery(continuation.cursor, list, candidate), headers: undefined };
  }
  if (paging !== 'last_id') return toPageAddress(2, list, candidate);
  return { query: toCursorQuery(lastIdOf(first), list, candidate), headers: undefined };
}

/** The first page, by its number or offset. */
function toStart(candidate: Dialect, exploration: Exploration): PageAddress {
  const address = toSecond(candidate, exploration);
  const { paging, pageParameter, firstPage } = candidate;
  address.query.set(pageParameter ?? '', String(paging === 'offset' ? 0 : firstPage));
  return address;
}

/** The list with the parameters of several ways at once. */
function toCombined(
  candidates: readonly PagingCandidate[],
  { first, dialect, list }: Exploration,
): PageAddress {
  const { query, headers } = toPageAddress(1, list, dialect);
  for (const { paging, pageParameter } of candidates) {
    const position = paging === 'offset' ? first.rows.length : paging === 'last_id' ? lastIdOf(first) : 2;
    query.set(pageParameter ?? '', String(position));
  }
  return { query, headers };
}

function lastIdOf({ rows }: ListResponse): string {
  return String(readPath(rows.at(-1), 'id') ?? '');
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
  return [numbering, ...(isCurrent ? [] : [{ ...numbering, pageParameter: name }])];
}

/** Ways that other servers have, which a first page does not show. */
const otherPaging: readonly PagingCandidate[] = [
  offset,
  lastId,
  { paging: 'offset', pageParameter: 'skip', perPageParameter: 'limit' },
  { paging: 'offset', pageParameter: 'start' },
  { paging: 'page', pageParameter: 'page[number]', perPageParameter: 'page[size]' },
  { paging: 'page', pageParameter: 'pagination[page]', perPageParameter: 'pagination[pageSize]' },
  { paging: 'page', pageParameter: '_page' },
  { paging: 'page', pageParameter: 'pageNumber' },
  { paging: 'page', pageParameter: 'page_number' },
  { paging: 'page', pageParameter: 'p' },
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
