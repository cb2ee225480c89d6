import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { nouns } from '../../../src/cli/nouns/nouns.ts';
import { type Column, chooseColumns } from '../../../src/cli/output/columns.ts';
import { createTableWriter } from '../../../src/cli/output/table.ts';
import type { Fields } from '../../../src/client/json-object.ts';
import { countBySpeed } from '../../support/speed.ts';
import { anyValue } from './rows.ts';

const usual = chooseColumns(nouns.appointments.columns, { forPeople: true });
const haircut = {
  id: 'apt_01k9x7f3q2m4n5p6r7s8t9v0w1',
  client_id: 'cli_01k9x7f3q2m4n5p6r7s8t9v0w1',
  stylist_id: 'sty_01k9x7f3q2m4n5p6r7s8t9v0w1',
  service: 'Haircut',
  start_time: '2026-11-21T08:30:00Z',
  duration: 90,
  status: 'confirmed',
};

const named = { ...haircut, client_name: 'Ana Costa', stylist_name: 'Theo' };

interface Printing {
  readonly columns?: readonly Column[];
  readonly width?: number;
  readonly color?: boolean;
}

function print(pages: readonly (readonly Fields[])[], printing: Printing = {}): string {
  const writer = createTableWriter({
    columns: usual,
    width: 120,
    color: false,
    timeZone: 'Europe/Berlin',
    ...printing,
  });
  return writer.begin() + pages.map((page) => writer.rows(page)).join('') + writer.end();
}

function texts(...keys: string[]): readonly Column[] {
  return keys.map((key) => ({ key, kind: 'text' }));
}

describe('createTablePrinter', () => {
  it('prints nothing without rows', () => {
    expect(print([])).toBe('');
    expect(print([[], []])).toBe('');
  });

  it('prints the time zone below the heading and aligns durations right', () => {
    const columns = chooseColumns(nouns.appointments.columns, {
      requested: 'service,start_time,duration,status',
    });
    expect(print([[haircut, { ...haircut, service: 'Colour', duration: 45 }]], { columns })).toBe(
      [
        'Service  Start               Duration  Status',
        '         Europe/Berlin',
        'Haircut  2026-11-21 09:30  1 h 30 min  confirmed',
        'Colour   2026-11-21 09:30      45 min  confirmed',
        '',
      ].join('\n'),
    );
  });

  it('prints one heading for all pages, empty ones included', () => {
    const columns = texts('a');
    expect(print([[], [{ a: 1 }], [], [{ a: 2 }]], { columns })).toBe('A\n1\n2\n');
  });

  it('leaves empty fields blank, prints booleans as yes and no and lists with commas', () => {
    const columns: Column[] = [
      ...texts('a', 'b', 'c'),
      { key: 'd', kind: 'list' },
      { key: 'e', kind: 'boolean' },
    ];
    expect(print([[{ b: null, c: true, d: ['x', 'y'], e: false }]], { columns })).toBe(
      'A  B  C    D     E\n      yes  x, y  no\n',
    );
  });

  it('leaves out the duration and IDs if there is no room and marks it with …', () => {
    const heading = (width: number) =>
      print([[named]], { width })
        .split('\n')[0]
        ?.split(/ +/);
    const always = ['Start', 'Client', 'Phone', 'Stylist', 'Service'];
    expect(heading(130)).toEqual([...always, 'Duration', 'Status', 'ID']);
    expect(heading(100)).toEqual([...always, 'Duration', 'Status', '…']);
    expect(heading(74)).toEqual([...always, 'Status', '…']);
    expect(heading(60)).toEqual(['Start', 'Client', 'Stylist', 'Service', 'Status', '…']);
  });

  it('never leaves out requested columns', () => {
    const columns = chooseColumns(nouns.appointments.columns, {
      requested: 'id,client_id,stylist_id',
      forPeople: true,
    });
    const table = print([[haircut]], { columns, width: 50 });
    expect(table).toContain('Stylist ID');
    expect(table).not.toMatch(/…$/m);
  });

  it('cuts text between words and never an ID', () => {
    const columns = texts('client_id', 'notes');
    const rows = [{ client_id: haircut.client_id, notes: 'Prefers mornings and weekends' }];
    expect(print([rows], { columns, width: 50 })).toMatch(
      /^cli_01k9x7f3q2m4n5p6r7s8t9v0w1 {2}Prefers mornings…$/m,
    );
    expect(print([rows], { columns, width: 36 })).toMatch(/^Client ID\n {2}cli_01k9x7f3q2m4n5p6r7s8t9v0w1$/m);
  });

  it('starts again for a longer ID of a later page, which stays whole', () => {
    const columns = texts('id', 'name');
    const pages = [[{ id: '7', name: 'Ana' }], [{ id: '12345', name: 'Theo' }], [{ id: '8', name: 'Bo' }]];
    expect(print(pages, { columns, width: 20 })).toBe(
      'ID  Name\n7   Ana\nID     Name\n12345  Theo\n8      Bo\n',
    );
  });

  it('never leaves out IDs that no names replace', () => {
    const set = {
      all: texts('why', 'client_id', 'duplicate_id'),
      table: ['why', 'client_id', 'duplicate_id'],
    };
    const columns = chooseColumns(set, { forPeople: true });
    const row = { why: 'same email', client_id: haircut.client_id, duplicate_id: haircut.id };
    expect(print([[row]], { columns, width: 74 })).toContain(`${haircut.client_id}  ${haircut.id}`);
    expect(print([[row]], { columns, width: 40 })).toContain(haircut.id);
  });

  it('keeps field names whose headings would be alike', () => {
    expect(print([[{ client: 'x', client_name: 'y' }]], { columns: texts('client', 'client_name') })).toBe(
      'client  client_name\nx       y\n',
    );
  });

  it('cuts text between graphemes', () => {
    expect(print([[{ a: '👩‍👩‍👧‍👦'.repeat(20) }]], { columns: texts('a'), width: 10 })).toBe(
      'A\n👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦…\n',
    );
  });

  it('aligns wide letters, new emoji and combining marks', () => {
    const rows = [
      { a: '佐藤', b: 'x' },
      { a: 'Anna', b: 'y' },
      { a: '🫠', b: 'z' },
      { a: 'ที่นี่', b: '\uE000' },
    ];
    expect(print([rows], { columns: texts('a', 'b') })).toBe(
      'A     B\n佐藤  x\nAnna  y\n🫠    z\nที่นี่    \uE000\n',
    );
  });

  it('prints blocks if the columns do not fit', () => {
    const columns = texts('first', 'second', 'third');
    const row = { first: 'one long text', second: 'another one', third: 'the last one' };
    expect(print([[row], [row]], { columns, width: 20 }).split('\n\n')).toHaveLength(2);
  });

  it('prints the same text with and without colour', () => {
    const [plain, colored] = [print([[haircut]]), print([[haircut]], { color: true })];
    expect(plain).not.toContain('\u001B');
    expect(colored).toContain('\u001B[32mconfirmed\u001B[39m');
    expect(stripVTControlCharacters(colored)).toBe(plain);
  });

  it('never prints a line wider than the terminal or a control character', () => {
    const columns: Column[] = [
      { key: 'id', kind: 'text' },
      { key: 'when', kind: 'instant' },
      { key: 'duration', kind: 'minutes' },
      { key: 'status', kind: 'status' },
      { key: 'tags', kind: 'list' },
      { key: 'notes', kind: 'text' },
    ];
    const row = fc.record({
      id: anyValue,
      when: anyValue,
      duration: anyValue,
      status: anyValue,
      tags: anyValue,
      notes: anyValue,
    });
    const pages = fc.array(fc.array(row, { maxLength: 4 }), { maxLength: 3 });
    fc.assert(
      fc.property(
        pages,
        fc.integer({ min: 20, max: 200 }),
        fc.integer({ min: 1, max: 6 }),
        (given, width, count) => {
          const lines = print(given, { columns: columns.slice(0, count), width }).split('\n');
          expect(lines.filter((line) => stringWidth(line) > width || /\p{Cc}/u.test(line))).toEqual([]);
        },
      ),
      { numRuns: countBySpeed(500) },
    );
  });
});
