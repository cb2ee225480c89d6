import { describe, expect, it } from 'vitest';
import { mergeReports } from '../../../src/bulk/export/checkpoint.ts';
import type { ConsistencyReport } from '../../../src/client/pagination/consistency.ts';

const before = { rows: 400, pages: 2, firstTotal: 600, firstVersion: 7, isOneVersion: true };
const last: ConsistencyReport = {
  kind: 'exact',
  rows: 200,
  distinct: 200,
  firstTotal: 600,
  lastTotal: 600,
  pages: 1,
  requests: 2,
  passes: 1,
  versions: { first: 7, last: 7 },
};

describe('the verdict on an export in two runs', () => {
  it('counts what both have read', () => {
    expect(mergeReports(before, last, 600)).toEqual({
      ...last,
      rows: 600,
      distinct: 600,
      pages: 3,
      requests: 4,
    });
  });

  it.each<[string, ConsistencyReport['kind'], Partial<typeof before>, Partial<ConsistencyReport>, number]>([
    ['one version throughout', 'exact', {}, {}, 600],
    ['another version in the second run', 'consistent', {}, { versions: { first: 8, last: 8 } }, 600],
    ['versions that changed in the first run', 'consistent', { isOneVersion: false }, {}, 600],
    ['no versions and a last run of one page', 'consistent', {}, { versions: undefined }, 600],
    ['rows deleted in between', 'consistent', {}, { kind: 'disagreement', lastTotal: 590 }, 600],
    ['rows missing at the end', 'disagreement', {}, { kind: 'disagreement', lastTotal: 610 }, 600],
    ['a last run that is not proven', 'not proven', {}, { kind: 'not proven' }, 600],
  ])('for %s is %s', (_title, kind, earlier, later, rows) => {
    expect(mergeReports({ ...before, ...earlier }, { ...last, ...later }, rows).kind).toBe(kind);
  });
});
