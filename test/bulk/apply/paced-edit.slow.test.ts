import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientEvent, createBulkEdits, createClient } from '../../../src/index.ts';
import { openEditWorld } from '../../support/edit-world.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { bySpeed } from '../../support/speed.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { openFolder } from '../plan/sample-plan.ts';

/** A tenth of the rows if there is no time for all of them. */
const scale = bySpeed({ full: 0.1, long: 1 });
const hourlyLimit = 5_000 * scale;
const rows = 6_000 * scale;
const hourMs = 3_600_000;
const concurrency = 8;

const clock = createTestClock();
let service: TestService;
let folder: Awaited<ReturnType<typeof openFolder>>;

beforeAll(async () => {
  service = await openTestService({ clients: rows, hourlyLimit, now: () => new Date(clock.now()) });
  folder = await openFolder();
}, 120_000);
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

/** A separate process, unaware of requests sent by others. */
function openProcess() {
  const events: ClientEvent[] = [];
  const stop = new AbortController();
  const client = createClient({
    baseUrl: service.origin,
    credential: { kind: 'bearer', token: service.keys.owner },
    clock,
    concurrency,
    signal: stop.signal,
    maxWaitMs: Number.POSITIVE_INFINITY,
    observe: (event) => events.push(event),
  });
  const edits = createBulkEdits({
    client,
    folder: join(folder.path, 'jobs'),
    concurrency,
    signal: stop.signal,
    now: () => new Date(clock.now()),
  });
  return { client, edits, stop, events, [Symbol.asyncDispose]: () => client.close() };
}

async function readIds(client: ReturnType<typeof openProcess>['client']): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const page of client.clients.list()) ids.push(...page.rows.map(({ id }) => id));
  return ids;
}

function writesIn(events: readonly ClientEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'request' && event.method !== 'GET' ? [event.url] : []));
}

describe(`an edit of ${rows} rows at ${hourlyLimit} requests an hour`, () => {
  it('keeps within the limit, and resumes after a stop in the second hour', {
    timeout: 600_000,
  }, async () => {
    const startMs = clock.now();
    const path = join(folder.path, 'notes.csv');
    await using first = openProcess();
    const ids = await readIds(first.client);
    await writeFile(path, `id,notes\n${ids.map((id) => `${id},note of ${id}`).join('\n')}\n`);
    await using planned = await first.edits.planSheet(path, { noun: 'clients', verb: 'update' });
    const stopped = await first.edits.apply(planned, {
      onProgress: (settled) => settled === 5_500 * scale && first.stop.abort(),
    });
    expect(stopped).toMatchObject({ stop: { code: 'interrupted' }, tally: { failed: 0, doubtful: 0 } });
    expect(clock.now() - startMs, 'it waited for the second hour').toBeGreaterThan(hourMs / 2);

    await using second = openProcess();
    const end = await second.edits.resume(stopped.id);
    expect(end).toMatchObject({ stop: undefined, tally: { done: rows } });
    expect(clock.now() - startMs, 'and no longer than it had to').toBeLessThan(2 * hourMs);

    const events = [...first.events, ...second.events];
    expect(events.filter((event) => event.type === 'response' && event.status === 429)).toEqual([]);
    const writes = writesIn(events);
    expect(writes).toHaveLength(rows);
    expect(new Set(writes).size).toBe(rows);
  });
});

describe('an edit with more requests than the hourly limit', () => {
  it('shows the cost before asking', async () => {
    await using world = await openEditWorld({ clients: 60, hourlyLimit: 50 });
    const names = Array.from({ length: 60 }, (_, index) => ({ first_name: `N${index}` }));
    world.writeSheet('new.csv', names);
    const ran = await world.salon(['clients', 'create', '--file', 'new.csv']);
    expect(ran.exitCode).toBe(8);
    expect(ran.stderr).toMatch(
      /60 requests, 120% of this hour's limit: 4\d left now, the rest after \d\d:\d\d \(in /,
    );
  });
});
