import { describe, expect, it } from 'vitest';
import { openForgetfulServer } from '../../support/forgetful-server.ts';
import { body, json, type Reply } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { createTestClock } from '../../support/test-clock.ts';

const old = { id: 'cli_1', notes: 'old', city: 'Rome' };
const clock = () => createTestClock(Date.now());

/** Successes of other makes that do not show the record. */
const vague: readonly (readonly [string, Reply])[] = [
  ['an empty object', json({})],
  ['no body', body('')],
  ['false', json(false)],
  ['a count', json({ affectedRows: 0 })],
  ['an unknown code', json({ code: 40_001, msg: 'locked' })],
  ['a list of results', json({ data: [{ code: 'INVALID_DATA', status: 'error' }] }, { status: 207 })],
];

describe.each(vague)('a success with %s', (_what, reply) => {
  it('is not taken for a change or a deletion that did not happen', async () => {
    await using server = await openForgetfulServer({ records: [old], answer: () => reply, executes: false });
    await using client = openClient(server.origin);
    const status = expect.any(Number);
    expect(await refusal(client.clients.update('cli_1', { notes: 'new' }))).toMatchObject({
      code: 'refused',
      status,
      message: expect.stringContaining('but notes of client cli_1 did not change'),
      members: { in_doubt: true },
    });
    expect(await refusal(client.clients.delete('cli_1'))).toMatchObject({
      code: 'refused',
      message: expect.stringContaining('but client cli_1 still exists'),
      members: { in_doubt: true },
    });
    const creating = refusal(client.clients.create({ first_name: 'Ana' }));
    expect((await creating).members).toMatchObject({ in_doubt: true });
  });

  it('is a success if the change, the deletion or the new record is there', async () => {
    const options = { answer: () => reply, executes: true, createdAs: 'created_at' };
    await using server = await openForgetfulServer({ records: [old], ...options });
    await using client = openClient(server.origin, { clock: clock() });
    const written = await client.clients.update('cli_1', { notes: 'new' });
    expect(written).toMatchObject({ outcome: 'done', id: 'cli_1', record: { ...old, notes: 'new' } });
    await client.clients.delete('cli_1');
    expect(server.records.size).toBe(0);
    expect(await client.clients.create({ first_name: 'Ana' })).toMatchObject({ id: 'new_1' });
    expect(server.executed()).toBe(3);
  });
});

describe('an update', () => {
  it('fails if the record in the response is as it was', async () => {
    const answer = () => json(old);
    await using server = await openForgetfulServer({ records: [old], answer, executes: false });
    await using client = openClient(server.origin);
    expect((await refusal(client.clients.update('cli_1', { notes: 'new' }))).code).toBe('refused');
  });

  it('that is accepted has no record if the body describes the request', async () => {
    const answer = () => json({ status: 'queued' }, { status: 202 });
    await using server = await openForgetfulServer({ records: [old], answer, executes: false });
    await using client = openClient(server.origin);
    const written = await client.clients.update('cli_1', { notes: 'new' });
    expect(written).toMatchObject({ outcome: 'accepted', id: 'cli_1', record: undefined });
  });

  it('that is accepted is done as soon as the record shows it', async () => {
    const answer = () => json({ status: 'queued' }, { status: 202 });
    await using server = await openForgetfulServer({ records: [old], answer, executes: true });
    await using client = openClient(server.origin);
    const written = await client.clients.update('cli_1', { notes: 'new' });
    expect(written).toMatchObject({ outcome: 'done', record: { notes: 'new' } });
  });
});

describe('a deletion', () => {
  it('succeeds if the server keeps the record, marked as deleted', async () => {
    const marked = { ...old, deleted_at: '2026-01-01' };
    const answer = () => json({ message: 'Deleted' });
    await using server = await openForgetfulServer({ records: [marked], answer, executes: false });
    await using client = openClient(server.origin);
    await expect(client.clients.delete('cli_1')).resolves.toBeUndefined();
  });
});
