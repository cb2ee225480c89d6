import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeText } from '../../../src/bulk/sheet/sheet-text.ts';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 6 });
});
afterEach(() => world[Symbol.asyncDispose]());

const salon = (line: string) => world.salon(line.split(' '));
const write = (text: string | Uint8Array) => writeFileSync(world.pathOf('new.csv'), text);

describe('a sheet of new clients with ruined letters', () => {
  it.each([
    ['JÃ¶rg;Berg;;', 'first_name: "JÃ¶rg" was read in a wrong encoding and may be "Jörg"'],
    ['Zo√´;Gar√ßon;;', 'first_name: "Zo√´" was read in a wrong encoding and may be "Zoë"'],
    ['Nia;Berg;;fÃ¤rbt', 'notes: "fÃ¤rbt" was read in a wrong encoding and may be "färbt"'],
    ['Ay?e;Berg;;', 'first_name: "Ay?e" has lost a letter'],
    ['Nia;\uFFFDzt\uFFFDrk;;', 'last_name: "\uFFFDzt\uFFFDrk" has lost a letter'],
  ])('creates none for %s', async (row, reason) => {
    write(`First Name;Last Name;Email;Notes\n${row}\n`);
    const ran = await salon('clients create --file new.csv --yes');
    expect(ran.stderr).toContain(reason);
    expect(ran.exitCode).not.toBe(0);
    expect(await world.clients()).toHaveLength(6);
  });

  it('creates none for a whole name', async () => {
    write('Name;Phone\nJÃ¶rg MÃ¼ller;\n');
    const ran = await salon('clients create --file new.csv --yes');
    expect(ran.stderr).toContain('"JÃ¶rg" was read in a wrong encoding');
    expect(await world.clients()).toHaveLength(6);
  });

  const macRoman = encodeText(
    'First Name;Last Name;Email\nJörg;Müller;j@m.example\nZoë;Garçon;z@g.example\nInès;Peña;i@p.example\n',
    'macintosh',
  );

  it('is seen as Mac Roman, and not written unless --encoding says so', async () => {
    write(macRoman);
    const ran = await salon('clients create --file new.csv --yes');
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--encoding macintosh') });
    expect(ran.stderr).toContain('It is read as Mac Roman: "Müller".');
    expect(await world.clients()).toHaveLength(6);
    expect(await salon('clients create --file new.csv --encoding macintosh --yes')).toMatchObject({
      exitCode: 0,
    });
    const names = (await world.clients()).map(({ first_name, last_name }) => `${first_name} ${last_name}`);
    expect(names).toEqual(expect.arrayContaining(['Jörg Müller', 'Zoë Garçon', 'Inès Peña']));
  });

  it.each(['Garçon', 'François', 'Prévost', 'José', 'Müller', 'Hélène'])(
    'is Mac Roman with %s alone',
    async (name) => {
      write(encodeText(`First Name;Last Name\nNia;${name}\n`, 'macintosh'));
      expect((await salon('clients create --file new.csv --dry-run')).stderr).toContain(
        `Mac Roman: "${name}"`,
      );
    },
  );
});

describe('a sheet of all clients whose UTF-8 was read in another encoding', () => {
  it.each(['macintosh', 'windows-1251', 'windows-1252'] as const)('changes nothing: %s', async (encoding) => {
    const [one, two] = await world.clients();
    write(`id;first_name;last_name\n${one?.id};Inès;Peña\n${two?.id};Zoë;Garçon\n`);
    expect(await salon('clients update --file new.csv --yes')).toMatchObject({ exitCode: 0 });
    const before = await world.clients();
    expect(await salon('clients list -o new.csv')).toMatchObject({ exitCode: 0 });
    write(new TextDecoder(encoding).decode(readFileSync(world.pathOf('new.csv'))));
    const ran = await salon('clients update --file new.csv --yes');
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toMatch(
      /first_name: \d+ cells damaged by a spreadsheet program; the current values stay\./,
    );
    expect(await world.clients()).toEqual(before);
  });

  it('refuses the ruined name of somebody else', async () => {
    const [one] = await world.clients();
    write(`id;first_name\n${one?.id};In√®s\n`);
    const ran = await salon('clients update --file new.csv --yes');
    expect(ran.stderr).toContain('"In√®s" was read in a wrong encoding');
    expect((await world.clients())[0]).toEqual(one);
  });
});
