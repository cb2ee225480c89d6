import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConsistencyReport } from '../../../src/client/pagination/consistency.ts';
import { type PagedList, paginate } from '../../../src/client/pagination/paginate.ts';
import { createDriftingList, type Drift, type DriftingList, type Row } from '../../support/drifting-list.ts';
import { createDriftingPages, type Told } from '../../support/drifting-pages.ts';
import { openDriftingServer } from '../../support/drifting-server.ts';
import { openClient } from '../../support/open-client.ts';

const numRuns = process.env['SALON_TEST_LONG'] === undefined ? 60 : 5_000;

interface Run {
  readonly drift: Drift;
  readonly perPage: number;
  readonly concurrency: number;
}

function runs(changes: readonly Drift['changes'][]): fc.Arbitrary<Run> {
  return fc
    .record({
      seed: fc.integer({ min: 1, max: 2 ** 31 }),
      perPage: fc.constantFrom(1, 2, 3, 7, 20, 50),
      pages: fc.integer({ min: 0, max: 40 }),
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

interface Outcome {
  /** Identifiers of rows that were there all the while and were not handed out. */
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  /** Whether the rows that stayed came in the order of the list. */
  readonly isOrdered: boolean;
  readonly verdict: ConsistencyReport | undefined;
}

async function judge(list: DriftingList, pages: PagedList<Row>): Promise<Outcome> {
  const ids: string[] = [];
  for await (const { rows } of pages) ids.push(...rows.map(({ id }) => id));
  const given = new Set(ids);
  const stable = list.stable();
  const stayed = new Set(stable);
  return {
    lost: stable.filter((id) => !given.has(id)),
    twice: ids.filter((id, index) => ids.indexOf(id) !== index),
    isOrdered: stable.filter((id) => given.has(id)).join() === ids.filter((id) => stayed.has(id)).join(),
    verdict: pages.consistency(),
  };
}

function simulate(told: Told, { drift, perPage, concurrency }: Run, consistent = false): Promise<Outcome> {
  const list = createDriftingList(drift);
  const { readPage } = createDriftingPages(list, told, perPage);
  const isSorted = drift.changes === 'moves';
  return judge(list, paginate(readPage, { concurrency, consistent, isSorted }));
}

async function check(
  changes: readonly Drift['changes'][],
  property: (run: Run) => Promise<void>,
  times = numRuns,
): Promise<void> {
  await fc.assert(fc.asyncProperty(runs(changes), property), { numRuns: times });
}

const everyChange = ['none', 'deletions', 'insertions', 'mixed', 'balanced'] as const;
const nothingAmiss = { lost: [], twice: [], isOrdered: true };

describe('a list that changes between any two requests is read without loss', () => {
  it('where pages have versions and cursors, whatever the changes', async () => {
    await check(everyChange, async (run) => {
      const outcome = await simulate('versions and cursors', run);
      expect(outcome).toMatchObject(nothingAmiss);
      expect(outcome.verdict?.kind).toMatch(/^(exact|consistent)$/);
    });
  });

  it('where rows move in an order of their own: those that stay in their places', async () => {
    await check(['moves'], async (run) => {
      expect(await simulate('versions and cursors', run)).toMatchObject({ lost: [], twice: [] });
    });
  });

  it('where the total tells of every change', async () => {
    await check(['none', 'deletions', 'insertions'], async (run) => {
      const outcome = await simulate('total', run);
      expect(outcome).toMatchObject(nothingAmiss);
      expect(outcome.verdict?.kind).not.toBe('disagreement');
    });
  });

  it('over a real connection, with answers that overtake one another', async () => {
    const told = { 'versions and cursors': everyChange, total: ['deletions', 'insertions'] } as const;
    for (const [mode, changes] of Object.entries(told)) {
      const times = numRuns / 10;
      await check(
        changes,
        async ({ drift, perPage, concurrency }) => {
          const list = createDriftingList(drift);
          await using server = await openDriftingServer(list, { told: mode as Told, mostPerPage: perPage });
          await using client = openClient(server.origin, { concurrency });
          const pages = client.clients.list() as unknown as PagedList<Row>;
          expect(await judge(list, pages)).toMatchObject(nothingAmiss);
        },
        times,
      );
    }
  });
});

describe('a list whose changes nothing shows', () => {
  it.each<Told>(['total', 'nothing'])('is read without a row twice, told %s', async (told) => {
    await check(everyChange, async (run) => {
      expect((await simulate(told, run)).twice).toEqual([]);
    });
  });

  it.each<Told>(['total', 'nothing'])(
    'loses no row in silence when passes must agree, told %s',
    async (told) => {
      await check(everyChange, async (run) => {
        const { lost, twice, verdict } = await simulate(told, run, true);
        expect(twice).toEqual([]);
        if (verdict?.kind !== 'disagreement') expect(lost).toEqual([]);
      });
    },
  );
});

describe('a list that stands still', () => {
  it.each<[Told, RegExp, number]>([
    ['versions and cursors', /^exact$/, 0],
    ['total', /^(exact|consistent)$/, 0],
    ['nothing', /^(exact|not proven)$/, 1],
  ])('told %s is %s at no more than %i further requests', async (told, kind, further) => {
    await check(['none'], async (run) => {
      const { verdict, ...outcome } = await simulate(told, run);
      expect(outcome).toEqual(nothingAmiss);
      expect(verdict?.kind).toMatch(kind);
      const pages = Math.max(1, Math.ceil(run.drift.rows / run.perPage));
      expect(verdict?.requests).toBeLessThanOrEqual(pages + further);
    });
  });
});
