import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResumePoint } from '../../../src/client/pagination/page.ts';
import { paginate } from '../../../src/client/pagination/paginate.ts';
import { SalonError } from '../../../src/contract/errors.ts';
import { collect } from '../../support/collect.ts';
import { createDriftingList, type Drift, type DriftingList } from '../../support/drifting-list.ts';
import { createDriftingPages, type ListMetadata } from '../../support/drifting-pages.ts';
import { openDriftingServer } from '../../support/drifting-server.ts';
import { body } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { bySpeed } from '../../support/speed.ts';
import { until } from '../../support/until.ts';

const numRuns = bySpeed({ full: 100, long: 1_000 });

const still: Drift = { seed: 7, rows: 950, changes: 'none', rate: 1, burst: 1, ids: 'ascending' };

interface Failing {
  readonly failing: number;
  readonly perPage?: number;
  /** Whether to resume from the last page, as after a kill, instead of the error. */
  readonly isKilled?: boolean;
}

/** Reads a list whose request number `failing` fails, resumes it, and returns the IDs of both parts. */
async function readInTwoParts(
  list: DriftingList,
  metadata: ListMetadata,
  { failing, perPage = 20, isKilled }: Failing,
) {
  const { fetchPage, requested } = createDriftingPages(list, metadata, perPage);
  const ids: string[] = [];
  let from: ResumePoint | undefined;
  const first = paginate<{ id: string }>(async (request, signal) => {
    if (requested() >= failing) throw new SalonError('response_truncated', 'Cut.');
    return fetchPage(request, signal);
  });
  try {
    for await (const { rows, resume } of first) {
      ids.push(...rows.map(({ id }) => id));
      from = resume && { ...resume, behind: ids.slice(-1_000) };
    }
    return { ids, from, report: first.consistency() };
  } catch (thrown) {
    if (!isKilled) from = (thrown as SalonError).members['resume_at'] as ResumePoint | undefined;
  }
  const rest = paginate(fetchPage, { from });
  for await (const { rows } of rest) ids.push(...rows.map(({ id }) => id));
  return { ids, from, report: rest.consistency() };
}

describe('resumed pagination', () => {
  it.each<ListMetadata>(['versions and cursors', 'total', 'nothing'])(
    'returns each row once, with %s',
    async (metadata) => {
      for (const failing of [1, 2, 5, 20, 47]) {
        for (const perPage of [20, 21, 200]) {
          const list = createDriftingList(still);
          const { ids } = await readInTwoParts(list, metadata, { failing, perPage });
          expect(ids).toEqual(list.stable());
        }
      }
    },
  );

  it.each([
    ['versions and cursors', ['deletions', 'insertions', 'mixed', 'balanced']],
    ['total', ['deletions', 'insertions']],
  ] as const)('returns each row once while the list changes, with %s', async (metadata, changes) => {
    const runs = fc.record({
      seed: fc.integer({ min: 1, max: 2 ** 31 }),
      changes: fc.constantFrom(...changes),
      ids: fc.constantFrom('ascending', 'scattered'),
      failing: fc.integer({ min: 1, max: 60 }),
      perPage: fc.constantFrom(1, 7, 20, 50, 200),
      burst: fc.constantFrom(2, 40),
      isKilled: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(runs, async ({ failing, perPage, isKilled, ...more }) => {
        const list = createDriftingList({ ...still, ...more, rows: 950, rate: 0.3 });
        const { ids, report } = await readInTwoParts(list, metadata, { failing, perPage, isKilled });
        const returned = new Set(ids);
        expect(ids).toHaveLength(returned.size);
        expect(list.stable().filter((id) => !returned.has(id))).toEqual([]);
        expect(report?.kind).toMatch(
          metadata === 'total' ? /^(exact|consistent|not proven)$/ : /^(exact|consistent)$/,
        );
      }),
      { numRuns },
    );
  });

  it('reads rows added after the last page was empty', async () => {
    const list = createDriftingList({
      ...still,
      seed: 521_342_885,
      changes: 'insertions',
      rate: 0.3,
      burst: 40,
    });
    const { ids, report } = await readInTwoParts(list, 'total', { failing: 6, perPage: 200 });
    expect(new Set(ids).size).toBe(1_011);
    expect(report).toMatchObject({ kind: 'consistent', lastTotal: 1_011 });
  });

  it('is impossible in a second pass, but its progress is reported', async () => {
    const list = createDriftingList({ ...still, seed: 3, changes: 'balanced', rate: 0.5 });
    const { fetchPage, requested } = createDriftingPages(list, 'total', 20);
    const failing = paginate<{ id: string }>(
      async (request, signal) => {
        if (requested() === 60) throw new SalonError('response_truncated', 'Cut.');
        return fetchPage(request, signal);
      },
      { consistent: true },
    );
    const { members } = await refusal(collect(failing));
    expect(members).toMatchObject({ rows_read: expect.any(Number) });
    expect(members).not.toHaveProperty('resume_at');
  });

  it('returns only the remaining rows over a real connection', async () => {
    const list = createDriftingList(still);
    let isDown = true;
    await using server = await openDriftingServer(list, {
      metadata: 'versions and cursors',
      mostPerPage: 100,
      failing: ({ query }) => (isDown && query.get('page') === '7' ? body('', { status: 500 }) : undefined),
    });
    await using client = openClient(server.origin, { retries: 0, concurrency: 2 });
    const error = await refusal(collect(client.clients.list()));
    const from = error.members['resume_at'] as ResumePoint;
    expect(error.members).toMatchObject({ page: 7, rows_read: 600 });
    isDown = false;
    const rest = await collect(client.clients.list({}, { from }));
    expect(rest.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual(list.stable().slice(600));
  });
});

describe('the reader of a list', () => {
  it('stops further requests while it waits', async () => {
    await using server = await openDriftingServer(createDriftingList({ ...still, rows: 2000 }), {
      metadata: 'total',
      mostPerPage: 20,
    });
    await using client = openClient(server.origin, { concurrency: 4 });
    const pages = client.clients.list()[Symbol.asyncIterator]();
    for (let page = 1; page <= 3; page += 1) await pages.next();
    await until(() => server.received.length >= 11);
    await client.request('GET', 'clients');
    expect(server.received).toHaveLength(12);
    await pages.return();
  });

  it('ends pagination when it stops', async () => {
    await using server = await openDriftingServer(createDriftingList({ ...still, rows: 2000 }), {
      metadata: 'versions and cursors',
      mostPerPage: 20,
    });
    await using client = openClient(server.origin, { concurrency: 4 });
    for await (const { page } of client.clients.list()) if (page === 3) break;
    const sent = client.events.filter(({ type }) => type === 'request').length;
    await client.request('GET', 'clients');
    expect(client.events.filter(({ type }) => type === 'request')).toHaveLength(sent + 1);
  });
});
