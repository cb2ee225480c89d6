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
  /** What shows that rows may be missing, so that the list must not decide what is changed without being asked for. */
  readonly contradiction?: string | undefined;
  /** Of the first and the last page; undefined from a server without versions. */
  readonly versions: { readonly first: number; readonly last: number } | undefined;
}
/** Adds what could not be verified. */
export function withUnverified(
  report: ConsistencyReport | undefined,
  names: readonly string[],
): ConsistencyReport | undefined {
  if (report === undefined || names.length === 0) return report;
  return { ...report, unverified: [...(report.unverified ?? []), ...names] };
}

export interface PassCounters {
  countPage(page: FetchedPage<unknown>): void;
  /** Whether the total rose and fell, so that insertions may hide deletions. */
  isUnsteady(): boolean;
  assess(end: PassEnd): PassAssessment;
}

export interface PassAssessment {
  readonly report: Omit<ConsistencyReport, 'distinct' | 'passes'>;
  /** Whether every row that existed throughout is certain to have been returned. */
  readonly isProven: boolean;
  readonly hasChanged: boolean;
  /** Whether the server showed where the list ends: by a total, by saying so, or with more than one page. */
  readonly isEndKnown: boolean;
}
interface PassEnd {
  /** Rows before the end, including those returned before a resume. */
  readonly reached: number;
  /** Whether the pass was resumed: some rows returned before may have been deleted since. */
  readonly isResumed: boolean;
  /** Whether it reached the end of the list, not a limit. */
  readonly isWhole: boolean;
  readonly isSorted: boolean;
}

export function createPassCounters(): PassCounters {
  let [requests, pages, rows] = [0, 0, 0];
  let first: FetchedPage<unknown> | undefined;
  let last: FetchedPage<unknown> | undefined;
  let hasCursors = false;
  let isStreamed = false;
  let pagesWithRows = 0;
  /** Some servers count only in their first response. */
  let lastTotal: number | undefined;
  let [hasSameVersion, hasRisen, hasFallen] = [true, false, false];
  let contradiction: string | undefined;
  let supposedTotal: FetchedPage<unknown>['supposedTotal'];
  return {
    countPage(page) {
      contradiction ??= page.contradiction;
      supposedTotal = page.supposedTotal ?? supposedTotal;
      hasSameVersion &&= first === undefined || page.version === first.version;
      hasRisen ||= Number(page.total) > Number(lastTotal);
      hasFallen ||= Number(page.total) < Number(lastTotal);
      hasCursors ||= page.version !== undefined && page.info.cursor !== undefined;
      first ??= page;
      last = page;
      lastTotal = page.total ?? lastTotal;
      pages += 1;
      requests += page.requests ?? 1;
      isStreamed ||= page.requests !== undefined;
      if (page.rows.length > 0) pagesWithRows += 1;
      rows += page.rows.length;
    },
    isUnsteady: () => hasRisen && hasFallen,
    assess(end) {
      const versions =
        first?.version === undefined || last?.version === undefined
          ? undefined
          : { first: first.version, last: last.version };
      if (supposedTotal !== undefined && supposedTotal.value > end.reached)
        contradiction ??= `${supposedTotal.name} is ${supposedTotal.value}, but there are ${end.reached}`;
      if (!end.isWhole) contradiction = undefined;
      const kind = contradiction === undefined ? toKind(end) : 'not proven';
      const totals = { firstTotal: first?.total, lastTotal, contradiction };
      return {
        report: { kind, rows, ...totals, pages, requests, versions, ...(isStreamed && { isStreamed }) },
        isProven: kind === 'exact' || hasCursors,
        hasChanged: !hasSameVersion || hasRisen || hasFallen || rows > end.reached,
        isEndKnown: contradiction === undefined && (isEndKnown() || pagesWithRows !== 1),
      };
    },
  };

  function isEndKnown(): boolean {
    return lastTotal !== undefined || last?.info.isEnd === true;
  }

  function toKind({ reached, isResumed, isWhole, isSorted }: PassEnd): ConsistencyReport['kind'] {
    const total = lastTotal;
    const agrees = !isWhole || total === undefined || reached === total;
    if (hasSameVersion && first?.version !== undefined) {
      if (agrees) return 'exact';
      return isResumed && reached > Number(total) ? 'consistent' : 'disagreement';
    }
    if (hasCursors) return 'consistent';
    if (isWhole && total !== undefined && reached < total) return 'disagreement';
    if (pages === 1 && agrees && (!isWhole || isEndKnown() || pagesWithRows === 0)) return 'exact';
    if (isSorted || total === undefined || (hasRisen && hasFallen)) return 'not proven';
    return agrees || hasRisen || hasFallen ? 'consistent' : 'not proven';
  }
}

const maxPasses = 5;

/**
 * The consistency after all passes so far, or undefined if the list has to be read again.
 * `agrees`: the last pass found the same rows as the one before.
 */
export function decideConsistency(
  { report: { kind }, isProven, hasChanged, isEndKnown }: PassAssessment,
  { passes, agrees, consistent }: { passes: number; agrees: boolean; consistent: boolean },
): ConsistencyReport['kind'] | undefined {
  if (passes === 1 && isProven) return kind;
  if (consistent && agrees) return isEndKnown ? 'consistent' : 'not proven';
  if (consistent) return passes === maxPasses ? 'disagreement' : undefined;
  if (passes === 1 && kind === 'disagreement' && hasChanged) return undefined;
  // Two passes are two snapshots.
  return passes > 1 && kind === 'exact' ? 'consistent' : kind;
}
