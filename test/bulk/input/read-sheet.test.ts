import { truncateSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSheet } from '../../../src/bulk/input/read-sheet.ts';
import type { SheetForm } from '../../../src/bulk/sheet/sheet-form.ts';
import { nastyText } from '../../cli/output/rows.ts';
import { collect } from '../../support/collect.ts';
import { countBySpeed } from '../../support/speed.ts';
import { plainCsv, writeSheet } from './sheet-file.ts';

const ndjson: SheetForm = { ...plainCsv, format: 'ndjson', delimiter: null, columns: null };
const json: SheetForm = { ...ndjson, format: 'json' };

async function read(text: string, form: SheetForm) {
  using file = writeSheet(text);
  const rows = await collect(readSheet(file.path, form));
  return rows.map(({ number, line, cells, problem }) => [number, line, problem?.code ?? cells]);
}

async function readReason(text: string, form: SheetForm) {
  using file = writeSheet(text);
  const rows = await collect(readSheet(file.path, form));
  return rows.find(({ problem }) => problem !== undefined)?.problem?.reason;
}

describe('readSheet', () => {
  it('numbers the rows of a CSV, with the lines they begin on, and skips blank rows', async () => {
    const text = 'id,first_name\n\n1,"a\nb"\n,\n  , \n2,c\n';
    expect(await read(text, plainCsv)).toEqual([
      [1, 3, { id: '1', first_name: 'a\nb' }],
      [2, 7, { id: '2', first_name: 'c' }],
    ]);
  });

  it.each([
    ['too many cells', '1,a,b\n2,c\n', 'The row has 3 cells, the header 2 columns.', 2],
    [
      'too few cells at the end of a file that may be cut off',
      '2,c\n1',
      'The row has 1 cell, the header 2 columns.',
      3,
    ],
  ])('finds a row with %s', async (_, rows, reason, line) => {
    const text = `id,first_name\n${rows}`;
    const found = await read(text, plainCsv);
    expect(found.find((row) => row[1] === line)).toEqual([line - 1, line, 'width']);
    expect(found).toContainEqual([expect.any(Number), 5 - line, { id: '2', first_name: 'c' }]);
    expect(await readReason(text, plainCsv)).toBe(reason);
  });

  it('reads the cells that a row lacks as blank, and says what would be wrong with it', async () => {
    using file = writeSheet('id,first_name,notes\n1\n2,c\r\n3,d,\n');
    const columns = ['id', 'first_name', 'notes'];
    const rows = await collect(readSheet(file.path, { ...plainCsv, columns }));
    const reason = (cells: string) =>
      expect.objectContaining({ code: 'width', reason: expect.stringContaining(cells) });
    expect(rows).toEqual([
      { number: 1, line: 2, cells: { id: '1', first_name: '', notes: '' }, width: reason('1 cell,') },
      { number: 2, line: 3, cells: { id: '2', first_name: 'c', notes: '' }, width: reason('2 cells,') },
      { number: 3, line: 4, cells: { id: '3', first_name: 'd', notes: '' } },
    ]);
  });

  it('accepts blank cells after the last column', async () => {
    expect(await read('id,first_name,,\n1,a,, \n', plainCsv)).toEqual([[1, 2, { id: '1', first_name: 'a' }]]);
  });

  it('reads NDJSON line by line and finds lines that are not objects', async () => {
    const text = '{"id":1}\r\n\n{"id":\n[1]\n{"id":2}';
    expect(await read(text, ndjson)).toEqual([
      [1, 1, { id: 1 }],
      [2, 3, 'unreadable'],
      [3, 4, 'unreadable'],
      [4, 5, { id: 2 }],
    ]);
  });

  it('skips the rest of a line that is too long', async () => {
    const text = `{"id":"${'x'.repeat(2_500_000)}"}\n{"id":2}\n`;
    expect(await read(text, ndjson)).toEqual([
      [1, 1, 'unreadable'],
      [2, 2, { id: 2 }],
    ]);
  });

  it.each([
    ['on one line', '[{"a":"]},[{\\""},{"a":[[1],{"b":2}]}]', [1, 1]],
    ['on several lines', '[\n  {"a":"]},[{\\""\n},\n\n  {"a":[[1],{"b":2}]}\n]\n', [2, 5]],
    ['in a member', '{"page":1,\n"data":[\n{"a":"]},[{\\""},\n{"a":[[1],{"b":2}]}],"next":{"x":[]}}', [3, 4]],
  ])('reads a JSON list %s', async (_, text, lines) => {
    expect(await read(text, json)).toEqual([
      [1, lines[0], { a: ']},[{"' }],
      [2, lines[1], { a: [[1], { b: 2 }] }],
    ]);
  });

  it('finds an item that is not an object', async () => {
    expect(await readReason('[{"a":1},2,{"a":3}]', json)).toBe('Not a JSON object.');
    expect(await read('[{"a":1},2,\n{"a":3}]', json)).toEqual([
      [1, 1, { a: 1 }],
      [2, 1, 'unreadable'],
      [3, 2, { a: 3 }],
    ]);
  });

  it.each([
    ['an item that is not JSON', '[{"a":1},\n{"a":01},{"a":3}]', '(line 2 column 7)'],
    ['a list that is cut off', '[{"a":1},{"a":2}', 'is not valid JSON'],
    ['text after the list', '[{"a":1}] x', 'is not valid JSON'],
    ['a second list', '{"a":[{"a":1}],"b":[{"a":2}]}', 'has more than one list: a, b.'],
  ])('refuses a JSON document with %s', async (_, text, message) => {
    await expect(readReason(text, json)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
    });
  });

  it('refuses a JSON document of more than 64 MiB and names the formats to use', async () => {
    using file = writeSheet('');
    truncateSync(file.path, 65 * 1_048_576);
    await expect(collect(readSheet(file.path, json))).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('is too large for JSON: 65 MB, the limit is 64 MB.'),
      hint: expect.stringContaining('NDJSON or CSV'),
    });
  });

  it('finds the list and the lines of its rows, whatever is around it', async () => {
    const around = fc.oneof(nastyText, fc.integer(), fc.constantFrom([], ['a', '[{'], { a: [{}] }));
    const row = fc.dictionary(nastyText, fc.oneof(nastyText, fc.jsonValue({ maxDepth: 3 })), {
      noNullPrototype: true,
    });
    const list = fc.array(row, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(list, nastyText, around, fc.constantFrom(0, 2), async (rows, name, other, indent) => {
        const text = JSON.stringify({ '-': other, [`x${name}`]: rows, '--': 1 }, null, indent);
        using file = writeSheet(text);
        const read = await collect(readSheet(file.path, json));
        expect(read.map(({ cells }) => cells)).toEqual(JSON.parse(JSON.stringify(rows)));
        const lines = text.split('\n');
        for (const { line } of read) expect(lines[line - 1]).toContain('{');
      }),
      { numRuns: countBySpeed(300) },
    );
  });
});
