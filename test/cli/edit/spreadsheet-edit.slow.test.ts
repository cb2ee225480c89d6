import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { detectSheetForm } from '../../../src/bulk/input/detect-sheet.ts';
import { readWorksheet } from '../../../src/bulk/sheet/xlsx-reader.ts';
import { makeWorkbook } from '../../bulk/sheet/workbook.ts';
import { collect } from '../../support/collect.ts';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 4, appointments: 3 });
});
afterEach(() => world[Symbol.asyncDispose]());

const update = ['clients', 'update', '--file'];

async function readCells(name: string): Promise<readonly (readonly string[])[]> {
  return (await collect(readWorksheet(world.pathOf(name), { worksheet: 'salon', columns: 2 }))).map(
    ({ cells }) => cells,
  );
}

async function idsWith(fields: readonly object[]): Promise<readonly string[]> {
  const ids = (await world.clients()).map(({ id }) => id);
  await Promise.all(fields.map((body, index) => world.client.clients.update(ids[index] ?? '', body)));
  return ids;
}

/** A workbook with texts, or numbers, in its cells. */
function writeWorkbook(name: string, cells: readonly (readonly (string | number)[])[], others = {}): void {
  const rows = cells.map((row, line) => {
    const columns = row.map((cell, index) => {
      const at = `r="${'ABC'[index]}${line + 1}"`;
      return typeof cell === 'number'
        ? `<c ${at}><v>${cell}</v></c>`
        : `<c ${at} t="inlineStr"><is><t>${cell}</t></is></c>`;
    });
    return `<row r="${line + 1}">${columns.join('')}</row>`;
  });
  writeFileSync(world.pathOf(name), makeWorkbook({ rows: rows.join(''), ...others }));
}

describe('a workbook', () => {
  it('changes what its cells change, and says which worksheet was read', async () => {
    const [one = ''] = await idsWith([{ phone: '+447700900123' }]);
    writeWorkbook(
      'in.xlsx',
      [
        ['ID', 'First Name', 'Phone'],
        [one, 'Zoë', 447700900999],
      ],
      { names: ['Clients', 'Old'] },
    );
    const ran = await world.salon([...update, 'in.xlsx', '--yes']);
    expect(ran).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('XLSX, worksheet "Clients" of 2, 1 row'),
    });
    expect((await world.clients())[0]).toMatchObject({ first_name: 'Zoë', phone: '+447700900999' });
  });

  it('counts unformatted days from 1904 where it says so, also in the rows that it returns', async () => {
    const [one = ''] = await idsWith([]);
    const days = (Date.UTC(1990, 4, 1) - Date.UTC(1904, 0, 1)) / 86_400_000;
    const rows = [
      ['ID', 'Birthday'],
      [one, days],
      ['cli_gone', days],
    ];
    writeWorkbook('in.xlsx', rows, { countsFrom1904: true });
    const ran = await world.salon([...update, 'in.xlsx', '--yes', '--json']);
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect((await world.clients())[0]).toMatchObject({ birthday: '1990-05-01' });
    const form = await detectSheetForm(JSON.parse(ran.stdout).failed_rows);
    expect(form.countsFrom1904).toBe(true);
  });

  it('returns its failed rows as a workbook that can be fixed and run again', async () => {
    const [one = ''] = await idsWith([]);
    writeWorkbook('in.xlsx', [
      ['Id', 'First Name'],
      [one, 'Zoë'],
      ['cli_gone', 'Ana'],
    ]);
    const ran = await world.salon([...update, 'in.xlsx', '--yes', '--json']);
    expect(ran.exitCode).toBe(3);
    const { failed_rows } = JSON.parse(ran.stdout);
    expect(failed_rows).toMatch(/failed\.xlsx$/);
    const rows = await collect(readWorksheet(failed_rows, { worksheet: 'clients', columns: 2 }));
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['Id', 'First Name'],
      ['cli_gone', 'Ana'],
    ]);
  });

  it.each([
    [['--sheet', 'Nobody'], 'in.xlsx has no worksheet "Nobody".'],
    [['--sheet', 'clints'], 'Did you mean clients?'],
  ])('is refused with %j', async (flags, said) => {
    writeWorkbook('in.xlsx', [
      ['id', 'notes'],
      ['cli_1', 'x'],
    ]);
    const ran = await world.salon([...update, 'in.xlsx', '--yes', ...flags]);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(said) });
  });

  it.each([
    [
      'a failed formula',
      '<row r="2"><c r="A2" t="str"><v>cli_1</v></c><c r="B2" t="e"><v>#REF!</v></c></row>',
      'Cell B2 has no value: its formula gives #REF!.',
    ],
    [
      'a value beside its columns',
      '<row r="2"><c r="A2" t="str"><v>cli_1</v></c><c r="D2"><v>1</v></c></row>',
      'Cell D2 has a value, but its column has no heading.',
    ],
  ])('is refused for %s, with the address of the cell', async (_, row, said) => {
    const heading = '<row r="1"><c r="A1" t="str"><v>id</v></c><c r="B1" t="str"><v>notes</v></c></row>';
    writeFileSync(world.pathOf('in.xlsx'), makeWorkbook({ rows: heading + row }));
    const ran = await world.salon([...update, 'in.xlsx', '--yes']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(said) });
  });
});

describe('an export for spreadsheets', () => {
  it.each(['list.xlsx', 'list.csv'])(
    '%s has local times and decimal amounts, and says so in its headings',
    async (file) => {
      const options = { timeZone: 'Asia/Tokyo' };
      const argv = ['--excel', '--limit', '1', '-o', file];
      await world.salon(['appointments', 'list', '-c', 'start_time,duration', ...argv], options);
      const [appointment] = await world.read<{ start_time: string; duration: number }[]>([
        'appointments',
        'list',
        '--limit',
        '1',
      ]);
      const local = new Date(Date.parse(appointment?.start_time ?? '') + 9 * 3_600_000).toISOString();
      const text = [local.slice(0, 16).replace('T', ' '), String(appointment?.duration)];
      const rows = file.endsWith('xlsx') ? await readCells(file) : parseSimple(world.readText(file));
      expect(rows).toEqual([['start_time_local', 'duration'], text]);
    },
  );

  it('is not printed to a terminal as a workbook', async () => {
    const ran = await world.salon(['clients', 'list', '-f', 'xlsx'], { columns: 80 });
    expect(ran).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('-o clients.xlsx'),
    });
  });

  it('leaves no file if a cell cannot hold a value', async () => {
    await idsWith([{ notes: 'x'.repeat(4096) }]);
    const big = await world.salon(['clients', 'list', '-o', 'all.xlsx']);
    expect(big.exitCode).toBe(0);
    expect(readFileSync(world.pathOf('all.xlsx')).subarray(0, 2).toString()).toBe('PK');
  });
});

describe('a CSV that a spreadsheet program has saved', () => {
  it('keeps phones and IDs that became numbers, and says so', async () => {
    const bodies = [
      { phone: '+447700900123', external_id: '00123' },
      { phone: '07700900123', external_id: '12345678901234567890' },
    ];
    const [one, two] = await idsWith(bodies);
    world.write('in.csv', `id,phone,external_id\n${one},4.477E+11,123\n${two},7700900123,1.23457E+19\n`);
    const ran = await world.salon([...update, 'in.csv', '--dry-run', '--json']);
    expect(ran).toMatchObject({ exitCode: 0, stdout: '[]\n' });
    expect(ran.stderr).toContain('phone: 2 cells damaged by a spreadsheet program; the current values stay.');
    expect(ran.stderr).toContain('external_id: 2 cells damaged');
  });

  it('skips a phone that has lost its digits for good, and names it', async () => {
    const [one, two] = await idsWith([{ phone: '+447700900123' }, {}]);
    world.write('in.csv', `id,phone\n${one},4.499E+11\n${two},+447700900999\n`);
    const ran = await world.salon([...update, 'in.csv', '--yes']);
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).toContain('line 2: phone: 4.499E+11 has lost digits');
    expect((await world.clients()).map(({ phone }) => phone).slice(0, 2)).toEqual([
      '+447700900123',
      '+447700900999',
    ]);
  });

  it('reads local dates in the order that one of them shows, and says so', async () => {
    const [one, two] = await idsWith([{}, {}]);
    world.write('in.csv', `id,birthday\n${one},03/04/1990\n${two},24/11/1990\n`);
    const ran = await world.salon([...update, 'in.csv', '--yes']);
    expect(ran).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('birthday: dates with slashes are read day first.'),
    });
    expect((await world.clients()).map(({ birthday }) => birthday).slice(0, 2)).toEqual([
      '1990-04-03',
      '1990-11-24',
    ]);
  });

  it('is refused if two columns are one field', async () => {
    world.write('in.csv', 'id,E-mail,email\ncli_1,a@b.c,d@e.f\n');
    const ran = await world.salon([...update, 'in.csv', '--yes']);
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toContain('in.csv: columns "E-mail" and "email" are both email.');
  });

  it('that shows the time of a change in minutes is not stale', async () => {
    const [one = ''] = await idsWith([]);
    const client = (await world.clients()).find(({ id }) => id === one);
    const shown = String(client?.['updated_at']).slice(0, 16).replace('T', ' ');
    world.write('in.csv', `id,notes,updated_at_local\n${one},new,${shown}\n`);
    const ran = await world.salon([...update, 'in.csv', '--dry-run']);
    expect(ran.stderr).not.toContain('will be overwritten');
  });
});

describe('a sheet with the same error in every row', () => {
  it('shows three of them, and all in JSON', async () => {
    world.write(
      'in.csv',
      `id,email\n${Array.from({ length: 50 }, (_, index) => `cli_${index},x${index}`).join('\n')}\n`,
    );
    const ran = await world.salon([...update, 'in.csv', '--yes']);
    expect(ran.stderr.match(/in\.csv:\d+:email/g)).toHaveLength(3);
    expect(ran.stderr).toContain('47 more like that in email');
    const inJson = await world.salon([...update, 'in.csv', '--yes', '--json']);
    expect(JSON.parse(inJson.stderr.slice(inJson.stderr.indexOf('{'))).errors).toHaveLength(50);
  });
});

function parseSimple(text: string): readonly (readonly string[])[] {
  return text
    .replace('\uFEFF', '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
}
