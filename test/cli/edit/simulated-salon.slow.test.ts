import { mkdtemp, readdir, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSimulatedSalon } from '../../../src/cli/edit/simulate.ts';
import { type FailureName, failureNames } from '../../../src/cli/flags/values.ts';
import { type ClientOptions, createClient } from '../../../src/client/client.ts';
import type { ClientEvent } from '../../../src/client/events.ts';
import type { SalonErrorCode } from '../../../src/contract/errors.ts';
import { collect } from '../../support/collect.ts';
import { refusal } from '../../support/open-client.ts';

const io = {
  now: () => new Date(),
  random: (size: number) => crypto.getRandomValues(new Uint8Array(size)),
  stderr: process.stderr,
};

async function* clients(count: number) {
  for (let index = 0; index < count; index++)
    yield { id: `c${index}`, first_name: `Ana ${index}`, loyalty: index };
}

interface Scene {
  readonly failures?: readonly FailureName[];
  readonly share?: number;
  readonly seed?: number;
  readonly count?: number;
}

function simulate({ failures = [], share = 1, seed = 1, count = 3 }: Scene = {}) {
  return openSimulatedSalon({ io, records: { clients: clients(count) }, failures, share, seed });
}

function open(
  { clientOptions }: Awaited<ReturnType<typeof openSimulatedSalon>>,
  options: Partial<ClientOptions> = {},
) {
  return createClient({ ...clientOptions, ...options });
}

describe('a simulated salon', () => {
  it('copies the records and changes only the copy', async () => {
    await using simulation = await simulate();
    await using client = open(simulation);
    await client.clients.update('c1', { notes: 'new' });
    await client.clients.delete('c2');
    const pages = await collect(client.clients.list());
    const rows = pages.flatMap((page) => page.rows);
    expect(rows).toMatchObject([
      { id: 'c0', loyalty: 0, notes: null },
      { id: 'c1', loyalty: 1, notes: 'new' },
    ]);
  });

  it('answers for fields that only the real server has as if it stored them', async () => {
    await using simulation = await simulate();
    await using client = open(simulation);
    const written = await client.clients.update('c1', { notes: 'new', loyalty: 99 }, { partial: true });
    expect(written.record).toMatchObject({ notes: 'new', loyalty: 99 });
    await client.clients.create({ first_name: 'Zoe', loyalty: 1 });
  });

  it('has no rate limit', async () => {
    await using simulation = await simulate();
    await using client = open(simulation);
    await client.clients.get('c1');
    expect(client.limits()?.remaining).toBeGreaterThan(900_000_000);
  });

  it('leaves no files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'salon-test-'));
    const simulation = await openSimulatedSalon({ io, records: {}, failures: [], seed: 1, folder });
    expect(await readdir(folder)).toHaveLength(1);
    await simulation[Symbol.asyncDispose]();
    // Removing it works on an empty folder alone.
    await rmdir(folder);
  });

  it('leaves no files if the records cannot be read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'salon-test-'));
    async function* broken() {
      yield* clients(1);
      throw new Error('The walk broke off.');
    }
    const records = { clients: broken() };
    const opening = openSimulatedSalon({ io, records, failures: [], seed: 1, folder });
    await expect(opening).rejects.toThrow('The walk broke off.');
    await rmdir(folder);
  });
});

describe('a simulated failure', () => {
  it.each<[FailureName, readonly SalonErrorCode[]]>([
    ['429', ['rate_limited']],
    ['503', ['service_unavailable']],
    ['500', ['internal_error']],
    ['timeout', ['timeout']],
    ['cut', ['response_truncated']],
    ['lost', ['response_truncated', 'connection_failed']],
  ])('of kind %s looks real to the client', async (name, codes) => {
    await using simulation = await simulate({ failures: [name] });
    await using client = open(simulation, { retries: 0, timeoutMs: name === 'timeout' ? 3_000 : 30_000 });
    expect(codes).toContain((await refusal(client.clients.get('c1'))).code);
    expect(simulation.counts()).toMatchObject({ requests: 1, faults: { [name]: 1 } });
  });

  it('of kind 503 may send Retry-After', async () => {
    await using simulation = await simulate({ failures: ['503'] });
    await using client = open(simulation, { retries: 0 });
    const ids = Array.from({ length: 20 }, (_, index) => `c${index}`);
    const errors = await Promise.all(ids.map((id) => refusal(client.clients.delete(id))));
    expect(new Set(errors.map(({ retryAfterMs }) => retryAfterMs))).toEqual(new Set([undefined, 1_000]));
  });

  it.each(['lost', 'cut'] as const)('of kind %s happens after the change', async (name) => {
    await using simulation = await simulate({ failures: [name], share: 0.5, count: 40 });
    await using client = open(simulation, { retries: 0 });
    const ids = Array.from({ length: 40 }, (_, index) => `c${index}`);
    const ends = await Promise.allSettled(
      ids.map((id) => client.clients.update(id, { notes: 'x' }, { partial: true })),
    );
    const failed = ids.filter((_, index) => ends[index]?.status === 'rejected');
    expect(failed.length).toBeGreaterThan(0);
    const seen = await Promise.allSettled(failed.map((id) => client.clients.get(id)));
    const notes = seen.flatMap((end) => (end.status === 'fulfilled' ? [end.value.notes] : []));
    expect(notes.length).toBeGreaterThan(0);
    expect(new Set(notes)).toEqual(new Set(['x']));
  });

  it('is overcome by retries', async () => {
    const failures = failureNames.filter((name) => name !== '500' && name !== 'timeout');
    await using simulation = await simulate({ failures, share: 0.08, seed: 7, count: 150 });
    const waits: number[] = [];
    const observe = (event: ClientEvent) => event.type === 'retry' && waits.push(event.waitMs);
    await using client = open(simulation, { observe, retries: 5 });
    const ids = Array.from({ length: 150 }, (_, index) => `c${index}`);
    await Promise.all(ids.slice(0, 100).map((id) => client.clients.update(id, { notes: 'x' })));
    await Promise.all(ids.slice(100).map((id) => client.clients.delete(id)));
    const rows = (await collect(client.clients.list())).flatMap((page) => page.rows);
    expect(rows.map(({ id, notes }) => [id, notes])).toEqual(ids.slice(0, 100).map((id) => [id, 'x']));
    const { faults: counted, requests } = simulation.counts();
    expect(Object.values(counted).reduce((sum, count) => sum + count)).toBe(waits.length);
    expect(requests).toBeGreaterThan(250);
  });

  it('hits the same records again with the same seed', async () => {
    const hold = async (seed: number) => {
      await using simulation = await simulate({ failures: ['500', '503'], share: 0.3, seed, count: 30 });
      await using client = open(simulation, { retries: 0 });
      const ids = Array.from({ length: 30 }, (_, index) => `c${index}`);
      const ends = await Promise.allSettled(ids.map((id) => client.clients.get(id)));
      return ids.filter((_, index) => ends[index]?.status === 'rejected');
    };
    const first = await hold(1);
    expect(await hold(1)).toEqual(first);
    expect(await hold(2)).not.toEqual(first);
  });
});
