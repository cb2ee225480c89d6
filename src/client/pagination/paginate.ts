import { SalonError, withContext } from '../../contract/errors.ts';
import { streamedRowsPerRequest } from '../../contract/schemas.ts';
import {
  type ConsistencyReport,
  type ConsistencyTracker,
  createConsistencyTracker,
  toDisagreementError,
} from './consistency.ts';
import { type FetchPage, keysOf, type Page, type ResumePoint } from './page.ts';
import { type RowBatch, readPass } from './read-pass.ts';
import { openSeenKeys, type SeenKeys } from './seen-keys.ts';

/** A list, page by page. Sends nothing before the first page is requested. */
export interface PagedList<T> {
  [Symbol.asyncIterator](): AsyncGenerator<Page<T>, void>;
  /** How complete the list is; undefined before its end. */
  consistency(): ConsistencyReport | undefined;
  /** True for a list that nothing narrows down. */
  readonly isEverything?: boolean;
  /** Whether the rows were sorted here because the server did not. */
  isSortedHere?(): boolean;
}

interface PaginationOptions {
  /** Maximum number of rows; all by default. */
  readonly limit?: number | undefined;
  /** Pages fetched concurrently; 8. As many may wait to be read, so that requests go on while rows are written. */
  readonly concurrency?: number | undefined;
  readonly from?: ResumePoint | undefined;
  /** Whether the list is in another order than creation order. */
  readonly isSorted?: boolean | undefined;
  /**
   * Reads the list until two passes agree, at most five times; otherwise only a list that changed and misses rows is
   * read again, once. Ignored with `limit` or `from`.
   */
  readonly consistent?: boolean | undefined;
  /** What the rows are called in errors; `records`. */
  readonly noun?: string | undefined;
}

/**
 * Reads a list to its end, pages concurrently and rows in order, with the guarantees of `readPass`. In another order
 * than creation order they hold for rows that do not move. With `consistent`, rows found by later passes come last.
 * Throws `page_repeated` if a page comes twice. An error after the first page has the progress in its members, and
 * `resume_at` if pagination can resume there, which a second pass cannot.
 */
export function paginate<T>(fetchPage: FetchPage<T>, options: PaginationOptions = {}): PagedList<T> {
  const { limit = Number.POSITIVE_INFINITY, from, consistent = false, isSorted = false } = options;
  const { concurrency = 8, noun = 'records' } = options;
  const before = from?.rows ?? 0;
  const range = {
    first: { page: from?.page ?? 1, link: from?.cursor },
    // Not the rows returned: some of them may have been deleted since.
    before: from === undefined ? 0 : (from.page - 1) * from.perPage,
    perPage: from?.perPage,
    wanted: limit,
    knowsEarlierRows: from?.behind !== undefined,
  };
  let report: ConsistencyReport | undefined;
  return { consistency: () => report, [Symbol.asyncIterator]: readPasses };

  async function* readPasses(): AsyncGenerator<Page<T>, void> {
    if (limit === 0) return;
    using seen = openSeenKeys();
    seen.add(from?.behind ?? []);
    const known = seen.size;
    const tracker = createConsistencyTracker();
    for (let isFirstPass = true; ; isFirstPass = false) {
      using seenInPass = isFirstPass ? undefined : openSeenKeys();
      yield* readOnce(tracker, seen, seenInPass);
      const distinct = seen.size - known;
      const reached = seenInPass?.size ?? distinct;
      const end = {
        reached: before + reached,
        distinct: Math.min(distinct, limit),
        isResumed: before > 0,
        isWhole: reached < limit,
        isSorted,
        digest: consistent ? (seenInPass ?? seen).digest() : undefined,
      };
      const ended = tracker.endPass(end, noun);
      if (!ended.isFinal && limit === Number.POSITIVE_INFINITY && from === undefined) continue;
      report = ended.report;
      return;
    }
  }

  /** Reads one pass. A second or later one returns only rows that no pass has seen. */
  async function* readOnce(
    tracker: ConsistencyTracker,
    seen: SeenKeys,
    seenInPass?: SeenKeys,
  ): AsyncGenerator<Page<T>, void> {
    const stop = new AbortController();
    const recent = createRecentKeys(from?.behind);
    const isFirstPass = seenInPass === undefined;
    let rows = isFirstPass ? 0 : seen.size;
    let last: ReturnType<typeof toPage<T>> | undefined;
    const pass = readPass<T>({
      ...range,
      async fetch(request) {
        const page = await fetchPage(request, stop.signal);
        tracker.countPage(page);
        return page;
      },
      seen: seenInPass ?? seen,
      width: 2 * concurrency,
      isSorted,
      isUnsteady: tracker.isUnsteady,
      noun,
    });
    try {
      for await (const batch of pass) {
        const isNew = isFirstPass ? [] : seen.add(keysOf(batch.rows));
        const fresh = isFirstPass ? batch.rows : batch.rows.filter((_row, index) => isNew[index]);
        const wanted = fresh.slice(0, limit - rows);
        rows += wanted.length;
        recent.add(batch.keys);
        last = toPage(batch, wanted, before + rows);
        if (isFirstPass || wanted.length > 0) yield last;
      }
    } catch (thrown) {
      if (last === undefined) throw thrown;
      const { page, resume } = last;
      const resumeAt = isFirstPass ? { ...resume, behind: recent.keys() } : undefined;
      throw withProgress(thrown, { page: page + 1, rows: resume.rows, resumeAt });
    } finally {
      stop.abort();
    }
  }
}

function toPage<T>(
  { page: fetched, perPage }: RowBatch<T>,
  wanted: readonly T[],
  rows: number,
): Page<T> & { readonly resume: ResumePoint } {
  const { page, total, version, info, requests } = fetched;
  const { cursor, next, isNumbered, request } = info;
  // The last page of a list that only has links is read again: nothing else leads to rows added since.
  const isLast = !isNumbered && next === undefined;
  const resume = {
    page: isLast ? page : page + 1,
    perPage: Math.max(1, perPage),
    rows,
    cursor: cursor ?? (isNumbered ? undefined : (next ?? request.link)),
  };
  const rowsPerRequest = requests === undefined ? undefined : streamedRowsPerRequest;
  return { rows: wanted, page, total, version, resume, rowsPerRequest };
}

/** Adds the progress to the error of a page after the first. Leaves an interruption unchanged. */
function withProgress(
  thrown: unknown,
  { page, rows, resumeAt }: { page: number; rows: number; resumeAt: ResumePoint | undefined },
): unknown {
  if (!(thrown instanceof SalonError) || thrown.code === 'interrupted') return thrown;
  const message = `${thrown.message.replace(/\.$/, '')} (at page ${page}, after ${rows} rows).`;
  const resumable = resumeAt && { resume_at: resumeAt };
  return withContext(thrown, {
    message,
    members: { ...thrown.members, page, rows_read: rows, ...resumable },
  });
}

/** With fewer rows, all might be deleted before a resume; with fewer pages, a part of one might be returned again. */
const minRows = 1_000;
const minPages = 2;

/** `before`: recent keys of the pagination that is resumed. */
export function createRecentKeys(before: readonly string[] = []) {
  const pages = [before];
  let rows = before.length;
  return {
    keys: () => pages.flat(),
    /** Adds the keys of a page. */
    add(keys: readonly string[]) {
      if (keys.length === 0) return;
      pages.push(keys);
      rows += keys.length;
      const isUnneeded = (oldest: readonly string[] = []) =>
        pages.length > minPages && rows - oldest.length >= minRows;
      while (isUnneeded(pages[0])) rows -= pages.shift()?.length ?? 0;
    },
  };
}

/**
 * The pages of a list that is needed whole. Throws `unexpected_response` at its end if rows are missing: the server
 * counts more of them than it sent.
 */
export async function* readWhole<T>(list: PagedList<T>, noun: string): AsyncGenerator<Page<T>, void> {
  yield* list;
  const report = list.consistency();
  if (report?.kind === 'disagreement') throw toDisagreementError(report, noun);
}

/** The rows of all pages. */
export async function readRows<T>(pages: AsyncIterable<{ readonly rows: readonly T[] }>): Promise<T[]> {
  const all: T[] = [];
  for await (const { rows } of pages) all.push(...rows);
  return all;
}

export async function takeFirst<T>(list: AsyncIterable<Page<T>>): Promise<Page<T> | undefined> {
  for await (const page of list) return page;
  return undefined;
}
