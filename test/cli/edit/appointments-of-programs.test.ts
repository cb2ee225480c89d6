import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;
let ana = '';
let mia = '';

beforeAll(async () => {
  world = await openEditWorld({ clients: 0 });
  ana =
    (
      await world.client.clients.create({
        first_name: 'Ana',
        last_name: 'Costa',
        email: 'ana.costa@example.com',
        phone: '+491712345678',
      })
    ).id ?? '';
  await world.client.clients.create({
    first_name: 'Tom',
    last_name: 'Costa',
    phone: '+491712345678',
  });
  for await (const { rows } of world.client.stylists.list())
    mia = rows.find(({ first_name }) => first_name === 'Mia')?.id ?? mia;
  await world.client.salon.update({ currency: 'EUR', country: 'DE' });
});
afterAll(() => world[Symbol.asyncDispose]());

beforeEach(async () => {
  for (const { id } of await list()) await world.client.appointments.cancel(id);
});

async function list() {
  const all: { id: string; status: string; start_time: string; duration: number; price?: unknown }[] = [];
  for await (const { rows } of world.client.appointments.list()) all.push(...(rows as never[]));
  return all
    .filter(({ status }) => status !== 'cancelled')
    .toSorted((one, other) => one.start_time.localeCompare(other.start_time));
}

function readFixture(name: string): string {
  return readFileSync(new URL(`../../bulk/input/fixtures/${name}`, import.meta.url), 'utf8');
}

async function create(text: string, ...flags: readonly string[]) {
  world.write('list.csv', text);
  return world.salon(['appointments', 'create', '--file', 'list.csv', '--yes', ...flags]);
}

describe('appointments of another program', () => {
  it('are read with German headings, a date and a time in two columns, and a status in its words', async () => {
    const { exitCode, stderr } = await create(readFixture('appointments-german.csv'));
    expect(exitCode, stderr).toBe(0);
    expect(await list()).toMatchObject([
      {
        client_id: ana,
        stylist_id: mia,
        service: 'Fringe trim',
        start_time: '2026-12-08T10:00:00Z',
        duration: 45,
        status: 'confirmed',
      },
    ]);
  });
});
