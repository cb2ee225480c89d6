import { SalonError, withContext } from '../../contract/errors.ts';
import {
  type ConsistencyReport,
  createPassCounters,
  decideConsistency,
  type PassCounters,
} from './consistency.ts';
import { keysOf, type Page, type PageRead, type ReadPage, type ResumePoint } from './page.ts';
import type { Place } from './page-plan.ts';
import { type Piece, readPass } from './read-pass.ts';
import { openSeenKeys, type SeenKeys } from './seen-keys.ts';

/** A list from its first page to its last. Nothing is sent before the first page is asked for. */
export interface PagedList<T> {
  [Symbol.asyncIterator](): AsyncGenerator<Page<T>, void>;
  /** How sure it is that nothing is missing; undefined before the end. */
  consistency(): ConsistencyReport | undefined;
  /** Whether the server did not put the rows in the order that was asked for, so that it was done here. */
  isSortedHere?(): boolean;
}

export interface PaginationOptions {
  /** Rows wanted; all of them where it is left out. */
  readonly limit?: number | undefined;
  /** Pages read side by side; 8. At most two more wait for the reader. */
  readonly concurrency?: number | undefined;
  readonly from?: ResumePoint | undefined;
  /** Whether the list is in an order of its own instead of creation order. */
  readonly isSorted?: boolean | undefined;
  /** Read again until two passes agree, five times at most; left aside with a limit or a `from`. */
  readonly consistent?: boolean | undefined;
  /** Told where the server turns out to have no pages: so many rows are the whole list. */
  readonly tellUnpaged?: ((rows: number) => void) | undefined;
}

/**
 * Reads a list to its end, pages side by side and their rows in order; `readPass` says what is guaranteed.
 * In an order other than creation order that holds for rows whose place in it does not change.
 * With `consistent`, rows that only a later pass found come last. Throws `page_repeated` when a page comes twice;
 * a later page's failure says how far the reading got, and as `resume_at` where it can go on: a second pass cannot.
 */
export function paginate<T>(readPage: ReadPage<T>, options: PaginationOptions = {}): PagedList<T> {
  const { limit = Number.POSITIVE_INFINITY, from, consistent = false, isSorted = false } = options;
  const { concurrency = 8, tellUnpaged = () => {} } = options;
  const before = from?.rows ?? 0;
  const range = {
    first: { page: from?.page ?? 1, ...(from?.cursor === undefined ? {} : { link: from.cursor }) },
    // The rows handed out may be more: some have been deleted since.
    before: from === undefined ? 0 : (from.page - 1) * from.perPage,
    perPage: from?.perPage,
    wanted: limit,
    isResumed: from?.behind !== undefined,
  };
  let verdict: ConsistencyReport | undefined;
  return { consistency: () => verdict, [Symbol.asyncIterator]: readPasses };

  async function* readPasses(): AsyncGenerator<Page<T>, void> {
    if (limit === 0) return;
    using seen = openSeenKeys();
    seen.add(from?.behind ?? []);
    const known = seen.size;
    let [digest, requests, pages, rows] = ['', 0, 0, 0];
    for (let passes = 1; ; passes += 1) {
      using own = passes === 1 ? undefined : openSeenKeys();
      const tally = createPassCounters();
      yield* readOnce(tally, seen, own);
      const distinct = seen.size - known;
      const reached = own?.size ?? distinct;
      const end = { reached: before + reached, isResumed: before > 0, isWhole: reached < limit, isSorted };
      const pass = tally.judge(end);
      const digestBefore = digest;
      if (consistent) digest = (own ?? seen).digest();
      requests += pass.verdict.requests;
      pages += pass.verdict.pages;
      rows += pass.verdict.rows;
      const kind = decideConsistency(pass, { passes, agrees: digest === digestBefore, consistent });
      if (kind === undefined && limit === Number.POSITIVE_INFINITY && from === undefined) continue;
      const counts = { requests, pages, rows, distinct: Math.min(distinct, limit), passes };
      verdict = { ...pass.verdict, ...counts, kind: kind ?? pass.verdict.kind };
      return;
    }
  }

  /** One pass; from the second one on, what all passes have seen is left out. */
  async function* readOnce(
    tally: PassCounters,
    seen: SeenKeys,
    own?: SeenKeys,
  ): AsyncGenerator<Page<T>, void> {
    const stop = new AbortController();
    const trail = createRecentKeys(from?.behind);
    let rows = own === undefined ? 0 : seen.size;
    let last: ReturnType<typeof toPage<T>> | undefined;
    const parts = {
      read,
      seen: own ?? seen,
      width: Math.min(2 * concurrency, concurrency + 2),
      isSorted,
      isUnsteady: tally.isUnsteady,
      tellUnpaged,
    };
    try {
      for await (const piece of readPass<T>(parts, range)) {
        const fresh = own === undefined ? piece.rows : keepNew(piece.rows, seen);
        const wanted = fresh.slice(0, limit - rows);
        rows += wanted.length;
        trail.add(piece.keys);
        last = toPage(piece, wanted, before + rows);
        if (own === undefined || wanted.length > 0) yield last;
      }
    } catch (thrown) {
      if (last === undefined) throw thrown;
      const { page, resume } = last;
      const resumeAt = own === undefined ? { ...resume, behind: trail.keys() } : undefined;
      throw failedBehind(thrown, { page: page + 1, rows: resume.rows, resumeAt });
    } finally {
      stop.abort();
    }

    async function read(place: Place): Promise<PageRead<T>> {
      tally.asked();
      const page = await readPage(place, stop.signal);
      tally.see(page);
      return page;
    }
  }
}

function keepNew<T>(rows: readonly T[], seen: SeenKeys): readonly T[] {
  const isNew = seen.add(keysOf(rows));
  return rows.filter((_row, index) => isNew[index]);
}

/** A page as readers get it. Where pages follow one another by address alone, the last one's own is gone on with. */
function toPage<T>(
  { read, perPage }: Piece<T>,
  wanted: readonly T[],
  rows: number,
): Page<T> & { readonly resume: ResumePoint } {
  const { page, total, version, facts } = read;
  const { cursor, next, isNumbered, place } = facts;
  const isLast = !isNumbered && next === undefined;
  const resume = {
    page: isLast ? page : page + 1,
    perPage: Math.max(1, perPage),
    rows,
    cursor: cursor ?? (isNumbered ? undefined : (next ?? place.link)),
  };
  return { rows: wanted, page, total, version, resume };
}

/** How far a walk had got when it failed. */
export interface Reached {
  readonly page: number;
  readonly rows: number;
  /** Undefined where it cannot go on from there. */
  readonly resumeAt: ResumePoint | undefined;
}

/** The failure of a page behind the first, with how far the walk had got. An interruption stays as it is. */
export function failedBehind(thrown: unknown, { page, rows, resumeAt }: Reached): unknown {
  if (!(thrown instanceof SalonError) || thrown.code === 'interrupted') return thrown;
  const message = `${thrown.message.replace(/\.$/, '')} (at page ${page}, after ${rows} rows).`;
  const resumable = resumeAt === undefined ? {} : { resume_at: resumeAt };
  return withContext(thrown, {
    message,
    members: { ...thrown.members, page, rows_read: rows, ...resumable },
  });
}

/** The keys of the rows that a walk handed out last. */
export interface RecentKeys {
  /** Takes the keys of a page. */
  add(keys: readonly string[]): void;
  keys(): readonly string[];
}

/** Of fewer rows all may be gone by the time a walk goes on; of fewer pages a part of one would come again. */
const leastRows = 1_000;
const leastPages = 2;

/** A trail that goes on from the keys of an earlier walk. */
export function createRecentKeys(before: readonly string[] = []): RecentKeys {
  const pages = [before];
  let rows = before.length;
  return {
    keys: () => pages.flat(),
    add(keys) {
      if (keys.length === 0) return;
      pages.push(keys);
      rows += keys.length;
      for (let [oldest] = pages; oldest !== undefined && mayGo(oldest); [oldest] = pages) {
        rows -= oldest.length;
        pages.shift();
      }
    },
  };

  function mayGo(oldest: readonly string[]): boolean {
    return pages.length > leastPages && rows - oldest.length >= leastRows;
  }
}
