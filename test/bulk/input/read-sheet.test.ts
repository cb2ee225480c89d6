import { describe, expect, it } from 'vitest';
import { readSheet } from '../../../src/bulk/input/read-sheet.ts';
import type { SheetForm } from '../../../src/bulk/sheet/sheet-form.ts';
import { collect } from '../../support/collect.ts';
import { plainCsv, writeSheet } from './sheet-file.ts';

const ndjson: SheetForm = { ...plainCsv, format: 'ndjson', delimiter: null, columns: null };
const json: SheetForm = { ...ndjson, format: 'json' };

async function read(text: string, form: SheetForm) {
  using file = writeSheet(text);
  const rows = await collect(readSheet(file.path, form));
  return rows.map(({ number, line, cells, fault }) => [number, line, fault?.code ?? cells]);
}

async function readReason(text: string, form: SheetForm) {
  using file = writeSheet(text);
  const rows = await collect(readSheet(file.path, form));
  return rows.find(({ fault }) => fault !== undefined)?.fault?.reason;
}

describe('readSheet', () => {
  it('numbers the rows of a CSV, says where they begin and passes over blank ones', async () => {
    const text = 'id,first_name\n\n1,"a\nb"\n,\n  , \n2,c\n';
    expect(await read(text, plainCsv)).toEqual([
      [1, 3, { id: '1', first_name: 'a\nb' }],
      [2, 7, { id: '2', first_name: 'c' }],
    ]);
  });

  it.each([
    ['too few cells', '1\n', 'The row has 1 cell, the heading 2 names.'],
    ['too many cells', '1,a,b\n', 'The row has 3 cells, the heading 2 names.'],
  ])('finds a row with %s', async (_, row, reason) => {
    const text = `id,first_name\n${row}2,c\n`;
    expect(await read(text, plainCsv)).toMatchObject([
      [1, 2, 'width'],
      [2, 3, { id: '2' }],
    ]);
    expect(await readReason(text, plainCsv)).toBe(reason);
  });

  it('takes blank cells behind the last column', async () => {
    expect(await read('id,first_name,,\n1,a,, \n', plainCsv)).toEqual([[1, 2, { id: '1', first_name: 'a' }]]);
  });

  it('reads a line of NDJSON at a time, and finds the ones that are no object', async () => {
    const text = '{"id":1}\r\n\n{"id":\n[1]\n{"id":2}';
    expect(await read(text, ndjson)).toEqual([
      [1, 1, { id: 1 }],
      [2, 3, 'unreadable'],
      [3, 4, 'unreadable'],
      [4, 5, { id: 2 }],
    ]);
  });

  it('passes over the rest of a line that is too long', async () => {
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

  it.each([
    ['an element that is no object', '[{"a":1},2,{"a":3}]', 'This is no JSON object.'],
    ['an element that is no JSON', '[{"a":1},{"a":01},{"a":3}]', 'This is not JSON'],
    ['a comma behind the last one', '[{"a":1},{"a":2},]', 'This is not JSON'],
    ['a list that is cut', '[{"a":1},{"a":2}', 'The file ends before its list does.'],
    ['a string that is not closed', '[{"a":1},{"a":"2}]', 'The file ends before its list does.'],
    ['more behind the list', '[{"a":1}]\n[{"a":2}]', 'There is more behind the list.'],
    ['words behind the list', '[{"a":1}] x', 'There is more behind the list.'],
    ['a second list', '{"a":[{"a":1}],"b":[{"a":2}]}', 'There is a second list, b.'],
  ])('finds %s', async (_, text, reason) => {
    expect(await readReason(text, json)).toContain(reason);
  });

  it('stops at an element that does not end', async () => {
    const text = `[{"a":1},{"a":"${'x'.repeat(2_500_000)}`;
    expect(await readReason(text, json)).toContain('does not end');
  });
});
