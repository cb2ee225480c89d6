import { describe, expect, it } from 'vitest';
import type { Row } from '../support/servers/client-store.ts';
import { easyAppointments } from '../support/servers/easy-appointments.ts';
import { omit, type ServerKind } from '../support/servers/other-server.ts';
import { type ConnectedMachine, connect } from './machine.ts';
import { connections, kinds } from './operations.ts';
import { compareStore } from './records.ts';

/** The first client without notes, and the fifth, who has some. */
function choosePair({ server }: ConnectedMachine): readonly [into: Row, from: Row] {
  const rows = server.store.all();
  const [into, from] = [rows[0], rows[4]];
  if (into === undefined || from === undefined) throw new Error('The server has too few clients.');
  return [into, from];
}

async function merge(machine: ConnectedMachine, kind: ServerKind, ...flags: string[]) {
  const [into, from] = choosePair(machine);
  const ids = [String(into['id']), String(from['id'])];
  const ran = await machine.salon(
    ...['clients', 'merge', ...ids, '--yes', '--json', '--prefer', kind.fields.notes, ...flags],
  );
  expect(ran.exitCode, ran.stderr).toBe(flags.includes('--delete-anyway') ? 0 : 3);
  expect(ran.stderr).toContain('This server has no endpoint for merges');
  return { into, from, ran, job: String(JSON.parse(ran.stdout).job) };
}

const withoutAppointments = kinds.filter(({ name }) => name !== easyAppointments.name);

describe.each(withoutAppointments)('a merge on a server without the endpoint: $name', (kind) => {
  it('combines the fields, keeps a duplicate whose appointments it cannot see, and is undone', async () => {
    await using machine = await connect(connections.dialect(kind), { count: 9 });
    const { all } = machine.server.store;
    const before = all();
    const { into, from, ran, job } = await merge(machine, kind);
    const { notes, first } = kind.fields;
    expect(ran.stderr).toContain('Cannot be moved: appointments, which this server does not list by client.');
    expect(ran.stderr).toContain('is kept, because not everything can be moved');
    const merged = all().find((row) => row['id'] === into['id']);
    expect(merged).toMatchObject({ [notes]: from[notes], [first]: into[first] });
    expect(
      compareStore(
        all().filter((row) => row['id'] !== into['id']),
        before.filter((row) => row !== into),
      ),
    ).toBe(undefined);
    const undone = await machine.salon('jobs', 'undo', job, '--yes');
    expect(undone.exitCode, undone.stderr).toBe(0);
    const restored = all().find((row) => row['id'] === into['id']);
    expect([restored?.[notes] ?? null, restored?.[first]]).toEqual([into[notes] ?? null, into[first]]);
    expect(all()).toHaveLength(before.length);
  });

  it('deletes the duplicate when told, and adds it again in an undo', async () => {
    await using machine = await connect(connections.dialect(kind), { count: 9 });
    const { all } = machine.server.store;
    const ids = all().map(({ id }) => id);
    const { from, job } = await merge(machine, kind, '--delete-anyway');
    expect(all()).toHaveLength(ids.length - 1);
    expect(all().some((row) => row['id'] === from['id'])).toBe(false);
    const undone = await machine.salon('jobs', 'undo', job, '--yes');
    expect(undone.exitCode, undone.stderr).toBe(0);
    expect(all()).toHaveLength(ids.length);
    const identity = ['id', 'created_at', 'updated_at', 'created', 'creation_source', 'version'];
    expect(all().find(({ id }) => !ids.includes(id))).toMatchObject(omit(from, identity));
  });

  it('lists duplicates', async () => {
    await using machine = await connect(connections.dialect(kind), { count: 30, maxPageSize: 7 });
    const { first, last, phone } = kind.fields;
    const [row] = machine.server.store.all();
    if (row === undefined) throw new Error('The server has no clients.');
    machine.server.store.add({
      ...omit(row, ['id']),
      [first]: row[last],
      [last]: row[first],
      [phone]: row[phone],
    });
    const ran = await machine.salon('clients', 'duplicates', '--json');
    expect(ran.exitCode, ran.stderr).toBe(0);
    const pairs = JSON.parse(ran.stdout) as Record<string, unknown>[];
    const found = pairs.flatMap(({ client_id, duplicate_id }) => [String(client_id), String(duplicate_id)]);
    expect(found).toContain(String(row['id']));
  });
});

it('moves the appointments of a duplicate where the server lists them', async () => {
  await using machine = await connect(connections.dialect(easyAppointments), { count: 9 });
  const ran = await machine.salon('clients', 'merge', '1', '5', '--yes', '--json');
  expect(ran.exitCode, ran.stderr).toBe(0);
  const [clients, appointments] = [await machine.all(), await machine.all('appointments')];
  expect(clients.map(({ id }) => id)).toEqual([1, 2, 3, 4, 6, 7, 8, 9]);
  expect(appointments.map(({ customerId }) => customerId)).toEqual([2, 3, 4, 1, 1, 2, 3, 4, 1]);
});
