import { afterEach, beforeEach, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 2 });
});
afterEach(() => world[Symbol.asyncDispose]());

const create = ['clients', 'create', '--file', 'new.csv', '--yes'];

it('a CSV of Excel, which leaves out blank cells at the end in blocks of 16 rows, is read', async () => {
  const rows = Array.from({ length: 25 }, (_, index) => `c${index + 1}@x.example,N${index + 1}`);
  const lines = ['email,first_name,notes', ...rows.map((row, index) => (index < 15 ? `${row},` : row)), ''];
  world.write('new.csv', lines.join('\n'));
  const ran = await world.salon([...create, '--json']);
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
  expect(ran.stderr).toContain('10 rows without the last cells, read as blank.');
  expect(JSON.parse(ran.stdout)).toMatchObject({ done: 25 });
  const last = (await world.clients()).find(({ email }) => email === 'c25@x.example');
  expect(last).toMatchObject({ first_name: 'N25', notes: null });
});

it('a short row changes nothing in the fields that it does not have', async () => {
  const [client] = await world.clients();
  await world.client.clients.update(client?.id ?? '', { notes: 'window' });
  world.write('notes.csv', `id,first_name,notes\n${client?.id},Ana\n`);
  const ran = await world.salon(['clients', 'update', '--file', 'notes.csv', '--yes']);
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
  const changed = (await world.clients()).find(({ id }) => id === client?.id);
  expect(changed).toMatchObject({ first_name: 'Ana', notes: 'window' });
});

const person = 'first_name,last_name,phone,email,notes';

it.each([
  ['has an email address in the phone column', `${person}\nAna,Costa,a@x.example\n`, 2],
  ['has an email address for a last name', `${person}\nAna,a@x.example\n`, 2],
  ['has a phone number for a last name', `${person}\nAna,+49 30 123456\n`, 2],
  ['has a day for a last name', `${person}\nAna,1990-05-01\n`, 2],
  ['is the rest of a note that a line break cut', `${person}\nAna,Costa,,,likes\ntea\n`, 3],
  ['ends with the file, which may be cut off', `${person}\nAna,Costa,,,\nBea,Cr`, 3],
])('a short row that %s is refused by its line', async (_, text, line) => {
  world.write('new.csv', text);
  const ran = await world.salon(create);
  expect(ran, ran.stderr).toMatchObject({ exitCode: 2 });
  expect(ran.stderr).toMatch(new RegExp(`new.csv:${line}: The row has \\d cells?, the header 5 columns\\.`));
  expect(ran.stderr).toContain('new.csv has 1 error');
});

it('a short row of an appointment without a cell in the middle is refused by its line', async () => {
  const columns = 'client_id,stylist_id,service,start_time,duration';
  world.write('book.csv', `${columns}\ncli_1,sty_1,2026-11-21 09:00,45\n`);
  const ran = await world.salon(['appointments', 'create', '--file', 'book.csv', '--yes']);
  expect(ran, ran.stderr).toMatchObject({ exitCode: 2 });
  expect(ran.stderr).toContain('book.csv:2: The row has 4 cells, the header 5 columns.');
});
