import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readWorksheet } from '../../../src/bulk/sheet/xlsx-reader.ts';
import { collect } from '../../support/collect.ts';
import { writeSheet } from '../input/sheet-file.ts';
import { makeWorkbook, type WorkbookOptions } from './workbook.ts';

async function read(workbook: WorkbookOptions): Promise<readonly string[]> {
  using sheet = writeSheet(makeWorkbook(workbook));
  const rows = await collect(readWorksheet(sheet.path, { worksheet: 'clients', columns: 3, name: 'x' }));
  return rows.flatMap(({ cells }) => cells);
}

const show = async (value: number | string, format: string, countsFrom1904 = false) =>
  (
    await read({
      rows: `<row r="1"><c r="A1" s="2"><v>${value}</v></c></row>`,
      formats: [format],
      countsFrom1904,
    })
  ).at(0);

describe('a whole number', () => {
  it.each([
    ['00000', 42, '00042'],
    ['00000', 0, '00000'],
    ['00000', 1234567, '1234567'],
    ['"+"0', 491715550101, '+491715550101'],
    ['\\+0', '4.91715550101E11', '+491715550101'],
    ['[$+]0', 42, '+42'],
    ['0000 000000', 301234567, '0301 234567'],
    ['(000) 000-0000', 5550101234, '(555) 010-1234'],
    ['"K-"00000', 42, 'K-00042'],
    ['K\\-00000', 42, 'K-00042'],
    ['"d;"00', 7, 'd;07'],
    ['"Ä&<"0', 7, 'Ä&<7'],
    ['000"-"000', 42, '000-042'],
    ['_-00000_)', 42, '00042'],
    ['00000;[Red]-00000', 42, '00042'],
    ['[$-407]00000;@', 42, '00042'],
    ['0\\ [$Std.]', 2, '2 Std.'],
    ['0 "min"', 90, '90 min'],
    ['0"%"', 42, '42%'],
    ['0000\\-00\\-00', 19850315, '1985-03-15'],
  ])('of format %s is shown with zeros and texts: %s is %s', async (format, value, shown) => {
    expect(await show(value, format)).toBe(shown);
  });

  it.each([
    ['#,##0', 1234567],
    ['# ##0', 1234567],
    ['0,', 1234567],
    ['0%', 42],
    ['0.00', 42],
    ['0.0E+00', 491715550101],
    ['# ?/?', 42],
    ['[>5]00000;0', 42],
    ['[DBNum1]0', 42],
    [';;;', 42],
    ['00000;;', 0],
    ['00000', -42],
    ['00000', 1.5],
    ['* 00000', 42],
    ['#,##0.00 "each"', 42],
    ['[$Din.-81A]#,##0', 31120],
    ['#,##0\\ [$Din.-81A]', 31120],
    ['"day"', 42],
    ['"unclosed 00000', 42],
    ['General', 42],
  ])('of format %s keeps its value: %d', async (format, value) => {
    expect(await show(value, format)).toBe(String(value));
  });
});

describe('an amount', () => {
  it.each([
    ['#,##0.00\\ "€"', 1234.5, '1234.5 €'],
    ['[$$-409]#,##0.00;[Red]-[$$-409]#,##0.00', -5, '-5 $'],
    ['_-* #,##0.00\\ [$€-407]_-;\\-* #,##0.00\\ [$€-407]_-;_-* "-"??\\ [$€-407]_-;_-@_-', 0, '0 €'],
    ['[$CHF-807] #,##0.00', 45, '45 CHF'],
    ['0.00" EUR"', 49.500000000000007, '49.5 EUR'],
    ['"€ "00000', 42, '42 €'],
    ['£0', 42, '42 £'],
  ])('of format %s has its currency: %d is %s', async (format, value, shown) => {
    expect(await show(value, format)).toBe(shown);
  });
});

describe('a time', () => {
  it.each([
    ['[h]:mm', 0.0625, '01:30'],
    ['[h]:mm', 1.0416666666666667, '25:00'],
    ['[mm]', 0.0625, '01:30'],
    ['[hh]"h "mm;@', 36 / 24, '36:00'],
    ['h:mm', 0.0625, '01:30'],
    ['mm:ss', 0.0625, '01:30'],
    ['hh:mm', 0, '00:00'],
    ['[$-F400]h:mm:ss\\ AM/PM', 0.5625, '13:30'],
    ['h:mm', 45 / 86_400, '00:00:45'],
    ['h:mm', 1.5, '36:00'],
    ['yyyy-mm-dd hh:mm', 46802.375, '2028-02-19 09:00'],
    ['yyyy-mm-dd hh:mm', 46802, '2028-02-19 00:00'],
    ['yyyy-mm-dd hh:mm', 0.375, '09:00'],
    ['hh:mm', 46802.375, '2028-02-19 09:00'],
    ['dd.mm.yyyy', 31120.958333333332, '1985-03-14 23:00'],
    ['[$-411]ggge"年"m"月"d"日"', 46802, '2028-02-19'],
    ['mmmm', 46802, '2028-02-19'],
    ['d-mmm', 46802, '--02-19'],
    ['dd.mm.', 46802, '--02-19'],
    ['ddd dd.mm.', 46802, '2028-02-19'],
    ['d-mmm', 46802.375, '2028-02-19 09:00'],
    ['mmm-yy', 46802, '2028-02-19'],
    ['dd.mm.yyyy', 61, '1900-03-01'],
    ['dd.mm.yyyy', 0, '1900-01-00'],
    ['dd.mm.yyyy', 1, '1900-01-01'],
    // LibreOffice and exceljs.
    ['dd.mm.yyyy', 2, '1900-01-01'],
    ['dd.mm.yyyy', 60, '60'],
    ['dd.mm.yyyy', -1, '-1'],
    ['dd.mm.yyyy', 2958466, '2958466'],
  ])('of format %s, %d, is %s', async (format, value, shown) => {
    expect(await show(value, format)).toBe(shown);
  });

  it.each([
    ['yyyy-mm-dd', 0, '1904-01-01'],
    ['yyyy-mm-dd', 45340, '2028-02-19'],
    ['hh:mm', 0.375, '09:00'],
    ['[h]:mm', 1.5, '36:00'],
  ])('of format %s, %d days after the first of 1904, is %s', async (format, value, shown) => {
    expect(await show(value, format, true)).toBe(shown);
  });
});

describe('a cell', () => {
  const formats = ['00000', '[h]:mm'];

  it('has the format of its style however its tags are written', async () => {
    const cells = [
      '<c s="2" r="A1"><v>42</v></c>',
      `<c r='B1' s='2' t='n'><v>42</v></c>`,
      '<c r="C1" s="2"><f>A1+B1</f><v>84</v></c>',
      '<c r="D1" s="2" t="str"><f>"x"</f><v>42</v></c>',
      '<c r="E1" s="2" t="s"><v>0</v></c>',
      '<c r="F1" s="2" t="b"><v>1</v></c>',
      '<c r="G1" s="2">\n <v>42</v>\n</c>',
      '<c r="H1" t="inlineStr" s="2"><is><t>42</t></is></c>',
      '<c r="I1" s="2"/><c r="J1"><v>42</v></c>',
    ];
    const workbook = { rows: `<row r="1">${cells.join('')}</row>`, formats, shared: '<si><t>42</t></si>' };
    const shown = ['00042', '00042', '00084', '42', '42', 'true', '00042', '42', '', '42'];
    expect(await read(workbook)).toEqual(shown);
  });

  it('has a day without its year in the format that Excel chooses for 15 May', async () => {
    const rows = '<row r="1"><c r="A1" s="2"><v>46157</v></c></row>';
    expect(await read({ rows, formats: [16] })).toEqual(['--05-15']);
  });

  it.each(['99999', '4294967296', '-1', 'x', ''])('with the style "%s" keeps its value', async (style) => {
    const rows = `<row r="1"><c r="A1" s="${style}"><v>42</v></c></row>`;
    expect(await read({ rows, formats })).toEqual(['42']);
  });

  it.each(['', 'x', '1e999', '--'])('with the value "%s" in a format of days is no day', async (value) => {
    const rows = `<row r="1"><c r="A1" s="1"><v>${value}</v></c><c r="B1"><v>1</v></c></row>`;
    expect((await read({ rows }))[0]).toBe(value === '1e999' ? 'Infinity' : value);
  });

  it.each(['xl', 'book', 'a/b'])(
    'has the format of its style in a workbook in the folder %s',
    async (folder) => {
      const rows = '<row r="1"><c r="A1" s="2"><v>42</v></c></row>';
      expect(await read({ rows, formats, folder })).toEqual(['00042']);
    },
  );

  it('is not read if the styles are damaged', async () => {
    const packed = { name: 'xl/styles.xml', data: deflateRawSync('<styleSheet/>'), size: 13, crc: 1 };
    await expect(read({ rows: '<row r="1"><c r="A1"><v>42</v></c></row>', packed })).rejects.toMatchObject({
      code: 'usage',
      message: 'Cannot read x: its styles are incomplete.',
    });
  });

  it('has one of 2,000 formats', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `"${index}-"000`);
    const rows = many.map(
      (_, index) => `<row r="${index + 1}"><c r="A${index + 1}" s="${index + 2}"><v>7</v></c></row>`,
    );
    expect(await read({ rows: rows.join(''), formats: many })).toEqual(
      many.map((_, index) => `${index}-007`),
    );
  });
});
