import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;
let id = '';
let names = '';

beforeAll(async () => {
  world = await openEditWorld({ clients: 2, appointments: 5 });
  for await (const { rows } of world.client.appointments.list()) id = rows[0]?.id ?? id;
  const client = await world.client.clients.create({ first_name: 'Ana', last_name: 'Costa' });
  const stylist = await world.client.stylists.create({ first_name: 'Quinn' });
  names = `${client.id},${stylist.id}`;
  world.write('new.csv', `Wen,Wer,Was,Wann,Wie lang,Raum\n${names},Cut,2035-11-24T10:00:00Z,30,2\n`);
});
afterAll(() => world[Symbol.asyncDispose]());

const ofBooking = {
  ...{ Wen: 'client_id', Wer: 'stylist_id', Was: 'service', Wann: 'start_time', 'Wie lang': 'duration' },
};
const map = Object.entries(ofBooking).flatMap(([heading, field]) => ['--map', `${heading}=${field}`]);
const create = ['appointments', 'create', '--file', 'new.csv'];

describe('the columns of a sheet of appointments', () => {
  it('are refused with flags that make the command work', async () => {
    const refused = await world.salon(create);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--map "Wann=') });
    const left = await world.salon([...create, ...map]);
    expect(left).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--map "Raum="') });
    expect(left.stderr).toContain('--ignore-columns');
    const ran = await world.salon([...create, ...map, '--ignore-columns', '--yes', '--mapping', 'till']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('Mapping till saved');
  });

  it('are those of a remembered mapping, also in updates', async () => {
    world.write('changes.csv', `Nr,Wunsch,Raum\n${id},Brings tea,2\n`);
    const update = ['appointments', 'update', '--file', 'changes.csv', '--ignore-columns'];
    const first = [...update, '--map', 'Nr=id', '--map', 'Wunsch=notes', '--mapping', 'notes', '--yes'];
    expect(await world.salon(first)).toMatchObject({ exitCode: 0 });
    expect(await world.client.appointments.get(id)).toMatchObject({ notes: 'Brings tea' });
    world.write('changes.csv', `Nr,Wunsch,Raum\n${id},Brings coffee,2\n`);
    expect(await world.salon([...update, '--mapping', 'notes', '--yes'])).toMatchObject({ exitCode: 0 });
    expect(await world.client.appointments.get(id)).toMatchObject({ notes: 'Brings coffee' });
  });

  it('are asked for at a terminal, among the fields of appointments', async () => {
    world.write('changes.csv', `id,Wunsch\n${id},Brings milk\n`);
    const argv = ['appointments', 'update', '--file', 'changes.csv', '--plain'];
    const { stderr } = await world.salon(argv, { columns: 120, stdin: '' });
    expect(stderr).toContain('What is in "Wunsch", e.g. "Brings milk"?');
    expect(stderr).toMatch(/^\d+: start$/m);
    expect(stderr).not.toMatch(/^\d+: (?:birthday|First and last name)$/m);
  });
});

describe('a sheet of clients to delete', () => {
  it('says which columns are which, and of which country its phones are', async () => {
    await world.client.clients.create({ first_name: 'Eva', phone: '+491712345678' });
    world.write('gone.csv', 'Handynummer,Ort\n0171 2345678,Bonn\n');
    const argv = ['clients', 'delete', '--file', 'gone.csv', '--match', 'phone', '--dry-run', '--json'];
    const ran = await world.salon([...argv, '--map', 'Handynummer=phone', '--country', 'DE']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Eva') });
  });
});
