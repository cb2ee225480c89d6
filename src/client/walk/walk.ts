import { tmpdir } from 'node:os';
import { keysOf, type Page, type PageRead, type ReadPage } from './page.ts';
import type { Place } from './paging.ts';
import { readPass } from './pass.ts';
import { openSightings, type Sightings } from './sightings.ts';
import { createTally, settle, type Tally, type WalkVerdict } from './verdict.ts';
import { failedBehind, type ResumePoint } from './walk-failure.ts';

/** A list from its first page to its last. Nothing is sent before the first page is asked for. */
export interface Walk<T> {
  [Symbol.asyncIterator](): AsyncGenerator<Page<T>, void>;
  /** How sure it is that nothing is missing; undefined before the end. */
  verdict(): WalkVerdict | undefined;
}

export interface WalkOptions {
  /** Rows wanted; all of them where it is left out. */
  readonly limit?: number | undefined;
  /** Pages read side by side; 8. At most two more wait for the reader. */
  readonly concurrency?: number | undefined;
  readonly from?: ResumePoint | undefined;
  /** Whether the list is in an order of its own instead of creation order. */
  readonly isSorted?: boolean | undefined;
  /** Read again until two passes agree, five times at most; left aside with a limit or a `from`. */
  readonly consistent?: boolean | undefined;
  /** Where a very long list keeps what it has seen; the system's folder for temporary files. */
  readonly spillFolder?: string | undefined;
}

/** How many of the last rows a failure names, so that one of them is likely to be there still. */
const anchors = 20;

/**
 * Reads a list to its end, pages side by side and their rows in order; `readPass` says what is guaranteed.
 * In an order other than creation order that holds for rows whose place in it does not change.
 * With `consistent`, rows that only a later pass found come last. Throws `page_repeated` when a page comes twice;
 * a later page's failure says how far the reading got, and as `resume_at` where it can go on.
 */
export function walk<T>(readPage: ReadPage<T>, options: WalkOptions = {}): Walk<T> {
  const { limit = Number.POSITIVE_INFINITY, from, consistent = false, isSorted = false } = options;
  const { concurrency = 8, spillFolder = tmpdir() } = options;
  const before = from?.rows ?? 0;
  const range = {
    first: { page: from?.page ?? 1, ...(from?.cursor === undefined ? {} : { link: from.cursor }) },
    before,
    wanted: limit,
    isResumed: from?.cursor === undefined && from?.behind !== undefined,
  };
  let verdict: WalkVerdict | undefined;
  return { verdict: () => verdict, [Symbol.asyncIterator]: readPasses };

  async function* readPasses(): AsyncGenerator<Page<T>, void> {
    if (limit === 0) return;
    using seen = openSightings(spillFolder);
    seen.note(from?.behind ?? []);
    const known = seen.size;
    let [digest, requests, pages, rows] = ['', 0, 0, 0];
    for (let passes = 1; ; passes += 1) {
      using own = passes === 1 ? undefined : openSightings(spillFolder);
      const tally = createTally();
      yield* readOnce(tally, seen, own);
      const distinct = seen.size - known;
      const reached = own?.size ?? distinct;
      const pass = tally.judge({ reached: before + reached, isWhole: reached < limit, isSorted });
      const digestBefore = digest;
      digest = (own ?? seen).digest();
      requests += pass.verdict.requests;
      pages += pass.verdict.pages;
      rows += pass.verdict.rows;
      const kind = settle(pass, { passes, agrees: digest === digestBefore, consistent });
      if (kind === undefined && limit === Number.POSITIVE_INFINITY && from === undefined) continue;
      const counts = { requests, pages, rows, distinct: Math.min(distinct, limit), passes };
      verdict = { ...pass.verdict, ...counts, kind: kind ?? pass.verdict.kind };
      return;
    }
  }

  /** One pass; from the second one on, what all passes have seen is left out. */
  async function* readOnce(tally: Tally, seen: Sightings, own?: Sightings): AsyncGenerator<Page<T>, void> {
    const stop = new AbortController();
    let rows = own === undefined ? 0 : seen.size;
    let resumeAt: ResumePoint | undefined;
    const parts = {
      read,
      sightings: own ?? seen,
      width: Math.min(2 * concurrency, concurrency + 2),
      isSorted,
      isUnsteady: tally.isUnsteady,
    };
    try {
      for await (const { rows: found, read: page } of readPass<T>(parts, range)) {
        const fresh = own === undefined ? found : keepNew(found, seen);
        const wanted = fresh.slice(0, limit - rows);
        rows += wanted.length;
        resumeAt = pointBehind(page, { rows: before + rows, found, behind: resumeAt?.behind });
        if (own !== undefined && wanted.length === 0) continue;
        yield { rows: wanted, page: page.page, total: page.total, version: page.version };
      }
    } catch (thrown) {
      throw resumeAt === undefined ? thrown : failedBehind(thrown, resumeAt);
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

function keepNew<T>(rows: readonly T[], seen: Sightings): readonly T[] {
  const isNew = seen.note(keysOf(rows));
  return rows.filter((_row, index) => isNew[index]);
}

function pointBehind(
  { page, facts }: PageRead<unknown>,
  { rows, found, behind }: { rows: number; found: readonly unknown[]; behind: ResumePoint['behind'] },
): ResumePoint {
  const last = found.length === 0 ? behind : keysOf(found.slice(-anchors));
  return { page: page + 1, cursor: facts.cursor, rows, behind: last };
}
