import type { ConsistencyReport } from '../../client/pagination/consistency.ts';

/** What earlier runs of an export knew of the list. */
export interface Before {
  readonly rows: number;
  readonly pages: number;
  readonly firstTotal: number | undefined;
  /** Of the first page, and whether all pages had the same. */
  readonly firstVersion: number | undefined;
  readonly isOneVersion: boolean;
}

/**
 * The verdict on an export in several runs, given that of the last one. Rows of earlier runs may have been deleted
 * since, so that more rows than the list has are no contradiction. Each page of an earlier run counts as one request.
 */
export function joinVerdicts(before: Before, last: ConsistencyReport, rows: number): ConsistencyReport {
  const { firstVersion, firstTotal, isOneVersion } = before;
  const versions =
    firstVersion === undefined || last.versions === undefined
      ? undefined
      : { first: firstVersion, last: last.versions.last };
  return {
    ...last,
    kind: toKind(last, { rows, isOneMoment: isOneVersion && last.versions?.first === firstVersion }),
    rows,
    distinct: rows,
    firstTotal: firstTotal ?? last.firstTotal,
    pages: before.pages + last.pages,
    requests: before.pages + last.requests,
    versions,
  };
}

function toKind(
  { kind, lastTotal, versions }: ConsistencyReport,
  { rows, isOneMoment }: { rows: number; isOneMoment: boolean },
): ConsistencyReport['kind'] {
  if (lastTotal !== undefined && rows < lastTotal && kind === 'disagreement') return 'disagreement';
  if (kind === 'exact' && isOneMoment && versions !== undefined) return 'exact';
  return kind === 'not proven' ? 'not proven' : 'consistent';
}
