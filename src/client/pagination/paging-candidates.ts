import type { Dialect } from '../dialect/dialect.ts';
import { isFields } from '../fields.ts';
import type { ListResponse } from './list-response.ts';

/** A way to read the next page that a server may support. */
export type PagingCandidate = Partial<
  Pick<Dialect, 'paging' | 'pageParameter' | 'firstPage' | 'perPageParameter'>
>;

const offset = { paging: 'offset', pageParameter: 'offset', perPageParameter: 'limit' } as const;
const lastId = { paging: 'last_id', pageParameter: 'starting_after', perPageParameter: 'limit' } as const;

/** The ways that a first page suggests, most likely first. */
export function suggestPaging(first: ListResponse, dialect: Dialect): readonly PagingCandidate[] {
  const { continuation, page, offset: echoed, range } = first;
  if (continuation.kind === 'cursor') return cursorParameters(continuation).map(toCursorCandidate);
  if (continuation.kind === 'page') return [{ firstPage: continuation.page === 1 ? 0 : 1 }];
  if (range !== undefined) return [{ paging: 'range' }, offset];
  const isOffset = echoed !== undefined && page === undefined;
  if (isOffset) return [{ ...offset, pageParameter: lastName(echoed.name) }, {}];
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
export const otherPaging: readonly PagingCandidate[] = [
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

function toCursorCandidate(pageParameter: string): PagingCandidate {
  return { paging: 'cursor', pageParameter };
}

/** `next_page_token` of a response is `page_token` of a request, and so on. */
function cursorParameters({ name, parameter }: { readonly name: string; readonly parameter?: string }) {
  const member = lastName(name);
  const bare = member.replace(/^next_?/i, '').replace(/^x?-?(?:next-)?/, '');
  const base = bare.charAt(0).toLowerCase() + bare.slice(1);
  const start = `start_${base}`;
  const names = [
    parameter,
    base,
    member,
    'cursor',
    start,
    'after',
    'page_token',
    'pageToken',
    'starting_after',
  ];
  return [...new Set(names.filter((one) => one !== undefined && one !== ''))] as string[];
}

function lastName(path: string): string {
  return path.split('.').at(-1) ?? path;
}

function isStripeLike({ continuation, page, rows }: ListResponse): boolean {
  const last = rows.at(-1);
  return (
    continuation.kind === 'more' && page === undefined && isFields(last) && typeof last['id'] === 'string'
  );
}
