import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeText } from '../../../src/bulk/sheet/sheet-text.ts';
import { makeWorkbook } from '../../bulk/sheet/workbook.ts';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 4 });
});
afterEach(() => world[Symbol.asyncDispose]());

const salon = (line: string) => world.salon(line.split(' '));
const names = [
  { language: 'Polish', first_name: 'Łukasz', last_name: 'Wałęsa-Żółć' },
  { language: 'Czech', first_name: 'Jiří', last_name: 'Dvořák Ťulpíková' },
  { language: 'Hungarian', first_name: 'Erzsébet', last_name: 'Kőrösi Szűcs' },
];

/** A sheet of a program in Central Europe. */
async function writeNames(name: string, encoding: 'windows-1250' | 'iso-8859-2'): Promise<void> {
  const clients = await world.clients();
  const rows = names.map((one, index) => `${clients[index]?.id};${one.first_name};${one.last_name}\r\n`);
  writeFileSync(world.pathOf(name), encodeText(`id;first_name;last_name\r\n${rows.join('')}`, encoding));
}

describe('a CSV in an encoding of one byte for each letter', () => {
  it.each(['windows-1250', 'iso-8859-2'] as const)('is read as --encoding says: %s', async (encoding) => {
    await writeNames('clients.csv', encoding);
    const ran = await salon(`clients update --file clients.csv --encoding ${encoding} --yes`);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toMatch(/clients\.csv: CSV with semicolons, (?:Windows-1250|ISO-8859-2), 3 rows/);
    expect(ran.stderr).not.toContain('does not say its encoding');
    const changed = (await world.clients()).slice(0, 3);
    expect(changed.map(({ first_name, last_name }) => ({ first_name, last_name }))).toEqual(
      names.map(({ first_name, last_name }) => ({ first_name, last_name })),
    );
  });

  it('says that it is not sure, with both readings and the flag', async () => {
    await writeNames('clients.csv', 'windows-1250');
    const ran = await salon('clients update --file clients.csv --dry-run');
    expect(ran.stderr).toContain(
      'warning: clients.csv does not say its encoding. It is read as Windows-1250: "Wałęsa-Żółć". If names look wrong, add --encoding windows-1251, which reads "Waікsa-Їуіж".',
    );
    writeFileSync(world.pathOf('clients.csv'), encodeText('id;first_name\n1;Łukasz\n', 'windows-1250'));
    expect((await salon('clients update --file clients.csv --dry-run')).stderr).toContain(
      'warning: clients.csv does not say its encoding. It is read as Windows-1252: "£ukasz". If names look wrong, add --encoding windows-1250, which reads "Łukasz".',
    );
  });

  it.each(['40 m³ Müll', '¿Qué?', 'Jürgen Groß'])(
    'is Windows-1252 with signs beside words: %s',
    async (name) => {
      writeFileSync(world.pathOf('new.csv'), encodeText(`first_name;notes\nAna;${name}\n`, 'windows-1252'));
      const ran = await salon('clients create --file new.csv --dry-run --json');
      expect(ran.stderr).toContain('CSV with semicolons, Windows-1252');
      expect(ran.stdout).toContain(name);
    },
  );

  it.each(['Ťulpíková', 'chuť', 'Paweł', 'Grażyna', 'farbą'])(
    'is not Windows-1252 with a letter that it does not have: %s',
    async (name) => {
      const [one] = await world.clients();
      const text = `id;first_name\n${one?.id};${name}\n`;
      writeFileSync(world.pathOf('clients.csv'), encodeText(text, 'windows-1250'));
      const ran = await salon('clients update --file clients.csv --dry-run --json');
      expect(ran.stderr).toContain('CSV with semicolons, Windows-1250');
      expect(ran.stdout).toContain(name);
    },
  );

  it('is not guessed for a write, unless a person at a terminal confirms it', async () => {
    const before = await world.clients();
    await writeNames('clients.csv', 'windows-1250');
    const refused = await salon('clients update --file clients.csv --yes');
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('--encoding windows-1250'),
    ]);
    expect((await salon('clients update --file clients.csv --plan-file plan.json')).exitCode).toBe(0);
    expect((await salon('jobs apply plan.json --yes')).exitCode).toBe(2);
    expect(await world.clients()).toEqual(before);
    const update = ['clients', 'update', '--file', 'clients.csv', '--yes'];
    expect((await world.salon(update, { columns: 100, stdin: '' })).exitCode).toBe(0);
  });

  it('is certain where both encodings agree', async () => {
    const [one] = await world.clients();
    const text = `id;first_name\n${one?.id};Jürgen Größe Ä Ö Ü\n`;
    writeFileSync(world.pathOf('clients.csv'), encodeText(text, 'windows-1252'));
    const ran = await salon('clients update --file clients.csv --yes');
    expect(ran).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('does not say') });
    expect((await world.clients())[0]).toMatchObject({ first_name: 'Jürgen Größe Ä Ö Ü' });
  });

  it('returns failed rows in that encoding', async () => {
    const [one] = await world.clients();
    const text = `id;first_name\ncli_gone;Jiří\n`;
    writeFileSync(world.pathOf('clients.csv'), encodeText(`${text}${one?.id};Łukasz\n`, 'windows-1250'));
    const ran = await salon('clients update --file clients.csv --encoding windows-1250 --yes --json');
    expect(ran.exitCode, ran.stderr).toBe(3);
    const failed = encodeText(text.replaceAll('\n', '\r\n'), 'windows-1250');
    expect(readFileSync(JSON.parse(ran.stdout).failed_rows)).toEqual(failed);
  });

  it('creates records too', async () => {
    writeFileSync(world.pathOf('new.csv'), encodeText('first_name\nZdeněk\n', 'windows-1250'));
    expect(await salon('clients create --file new.csv --encoding windows-1250 --yes')).toMatchObject({
      exitCode: 0,
    });
    expect((await world.clients()).map(({ first_name }) => first_name)).toContain('Zdeněk');
  });

  it.each([
    [
      '\uFEFFid\n1\n',
      'utf-8',
      'windows-1250',
      'begins with the byte order mark of utf-8, not of windows-1250',
    ],
    ['id;first_name\n1;Jiří\n', 'windows-1250', 'utf-8', 'line 2 is not valid UTF-8'],
  ] as const)('is refused where --encoding cannot be right: %j', async (text, saved, given, said) => {
    writeFileSync(world.pathOf('clients.csv'), encodeText(text, saved));
    expect(await salon(`clients update --file clients.csv --encoding ${given} --yes`)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(said),
    });
  });
});

describe('--encoding', () => {
  it('is refused for a workbook, for an unknown encoding and without a sheet', async () => {
    writeFileSync(world.pathOf('in.xlsx'), makeWorkbook({ rows: '' }));
    for (const [line, said] of [
      ['clients update --file in.xlsx --encoding windows-1250', 'is an .xlsx file, which has one encoding'],
      ['clients update --file in.csv --encoding latin2', 'windows-1250'],
      ['clients update cli_1 --set notes=x --encoding windows-1250', '--encoding'],
    ] as const)
      expect(await salon(line)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(said) });
  });
});
