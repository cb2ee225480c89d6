import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { xlsxLimits } from '../../../src/bulk/sheet/cell-text.ts';
import { readWorksheet, readWorksheets } from '../../../src/bulk/sheet/xlsx-reader.ts';
import { createXlsxWriter, type XlsxCell } from '../../../src/bulk/sheet/xlsx-writer.ts';
import { nastyText } from '../../cli/output/rows.ts';
import { collect } from '../../support/collect.ts';
import { countBySpeed } from '../../support/speed.ts';
import { writeSheet } from '../input/sheet-file.ts';
import { makeWorkbook } from './workbook.ts';

const text = { heading: 'a', format: 'text' } as const;

async function write(
  pages: readonly (readonly (readonly XlsxCell[])[])[],
  columns = [text, text],
): Promise<Buffer> {
  const writer = createXlsxWriter('clients', columns);
  const chunks: Buffer[] = [];
  for (const page of pages) chunks.push(await writer.rows(page));
  return Buffer.concat([...chunks, await writer.end()]);
}

async function read(file: Buffer, worksheet = 'clients') {
  using sheet = writeSheet(file);
  return await collect(readWorksheet(sheet.path, { worksheet, columns: 2, name: 'clients.xlsx' }));
}

describe('a worksheet that was written', () => {
  it('reads back with every text unchanged', async () => {
    const cell = fc.oneof(
      nastyText,
      fc.constantFrom('_x000D_', '_x0041_b', ' x ', '\n', '\r\n', '=1+1', "'x", '+44'),
    );
    const page = fc.array(fc.tuple(cell, cell), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(page, { maxLength: 3 }), async (pages) => {
        const wellFormed = pages.map((rows) => rows.map((row) => row.map((one) => one.toWellFormed())));
        const rows = await read(await write(wellFormed));
        const found = new Map(rows.map(({ line, cells }) => [line, cells]));
        for (const [index, row] of wellFormed.flat().entries()) {
          expect([0, 1].map((column) => found.get(index + 2)?.[column] ?? '')).toEqual(row);
        }
      }),
      { numRuns: countBySpeed(40, 1_000) },
    );
  });

  it.each([
    [12.5, '12.5'],
    [999_999_999_999_999, '999999999999999'],
    [true, 'true'],
    [new Date('2026-11-24T00:00:00Z'), '2026-11-24 00:00'],
    [new Date('2026-11-24T15:00:00Z'), '2026-11-24 15:00'],
    [new Date('2026-11-24T15:00:07Z'), '2026-11-24 15:00:07'],
    [new Date('1900-03-01T00:00:00Z'), '1900-03-01 00:00'],
    [null, ''],
  ] as const)('shows %s as %s', async (cell, shown) => {
    const columns = [text, { heading: 'b', format: cell instanceof Date ? 'time' : 'general' } as const];
    const [, row] = await read(await write([[['x', cell]]], columns as never));
    expect(row?.cells[1] ?? '').toBe(shown);
  });

  it('is refused if a cell or the worksheet cannot hold it', async () => {
    await expect(write([[['x'.repeat(32_768), '']]])).rejects.toMatchObject({
      code: 'usage',
      message: 'There is a text of 32768 characters in a, but a cell holds 32,767.',
    });
    const rows = Array.from({ length: xlsxLimits.rows }, () => []);
    await expect(write([rows])).rejects.toMatchObject({ code: 'usage' });
    const columns = Array.from({ length: 16_385 }, () => text);
    await expect(write([], columns)).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('a workbook of another program', () => {
  const strings = ['id', 'notes', 'cli_1', 'a_x000D_b'];
  const shared = `<si><t>${strings.join('</t></si><si><t>')}</t></si>`;

  it('gives the saved results of formulas, shared and rich texts, and date cells', async () => {
    const rows = `
      <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>
      <row r="3"><c r="A3" t="s"><v>2</v></c><c r="B3" t="str"><f>UPPER("x")</f><v>X</v></c>
        <c r="C3" s="1"><v>46350.625</v></c><c r="D3" t="s"><v>3</v></c></row>`;
    const found = await read(makeWorkbook({ rows, shared }));
    expect(found).toEqual([
      { line: 1, cells: ['id', 'notes'] },
      { line: 3, cells: ['cli_1', 'X', '2026-11-24 15:00', 'a\rb'] },
    ]);
  });

  it('gives names without their pronunciation', async () => {
    const spoken = '<rPh sb="0" eb="2"><t>ヤマダ</t></rPh><phoneticPr fontId="1"/>';
    const rows = `<row r="1"><c r="A1" t="inlineStr"><is><t>山田</t>${spoken}</is></c>
      <c r="B1" t="inlineStr"><is><r><t>山</t></r><r><t>田</t></r>${spoken}</is></c><c r="C1" t="s"><v>0</v></c></row>`;
    const found = await read(makeWorkbook({ rows, shared: `<si><t>山田</t>${spoken}</si>` }));
    expect(found).toEqual([{ line: 1, cells: ['山田', '山田', '山田'] }]);
  });

  it('gives numbers that a program has calculated as programs show them', async () => {
    const cells = ['49.500000000000007', '0.30000000000000004', '44.99999999999999', '0.1', '45'].map(
      (value, index) => `<c r="${'ABCDE'[index]}1"><v>${value}</v></c>`,
    );
    const found = await read(makeWorkbook({ rows: `<row r="1">${cells.join('')}</row>` }));
    expect(found).toEqual([{ line: 1, cells: ['49.5', '0.3', '45', '0.1', '45'] }]);
  });

  it.each([
    ['a_x000D_&#10;b', 'a\r\nb'],
    ['a_x000d_b', 'a\rb'],
    ['a_x005F_x000D_b', 'a_x000D_b'],
    ['a_x0D_b', 'a_x0D_b'],
  ])('gives the characters of %s in inline, shared and calculated texts', async (written, text) => {
    const rows = `<row r="1"><c r="A1" t="inlineStr"><is><t>${written}</t></is></c><c r="B1" t="s"><v>0</v></c>
      <c r="C1" t="str"><f>A1</f><v>${written}</v></c></row>`;
    const found = await read(makeWorkbook({ rows, shared: `<si><t>${written}</t></si>` }));
    expect(found).toEqual([{ line: 1, cells: [text, text, text] }]);
  });

  it('gives the error of a formula that has failed', async () => {
    const rows = '<row r="2"><c r="B2" t="e"><f>A9</f><v>#REF!</v></c></row>';
    expect(await read(makeWorkbook({ rows }))).toEqual([{ line: 2, cells: ['', '#REF!'] }]);
  });

  it.each(['</f></c>', '</f><v></v></c>', '</f><v /></c>'])(
    'is refused if a formula has no saved result: %s',
    async (ending) => {
      const rows = `<row r="2"><c r="A2" t="str"><f>""</f><v></v></c><c r="B2" s="1"><f>A2&amp;C2${ending}</row>`;
      await expect(read(makeWorkbook({ rows }))).rejects.toMatchObject({
        code: 'usage',
        message: 'Cell B2 of clients.xlsx has a formula without a saved result.',
      });
    },
  );

  it('may have a formula whose saved result is empty', async () => {
    const rows = '<row r="2"><c r="A2" t="str"><f>""</f><v></v></c><c r="B2"><v>1</v></c></row>';
    expect(await read(makeWorkbook({ rows }))).toEqual([{ line: 2, cells: ['', '1'] }]);
  });

  it('has every row, however many there are and however far apart', async () => {
    const row = (line: number) => `<row r="${line}"><c r="A${line}"><v>${line}</v></c></row>`;
    const lines = [...Array.from({ length: 25_002 }, (_, index) => index + 1), 60_000, 1_048_576];
    const found = await read(makeWorkbook({ rows: lines.map(row).join('') }));
    expect(found.map(({ line, cells }) => [line, ...cells])).toEqual(
      lines.map((line) => [line, String(line)]),
    );
    const below = makeWorkbook({ rows: row(1) + row(1_048_577) });
    await expect(read(below)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('row 1,048,577'),
    });
  });

  it('is refused if a cell has more characters than a cell holds', async () => {
    const rows = `<row r="2"><c r="B2" t="str"><v>${'x'.repeat(32_768)}</v></c></row>`;
    await expect(read(makeWorkbook({ rows }))).rejects.toMatchObject({
      code: 'usage',
      message: 'Cell B2 of clients.xlsx has more than 32,767 characters.',
    });
  });

  it('lists its worksheets', async () => {
    using sheet = writeSheet(makeWorkbook({ rows: '', names: ['clients', 'Old'], hidden: ['Old'] }));
    expect(await readWorksheets(sheet.path, 'x')).toEqual([
      { name: 'clients', isHidden: false, countsFrom1904: false },
      { name: 'Old', isHidden: true, countsFrom1904: false },
    ]);
  });
});

describe('a hostile .xlsx', () => {
  it.each([
    ['half a file', (file: Buffer) => file.subarray(0, file.length / 2)],
    ['other bytes in its middle', (file: Buffer) => file.fill(0x41, 200, 900)],
    ['a password', () => Buffer.from('d0cf11e0a1b11ae1', 'hex')],
  ])('is refused: %s', async (_, damage) => {
    const file = damage(makeWorkbook({ rows: '<row r="1"><c r="A1"><v>1</v></c></row>'.repeat(500) }));
    await expect(read(file)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('clients.xlsx'),
    });
  });

  it('that says it unpacks to too much is refused without unpacking it', async () => {
    const zeros = deflateRawSync(Buffer.alloc(1_048_576));
    const file = makeWorkbook({
      rows: '',
      packed: { name: 'xl/sharedStrings.xml', data: zeros, size: 300 * 1_048_576 },
    });
    await expect(read(file)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('256 MB'),
    });
  });

  it('whose shared texts would fill the memory is refused', async () => {
    const texts = Buffer.from('<si><t>x</t></si>'.repeat(1_500_001));
    const packed = { name: 'xl/sharedStrings.xml', data: deflateRawSync(texts), size: texts.length };
    using sheet = writeSheet(makeWorkbook({ rows: '', packed }));
    await expect(readWorksheets(sheet.path, 'clients.xlsx')).rejects.toMatchObject({
      code: 'usage',
      message: 'clients.xlsx is too large: xl/sharedStrings.xml has more than 6 million tags.',
    });
  });

  it.each([0, 1000])('that lies about it (%d bytes) is refused', async (size) => {
    const zeros = deflateRawSync(Buffer.alloc(8 * 1_048_576));
    const file = makeWorkbook({ rows: '', packed: { name: 'xl/sharedStrings.xml', data: zeros, size } });
    await expect(read(file)).rejects.toMatchObject({ code: 'usage' });
  });
});
