import { SalonError } from '../../contract/errors.ts';
import { pagingHint } from './consistency.ts';
import {
  type FetchedPage,
  findPageOverlap,
  isContiguous,
  isFetchedByLink,
  isRepeated,
  keysOf,
  mayHaveShifted,
  nextPageRequest,
  type PageRequest,
  planPages,
} from './page.ts';
import { createPageQueue } from './page-queue.ts';
import type { SeenKeys } from './seen-keys.ts';

export interface RowBatch<T> {
  readonly rows: readonly T[];
  /** Of these rows, and of those on their page that were returned before. */
  readonly keys: readonly string[];
  readonly page: FetchedPage<T>;
  readonly perPage: number;
}

interface PassOptions<T> {
  readonly fetch: (request: PageRequest) => Promise<FetchedPage<T>>;
  readonly seen: SeenKeys;
  /** Maximum number of pages requested or waiting. */
  readonly width: number;
  /** Whether rows can move within the list. */
  readonly isSorted: boolean;
  /** Whether the total may hide changes of the list. */
  readonly isUnsteady: () => boolean;
  /** What the rows are called in errors, such as `clients`. */
  readonly noun: string;
  readonly first: PageRequest;
  /** Rows before the first page. */
  readonly before: number;
  readonly perPage: number | undefined;
  readonly wanted: number;
  /** Whether `seen` has the rows before the first page. */
  readonly knowsEarlierRows: boolean;
}

type Batches<T> = AsyncGenerator<RowBatch<T>, FetchedPage<T> | undefined>;

/**
 * Reads a list once, from a page to its end. Returns no row twice, and every row that exists throughout: always where
 * pages have versions and cursors, elsewhere if rows are only added at the end and `total` reveals every change.
 * Throws `page_repeated` for a list that goes round in circles, and `unexpected_response` if there is more than can be
 * read, or if the first page cannot be requested by number.
 */
export async function* readPass<T>(options: PassOptions<T>): AsyncGenerator<RowBatch<T>, void> {
  const { fetch, seen, isSorted, isUnsteady, noun } = options;
  const { first, before, perPage, wanted, knowsEarlierRows } = options;
  const queue = createPageQueue(fetch, options.width);
  let page: FetchedPage<T> | undefined = await fetchFirst();
  if (isWrongPage(page)) {
    const message = `This server cannot return page ${first.page} by its number.`;
    throw new SalonError('unexpected_response', message, { hint: 'Read the list from the start.' });
  }
  const { info: start } = page;
  const plan = planPages(start, { before, wanted: before + wanted, size: perPage });
  let position = before + page.rows.length;
  let rows = 0;
  const hasCursors = start.cursor !== undefined;
  const links = new Set<string>();
  let [pagesWithNew, pagesWithoutNew] = [0, 0];
  let hasChanged = false;
  let isTooDeep = false;

  // Nothing is returned of a list that cannot be read on.
  if (page.rows.length < wanted) assertReadable(page);
  queue.plan(plan.first, plan.last);
  prefetchAfter(page);
  page = yield* knowsEarlierRows && !isFetchedByLink(page) ? resume(page) : returnRows(page, page.rows);
  while (page !== undefined && rows < wanted) {
    const request = requestAfter(page);
    if (request === undefined) {
      assertReadable(page);
      page = yield* rereadEnd(page);
      continue;
    }
    assertProgress(page, request);
    if (queue.peek() === undefined) queue.request(request);
    const next = await takeAfter(page);
    advance(next);
    prefetchAfter(next);
    page = yield* connect(page, next);
  }

  /** A link may have expired. A number has not, and the rows returned before show whether it is the right page. */
  async function fetchFirst(): Promise<FetchedPage<T>> {
    if (!knowsEarlierRows || first.link === undefined) return fetch(first);
    try {
      return await fetch(first);
    } catch (thrown) {
      const isExpired = thrown instanceof SalonError && expiredStatuses.includes(thrown.status ?? 0);
      if (!isExpired) throw thrown;
      return fetch({ page: first.page });
    }
  }

  function requestAfter({ info }: FetchedPage<T>): PageRequest | undefined {
    const request = nextPageRequest(info, position);
    return request !== undefined && isTooDeep && info.cursor !== undefined
      ? { ...request, link: info.cursor }
      : request;
  }

  /** Throws for a page that says that there is more, but not how to read it. */
  function assertReadable(last: FetchedPage<T>): void {
    const { more } = last.info;
    if (more === undefined || requestAfter(last) !== undefined) return;
    const problem = `but page ${last.page} does not show how to read them`;
    const message = `The server says that there are more ${noun} (${more}), ${problem}.`;
    const members = { page: last.page, says_more: more };
    throw new SalonError('unexpected_response', message, { hint: pagingHint, members });
  }

  function advance({ info: { request, count } }: FetchedPage<T>): void {
    const isPlanned = request.link === undefined && plan.last >= plan.first;
    position = isPlanned ? (request.page - 1) * plan.size + count : position + count;
  }

  /** Requests the next page while this one is used, if pages can only be read one after the other. */
  function prefetchAfter(current: FetchedPage<T>): void {
    // The next part of a whole list is arriving already.
    if (current.requests !== undefined) return;
    const request = rows + current.rows.length < wanted ? requestAfter(current) : undefined;
    if (request !== undefined && queue.peek() === undefined) queue.request(request);
  }

  async function takeAfter(last: FetchedPage<T>): Promise<FetchedPage<T>> {
    const next = await queue.take().catch((thrown: unknown) => followBeyondNumbers(last, thrown));
    if (!isRepeated(last, next)) return next;
    // A list that shifted by a whole page looks repeated once, but not twice.
    const again = await fetch(next.info.request);
    if (!isRepeated(last, again)) return again;
    const { more } = last.info;
    const reason = more === undefined ? '' : `, although the server says that there is more (${more})`;
    throw pageRepeated(again.page, `Page ${again.page} repeats the page before it${reason}`);
  }

  function pageRepeated(number: number, problem: string): SalonError {
    const members = { page: number, rows_read: rows };
    const message = `${problem} (${rows} rows were read).`;
    return new SalonError('page_repeated', message, { hint: pagingHint, members });
  }

  /** From a certain depth on, a server may have pages for cursors alone. */
  function followBeyondNumbers({ info }: FetchedPage<T>, thrown: unknown): Promise<FetchedPage<T>> {
    const needsCursor = thrown instanceof SalonError && thrown.code === 'use_cursor';
    if (!needsCursor || isTooDeep || info.cursor === undefined) throw thrown;
    isTooDeep = true;
    queue.clear();
    return fetch({ page: info.request.page + 1, link: info.cursor });
  }

  /** A list that goes round in circles has a link twice, or more pages with nothing new than there were others. */
  function assertProgress(last: FetchedPage<T>, { link }: PageRequest): void {
    // Page numbers end with the total.
    if (link === undefined && last.total !== undefined && last.info.more === undefined) return;
    const isCycle = link !== undefined && links.has(link);
    if (link !== undefined) links.add(link);
    if (!isCycle && pagesWithoutNew < Math.max(maxPagesWithoutNew, pagesWithNew)) return;
    const reason = isCycle
      ? `page ${last.page} links to a page that was read before`
      : `the last ${pagesWithoutNew} pages had no new ones`;
    throw pageRepeated(last.page, `The list of ${noun} does not end: ${reason}`);
  }

  /** Returns the rows after `last` up to the end of `next`, and the last page read. */
  async function* connect(last: FetchedPage<T>, next: FetchedPage<T>): Batches<T> {
    const mayHaveGap = mayHaveShifted(last, next, plan.size) || isUnsteady();
    if (isContiguous(last, next) || !mayHaveGap) return yield* returnRows(next, next.rows);
    hasChanged = true;
    // In creation order, a page with a row that was returned also has the rows after it.
    if (!isSorted && wasSeen(next)) return yield* returnRows(next, next.rows);
    return yield* last.info.cursor === undefined ? readBackwards(next) : followCursor(last, next);
  }

  /** Follows the cursor after `last` until it meets `next` or a page after that. */
  async function* followCursor(last: FetchedPage<T>, next: FetchedPage<T>): Batches<T> {
    for (let current = last; current.info.cursor !== undefined; ) {
      const following = await fetch({ page: next.page, link: current.info.cursor });
      for (const [index, later] of [next, ...queue.arrived()].entries()) {
        const overlap = findPageOverlap(following.rows, later.rows, { isSorted });
        if (overlap === undefined) continue;
        queue.drop(index);
        if (index > 0) advance(later);
        // One batch, because only the end of a page can be resumed.
        const between = following.rows.slice(0, overlap.end);
        return yield* returnRows(later, [...between, ...later.rows.slice(overlap.start)]);
      }
      yield* returnRows(following, following.rows);
      current = following;
    }
    return undefined;
  }

  /**
   * Reads the pages before `next` again, nearest first, until one has a row that was returned. Deletions shift rows
   * towards the pages still to be read, so that none can be skipped in this direction.
   */
  async function* readBackwards(next: FetchedPage<T>): Batches<T> {
    const found = [next];
    for (let number = next.page - 1; number >= 1; number -= 1) {
      const earlier = await fetch({ page: number });
      found.unshift(earlier);
      if (wasSeen(earlier)) break;
    }
    for (const one of found) yield* returnRows(one, one.rows);
    return next;
  }

  /** After changes, reads the last page again until it has nothing new. */
  async function* rereadEnd(last: FetchedPage<T>): Batches<T> {
    if (!hasChanged || hasCursors || !last.info.isNumbered) return undefined;
    const rowsBefore = rows;
    const next = await fetch({ page: Math.max(1, last.rows.length === 0 ? last.page - 1 : last.page) });
    advance(next);
    yield* connect(last, next);
    if (rows > rowsBefore) return next;
    const isLonger = last.rows.length > 0 || hasGrown(last, next);
    return isLonger && requestAfter(next) !== undefined ? next : undefined;
  }

  /** Whether an empty page was past the end when it was read, and rows have been added since. */
  function hasGrown(empty: FetchedPage<T>, next: FetchedPage<T>): boolean {
    if (empty.total === undefined || next.total === undefined || isUnsteady()) return false;
    return empty.total <= (empty.page - 1) * plan.size && next.total > empty.total;
  }

  /** Finds the rows returned before the resume: on the first page, or before it if the list has shifted. */
  async function* resume(next: FetchedPage<T>): Batches<T> {
    hasChanged = true;
    return yield* wasSeen(next) ? returnRows(next, next.rows) : readBackwards(next);
  }

  async function* returnRows(from: FetchedPage<T>, found: readonly T[]): Batches<T> {
    const keys = keysOf(found);
    const isNew = seen.add(keys);
    const fresh = isNew.includes(false) ? found.filter((_row, index) => isNew[index]) : found;
    rows += fresh.length;
    pagesWithoutNew = fresh.length === 0 ? pagesWithoutNew + 1 : 0;
    if (fresh.length > 0) pagesWithNew += 1;
    yield { rows: fresh, keys, page: from, perPage: plan.size };
    return from;
  }

  /** Whether the server ignored the page number because it only supports links. */
  function isWrongPage(found: FetchedPage<T>): boolean {
    const { request, next, isNumbered } = found.info;
    if (request.link !== undefined || request.page === 1) return false;
    return next !== undefined && !isNumbered && !wasSeen(found);
  }

  function wasSeen({ rows: found }: FetchedPage<T>): boolean {
    return seen.has(keysOf(found)).includes(true);
  }
}

const expiredStatuses = [400, 404, 410, 422];

/** Pages in a row that may have no new rows in any list; in a longer one, as many as had new rows. */
const maxPagesWithoutNew = 10;
