import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readMarkup } from '../../../src/bulk/sheet/read-markup.ts';
import { collect } from '../../support/collect.ts';
import { writeSheet } from '../input/sheet-file.ts';

type Format = 'html' | 'xml' | 'ods';

async function read(content: string | Buffer, format: Format) {
  using file = writeSheet(content);
  const form = { format, encoding: 'utf-8' } as const;
  const rows = await collect(readMarkup(file.path, { form, name: 'clients' }));
  return rows.map(({ table, line, repeat, cells, problem }) => [
    ...[`${table}:${line}${repeat > 1 ? `×${repeat}` : ''}`, ...cells],
    ...(problem === undefined ? [] : [problem]),
  ]);
}

const readHtml = (rows: string) => read(`<html><body><table>${rows}</table></body></html>`, 'html');

/** An .ods of some parts. */
function zip(parts: Readonly<Record<string, string>>, { cut = 0 } = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const [name, text] of Object.entries(parts)) {
    const packed = deflateRawSync(text);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(8, 4);
    for (const [index, value] of [crc32(text), packed.length, text.length].entries())
      facts.writeUInt32LE(value, 10 + 4 * index);
    facts.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(Buffer.concat(locals).length, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), facts, place, Buffer.from(name));
    locals.push(Buffer.from('PK\x03\x04', 'latin1'), facts, Buffer.from(name), packed);
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(parts).length, 10);
  end.writeUInt32LE(Buffer.concat(locals).length, 16);
  const file = Buffer.concat([...locals, ...directory, end]);
  return file.subarray(0, file.length - cut);
}

const content = (rows: string, rest = '') =>
  `<?xml version="1.0"?><office:document-content><office:body><office:spreadsheet><table:table table:name="clients">${rows}</table:table>${rest}</office:spreadsheet></office:body></office:document-content>`;
const readOds = (rows: string, rest = '') => read(zip({ 'content.xml': content(rows, rest) }), 'ods');
const readXml = (rows: string, styles = '') =>
  read(
    `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Styles>${styles}</Styles><Worksheet ss:Name="clients"><Table>${rows}</Table></Worksheet></Workbook>`,
    'xml',
  );

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
      'a day as it is shown',
      'office:value-type="date" office:date-value="2026-05-15"',
      '<text:p>15.05.</text:p>',
      '15.05.',
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
    await expect(read(zip({ 'content.xml': text }), 'ods')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
    });
  });

  it('is refused with a password', async () => {
    const manifest = '<manifest:manifest><manifest:encryption-data/></manifest:manifest>';
    const file = zip({ 'content.xml': '\x01\x02', 'META-INF/manifest.xml': manifest });
    await expect(read(file, 'ods')).rejects.toMatchObject({ message: 'clients is protected by a password.' });
  });

  it.each([10, 30])('is refused without its last %i bytes', async (cut) => {
    const file = zip({ 'content.xml': content('') }, { cut });
    await expect(read(file, 'ods')).rejects.toMatchObject({
      message: 'clients is damaged: its end is missing.',
    });
  });
});

describe('an XML Spreadsheet 2003', () => {
  const cell = (type: string, text: string, attributes = '') =>
    `<Cell ${attributes}><Data ss:Type="${type}">${text}</Data></Cell>`;

  it.each([
    ['String', '00042', '00042'],
    ['String', 'a&#10;b  c', 'a\nb  c'],
    ['DateTime', '1985-05-15T00:00:00.000', '1985-05-15'],
    ['DateTime', '2026-11-24T10:30:00.000', '2026-11-24 10:30'],
    ['DateTime', '1899-12-31T10:30:00.000', '10:30'],
    ['Number', '4.93023125018E11', '493023125018'],
    ['Number', '45.5', '45.5'],
    ['Boolean', '1', 'true'],
    ['Error', '#N/A', '#N/A'],
  ])('has a %s %j', async (type, text, wanted) => {
    expect(await readXml(`<Row>${cell(type, text)}</Row>`)).toEqual([['clients:1', wanted]]);
  });

  it('has the zeros that a format shows', async () => {
    const styles = '<Style ss:ID="s1"><NumberFormat ss:Format="00000"/></Style>';
    expect(await readXml(`<Row ss:StyleID="s1">${cell('Number', '42')}</Row>`, styles)).toEqual([
      ['clients:1', '00042'],
    ]);
  });

  it('has rows and cells in their places, without comments', async () => {
    const rows = `<Row ss:Index="3">${cell('String', 'a', 'ss:MergeAcross="1"')}${cell('String', 'b')}${cell('String', 'c', 'ss:Index="6"')}</Row><Row ss:Span="2"/><Row><Cell><Data ss:Type="String">d</Data><Comment><ss:Data>x</ss:Data></Comment></Cell></Row>`;
    expect(await readXml(rows)).toEqual([
      ['clients:3', 'a', '', 'b', '', '', 'c'],
      ['clients:7', 'd'],
    ]);
  });

  it('is refused if it is cut', async () => {
    const text =
      '<?xml version="1.0"?><Workbook><Worksheet ss:Name="a"><Table><Row><Cell><Data ss:Type="String">a</Data></Cell></Row>';
    await expect(read(text, 'xml')).rejects.toMatchObject({ message: expect.stringContaining('cut off') });
  });
});
