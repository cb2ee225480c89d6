import { SalonError } from '../../contract/errors.ts';
import { renderCount } from '../../text/numbers.ts';
import type { FetchedPage } from './page.ts';

/** How complete a list is known to be. Stored as JSON, so the names of the members are a file format. */
export interface ConsistencyReport {
  /**
   * `exact`: a snapshot of the list, proven by its version or a single response that says that it is all.
   * `consistent`: changes were detected and handled, or there were none. `not proven`: the server reports too little,
   * so that rows may even be missing at the end. `disagreement`: fewer rows were
   * read than the server counts, or no two passes agreed.
   */
  readonly kind: 'exact' | 'consistent' | 'not proven' | 'disagreement';
  /** Rows the server sent, repeated ones counted each time. */
  readonly rows: number;
  /** Rows returned, each once. */
  readonly distinct: number;
  readonly firstTotal: number | undefined;
  readonly lastTotal: number | undefined;
  readonly pages: number;
  readonly requests: number;
  /** Whether one response had several pages or all of them. */
  readonly isStreamed?: boolean;
  /** How often the list was read. */
  readonly passes: number;
  /**
   * Filters, and the order as `sort=…`, that the server seems to ignore and that its rows do not show. The rows may not
   * match them, so such a list must not decide what is changed.
   */
  readonly unverified?: readonly string[] | undefined;
  /** Of the first and the last page; undefined from a server without versions. */
  readonly versions: { readonly first: number; readonly last: number } | undefined;
}

export const pagingHint =
  'Set how its lists are paged: "salon profiles set <profile> paging <style>" and "… page_parameter <name>" (docs/other-servers.md).';

/** Adds what could not be verified. */
export function withUnverified(
  report: ConsistencyReport | undefined,
  names: readonly string[],
): ConsistencyReport | undefined {
  if (report === undefined || names.length === 0) return report;
  return { ...report, unverified: [...(report.unverified ?? []), ...names] };
}

const changedHint = 'The list may have changed meanwhile. Run the command again later.';
const totalHint = `${changedHint} If this number is no total: "salon profiles set <profile> total_key none".`;

/** A list that was read to its end and does not match the server's total. */
export function toDisagreementError(
  { distinct, lastTotal, firstTotal, versions }: ConsistencyReport,
  noun: string,
): SalonError {
  const isMissingRows = lastTotal !== undefined && lastTotal > distinct;
  const message = isMissingRows
    ? `The server reports ${renderCount(lastTotal)} ${noun}, but sent only ${renderCount(distinct)}.`
    : `The ${noun} were different each time they were read.`;
  return new SalonError('unexpected_response', message, {
    hint: isMissingRows && firstTotal === lastTotal && versions === undefined ? totalHint : changedHint,
    retryable: true,
    members: { verdict: 'disagreement' },
  });
}

interface PassEnd {
  /** Rows before the end, including those returned before a resume. */
  readonly reached: number;
  /** Rows that all passes have returned. */
  readonly distinct: number;
  /** Whether the pass was resumed: some rows returned before may have been deleted since. */
  readonly isResumed: boolean;
  /** Whether it reached the end of the list, not a limit. */
  readonly isWhole: boolean;
  readonly isSorted: boolean;
  /** The digest of all rows of the pass, if two passes have to agree. */
  readonly digest: string | undefined;
}

const maxPasses = 5;

export function createConsistencyTracker() {
  let [passes, requests, pages, rows] = [0, 0, 0, 0];
  let digestBefore: string | undefined;
  let pass = { ...emptyPass };
  return {
    countPage(page: FetchedPage<unknown>) {
      pass.supposedTotal = page.supposedTotal ?? pass.supposedTotal;
      pass.hasSameVersion &&= pass.first === undefined || page.version === pass.first.version;
      pass.hasRisen ||= Number(page.total) > Number(pass.lastTotal);
      pass.hasFallen ||= Number(page.total) < Number(pass.lastTotal);
      pass.hasCursors ||= page.version !== undefined && page.info.cursor !== undefined;
      pass.first ??= page;
      pass.last = page;
      pass.lastTotal = page.total ?? pass.lastTotal;
      pass.pages += 1;
      pass.isStreamed ||= page.requests !== undefined;
      if (page.rows.length > 0) pass.pagesWithRows += 1;
      pass.rows += page.rows.length;
      requests += page.requests ?? 1;
      pages += 1;
      rows += page.rows.length;
    },
    /** Whether the total has risen and fallen in this pass, so that insertions may hide deletions. */
    isUnsteady: () => pass.hasRisen && pass.hasFallen,
    /**
     * Ends a pass. The report is final unless the list has to be read again. Throws `unexpected_response` where another
     * member than the total counts more rows.
     */
    endPass(end: PassEnd, noun: string) {
      assertAll(pass.supposedTotal, end, noun);
      passes += 1;
      const { report, isProven, hasChanged, isEndKnown } = assessPass(pass, end);
      const kind = decide();
      pass = { ...emptyPass };
      digestBefore = end.digest;
      const counts = { requests, pages, rows, distinct: end.distinct, passes };
      return { report: { ...report, ...counts, kind: kind ?? report.kind }, isFinal: kind !== undefined };

      /** Undefined if the list has to be read again. */
      function decide(): ConsistencyReport['kind'] | undefined {
        if (passes === 1 && isProven) return report.kind;
        if (end.digest !== undefined) {
          if (end.digest === digestBefore) return isEndKnown ? 'consistent' : 'not proven';
          return passes === maxPasses ? 'disagreement' : undefined;
        }
        if (passes === 1 && report.kind === 'disagreement' && hasChanged) return undefined;
        // Two passes are two snapshots.
        return passes > 1 && report.kind === 'exact' ? 'consistent' : report.kind;
      }
    },
  };
}

/** Collects what the pages of a list, read once or several times, show about its completeness. */
export type ConsistencyTracker = ReturnType<typeof createConsistencyTracker>;

/** What the pages of one pass show, before the first one. */
const emptyPass = {
  first: undefined as FetchedPage<unknown> | undefined,
  last: undefined as FetchedPage<unknown> | undefined,
  pages: 0,
  pagesWithRows: 0,
  rows: 0,
  hasCursors: false,
  isStreamed: false,
  /** Some servers count only in their first response. */
  lastTotal: undefined as number | undefined,
  hasSameVersion: true,
  hasRisen: false,
  hasFallen: false,
  supposedTotal: undefined as FetchedPage<unknown>['supposedTotal'],
};

function assertAll(total: typeof emptyPass.supposedTotal, { reached, isWhole }: PassEnd, noun: string): void {
  if (total === undefined || !isWhole || total.value <= reached) return;
  const message = `The list of ${noun} may be incomplete: ${total.name} is ${total.value}, but there are ${reached}.`;
  const hint = `If it is the total: "salon profiles set <profile> total_key ${total.name}"; if not: "… total_key none".`;
  throw new SalonError('unexpected_response', message, { hint, members: { setting: 'total_key' } });
}

function assessPass(pass: typeof emptyPass, end: PassEnd) {
  const { first, last, lastTotal, hasCursors, isStreamed } = pass;
  const kind = toKind(pass, end);
  const versions =
    first?.version === undefined || last?.version === undefined
      ? undefined
      : { first: first.version, last: last.version };
  return {
    report: {
      ...{ kind, firstTotal: first?.total, lastTotal, versions },
      ...(isStreamed && { isStreamed }),
    },
    /** Whether every row that existed throughout is certain to have been returned. */
    isProven: kind === 'exact' || hasCursors,
    hasChanged: !pass.hasSameVersion || pass.hasRisen || pass.hasFallen || pass.rows > end.reached,
    /** Whether the server showed where the list ends: by a total, by saying so, or with more than one page. */
    isEndKnown: isEndShown(pass) || pass.pagesWithRows !== 1,
  };
}

function isEndShown({ lastTotal, last }: typeof emptyPass): boolean {
  return lastTotal !== undefined || last?.info.isEnd === true;
}

function toKind(pass: typeof emptyPass, end: PassEnd): ConsistencyReport['kind'] {
  const { reached, isResumed, isWhole, isSorted } = end;
  const { first, lastTotal: total, hasRisen, hasFallen } = pass;
  const agrees = !isWhole || total === undefined || reached === total;
  if (pass.hasSameVersion && first?.version !== undefined) {
    if (agrees) return 'exact';
    return isResumed && reached > Number(total) ? 'consistent' : 'disagreement';
  }
  if (pass.hasCursors) return 'consistent';
  if (isWhole && total !== undefined && reached < total) return 'disagreement';
  const isOnlyPage = pass.pages === 1 && (!isWhole || isEndShown(pass) || pass.pagesWithRows === 0);
  if (isOnlyPage && agrees) return 'exact';
  if (isSorted || total === undefined || (hasRisen && hasFallen)) return 'not proven';
  return agrees || hasRisen || hasFallen ? 'consistent' : 'not proven';
}
