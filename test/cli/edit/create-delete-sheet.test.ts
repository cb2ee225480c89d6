import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 6, appointments: 12 });
});
afterEach(() => world[Symbol.asyncDispose]());

interface Summary {
  readonly job: string;
  readonly done: number;
}

describe('creating clients from a sheet', () => {
  it('works in every format and can be undone', async () => {
    world.write(
      'new.ndjson',
      '{"first_name":"Ana","tags":["vip"]}\n{"last_name":"Itō","phone":"+351 912 345 678"}\n',
    );
    const before = await world.clients();
    const { job, done } = await world.read<Summary>(['clients', 'create', '--file', 'new.ndjson', '--yes']);
    expect(done).toBe(2);
    const made = (await world.clients()).filter(({ id }) => before.every((client) => client.id !== id));
    expect(made).toHaveLength(2);
    expect(made).toContainEqual(expect.objectContaining({ first_name: 'Ana', tags: ['vip'] }));
    expect(made).toContainEqual(expect.objectContaining({ last_name: 'Itō', phone: '+351912345678' }));
    expect(await world.salon(['jobs', 'undo', job, '--yes'])).toMatchObject({ exitCode: 0 });
    expect(await world.clients()).toEqual(before);
  });

  it('keeps clients changed since on undo', async () => {
    world.write('new.csv', 'first_name\nAda\nBea\n');
    const { job } = await world.read<Summary>(['clients', 'create', '--file', 'new.csv', '--yes']);
    const ada = (await world.clients()).find((client) => client['first_name'] === 'Ada');
    await world.client.clients.update(ada?.id ?? '', { notes: 'a guest by now' });
    const ran = await world.salon(['jobs', 'undo', job, '--yes']);
    expect(ran.exitCode).toBe(3);
    const names = (await world.clients()).map((client) => client['first_name']);
    expect(names).toContain('Ada');
    expect(names).not.toContain('Bea');
  });

  it('refuses the whole sheet if one row is invalid', async () => {
    world.write('new.csv', 'first_name,email\nAna,ana@example.com\nBea,nobody\n,\n');
    const ran = await world.salon(['clients', 'create', '--file', 'new.csv', '--yes']);
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toContain('new.csv:3:email');
    expect(await world.clients()).toHaveLength(6);
  });
});

describe('deleting clients from a sheet', () => {
  it('can be undone, with new IDs', async () => {
    const all = await world.clients();
    const gone = all.slice(0, 2);
    world.writeSheet(
      'gone.csv',
      gone.map(({ id }) => ({ id })),
    );
    const argv = ['clients', 'delete', '--file', 'gone.csv', '--yes', '--force'];
    const { job, done } = await world.read<Summary>(argv);
    expect(done).toBe(2);
    expect(await world.clients()).toEqual(all.slice(2));
    const undone = await world.salon(['jobs', 'undo', job, '--yes']);
    expect(undone).toMatchObject({ exitCode: 0 });
    expect(undone.stderr).toContain('come back with new IDs');
    expect(undone.stderr).toContain(
      'Upcoming appointments that were cancelled or deleted with them do not come back.',
    );
    const back = (await world.clients()).slice(4);
    expect(back.map(toPerson)).toEqual(expect.arrayContaining(gone.map(toPerson)));
    expect(back.map(({ id }) => id)).not.toContain(gone[0]?.id);
    expect(await world.salon(['jobs', 'undo', job, '--yes'])).toMatchObject({ exitCode: 7 });
  });

  it('fails for each client with upcoming appointments', async () => {
    const booked = await world.clients();
    const [stylist] = world.service.stylistIds;
    await world.client.appointments.create({
      client_id: booked[0]?.id ?? '',
      stylist_id: stylist ?? '',
      service: 'Cut',
      start_time: '2036-01-07T10:00:00Z',
      duration: 30,
    });
    world.writeSheet('gone.csv', [{ id: booked[0]?.id }]);
    const ran = await world.salon(['clients', 'delete', '--file', 'gone.csv', '--yes', '--debug']);
    expect(ran.exitCode).toBe(3);
    // The service refuses by itself.
    expect(ran.stderr).toContain('/api/v1/clients');
    expect(ran.stderr).not.toContain('/api/v1/appointments');
    expect(await world.clients()).toHaveLength(6);
    const [job = ''] = world.jobs();
    const [failed] = await world.read<readonly object[]>(['jobs', 'results', job, '--failed']);
    expect(failed).toMatchObject({ result: 'failed', code: 'client_has_upcoming_appointments' });
  });
});

describe('booking appointments from a sheet', () => {
  it("reads times in the salon's time zone", async () => {
    const [client] = await world.clients();
    const [stylist] = world.service.stylistIds;
    world.write(
      'book.csv',
      `client_id;stylist_id;service;start_time;duration\n${client?.id};${stylist};Cut;2036-01-07 10:00;45m\n`,
    );
    const argv = ['appointments', 'create', '--file', 'book.csv', '--yes'];
    const { done } = await world.read<Summary>(argv, { timeZone: 'Europe/Berlin' });
    expect(done).toBe(1);
    const [booked] = await world.read<readonly object[]>(['appointments', 'list', '--from', '2036-01-01']);
    expect(booked).toMatchObject({ start_time: '2036-01-07T09:00:00Z', duration: 45 });
  });
});

function toPerson({
  id: _id,
  created_at: _created,
  updated_at: _updated,
  ...person
}: Readonly<Record<string, unknown>>) {
  return person;
}
