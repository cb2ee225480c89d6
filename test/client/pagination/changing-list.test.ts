import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConsistencyReport } from '../../../src/client/pagination/consistency.ts';
import { type PagedList, paginate } from '../../../src/client/pagination/paginate.ts';
import { createDriftingList, type Drift, type DriftingList, type Row } from '../../support/drifting-list.ts';
import { createDriftingPages, type ListMetadata } from '../../support/drifting-pages.ts';
import { openDriftingServer } from '../../support/drifting-server.ts';
import { openClient } from '../../support/open-client.ts';
import { bySpeed, countBySpeed } from '../../support/speed.ts';

const numRuns = countBySpeed(60, 5_000);

interface Run {
  readonly drift: Drift;
  readonly perPage: number;
  readonly concurrency: number;
}

function runs(changes: readonly Drift['changes'][], maxPages: number): fc.Arbitrary<Run> {
  return fc
    .record({
      seed: fc.integer({ min: 1, max: 2 ** 31 }),
      perPage: fc.constantFrom(1, 2, 3, 7, 20, 50),
      pages: fc.integer({ min: 0, max: maxPages }),
      changes: fc.constantFrom(...changes),
      rate: fc.constantFrom(0.05, 0.3, 1),
      burst: fc.constantFrom(1, 3, 60),
      ids: fc.constantFrom('ascending' as const, 'scattered' as const),
      concurrency: fc.integer({ min: 1, max: 16 }),
    })
    .map(({ perPage, pages, concurrency, seed, ...drift }) => {
      const rows = Math.max(0, perPage * pages - (seed % perPage));
      return { drift: { ...drift, seed, rows }, perPage, concurrency };
    });
}

interface PassResult {
  /** IDs of rows that existed throughout and were not returned. */
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  /** Whether the rows that existed throughout were returned in order. */
  readonly isOrdered: boolean;
  readonly report: ConsistencyReport | undefined;
}

async function judge(list: DriftingList, pages: PagedList<Row>): Promise<PassResult> {
  const ids: string[] = [];
  for await (const { rows } of pages) ids.push(...rows.map(({ id }) => id));
  const returned = new Set(ids);
  const stable = list.stable();
  const stayed = new Set(stable);
  return {
    lost: stable.filter((id) => !returned.has(id)),
    twice: findRepeats(ids),
    isOrdered: stable.filter((id) => returned.has(id)).join() === ids.filter((id) => stayed.has(id)).join(),
    report: pages.consistency(),
  };
}

function findRepeats(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  return ids.filter((id) => seen.size === seen.add(id).size);
}

function simulate(
  metadata: ListMetadata,
  { drift, perPage, concurrency }: Run,
  consistent = false,
): Promise<PassResult> {
  const list = createDriftingList(drift);
  const { fetchPage } = createDriftingPages(list, metadata, perPage);
  const isSorted = drift.changes === 'moves';
  return judge(list, paginate(fetchPage, { concurrency, consistent, isSorted }));
}

async function check(
  changes: readonly Drift['changes'][],
  property: (run: Run) => Promise<void>,
  { times = numRuns, maxPages = 40 } = {},
): Promise<void> {
  await fc.assert(fc.asyncProperty(runs(changes, maxPages), property), { numRuns: times });
}

const everyChange = ['none', 'deletions', 'insertions', 'mixed', 'balanced'] as const;
const nothingWrong = { lost: [], twice: [], isOrdered: true };

describe('a list that changes between requests is read without losing rows', () => {
  it('if pages have versions and cursors, whatever the changes', async () => {
    await check(everyChange, async (run) => {
      const result = await simulate('versions and cursors', run);
      expect(result).toMatchObject(nothingWrong);
      expect(result.report?.kind).toMatch(/^(exact|consistent)$/);
    });
  });

  it('in another order, except for rows that move', async () => {
    await check(['moves'], async (run) => {
      expect(await simulate('versions and cursors', run)).toMatchObject({ lost: [], twice: [] });
    });
  });

  it('if the total reveals every change', async () => {
    await check(['none', 'deletions', 'insertions'], async (run) => {
      const result = await simulate('total', run);
      expect(result).toMatchObject(nothingWrong);
      expect(result.report?.kind).not.toBe('disagreement');
    });
  });

  it('over a real connection, with responses out of order', async () => {
    const metadata = { 'versions and cursors': everyChange, total: ['deletions', 'insertions'] } as const;
    for (const [mode, changes] of Object.entries(metadata)) {
      const times = Math.ceil(numRuns / 10);
      await check(
        changes,
        async ({ drift, perPage, concurrency }) => {
          const list = createDriftingList(drift);
          await using server = await openDriftingServer(list, {
            metadata: mode as ListMetadata,
            mostPerPage: perPage,
          });
          await using client = openClient(server.origin, { concurrency });
          const pages = client.clients.list() as unknown as PagedList<Row>;
          expect(await judge(list, pages)).toMatchObject(nothingWrong);
        },
        { times, maxPages: bySpeed({ full: 20, long: 40 }) },
      );
    }
  });
});

describe('a list with undetectable changes', () => {
  it.each<ListMetadata>(['total', 'nothing'])('is read without duplicate rows, with %s', async (metadata) => {
    await check(everyChange, async (run) => {
      expect((await simulate(metadata, run)).twice).toEqual([]);
    });
  });

  it.each<ListMetadata>(['total', 'nothing'])(
    'loses no rows without a report when passes have to agree, with %s',
    async (metadata) => {
      await check(everyChange, async (run) => {
        const { lost, twice, report } = await simulate(metadata, run, true);
        expect(twice).toEqual([]);
        if (report?.kind !== 'disagreement') expect(lost).toEqual([]);
      });
    },
  );
});

describe('a list that does not change', () => {
  it.each<[ListMetadata, RegExp, number]>([
    ['versions and cursors', /^exact$/, 0],
    ['total', /^(exact|consistent)$/, 0],
    ['nothing', /^(exact|not proven)$/, 1],
  ])('with %s is %s with at most %i extra requests', async (metadata, kind, further) => {
    await check(['none'], async (run) => {
      const { report, ...result } = await simulate(metadata, run);
      expect(result).toEqual(nothingWrong);
      expect(report?.kind).toMatch(kind);
      const pages = Math.max(1, Math.ceil(run.drift.rows / run.perPage));
      expect(report?.requests).toBeLessThanOrEqual(pages + further);
    });
  });
});
