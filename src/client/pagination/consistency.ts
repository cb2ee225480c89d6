import type { PageRead } from './page.ts';

/** How far a walk can vouch for what it handed out. */
export interface ConsistencyReport {
  /**
   * `exact`: one moment of the list, proven by its version or by a single answer. `consistent`: changes were seen
   * and made good, or none were to be seen. `not proven`: the server tells too little. `disagreement`: fewer
   * rows came than the server counts, or no two passes agreed.
   */
  readonly kind: 'exact' | 'consistent' | 'not proven' | 'disagreement';
  /** Rows the server sent, those that came more than once counted each time. */
  readonly rows: number;
  /** Rows handed out, each of them once. */
  readonly distinct: number;
  readonly firstTotal: number | undefined;
  readonly lastTotal: number | undefined;
  readonly pages: number;
  readonly requests: number;
  /** How often the list was read. */
  readonly passes: number;
  /** Of the first and the last page; undefined from a server that counts none. */
  readonly versions: { readonly first: number; readonly last: number } | undefined;
}

/** What a pass looks for while its pages come in. */
export interface PassCounters {
  asked(): void;
  see(page: PageRead<unknown>): void;
  /** Whether the total went up and down, so that insertions may hide deletions. */
  isUnsteady(): boolean;
  judge(end: PassEnd): PassVerdict;
}

export interface PassVerdict {
  readonly verdict: Omit<ConsistencyReport, 'distinct' | 'passes'>;
  /** Whether every row that was there all the while is certain to have come. */
  readonly isProven: boolean;
  /** Whether the list was seen to change. */
  readonly hasChanged: boolean;
}

/** How a pass ended. */
export interface PassEnd {
  /** Rows in front of the end, those that an earlier walk handed out counted. */
  readonly reached: number;
  /** Whether there was an earlier walk: some of its rows may have been deleted since. */
  readonly isResumed: boolean;
  /** Whether the end is that of the list and not a limit. */
  readonly isWhole: boolean;
  readonly isSorted: boolean;
}

export function createPassCounters(): PassCounters {
  let [requests, pages, rows] = [0, 0, 0];
  let first: PageRead<unknown> | undefined;
  let last: PageRead<unknown> | undefined;
  let hasCursors = false;
  let [hasSameVersion, hasRisen, hasFallen] = [true, false, false];
  return {
    asked() {
      requests += 1;
    },
    see(page) {
      hasSameVersion &&= first === undefined || page.version === first.version;
      hasRisen ||= last !== undefined && Number(page.total) > Number(last.total);
      hasFallen ||= last !== undefined && Number(page.total) < Number(last.total);
      hasCursors ||= page.version !== undefined && page.facts.cursor !== undefined;
      first ??= page;
      last = page;
      pages += 1;
      rows += page.rows.length;
    },
    isUnsteady: () => hasRisen && hasFallen,
    judge(end) {
      const versions =
        first?.version === undefined || last?.version === undefined
          ? undefined
          : { first: first.version, last: last.version };
      const kind = toKind(end);
      const totals = { firstTotal: first?.total, lastTotal: last?.total };
      return {
        verdict: { kind, rows, ...totals, pages, requests, versions },
        isProven: kind === 'exact' || hasCursors,
        hasChanged: !hasSameVersion || hasRisen || hasFallen || rows > end.reached,
      };
    },
  };

  function toKind({ reached, isResumed, isWhole, isSorted }: PassEnd): ConsistencyReport['kind'] {
    const total = last?.total;
    const agrees = !isWhole || total === undefined || reached === total;
    if (hasSameVersion && first?.version !== undefined) {
      if (agrees) return 'exact';
      return isResumed && reached > Number(total) ? 'consistent' : 'disagreement';
    }
    if (hasCursors) return 'consistent';
    if (isWhole && total !== undefined && reached < total) return 'disagreement';
    if (pages === 1 && agrees) return 'exact';
    if (isSorted || total === undefined || (hasRisen && hasFallen)) return 'not proven';
    return agrees || hasRisen || hasFallen ? 'consistent' : 'not proven';
  }
}

const mostPasses = 5;

/**
 * The verdict on all passes so far, given the last one; undefined where the list is to be read again.
 * `agrees`: the last pass found the same rows as the one before it.
 */
export function decideConsistency(
  { verdict: { kind }, isProven, hasChanged }: PassVerdict,
  { passes, agrees, consistent }: { passes: number; agrees: boolean; consistent: boolean },
): ConsistencyReport['kind'] | undefined {
  if (passes === 1 && isProven) return kind;
  if (consistent) return agrees ? 'consistent' : passes === mostPasses ? 'disagreement' : undefined;
  if (passes === 1 && kind === 'disagreement' && hasChanged) return undefined;
  // Rows of two passes were of two moments.
  return passes > 1 && kind === 'exact' ? 'consistent' : kind;
}
