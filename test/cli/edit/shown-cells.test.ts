import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeWorkbook, type WorkbookOptions } from '../../bulk/sheet/workbook.ts';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 0 });
});
afterEach(() => world[Symbol.asyncDispose]());

/** A cell with a text, or with a number and the index of its format. */
type Cell = string | readonly [value: number, format: number];

function save(
  name: string,
  table: readonly (readonly Cell[])[],
  formats: WorkbookOptions['formats'] = [],
): void {
  const rows = table.map((cells, row) => {
    const written = cells.map((cell, column) => {
      const place = `r="${'ABCDE'[column]}${row + 1}"`;
      if (typeof cell === 'string') return `<c ${place} t="inlineStr"><is><t>${cell}</t></is></c>`;
      return `<c ${place} s="${cell[1] + 2}"><v>${cell[0]}</v></c>`;
    });
    return `<row r="${row + 1}">${written.join('')}</row>`;
  });
  writeFileSync(world.pathOf(name), makeWorkbook({ rows: rows.join(''), formats: formats ?? [] }));
}

describe('a workbook', () => {
  it('names the client whose external ID its cell shows', async () => {
    await world.client.clients.create({ first_name: 'Ana', external_id: '42' });
    await world.client.clients.create({ first_name: 'Eva', external_id: '00042' });
    save(
      'list.xlsx',
      [
        ['external_id', 'notes'],
        [[42, 0], 'likes tea'],
      ],
      ['00000'],
    );
    const update = ['clients', 'update', '--file', 'list.xlsx', '--match', 'external_id', '--yes'];
    expect(await world.salon(update)).toMatchObject({ exitCode: 0 });
    const notes = (await world.clients()).map(({ first_name, notes: text }) => [first_name, text]);
    expect(notes).toEqual(
      expect.arrayContaining([
        ['Ana', null],
        ['Eva', 'likes tea'],
      ]),
    );
  });

  it('has durations and starts in cells of any format', async () => {
    const { id } = await world.client.clients.create({ first_name: 'Ana' });
    const stylist = await world.client.stylists.create({ first_name: 'Mia' });
    const formats = ['yyyy-mm-dd hh:mm', '[h]:mm', 'h:mm', '0 "min"', '0\\ [$Std.]', '[mm]'];
    const lengths: Cell[] = [[0.0625, 1], [0.0625, 2], [90, 3], [2, 4], [0.0625, 5], '1h 30m'];
    const rows = lengths.map((length, index): Cell[] => [
      String(id),
      String(stylist.id),
      'Cut',
      [46802 + index, 0],
      length,
    ]);
    save('book.xlsx', [['client_id', 'stylist_id', 'service', 'start_time', 'duration'], ...rows], formats);
    const ran = await world.salon(['appointments', 'create', '--file', 'book.xlsx', '--yes']);
    expect(ran).toMatchObject({ exitCode: 0 });
    const booked: unknown[] = [];
    for await (const { rows: listed } of world.client.appointments.list({}))
      booked.push(...listed.map(({ duration }) => duration));
    expect(booked).toEqual([90, 90, 90, 120, 90, 90]);
  });
});

describe('a column of days', () => {
  const create = ['clients', 'create', '--file', 'list.xlsx'];
  const days: Cell[][] = [
    ['first_name', 'birthday'],
    ['Ana', [31120.958333333332, 0]],
    ['Eva', [33054.916666666664, 0]],
  ];
  const saveDays = () => save('list.xlsx', days, ['dd.mm.yyyy']);

  it('with times of day asks for the days that are meant', async () => {
    saveDays();
    const yes = await world.salon([...create, '--plain'], { columns: 200, stdin: 'y\ny\n' });
    expect(yes.stderr.replace(/\s+/g, ' ')).toContain(
      'birthday: 2 cells with a time of day, such as 1985-03-14 23:00. Read each as the day that begins nearest to it, such as 1985-03-15?',
    );
    const birthdays = (await world.clients()).map(({ birthday }) => birthday);
    expect(birthdays.toSorted()).toEqual(['1985-03-15', '1990-07-01']);
  });

  it('with times of day is refused by scripts, and by those who say no', async () => {
    saveDays();
    const script = await world.salon([...create, '--yes']);
    expect(script).toMatchObject({ exitCode: 3 });
    expect(script.stderr).toContain('1985-03-14 23:00 has a time of day.');
    expect(script.stderr).toContain('1990-07-01 is meant: write the day alone.');
    await world.salon([...create, '--plain'], { columns: 200, stdin: 'n\ny\n' });
    expect(await world.clients()).toEqual([]);
  });

  it('has birthdays without a year, which are read back as they are', async () => {
    world.write(
      'list.csv',
      'first_name,birthday\nNela,0000-05-15\nIda,15 May\nAda,0004-02-29\nEva,0001-01-01\n',
    );
    const ran = await world.salon([...create.with(-1, 'list.csv'), '--yes']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    const stored = async () => (await world.clients()).map(({ birthday }) => birthday).toSorted();
    expect(await stored()).toEqual(['--02-29', '--05-15', '--05-15', null]);
    const birthday = async (change: string) => {
      const update = ['clients', 'update', '--file', '-', '--sheet-format', 'csv', '--yes', '--json'];
      const { stdout, stderr } = await world.salon(update, { stdin: change });
      return [JSON.parse(stdout || '{}').so_already, stderr];
    };
    for (const [name, more] of [
      ['list.csv', []],
      ['excel.csv', ['--excel']],
      ['list.xlsx', []],
      ['list.ndjson', []],
    ] as const) {
      await world.salon(['clients', 'list', '-o', name, ...more]);
      const again = await world.salon(['clients', 'update', '--file', name, '--yes', '--json']);
      expect(again.stderr).toContain('4 unchanged');
    }
    const [ida] = (await world.clients()).filter(({ first_name }) => first_name === 'Ida');
    const id = String(ida?.['id']);
    await birthday(`id,birthday\n${id},1985-05-15\n`);
    expect(await stored()).toContain('1985-05-15');
    const [unchanged, stderr] = await birthday(`id,birthday\n${id},15.5.\n`);
    expect(unchanged, stderr).toBe(1);
  });

  it('names the cells that stand for no day, and leaves them blank', async () => {
    save(
      'list.xlsx',
      [...days.slice(0, 1), ['Ana', [1, 0]], ['Eva', [0, 0]], ['Ida', [31121, 0]]],
      ['dd.mm.yyyy'],
    );
    const ran = await world.salon([...create, '--yes']);
    expect(ran.stderr).toContain('birthday: 2 cells with no day, such as 1900-01-01, left blank.');
    const birthdays = (await world.clients()).map(({ birthday }) => birthday);
    expect(birthdays.toSorted()).toEqual(['1985-03-15', null, null]);
  });
});
