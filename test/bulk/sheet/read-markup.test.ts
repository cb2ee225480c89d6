import { describe, expect, it } from 'vitest';
import { toPart, zip } from '../../support/zip.ts';
import { readTables as read } from './read-tables.ts';

const readHtml = (rows: string) => read(`<html><body><table>${rows}</table></body></html>`, 'html');

/** An .ods of some parts. */
function zipTexts(parts: Readonly<Record<string, string>>, { cut = 0 } = {}): Buffer {
  const file = zip(Object.entries(parts).map(([name, text]) => toPart(name, text)));
  return file.subarray(0, file.length - cut);
}

const content = (rows: string, rest = '') =>
  `<?xml version="1.0"?><office:document-content><office:body><office:spreadsheet><table:table table:name="clients">${rows}</table:table>${rest}</office:spreadsheet></office:body></office:document-content>`;
const readOds = (rows: string, rest = '') => read(zipTexts({ 'content.xml': content(rows, rest) }), 'ods');

describe('a table in HTML', () => {
  it.each([
    ['line breaks', '<td>a<br>\n b<br/>c</td>', 'a\nb\nc'],
    ['blanks', '<td>&nbsp;van&nbsp;den  \n Berg </td>', 'van den Berg'],
    ['characters', '<td>&eacute;&#8364;&amp;lt;</td>', 'é€&lt;'],
    ['paragraphs', '<td><p>a</p>\n<p>b</p><div>c</div></td>', 'a\nb\nc'],
    ['parts', '<td><b>a</b><a href="mailto:x@y.example">b</a></td>', 'ab'],
    ['digits', '<td style="mso-number-format:\'@\'">00042</td>', '00042'],
    ['no script', '<td><script>"</td>"</script>a<style>b{}</style></td>', 'a'],
    ['no list to choose from', '<td><select><option>x<option>y</select>a</td>', 'a'],
    ['no comment', '<td>a<!-- b --></td>', 'a'],
    ['no note', '<td><a class="comment-indicator"></a><comment>b</comment>a</td>', 'a'],
    [
      'no sort key',
      '<td><span style="Display: none">20260512</span><i hidden>x</i>12.05.2026</td>',
      '12.05.2026',
    ],
    ['a hidden cell', '<td style="display:none">a</td>', 'a'],
    ['all digits of a phone', '<td sdval="491715550101">4.92E+11</td>', '491715550101'],
    ['all digits of an amount', '<td x:num="1234.567">1.234,57&nbsp;€</td>', '1234.567 €'],
    ['the zeros of a number', '<td data-t="n" data-v="42">00042</td>', '00042'],
    ['a text that is like a number', '<td data-t="s" data-v="1e5">1e5</td>', '1e5'],
    ['the text of a nested table', '<td>a<table><tr><td>b</td><td>c</td></tr></table></td>', 'a\nb c'],
  ])('has %s as they are shown', async (_, cell, text) => {
    const rows = await readHtml(`<tr>${cell}</tr>`);
    expect(rows.find(([place]) => place === 'table 1:1')).toEqual(['table 1:1', text]);
  });

  it('has cells where they are shown beside wide and high ones', async () => {
    const rows =
      '<tr><td colspan=2>a<td rowspan=3>b<td>c<tr><td>d<td>e<td>f<tr><td>g<td>h<td>i<tr><td>j<td>k<td>l';
    expect(await readHtml(rows)).toEqual([
      ['table 1:1', 'a', '', 'b', 'c'],
      ['table 1:2', 'd', 'e', '', 'f'],
      ['table 1:3', 'g', 'h', '', 'i'],
      ['table 1:4', 'j', 'k', 'l'],
    ]);
  });

  it('counts blank rows, and reads each table by itself', async () => {
    const inner = '<table><tr><th>x</th></tr></table>';
    const rows = await readHtml(`<thead><tr><td></td></tr></thead><tr><td>a</td><td>${inner}</td></tr>`);
    expect(rows).toEqual([
      ['table 2:1', 'x'],
      ['table 1:2', 'a', 'x'],
    ]);
  });

  it.each([
    ['in a cell', '<table><tr><td>a</td></tr><tr><td>b', 'cut off'],
    ['in a tag', '<table><tr><td>a</td></tr><tr><td>b</td></t', 'cut off'],
    ['after a row', '<table><tr><td>a</td></tr>', 'cut off'],
    ['before its end, within a page', '<html><body><table><tr><td>a</td></tr></body></html>', 'cut off'],
    [
      'as a page to sign in',
      '<title>Log in</title><form><input type="Password"></form>',
      'a page to sign in, not a list, "Log in".',
    ],
    [
      'as a page without a table',
      '<title>Oops</title><p>Server error</p>',
      'a web page without a table, not a list, "Oops".',
    ],
    ['with endless elements', `<table>${'<b>'.repeat(400)}`, 'more than 300 elements in one another'],
    [
      'with too many columns',
      `<table><tr>${'<td colspan=1000>a'.repeat(20)}</table>`,
      'more than 16,384 cells',
    ],
  ])('is refused %s', async (_, text, message) => {
    await expect(read(text, 'html')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
    });
  });

  it('names a row that is too long', async () => {
    const rows = `<tr><td>${'a'.repeat(1_100_000)}</td></tr><tr><td>b</td></tr>`;
    expect(await readHtml(rows)).toEqual([
      ['table 1:1', 'The row is longer than 1 MiB.'],
      ['table 1:2', 'b'],
    ]);
  });
});

describe('an .ods', () => {
  const cell = (text: string, attributes = '') =>
    `<table:table-cell ${attributes}>${text}</table:table-cell>`;
  const row = (cells: string, attributes = '') => `<table:table-row ${attributes}>${cells}</table:table-row>`;

  it.each([
    ['text', '', '<text:p>00042</text:p>', '00042'],
    ['paragraphs and breaks', '', '<text:p>a</text:p><text:p>b<text:line-break/>c</text:p>', 'a\nb\nc'],
    ['blanks', '', '<text:p>a \n<text:s text:c="2"/>b</text:p>', 'a   b'],
    ['parts', '', '<text:p><text:span>a</text:span><text:a>b</text:a></text:p>', 'ab'],
    ['no note', '', '<office:annotation><text:p>x</text:p></office:annotation><text:p>a</text:p>', 'a'],
    ['no drawing', '', '<text:p>a<draw:frame><text:p>x</text:p></draw:frame></text:p>', 'a'],
    [
      'a day',
      'office:value-type="date" office:date-value="1985-05-15"',
      '<text:p>15.05.85</text:p>',
      '1985-05-15',
    ],
    [
      'a day without its year',
      'office:value-type="date" office:date-value="2026-05-15"',
      '<text:p>15.05.</text:p>',
      '--05-15',
    ],
    [
      'a day of a month',
      'office:value-type="date" office:date-value="1985-05-15"',
      '<text:p>May 85</text:p>',
      '1985-05-15',
    ],
    [
      'a time',
      'office:value-type="date" office:date-value="2026-11-24T10:00:00"',
      '<text:p>24.11.2026 10:00</text:p>',
      '2026-11-24 10:00',
    ],
    ['digits', 'office:value-type="float" office:value="42"', '<text:p>00042</text:p>', '00042'],
    [
      'all digits',
      'office:value-type="float" office:value="493023125018"',
      '<text:p>4.93E+11</text:p>',
      '493023125018',
    ],
    [
      'an amount',
      'office:value-type="currency" office:value="1234.5"',
      '<text:p>1,234.50 €</text:p>',
      '1234.5 €',
    ],
    ['no amount', 'office:value-type="currency" office:value="0"', '<text:p>-   CHF</text:p>', '0 CHF'],
    ['a rounded number', 'office:value-type="float" office:value="45.5"', '<text:p>46</text:p>', '45.5'],
    ['a yes', 'office:value-type="boolean" office:boolean-value="true"', '<text:p>WAHR</text:p>', 'true'],
    [
      'a number that is shown as a yes',
      'office:value-type="float" office:value="1"',
      '<text:p>WAHR</text:p>',
      'WAHR',
    ],
    [
      'a duration',
      'office:value-type="time" office:time-value="PT25H05M00S"',
      '<text:p>05:00</text:p>',
      '25:05',
    ],
    ['minutes', 'office:value-type="time" office:time-value="PT90M"', '<text:p>1 h</text:p>', '01:30'],
    [
      'a phone',
      'office:value-type="float" office:value="1712345678"',
      '<text:p>0171 2345678</text:p>',
      '0171 2345678',
    ],
    ['a number without a text', 'office:value-type="float" office:value="7"', '', '7'],
  ])('has %s', async (_, attributes, text, wanted) => {
    expect(await readOds(row(cell(text, attributes)))).toEqual([['clients:1', wanted]]);
  });

  it('has repeated cells and rows, and leaves covered cells blank', async () => {
    const a = cell('<text:p>a</text:p>', 'table:number-columns-repeated="2"');
    const covered = '<table:covered-table-cell><text:p>x</text:p></table:covered-table-cell>';
    const blank = cell('', 'table:number-columns-repeated="16380"');
    const blankRow = row(blank, 'table:number-rows-repeated="1048570"');
    const rows = `${row(cell(''), 'table:number-rows-repeated="2"')}${row(`${a}${covered}${cell('<text:p>b</text:p>')}${blank}`, 'table:number-rows-repeated="3"')}${blankRow}`;
    expect(await readOds(rows)).toEqual([['clients:3×3', 'a', 'a', '', 'b']]);
  });

  it('names hidden tables, and may be a flat file', async () => {
    const styles =
      '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>';
    const rest = `<table:table table:name="old" table:style-name="ta2">${row(cell('<text:p>b</text:p>'))}</table:table>`;
    const text = content(row(cell('<text:p>a</text:p>')), rest).replace('<office:body>', `${styles}$&`);
    const rows = [
      ['clients:1', 'a'],
      ['old:1', 'b', 'hidden'],
    ];
    expect(await read(zipTexts({ 'content.xml': text }), 'ods')).toEqual(rows);
    expect(await read(text.replaceAll('document-content', 'document'), 'ods')).toEqual(rows);
  });

  it.each([
    [
      'with too many rows',
      content(row(cell('<text:p>a</text:p>'), 'table:number-rows-repeated="9999999"')),
      'has row 9,999,999',
    ],
    [
      'with too many cells',
      content(row(cell('<text:p>a</text:p>', 'table:number-columns-repeated="99999999"'))),
      'more than 16,384 cells',
    ],
    ['that is cut', content(row(cell('<text:p>a</text:p>'))).slice(0, -60), 'cut off'],
  ])('is refused %s', async (_, text, message) => {
    await expect(read(zipTexts({ 'content.xml': text }), 'ods')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
    });
  });

  it('is refused with a password', async () => {
    const manifest = '<manifest:manifest><manifest:encryption-data/></manifest:manifest>';
    const file = zipTexts({ 'content.xml': '\x01\x02', 'META-INF/manifest.xml': manifest });
    await expect(read(file, 'ods')).rejects.toMatchObject({ message: 'clients is protected by a password.' });
  });

  it.each([
    [
      'says that it is too large',
      { size: 1_100_000_000 },
      'clients is too large: it unpacks to more than 1 GB.',
    ],
    ['is not what its sum says', { crc: 1 }, 'clients is damaged: its content is incomplete.'],
  ])('is refused if its content %s', async (_, lie, message) => {
    const file = zip([{ ...toPart('content.xml', content('')), ...lie }]);
    await expect(read(file, 'ods')).rejects.toMatchObject({ code: 'usage', message });
  });

  it('is refused while it is unpacked if that does not end', async () => {
    const blank = row(cell('', 'table:number-columns-repeated="99"'), 'table:number-rows-repeated="9"');
    const endless = zip([toPart('content.xml', content(blank.repeat(50_000)).slice(0, -60))]);
    expect(endless.length).toBeLessThan(100_000);
    await expect(read(endless, 'ods')).rejects.toMatchObject({ message: expect.stringContaining('cut off') });
  });

  it.each([10, 30])('is refused without its last %i bytes', async (cut) => {
    const file = zipTexts({ 'content.xml': content('') }, { cut });
    await expect(read(file, 'ods')).rejects.toMatchObject({
      message: 'clients is damaged: its end is missing.',
    });
  });
});
