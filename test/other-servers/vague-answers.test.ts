import { describe, expect, it } from 'vitest';
import { body, json } from '../support/misbehaving-server.ts';
import { clientsOf, openRecordServer, withoutStoring } from './record-server.ts';

const updateAll = ['clients', 'update', '--all', '--yes', '--json'];

describe.each([
  ['204', () => body('', { status: 204 })],
  ['{"ok":true}', () => json({ ok: true })],
] as const)('a bulk edit on a server that drops a field and answers %s', (_what, answer) => {
  it('fails every row with the reason, in one run', async () => {
    await using server = await openRecordServer({
      records: { clients: clientsOf(40) },
      store: withoutStoring('notes'),
      answer,
    });
    const ran = await server.salon([...updateAll, '--set', 'notes=x']);
    const { job, ...summary } = JSON.parse(ran.stdout);
    expect([ran.exitCode, summary], ran.stderr).toMatchObject([3, { done: 0, failed: 40, left: 0 }]);
    expect(server.sent()).toHaveLength(40);
    const results = JSON.parse((await server.salon(['jobs', 'results', job, '--json'])).stdout);
    expect(results[8]).toMatchObject({
      result: 'failed',
      detail: expect.stringContaining('notes of client 9 did not change'),
    });
  });

  it('names the field that was saved in rows that failed', async () => {
    await using server = await openRecordServer({
      records: { clients: clientsOf(12) },
      store: withoutStoring('notes'),
      answer,
    });
    const sets = ['--set', 'notes=x', '--set', 'first_name=Q'];
    const ran = await server.salon(['clients', 'update', '--all', '--yes', ...sets]);
    expect([ran.exitCode, ran.stderr]).toEqual([
      3,
      expect.stringContaining('0 clients changed, 12 failed.\nSaved in failed rows: first name 12.\n'),
    ]);
  });

  it('stops at the limit of failures', async () => {
    await using server = await openRecordServer({
      records: { clients: clientsOf(40) },
      store: withoutStoring('notes'),
      answer,
    });
    const ran = await server.salon([...updateAll, '--set', 'notes=x', '--max-errors', '3']);
    expect(ran.stderr).toContain('rows failed');
    expect(server.sent().length).toBeLessThan(40);
  });
});

it('a bulk deletion on a server that keeps the records fails every row', async () => {
  await using server = await openRecordServer({
    records: { clients: clientsOf(40) },
    answer: ({ id }) => json({ message: `${id}?` }),
  });
  const ran = await server.salon(['clients', 'delete', '--search', 'Costa', '--yes', '--json']);
  expect([ran.exitCode, JSON.parse(ran.stdout)], ran.stderr).toMatchObject([
    3,
    { done: 0, failed: 40, left: 0 },
  ]);
});
