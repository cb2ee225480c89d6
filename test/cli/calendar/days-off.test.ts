import { afterEach, beforeEach, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;
const tuesday = '2031-01-07';

beforeEach(async () => {
  world = await openEditWorld({ clients: 1 });
  for (const id of world.service.stylistIds) await world.client.stylists.update(id, { active: false });
  const add = (first_name: string, working_hours: string | null) =>
    world.client.stylists.create({ first_name, working_hours });
  const [busy] = [await add('Mia', 'tue 9-18'), await add('Zelda', 'mon 9-18'), await add('Nia', null)];
  const [client] = await world.clients();
  await world.client.appointments.create({
    client_id: client?.id ?? '',
    stylist_id: busy?.id ?? '',
    service: 'Cut',
    start_time: `${tuesday}T10:00:00Z`,
    duration: 60,
  });
});
afterEach(() => world[Symbol.asyncDispose]());

async function draw(...flags: readonly string[]): Promise<string> {
  const ran = await world.salon(['calendar', tuesday, '-f', 'table', ...flags], { columns: 80 });
  expect(ran.exitCode, ran.stderr).toBe(0);
  return ran.stdout;
}

it('a stylist whose day off it is has no column, but is named', async () => {
  const text = await draw();
  expect(text).toContain('1 appointment with 2 stylists. Not working: Zelda.');
  expect(text.match(/Zelda/g)).toHaveLength(1);
  expect(text).toContain('Nia');
});

it('a stylist with an appointment on a day off is shown', async () => {
  const [mia] = (
    await world.read<readonly { id: string; first_name: string }[]>(['stylists', 'list'])
  ).filter(({ first_name }) => first_name === 'Mia');
  await world.client.stylists.update(mia?.id ?? '', { working_hours: 'mon 9-18' });
  expect(await draw()).toContain('1 appointment with 2 stylists. Not working: Zelda.');
});

it('a stylist who is asked for is shown', async () => {
  const text = await draw('--stylist', 'Zelda');
  expect(text).toContain('Stylists: Zelda.');
  expect(text).not.toContain('Not working');
});

it('the week of the whole salon names those who are off all week', async () => {
  expect(await draw('--week')).not.toContain('Not working');
});
