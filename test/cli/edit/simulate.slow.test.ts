import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 400 });
  world.writeSheet(
    'notes.csv',
    (await world.clients()).map(({ id }, index) => ({ id, notes: `note ${index}` })),
  );
});
afterEach(() => world[Symbol.asyncDispose]());

const simulate = ['clients', 'update', '--file', 'notes.csv', '--simulate'];

describe('--simulate', () => {
  it('reports the outcome, sends nothing and leaves no files', async () => {
    const before = await world.clients();
    const ran = await world.salon([...simulate, '--json']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ rehearsal: true, done: 400, failed: 0 });
    expect(await world.clients()).toEqual(before);
    expect(world.jobs()).toEqual([]);
  });

  it('gets through simulated failures', async () => {
    const ran = await world.salon([...simulate, '--faults', '429,503,cut', '--json']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    const { done, faults } = JSON.parse(ran.stdout) as { done: number; faults: Record<string, number> };
    expect(done).toBe(400);
    expect((faults['429'] ?? 0) + (faults['503'] ?? 0) + (faults['cut'] ?? 0)).toBeGreaterThan(0);
  });

  it('suggests the nearest failure name', async () => {
    const ran = await world.salon([...simulate, '--faults', '492']);
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toContain('Did you mean 429?');
  });

  it('detects overlaps with existing appointments', async () => {
    const [client] = await world.clients();
    const [stylist] = world.service.stylistIds;
    const booked = {
      client_id: client?.id ?? '',
      stylist_id: stylist ?? '',
      service: 'Cut',
      start_time: '2036-01-07T10:00:00Z',
      duration: 30,
    };
    await world.client.appointments.create(booked);
    world.writeSheet('book.csv', [booked, { ...booked, start_time: '2036-01-07T11:00:00Z' }]);
    const ran = await world.salon(['appointments', 'create', '--file', 'book.csv', '--simulate', '--json']);
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(JSON.parse(ran.stdout)).toMatchObject({ done: 1, failed: 1 });
  });
});
