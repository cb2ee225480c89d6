import { describe, expect, it } from 'vitest';
import { readTables } from './read-tables.ts';

const read = (text: string) => readTables(text, 'xml');
const readXml = (rows: string, styles = '') =>
  read(
    `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Styles>${styles}</Styles><Worksheet ss:Name="clients"><Table>${rows}</Table></Worksheet></Workbook>`,
  );

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

  it.each([
    ['dd\\.mm\\.yyyy', '31182', '1985-05-15'],
    ['Short Date', '31182', '1985-05-15'],
    ['General Date', '46364.59375', '2026-12-08 14:15'],
    ['Medium Time', '0.395833333333333', '09:30'],
    ['[h]:mm', '1.0451388888888888', '25:05'],
    ['Fixed', '45.5', '45.5'],
    ['General Number', '31182', '31182'],
    ['Yes/No', '1', '1'],
  ])('has a number whose format is %s', async (code, value, wanted) => {
    const styles = `<Style ss:ID="s1"><NumberFormat ss:Format="${code}"/></Style>`;
    expect(await readXml(`<Row>${cell('Number', value, 'ss:StyleID="s1"')}</Row>`, styles)).toEqual([
      ['clients:1', wanted],
    ]);
  });

  it('has days that count from 1904, and durations as days after 1899', async () => {
    const styles =
      '<Style ss:ID="s1"><NumberFormat ss:Format="d/m/yyyy"/></Style><Style ss:ID="s2"><NumberFormat ss:Format="[h]:mm"/></Style>';
    const day = cell('DateTime', '1985-05-15T00:00:00.000', 'ss:StyleID="s1"');
    const duration = cell('DateTime', '1900-01-01T01:05:00.000', 'ss:StyleID="s2"');
    expect(await readXml(`<Row>${day}${duration}</Row>`, styles)).toEqual([
      ['clients:1', '1985-05-15', '25:05'],
    ]);
    const rows = `<Row>${cell('Number', '29720', 'ss:StyleID="s1"')}${day}</Row>`;
    const text = `<Workbook><Date1904/><Styles>${styles}</Styles><Worksheet ss:Name="a"><Table>${rows}</Table></Worksheet></Workbook>`;
    expect(await read(text)).toEqual([['a:1', '1985-05-15', '1985-05-15']]);
  });

  it('has the format of a cell, else of its row, its column, its table or of all', async () => {
    const style = (id: string, zeros: string, rest = '') =>
      `<Style ss:ID="${id}" ${rest}>${zeros && `<NumberFormat ss:Format="${zeros}"/>`}</Style>`;
    const styles = [
      ...[style('Default', '00'), style('table', '000'), style('column', '0000'), style('row', '00000')],
      ...[style('cell', '000000'), style('child', '', 'ss:Parent="column"')],
    ].join('');
    const seven = (attributes = '') => cell('Number', '7', attributes);
    const columns =
      '<Column/><Column ss:Index="3" ss:Span="1" ss:StyleID="column"/><Column ss:StyleID="child"/>';
    const rows = `<Row>${seven().repeat(5)}</Row><Row ss:StyleID="row">${seven('ss:StyleID="cell"')}${seven().repeat(2)}</Row>`;
    const sheet = (name: string, attributes: string, inside: string) =>
      `<Worksheet ss:Name="${name}"><Table ${attributes}>${inside}</Table></Worksheet>`;
    const text = `<Workbook><Styles>${styles}</Styles>${sheet('a', 'ss:StyleID="table"', columns + rows)}${sheet('b', '', rows)}</Workbook>`;
    expect(await read(text)).toEqual([
      ['a:1', '007', '007', '0007', '0007', '0007'],
      ['a:2', '000007', '00007', '00007'],
      ['b:1', ...Array.from({ length: 5 }, () => '07')],
      ['b:2', '000007', '00007', '00007'],
    ]);
  });

  it('leaves cells blank that one merges, and names hidden worksheets', async () => {
    const rows = `<Row>${cell('String', 'a', 'ss:MergeDown="1"')}${cell('String', 'b')}</Row><Row>${cell('String', 'c', 'ss:Index="2"')}</Row>`;
    const options = (visible: string) =>
      `<x:WorksheetOptions><x:Visible>${visible}</x:Visible></x:WorksheetOptions>`;
    const sheet = (name: string, visible: string) =>
      `<Worksheet ss:Name="${name}"><Table>${rows}</Table>${options(visible)}</Worksheet>`;
    const text = `<Workbook>${sheet('one', 'SheetHidden')}${sheet('two', 'SheetVeryHidden')}${sheet('three', 'SheetVisible')}</Workbook>`;
    expect(await read(text)).toEqual([
      ...['one', 'two'].flatMap((name) => [
        [`${name}:1`, 'a', 'b', 'hidden'],
        [`${name}:2`, '', 'c', 'hidden'],
      ]),
      ['three:1', 'a', 'b'],
      ['three:2', '', 'c'],
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
    await expect(read(text)).rejects.toMatchObject({ message: expect.stringContaining('cut off') });
  });
});
