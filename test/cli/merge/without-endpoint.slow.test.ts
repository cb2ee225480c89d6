import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CountingGateway, openCountingGateway } from '../../support/counting-gateway.ts';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;
let gateway: CountingGateway;
let into: string;
let from: string;
beforeEach(async () => {
  world = await openEditWorld({ clients: 3 });
  gateway = await openCountingGateway(world.service.origin, { hidesDryRun: true });
  into = await add({ first_name: 'Zita', last_name: 'Costa' });
  from = await add({ first_name: 'Zitta', last_name: 'Costa', phone: '+351912345678' });
  await book({ start_time: '2031-01-01T09:00:00Z' });
});
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

async function add(body: object): Promise<string> {
  return String((await world.client.clients.create({ ...body })).id);
}

async function book(change: object): Promise<string> {
  const [stylist_id = ''] = world.service.stylistIds;
  const body = { client_id: from, stylist_id, service: 'Cut', duration: 30, ...change };
  return String((await world.client.appointments.create(body)).id);
}

function salon(...argv: string[]) {
  return world.salon(argv, { env: { SALON_BASE_URL: gateway.origin } });
}

async function countAppointments(client_id: string): Promise<number> {
  let count = 0;
  for await (const { rows } of world.client.appointments.list({ client_id })) count += rows.length;
  return count;
}

describe('a merge on a server that cannot merge', () => {
  it('moves every appointment, deletes the duplicate, and is undone under another ID', async () => {
    const ran = await salon('clients', 'merge', into, from, '--yes', '--json');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('This server has no endpoint for merges');
    expect(ran.stderr).toContain('Zitta Costa is deleted if everything could be moved.');
    expect(gateway.writes.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'DELETE']);
    expect(await countAppointments(into)).toBe(1);
    await expect(world.client.clients.get(from)).rejects.toMatchObject({ code: 'not_found' });

    const undone = await salon('jobs', 'undo', JSON.parse(ran.stdout).job, '--yes');
    expect(undone.exitCode, undone.stderr).toBe(0);
    expect(await countAppointments(into)).toBe(0);
    expect(await world.client.clients.get(into)).toMatchObject({ phone: null });
    const restored = (await world.clients()).find(({ phone }) => phone === '+351912345678');
    expect(restored).toMatchObject({ first_name: 'Zitta' });
    expect(restored?.id).not.toBe(from);
    expect(await countAppointments(String(restored?.id))).toBe(1);
    expect(await salon('jobs', 'undo', JSON.parse(ran.stdout).job, '--yes')).toMatchObject({ exitCode: 7 });
  });

  it('names what it could not move, and keeps the duplicate', async () => {
    const past = await book({ start_time: '2021-01-01T09:00:00Z', status: 'completed' });
    const ran = await salon('clients', 'merge', into, from, '--yes', '--json');
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).toContain('Not done: The appointment is completed.');
    expect(ran.stderr).toContain('Zitta Costa was not deleted: 1 appointment could not be moved.');
    expect(await world.client.clients.get(from)).toMatchObject({ id: from });
    expect([await countAppointments(into), await countAppointments(from)]).toEqual([1, 1]);
    const { job } = JSON.parse(ran.stdout);
    const failed = await world.read<{ id: string }[]>(['jobs', 'results', job, '--failed']);
    expect(failed.map(({ id }) => id)).toEqual([past, from]);
    const undone = await salon('jobs', 'undo', job, '--yes');
    expect(undone.exitCode, undone.stderr).toBe(0);
    expect(await countAppointments(from)).toBe(2);
  });

  it('keeps a duplicate with payments, unless told to delete it', async () => {
    await world.client.payments.create({ client_id: from, amount: 100, currency: 'EUR', method: 'cash' });
    const kept = await salon('clients', 'merge', into, from, '--dry-run');
    expect(kept.stderr).toContain('Cannot be moved: 1 payment.');
    expect(kept.stderr).toContain('Zitta Costa is kept, because not everything can be moved');
    expect(kept.stderr).toContain('Dry run: nothing was sent.');
    expect(gateway.writes).toEqual([]);
    const ran = await salon('clients', 'merge', into, from, '--yes', '--delete-anyway');
    expect(ran.exitCode, ran.stderr).toBe(0);
    await expect(world.client.clients.get(from)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('changes nothing else if the fields are refused', async () => {
    const ran = await salon('clients', 'merge', into, from, '--yes', '--set', 'email=none');
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toContain('email');
    expect([await countAppointments(into), await countAppointments(from)]).toEqual([0, 1]);
    expect(await world.client.clients.get(into)).toMatchObject({ phone: null });
  });

  it('leaves an appointment that somebody took over when it is undone', async () => {
    const { job } = JSON.parse((await salon('clients', 'merge', into, from, '--yes', '--json')).stdout);
    const other = await add({ first_name: 'Bo' });
    for await (const { rows } of world.client.appointments.list({ client_id: into })) {
      for (const { id } of rows) await world.client.appointments.update(id, { client_id: other });
    }
    const undone = await salon('jobs', 'undo', job, '--yes');
    expect(undone.exitCode).toBe(3);
    expect(undone.stderr).toContain('is no longer one of Zita Costa.');
    expect(await countAppointments(other)).toBe(1);
  });
});
