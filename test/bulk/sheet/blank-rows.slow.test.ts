import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAddress } from '../../../src/bulk/sheet/cell-text.ts';
import { readFirstRows, readWorksheet } from '../../../src/bulk/sheet/xlsx-reader.ts';
import { collect } from '../../support/collect.ts';
import { bySpeed } from '../../support/speed.ts';
import { writeSheet } from '../input/sheet-file.ts';
import { makeWorkbook, type WorkbookOptions } from './workbook.ts';

/** As many as a worksheet can have, or a tenth. */
const many = bySpeed({ full: 100_000, long: 1_000_000 });
const reading = { worksheet: 'clients', columns: 2, name: 'clients.xlsx' };

async function read(options: WorkbookOptions, signal?: AbortSignal) {
  using sheet = writeSheet(makeWorkbook(options));
  return await collect(readWorksheet(sheet.path, { ...reading, signal }));
}

const filled = (line: number) =>
  `<row r="${line}"><c r="A${line}" s="0" t="inlineStr"><is><t>a${line}</t></is></c><c r="B${line}"><v>${line}</v></c></row>`;
const toRow = (line: number) => ({ line, cells: [`a${line}`, String(line)] });

/** Rows that only have a format, as a program saves them for whole columns. */
function blankRows(from: number, to: number): string {
  let rows = '';
  for (let line = from; line <= to; line += 1)
    rows += `<row r="${line}" spans="1:2" s="1"><c r="A${line}" s="1"/><c r="B${line}" s="1"/></row>`;
  return rows;
}

describe('a worksheet with formatted blank rows', () => {
  it(`is read in time with ${many.toLocaleString('en')} of them`, { timeout: 600_000 }, async () => {
    const rows = filled(1) + filled(2) + blankRows(3, many) + filled(many + 1);
    expect(await read({ rows })).toEqual([1, 2, many + 1].map(toRow));
  });

  it('is no longer read once the signal is aborted', async () => {
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    const rows = filled(1) + blankRows(2, 200_000) + filled(200_001);
    await expect(read({ rows }, controller.signal)).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('is read with 16,384 blank cells in each row, some with a value', async () => {
    const columns = Array.from({ length: 16_384 }, (_, index) => toAddress(index, 1).slice(0, -1));
    const wide = (line: number, cells: string) =>
      `<row r="${line}">${cells}${columns
        .slice(2)
        .map((column) => `<c r="${column}${line}" s="1"/>`)
        .join('')}</row>`;
    const lines = Array.from({ length: bySpeed({ full: 20, long: 100 }) }, (_, index) => index + 1);
    const rows = lines.map((line) =>
      wide(line, line % 10 === 0 ? (/<c.+c>/.exec(filled(line))?.[0] ?? '') : ''),
    );
    expect(await read({ rows: rows.join('') })).toEqual(lines.filter((line) => line % 10 === 0).map(toRow));
  });

  it.each([
    ['hidden', `<row r="2" hidden="1"><c r="A2" s="1"/></row>`],
    ['merged', `<row r="2"><c r="A2" s="1"></c><c r="B2" s="1"/></row>`],
    ['without cells', `<row r="2" ht="30" customHeight="1"/>`],
    ['without a number', `<row><c s="1"/></row>`],
  ])('is read with a row that is %s', async (_title, blank) => {
    expect(await read({ rows: filled(1) + blank + filled(3) })).toEqual([1, 3].map(toRow));
  });

  it('numbers rows and cells that have no number as programs do', async () => {
    const rows = `<row><c t="str"><v>x</v></c></row><row r="5"/><row><c s="1"/><c><v>7</v></c></row><row/><row><c r="B9"><v>8</v></c></row>`;
    expect(await read({ rows })).toEqual([
      { line: 1, cells: ['x'] },
      { line: 6, cells: ['', '7'] },
      { line: 8, cells: ['', '8'] },
    ]);
  });

  it('has every value where it is, wherever blank rows and cells are', async () => {
    const cell = fc.constantFrom('value', 'blank', 'none');
    const row = fc.record({ gap: fc.integer({ min: 1, max: 3 }), a: cell, b: cell });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (all) => {
        let line = 0;
        const expected: { line: number; cells: string[] }[] = [];
        const rows = all.map(({ gap, ...cells }) => {
          line += gap;
          const texts = Object.entries(cells).map(([name, kind]) => {
            const at = `${name.toUpperCase()}${line}`;
            if (kind === 'none') return '';
            return kind === 'blank' ? `<c r="${at}" s="1"/>` : `<c r="${at}" s="0"><v>${line}</v></c>`;
          });
          const values = Object.values(cells).map((kind) => (kind === 'value' ? String(line) : ''));
          const shown = values.slice(0, values.findLastIndex((value) => value !== '') + 1);
          if (shown.length > 0) expected.push({ line, cells: shown });
          return `<row r="${line}">${texts.join('')}</row>`;
        });
        expect(await read({ rows: rows.join('') })).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it('has a heading in the first thousand rows only', async () => {
    using sheet = writeSheet(makeWorkbook({ rows: blankRows(1, 1_000) + filled(1_001) }));
    expect(await collect(readFirstRows(sheet.path, reading))).toEqual([]);
  });

  it('is found by a name with marks of XML', async () => {
    using sheet = writeSheet(makeWorkbook({ rows: filled(1), names: ['R&amp;D &quot;&#x20AC;&quot;'] }));
    const found = await collect(readWorksheet(sheet.path, { ...reading, worksheet: 'R&D "€"' }));
    expect(found).toEqual([toRow(1)]);
  });

  it('is refused if it ends in the middle of a row', async () => {
    const broken = `${filled(1)}<row r="2"><c r="A2"><v>1</v></c></sheetData`;
    await expect(read({ rows: broken })).rejects.toMatchObject({ code: 'usage' });
  });
});
