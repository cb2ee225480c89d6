import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;
let ids: Record<'ana' | 'quinn' | 'ravi' | 'ola', string>;

/** Quinn does Root glaze, Ravi cuts fringes, Ola has no list and does everything. */
beforeAll(async () => {
  world = await openEditWorld({ clients: 0 });
  const { clients, stylists } = world.client;
  const add = async (first_name: string, services: string[]) =>
    (await stylists.create({ first_name, last_name: 'Quill', services })).id ?? '';
  ids = {
    ana: (await clients.create({ first_name: 'Ana', last_name: 'Costa' })).id ?? '',
    quinn: await add('Quinn', ['Root glaze']),
    ravi: await add('Ravi', ['Fringe']),
    ola: await add('Ola', []),
  };
});
afterAll(() => world[Symbol.asyncDispose]());

/** Books with Quinn, an hour each; another day in every call. */
let day = 0;
const nextDay = () => String(++day).padStart(2, '0');
async function book(service: string, date = nextDay()): Promise<string> {
  const start_time = `2041-02-${date}T09:00:00Z`;
  const who = { client_id: ids.ana, stylist_id: ids.quinn };
  return (await world.client.appointments.create({ ...who, service, start_time, duration: 60 })).id ?? '';
}

const doubt = 'Ravi Quill does not do root glaze (who does: Quinn Quill, Ola Quill).';

async function writeNew(services: readonly (readonly [stylist: string, service: string])[]) {
  const date = nextDay();
  const rows = services.map(
    ([stylist, service], index) => `${ids.ana},${stylist},${service},2040-01-${date}T1${index}:00:00Z,30`,
  );
  world.write('new.csv', `client_id,stylist_id,service,start_time,duration\n${rows.join('\n')}\n`);
}

const sent = (stderr: string) => stderr.split('\n').filter((line) => line.includes('does not do'));

describe('a sheet of appointments with stylists who do not do the service', () => {
  it('names each stylist and service once, with the lines, and books in a script', async () => {
    await writeNew([
      [ids.ravi, 'root glaze'],
      [ids.quinn, 'Root glaze'],
      [ids.ravi, 'Root glaze'],
      [ids.ola, 'Root glaze'],
      [ids.ravi, 'Fringe'],
      [ids.quinn, 'Fringe'],
      [ids.quinn, 'Ombré'],
    ]);
    const ran = await world.salon(['appointments', 'create', '--file', 'new.csv', '--yes']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(sent(ran.stderr)).toEqual([
      `warning: line 2, 4: ${doubt}`,
      'warning: line 7: Quinn Quill does not do Fringe (who does: Ravi Quill, Ola Quill).',
    ]);
  });

  it('shortens the lines, and says so in a dry run', async () => {
    await writeNew(Array.from({ length: 7 }, () => [ids.ravi, 'root glaze'] as const));
    const ran = await world.salon(['appointments', 'create', '--file', 'new.csv', '--dry-run']);
    expect(sent(ran.stderr)).toEqual([`warning: line 2, 3, 4, 5, 6, …: ${doubt}`]);
  });

  it('asks at a terminal, and books nothing after a no', async () => {
    await writeNew([
      [ids.ravi, 'root glaze'],
      [ids.ravi, 'Fringe'],
    ]);
    const before = (await world.read<unknown[]>(['appointments', 'list'])).length;
    const argv = ['appointments', 'create', '--file', 'new.csv', '--plain'];
    const ran = await world.salon(argv, { columns: 100, stdin: 'n\nn\n' });
    expect(ran.exitCode).toBe(8);
    expect(ran.stderr).toContain(doubt);
    expect(ran.stderr).toContain('2 appointments, 1 with a stylist who does not do the service, at');
    expect((await world.read<unknown[]>(['appointments', 'list'])).length).toBe(before);
  });
});

describe('a sheet that changes appointments', () => {
  it.each([
    ['gives them to who does not do the service', 'stylist_id', () => ids.ravi, 'root glaze', doubt],
    [
      'gives them a service that their stylist does not do',
      'service',
      () => 'Fringe',
      'root glaze',
      'Quinn Quill does not do Fringe (who does: Ravi Quill, Ola Quill).',
    ],
    ['changes neither', 'notes', () => 'Window seat', 'Fringe', undefined],
    ['gives them to who has no list', 'stylist_id', () => ids.ola, 'root glaze', undefined],
  ])('and %s', async (_what, field, value, service, warning) => {
    const id = await book(service);
    world.write('change.csv', `id,${field}\n${id},${value()}\n`);
    const ran = await world.salon(['appointments', 'update', '--file', 'change.csv', '--yes']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(sent(ran.stderr)).toEqual(warning === undefined ? [] : [`warning: line 2: ${warning}`]);
  });

  it('is undone without a word on services', async () => {
    const id = await book('Fringe');
    world.write('change.csv', `id,stylist_id\n${id},${ids.ravi}\n`);
    await world.salon(['appointments', 'update', '--file', 'change.csv', '--yes']);
    const undone = await world.salon(['jobs', 'undo', world.jobs().toSorted().at(-1) ?? '', '--yes']);
    expect(undone.exitCode, undone.stderr).toBe(0);
    expect(sent(undone.stderr)).toEqual([]);
  });
});

describe('a selection with --set', () => {
  it.each([
    ['stylist_id', () => ids.ravi, doubt],
    ['service', () => 'Fringe', 'Quinn Quill does not do Fringe (who does: Ravi Quill, Ola Quill).'],
  ])('names who does not do the service: %s', async (field, value, warning) => {
    const date = nextDay();
    await book('root glaze', date);
    const where = ['--where-date', `2041-02-${date}`];
    const set = `${field}=${value()}`;
    const ran = await world.salon(['appointments', 'update', ...where, '--set', set, '--yes']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(warning);
  });
});
