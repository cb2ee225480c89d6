import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 0 });
});
afterEach(() => world[Symbol.asyncDispose]());

const create = ['clients', 'create', '--file', 'list.csv'];
const german = `Kd.-Nr.;Name;Handy;Telefon;E-Mail-Adresse;Geb.;Bemerkungen;Newsletter;Gruppe
1001;Frau Dr. Anna Weber;0171/234 56 78;030/123456;anna@web.example;31.12.1980;mag Kaffee;ja;VIP
1002;"Müller-Lüdenscheidt, Karl-Heinz";;0049 (0)30 998877;;03/04/75;;nein;
1003;van den Berg;;;vdb@x.example;1. März 1999;;x;Stamm
`;

describe('a client list of another program', () => {
  it('is added with every cell where it belongs', async () => {
    await world.client.salon.update({ country: 'DE' });
    world.write('list.csv', german);
    const ran = await world.salon([...create, '--yes']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('Name → first name and last name');
    expect(ran.stderr).toContain('Titles are left out of names: Frau, Dr.');
    const byNumber = new Map((await world.clients()).map((client) => [client['external_id'], client]));
    expect(byNumber.get('1001')).toMatchObject({
      ...{ first_name: 'Anna', last_name: 'Weber', phone: '+491712345678', email: 'anna@web.example' },
      ...{ birthday: '1980-12-31', notes: 'mag Kaffee', tags: ['VIP'], email_marketing_consent: true },
    });
    expect(byNumber.get('1002')).toMatchObject({
      ...{ first_name: 'Karl-Heinz', last_name: 'Müller-Lüdenscheidt', phone: '+4930998877' },
      ...{ birthday: '1975-04-03', email_marketing_consent: false },
    });
    expect(byNumber.get('1003')).toMatchObject({ last_name: 'van den Berg', birthday: '1999-03-01' });
  });

  it.each([
    ['a column of particles', 'voornaam,tussenvoegsel,achternaam\nNia,van den,Berg\nTom,,Smit\n'],
    ['names and particles', 'naam,tussenvoegsel\nNia Berg,van den\nTom Smit,\n'],
    ['last names first', 'Naam\n"Berg, Nia van den"\n"Smit, Tom"\n'],
  ])('has the particles of its last names: %s', async (_, text) => {
    world.write('list.csv', text);
    const ran = await world.salon([...create, '--yes']);
    expect(ran).toMatchObject({ exitCode: 0 });
    if (text.includes('tussenvoegsel')) expect(ran.stderr).toContain('tussenvoegsel → last name prefix');
    const names = (await world.clients()).map(({ first_name, last_name }) => [first_name, last_name]);
    expect(names.sort()).toEqual([
      ['Nia', 'van den Berg'],
      ['Tom', 'Smit'],
    ]);
    const ids = (await world.clients()).map(({ id }) => id);
    const [nia, tom] = text.includes('tussenvoegsel,') ? ['Nia,van den,Berg', 'Tom,,Smit'] : [];
    if (nia === undefined) return;
    const isNiaFirst = (await world.clients())[0]?.['first_name'] === 'Nia';
    const [one, two] = isNiaFirst ? [nia, tom] : [tom, nia];
    world.write('list.csv', `id,voornaam,tussenvoegsel,achternaam\n${ids[0]},${one}\n${ids[1]},${two}\n`);
    const again = await world.salon(['clients', 'update', '--file', 'list.csv', '--yes', '--json']);
    expect(again, again.stderr).toMatchObject({ exitCode: 0 });
    expect(again.stderr).toContain('2 unchanged');
  });

  it.each([
    ['25. lipnja 1984', 'has a month in a language that is not read'],
    ['3. listopada 1990', 'has a month in a language that is not read'],
    ['5. marraskuuta 1984', 'has a month in a language that is not read'],
  ])('is refused with the birthday %s', async (birthday, reason) => {
    world.write('list.csv', `first_name,birthday\nNia,${birthday}\n`);
    const ran = await world.salon([...create, '--yes']);
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(reason) });
    expect(await world.clients()).toEqual([]);
  });

  it.each([
    ['Vorname;Nachname;Kd.-Nr.\nNia;Berg;42\nTom;Smit;42\n', 'Line 2 has the same external_id.'],
    ['<title>Log in</title><input type=password>', 'is a page to sign in, not a list, "Log in".'],
    ['<table><tr><td>Name</td></tr><tr><td>Nia Be', 'is cut off or damaged: a table does not end.'],
  ])('is refused with %j', async (text, reason) => {
    world.write('list.csv', text);
    const ran = await world.salon([...create, '--yes']);
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(reason) });
    expect(await world.clients()).toEqual([]);
  });

  it('is shown as it will be, with whom it may mean twice, before anything is sent', async () => {
    await world.client.salon.update({ country: 'DE' });
    const rows = Array.from({ length: 12 }, (_, index) => `Ana${index};Costa;01712345${index + 100}\n`);
    world.write('list.csv', `Vorname;Nachname;Handy\n${rows.join('')}Eva;Costa;+49 171 2345100\n`);
    const ran = await world.salon([...create, '--dry-run']);
    expect(ran.stderr).toContain(
      'line 2: Ana0 Costa: first name "Ana0", last name "Costa", phone "+491712345100"',
    );
    expect(ran.stderr.match(/^ {2}line \d+:/gm)).toHaveLength(10);
    expect(ran.stderr).toContain('line 14: Same phone as line 2, but not the same name.');
    const asked = await world.salon(create, { columns: 200, stdin: 'n\n', env: { SALON_PLAIN: '1' } });
    expect(asked.stderr).toContain('Vorname → first name');
    expect(asked.stderr).toContain('and 3 more; --dry-run shows all');
    expect(await world.clients()).toEqual([]);
  });

  it('may come from a salon that has added the same number in national form', async () => {
    await world.client.salon.update({ country: 'DE' });
    await world.client.clients.create({ first_name: 'Ana', phone: '0171 2345678' });
    world.write('list.csv', 'Vorname;Handy\nAnna;+49 171 2345678\nEva;1712345678\n');
    const ran = await world.salon([...create, '--dry-run']);
    expect(ran.stderr).toContain('line 2: Same phone as Ana (01712345678,');
    expect(ran.stderr).toContain('line 3: Same phone as Ana (01712345678,');
    expect(ran.stderr).toContain('phone: 1 number without a country code, read as of Germany (+49)');
    expect(ran.stderr).toContain('line 3: Eva: first name "Eva", phone "+491712345678"');
  });

  it('says whose country code its national phones get', async () => {
    world.write('list.csv', 'Vorname;Handy\nAnna;0171 2345678\nEva;+43 664 1234567\nJo;0049 171 2345679\n');
    const unknown = await world.salon([...create, '--dry-run']);
    expect(unknown.stderr).toContain('phone: 1 number without a country code, saved as written.');
    await world.client.salon.update({ country: 'DE' });
    const ran = await world.salon([...create, '--dry-run']);
    const read = 'phone: 1 number without a country code, read as of Germany (+49)';
    expect(ran.stderr).toContain(`${read}, the salon's country; --country changes it.`);
    const told = await world.salon([...create, '--country', 'at', '--yes']);
    expect(told.stderr).toContain('read as of Austria (+43), as --country says.');
    const phones = (await world.clients()).map(({ phone }) => phone);
    expect(phones.toSorted()).toEqual(['+431712345678', '+436641234567', '+491712345679']);
    world.write('list.csv', 'Vorname;Handy\nAnna;+49 171 2345678\n');
    expect((await world.salon([...create, '--dry-run'])).stderr).not.toContain('country');
    const wrong = await world.salon([...create, '--country', 'Germany', '--yes']);
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--country cannot be') });
  });

  it('names each field once where a column is mapped to none', async () => {
    await world.client.clients.create({ first_name: 'Ana' });
    world.write('list.csv', 'Kunde\nA\n');
    const ran = await world.salon([...create, '--yes', '--map', 'Kunde=nope']);
    expect(ran).toMatchObject({ exitCode: 2 });
    expect(ran.stderr.match(/\bbirthday\b/g)).toHaveLength(1);
  });

  it('says how to map whole names, and not what every row lacks, where no column is recognised', async () => {
    world.write('list.csv', 'Kunde;Ort\nAnna Weber;Bonn\n');
    const ran = await world.salon([...create, '--yes']);
    expect(ran).toMatchObject({ exitCode: 2 });
    expect(ran.stderr).toContain('--map "Kunde=" --map "Ort="');
    expect(ran.stderr).toContain('for whole names "first_name last_name"');
    expect(ran.stderr).not.toContain('needs at least one of');
  });

  it('does not seem to take a column that only the server sets', async () => {
    world.write('list.csv', 'Vorname;Kunde seit\nAnna;2019\n');
    const ran = await world.salon([...create, '--dry-run', '--map', 'Kunde seit=created_at']);
    expect(ran.stderr).toContain('Not taken: Kunde seit');
    expect(ran.stderr).not.toContain('Kunde seit →');
  });

  it('leaves out empty columns, and asks about others', async () => {
    world.write('list.csv', 'Vorname;Ort;Fax;Kunde seit\nAna;Bonn;;2019\n');
    const refused = await world.salon([...create, '--yes']);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toContain('--map "Ort=" --map "Kunde seit="');
    const ran = await world.salon([...create, '--yes', '--ignore-columns']);
    expect(ran.stderr).toContain('Not taken: Ort (1 row), Fax, Kunde seit (1 row)');
    expect(ran.exitCode).toBe(0);
    const typed = 'n\n8\n1\nn\n';
    const asked = await world.salon([...create, '--plain'], { columns: 200, stdin: typed });
    expect(asked.stderr).toContain('What is in "Ort", e.g. "Bonn"?');
    expect(asked.stderr).toContain('Ort → birthday');
  });

  it('is asked first whether a column has what its values look like', async () => {
    world.write('list.csv', 'Vorname;Kontakt\nAna;0171 2345678\n');
    const asked = await world.salon([...create, '--plain'], { columns: 200, stdin: '1\nn\n' });
    expect(asked.stderr).toContain('1: phone\n2: Leave it out\n');
    expect(asked.stderr).toContain('Kontakt → phone');
  });

  it('keeps its headings and cells in failed.csv, which can be run again', async () => {
    world.write('list.csv', 'Kunde;Geb.;Ort\nAnna Maria Weber;31.12.80;Bonn\nEva Berg;1.2.90;Ulm\n');
    const map = ['--map', 'Kunde=first_name last_name', '--map', 'Ort='];
    const ran = await world.salon([...create, ...map, '--yes', '--json']);
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).toContain('"Maria Weber, Anna" or "Weber, Anna Maria"');
    const failed = readFileSync(JSON.parse(ran.stdout).failed_rows, 'utf8');
    expect(failed.replace(/\r/g, '')).toBe("Kunde;Geb.;Ort\nAnna Maria Weber;'31.12.80;Bonn\n");
    world.write('list.csv', failed);
    const again = await world.salon([...create, ...map, '--split-names', 'last-word', '--yes']);
    expect(again.exitCode).toBe(0);
    expect(await world.clients()).toContainEqual(
      expect.objectContaining({ first_name: 'Anna Maria', last_name: 'Weber', birthday: '1980-12-31' }),
    );
  });

  it('uses a mapping again by its name', async () => {
    world.write('list.csv', 'Kunde;Ort\nAnna Weber;Bonn\n');
    const map = ['--map', 'Kunde=first_name last_name', '--map', 'Ort=notes'];
    expect(await world.salon([...create, ...map, '--mapping', 'shop1', '--dry-run'])).toMatchObject({
      exitCode: 0,
    });
    const ran = await world.salon([...create, '--mapping', 'shop1', '--yes']);
    expect(ran.exitCode).toBe(0);
    expect(await world.clients()).toMatchObject([{ first_name: 'Anna', notes: 'Bonn' }]);
    const unknown = await world.salon([...create, '--mapping', 'shop']);
    expect(unknown).toMatchObject({ exitCode: 2 });
    expect(unknown.stderr).toContain('Did you mean shop1?');
  });

  it.each([
    [
      'a column mapped twice',
      'Kunde;X\nA;b\n',
      ['Kunde=first_name', 'KUNDE=notes'],
      'Column "Kunde" is mapped twice.',
    ],
    ['an unknown field', 'Kunde\nA\n', ['Kunde=frist_name'], 'Did you mean first_name?'],
    ['a column that is not there', 'Kunde\nA\n', ['Kundin=notes'], 'list.csv has no column "Kundin".'],
    ['no sign', 'Kunde\nA\n', ['Kunde'], '--map "Kunde" has no =.'],
    ['no heading', 'Kunde\nA\n', ['=notes'], 'has no heading.'],
    ['two columns for a field', 'A;B\na;b\n', ['A=notes', 'B=notes'], 'columns "A" and "B" are both notes'],
    [
      'a name beside a whole name',
      'Vorname;B\na;b\n',
      ['B=first_name last_name'],
      '"Vorname" and "B" are both first_name',
    ],
    [
      'phones of one kind',
      'Vorname;Handy;Mobil\na;1234567;1234568\n',
      [],
      '"Handy" and "Mobil" are both phone',
    ],
    [
      'names in place of headings',
      'Anna;Weber\nEva;Berg\n',
      [],
      'list.csv has no column that is recognised.',
    ],
    ['no headings', 'Anna;Weber;0171 2345678\nEva;Berg;0171 2345679\n', [], 'list.csv has no headings'],
    [
      'dates that contradict each other',
      'Vorname;Geb.\nA;31/12/1980\nB;12/31/1980\n',
      [],
      'but 31/12/1980 on line 2 is day first',
    ],
    [
      'a day that does not exist',
      'Vorname;Geb.\nA;3.4.85\nB;31.2.88\n',
      [],
      'There is no such day: 31.2.88 is read as day, month, year.',
    ],
    [
      'no day without its year',
      'Vorname;Geb.\nA;31.9.\n',
      [],
      'There is no such day: 31.9. Write day, month and year, or --MM-DD without its year.',
    ],
    ['two numbers in a cell', 'Vorname;Handy\nA;0171 2345678/0172 2345678\n', [], 'list.csv:2:phone'],
  ])('is refused with %s', async (_, text, maps, message) => {
    world.write('list.csv', text);
    const ran = await world.salon([...create, '--yes', ...maps.flatMap((map) => ['--map', map])]);
    expect(ran.stderr).toContain(message);
    expect(ran.exitCode).toBe(2);
    expect(await world.clients()).toEqual([]);
  });

  it('cannot be mapped as JSON', async () => {
    world.write('list.csv', '[{"first_name":"Ana"}]');
    const ran = await world.salon([...create, '--yes', '--map', 'a=notes']);
    expect(ran).toMatchObject({ exitCode: 2 });
    expect(ran.stderr).toContain('has no columns with headings');
  });
});
