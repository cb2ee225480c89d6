import { describe, expect, it } from 'vitest';
import { readStatus } from '../../src/client/appointment-status.ts';
import { json } from '../support/misbehaving-server.ts';
import { clientsOf, keepKnown, openRecordServer, type Row } from './record-server.ts';

const stylists = [
  { id: 1, first_name: 'Mia', last_name: 'Roth', active: true },
  { id: 2, first_name: 'Theo', last_name: 'Lang', active: true },
];

function appointmentsOf(statuses: readonly string[]): Row[] {
  return statuses.map((status, at) => ({
    id: at + 1,
    client_id: 1,
    stylist_id: 1,
    service: 'Cut',
    start_time: `2026-11-${String((at % 28) + 1).padStart(2, '0')}T10:00:00Z`,
    duration: 60,
    status,
  }));
}

/** Takes only IDs that are numbers, and its own statuses. */
function openStrict(
  statuses: readonly string[],
  allowed: readonly string[] = statuses,
  env: Readonly<Record<string, string>> = {},
) {
  const records = {
    clients: clientsOf(8, { preferred_stylist_id: null }),
    stylists,
    appointments: appointmentsOf(statuses),
  };
  return openRecordServer({
    records,
    env,
    store: (sent, record) => {
      const isText = Object.entries(sent).some(
        ([name, value]) => name.endsWith('_id') && typeof value === 'string',
      );
      const isForeign = sent['status'] !== undefined && !allowed.includes(String(sent['status']));
      if (isText || isForeign) return json({ error: 'not a valid choice' }, { status: 400 });
      return keepKnown(sent, record);
    },
  });
}

describe('an ID that is given as text to a server that numbers its records', () => {
  it.each([
    ['an update', ['clients', 'update', '3', '--set', 'preferred_stylist_id=1']],
    ['a new record', ['clients', 'create', '--set', 'first_name=Q', '--set', 'preferred_stylist_id=1']],
  ])('is sent as a number by %s', async (_which, argv) => {
    await using server = await openStrict([]);
    const ran = await server.salon(argv);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(server.sent()).toMatchObject([{ preferred_stylist_id: 1 }]);
  });
});

describe('a status of one appointment', () => {
  const confirmed = Array.from({ length: 30 }, () => 'CONFIRMED');

  const spelled = (...words: readonly string[]) => ({
    SALON_DIALECT_STATUSES: JSON.stringify(
      Object.fromEntries(words.map((word) => [word, readStatus(word) ?? 'confirmed'])),
    ),
  });

  it.each([
    ['is declared', spelled('Canceled')],
    ['the list shows where none is declared', {}],
  ])('is written in the word that %s', async (_what, env) => {
    await using server = await openStrict([...confirmed, 'Canceled'], undefined, env);
    const ran = await server.salon(['appointments', 'update', '3', '--status', 'cancelled', '--yes']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(server.sent()).toMatchObject([{ status: 'Canceled' }]);
  });

  it('is written in capitals where none is declared and all words are', async () => {
    await using server = await openStrict(confirmed, ['CONFIRMED', 'CANCELLED']);
    const ran = await server.salon(['appointments', 'update', '3', '--status', 'cancelled', '--yes']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(server.sent()).toMatchObject([{ status: 'CANCELLED' }]);
  });

  it('is written in the first word, also where it was stored in another before', async () => {
    const words = spelled('CONFIRMED', 'Canceled', 'cancelled');
    await using server = await openStrict([...confirmed, 'Canceled', 'cancelled'], undefined, words);
    const update = ['appointments', 'update', '--where-service', 'Cut', '--where-status', 'confirmed'];
    const ran = await server.salon([...update, '--status', 'cancelled', '--yes']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(new Set(server.sent().map(({ status }) => status))).toEqual(new Set(['Canceled']));
  });

  it('stays as it is if the server has no word for it', async () => {
    await using server = await openStrict(['confirmed', 'pending', 'arrived'], ['arrived', 'confirmed']);
    const ran = await server.salon(['appointments', 'update', '2', '--status', 'arrived', '--yes']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(server.sent()).toMatchObject([{ status: 'arrived' }]);
  });
});

describe('appointments cancel --where-… on a server that cannot cancel', () => {
  const cancel = ['appointments', 'cancel', '--where-service', 'Cut'];

  it('names the command to use before it asks', async () => {
    await using server = await openStrict(['CONFIRMED', 'CONFIRMED']);
    const ran = await server.salon(cancel);
    expect([ran.exitCode, ran.stderr]).toEqual([
      8,
      expect.stringContaining('salon appointments update --where-service Cut --status cancelled'),
    ]);
  });

  it('does not offer to resume what cannot be done', async () => {
    await using server = await openStrict(['CONFIRMED', 'CONFIRMED']);
    const ran = await server.salon([...cancel, '--yes']);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('Try: salon appointments update --where-service Cut --status cancelled');
    expect(ran.stderr).not.toContain('Resume');
  });
});
