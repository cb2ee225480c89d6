import { describe, expect, it } from 'vitest';
import { openForgetfulServer } from '../../support/forgetful-server.ts';
import {
  body,
  continueFirst,
  halfABody,
  hang,
  html,
  json,
  type Reply,
  reset,
} from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { createTestClock } from '../../support/test-clock.ts';

const unclear: readonly (readonly [string, Reply])[] = [
  ...[408, 499, 500, 502, 503, 520, 530].map((status) => [`${status}`, html('Oh no', { status })] as const),
  ['a reset', reset],
  ['half a body', halfABody],
  ['a page', html('Welcome')],
  ['an unknown encoding', body('{}', { headers: { 'content-encoding': 'zstd' } })],
  ['an unasked 100 Continue', continueFirst(json(null))],
];
const old = { id: 'cli_1', notes: 'old', city: 'Rome' };
const clock = () => createTestClock(Date.now());

describe.each(unclear)('a write answered with %s', (_what, reply) => {
  it('has succeeded if the record has the new values', async () => {
    await using server = await openForgetfulServer({ records: [old], answer: () => reply, executes: true });
    await using client = openClient(server.origin);
    const written = await client.clients.update('cli_1', { notes: 'new' });
    expect(written).toMatchObject({ outcome: 'done', id: 'cli_1', record: { notes: 'new', city: 'Rome' } });
    expect(server.records.get('cli_1')).toEqual({ ...old, notes: 'new' });
    await client.clients.delete('cli_1');
    expect(server.records.size).toBe(0);
  });

  it('stays unknown if the record has its former values', async () => {
    await using server = await openForgetfulServer({ records: [old], answer: () => reply, executes: false });
    await using client = openClient(server.origin);
    const writes = [
      () => client.clients.update('cli_1', { notes: 'new' }),
      () => client.clients.delete('cli_1'),
    ];
    for (const write of writes) {
      const error = await refusal(write());
      expect(error.members).toMatchObject({ in_doubt: true });
      expect(error.message).toMatch(/^The (PUT|DELETE) may have succeeded\. /);
    }
    expect(server.records.get('cli_1')).toEqual(old);
  });

  it('has succeeded if it is a create, and one new record has its values', async () => {
    const options = { answer: () => reply, executes: true, createdAs: 'createdAt' };
    await using server = await openForgetfulServer({ records: [old], ...options });
    await using client = openClient(server.origin, { clock: clock() });
    const written = await client.clients.create({ first_name: 'Ana', notes: 'old' });
    expect(written).toMatchObject({ outcome: 'done', id: 'new_2', record: { first_name: 'Ana' } });
    expect(server.executed()).toBe(1);
  });

  it('stays unknown if it is a create, and nothing proves that a record is new', async () => {
    const ana = { id: 'cli_2', first_name: 'Ana' };
    const worlds = [
      { records: [ana], executes: false },
      { records: [{ ...ana, createdAt: '2020-01-01T00:00:00Z' }], executes: false },
      { records: [], executes: true },
      { records: [{ ...ana, createdAt: new Date().toISOString() }], executes: true, createdAs: 'createdAt' },
    ];
    for (const world of worlds) {
      await using server = await openForgetfulServer({ ...world, answer: () => reply });
      await using client = openClient(server.origin, { clock: clock() });
      const error = await refusal(client.clients.create({ first_name: 'Ana' }));
      expect(error.members).toMatchObject({ in_doubt: true });
      expect(server.executed()).toBe(world.executes ? 1 : 0);
    }
  });
});

describe('a write without any response', () => {
  it('is not looked up: the server may still be working on it', async () => {
    await using server = await openForgetfulServer({ records: [old], answer: () => hang, executes: true });
    await using client = openClient(server.origin, { timeoutMs: 200, retries: 0 });
    const error = await refusal(client.request('PUT', 'clients/cli_1', { body: old }));
    expect(error.code).toBe('result_unknown');
    expect((await refusal(client.clients.create({ first_name: 'Ana' }))).code).toBe('result_unknown');
    expect(server.received.map(({ method }) => method)).not.toContain('GET');
  });
});
