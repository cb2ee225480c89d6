import { describe, expect, it } from 'vitest';
import { detectSheetForm } from '../../../src/bulk/input/detect-sheet.ts';
import { leftOut, type UnknownColumn } from '../../../src/bulk/input/map-columns.ts';
import { readSheet } from '../../../src/bulk/input/read-sheet.ts';
import { delimiters } from '../../../src/bulk/sheet/sheet-form.ts';
import { newClient } from '../../../src/contract/client.ts';
import { collect } from '../../support/collect.ts';
import { encode, writeSheet } from './sheet-file.ts';

async function detect(content: string | Uint8Array, options = {}) {
  using file = writeSheet(content);
  return await detectSheetForm(file.path, { name: 'clients.csv', ...options });
}

const encodings = [
  { encoding: 'utf-8', hasByteOrderMark: false },
  { encoding: 'utf-8', hasByteOrderMark: true },
  { encoding: 'utf-16le', hasByteOrderMark: true },
  { encoding: 'utf-16be', hasByteOrderMark: true },
  { encoding: 'utf-16le', hasByteOrderMark: false },
  { encoding: 'utf-16be', hasByteOrderMark: false },
  { encoding: 'windows-1252', hasByteOrderMark: false },
] as const;

const forms = encodings.flatMap((encoding) =>
  delimiters.flatMap((delimiter) =>
    (['\n', '\r\n', '\r'] as const).map((lineEnd) => ({ ...encoding, delimiter, lineEnd })),
  ),
);

describe('a CSV', () => {
  it.each(forms)('is detected: $encoding, mark $hasByteOrderMark, $delimiter, $lineEnd', async (wanted) => {
    const lines = [
      ['id', 'first_name'],
      ['cli_1', '"Jürgen, ; \t | ""J"""'],
      ['cli_2', 'Zoë €'],
    ];
    const text = lines.map((cells) => cells.join(wanted.delimiter) + wanted.lineEnd).join('');
    using file = writeSheet(encode(text, wanted.encoding, wanted));
    const form = await detectSheetForm(file.path);
    expect(form).toMatchObject({ ...wanted, format: 'csv', columns: ['id', 'first_name'] });
    const rows = await collect(readSheet(file.path, form));
    expect(rows.map(({ cells }) => cells['first_name'])).toEqual(['Jürgen, ; \t | "J"', 'Zoë €']);
  });

  it.each([
    ['one column', 'email\na@b.c\n', ',', ['email']],
    ['decimal commas between semicolons', 'id;a;b\n1;1,5;2,5\n2;1,5;x\n', ';', ['id', 'a', 'b']],
    ['other delimiters in the header', '"a,b";c\n1;2\n', ';', ['a,b', 'c']],
    ['line breaks in cells', 'id,notes\n1,"a;b;c\nd;e;f"\n', ',', ['id', 'notes']],
    ['a line for Excel', 'sep=;\r\nid;a,b\r\n1;2\r\n', ';', ['id', 'a,b']],
    ['a line for Excel with a tab', 'sep=\t\nid\n1\n', '\t', ['id']],
    ['empty columns from Excel', 'id,name,,\n1,x,,\n', ',', ['id', 'name']],
    ['spaces around names', ' id , name\n1,x\n', ',', ['id', 'name']],
    ['blank lines before it', '\n\nid,name\n1,x\n', ',', ['id', 'name']],
    ['no line end at all', 'id,name\n1,x', ',', ['id', 'name']],
  ])('is detected with %s', async (_, text, delimiter, columns) => {
    expect(await detect(text)).toMatchObject({ format: 'csv', delimiter, columns });
  });

  it('has the line end outside of cells', async () => {
    expect(await detect('"a\nb",c\r\n1,2\r\n')).toMatchObject({ lineEnd: '\r\n' });
  });
});

describe('the format', () => {
  it.each([
    ['json', null, '[{"id":"a"}]'],
    ['json', null, '\n [\n  {"id": "a"},\n  {"id": "b"}\n]\n'],
    ['json', null, '\uFEFF[{"id":"a"}]'],
    ['json', 'data', '{"data":[{"id":"a"}],"pagination":{"total":1}}'],
    ['json', 'items', '{"tags":["a"],"meta":{"x":[1]},"items":[\n{"id":"a"}]}'],
    ['ndjson', null, '{"id":"a"}\n{"id":"b","visits":[{"at":1}]}\n'],
    ['ndjson', null, '{"id":"a","tags":["vip"]}'],
    ['ndjson', null, '{"id":}\n{"id":"b"}\n'],
    ['csv', null, '[id],name\n1,x\n'],
    ['csv', null, '{id},name\n1,x\n'],
  ])('%s (list in %s) is detected from %j', async (format, member, text) => {
    expect(await detect(text)).toMatchObject({ format, member });
  });

  it('is the one in the options', async () => {
    expect(await detect('{"visits":[{"at":1}]}', { format: 'ndjson' })).toMatchObject({ format: 'ndjson' });
  });
});

describe('a file that is not a sheet', () => {
  it.each([
    ['an empty file', '', 'clients.csv is empty.'],
    ['only blank lines', '\n \r\n', 'clients.csv is empty.'],
    ['only a header', 'id,name\r\n,\r\n', 'clients.csv has no rows below its header.'],
    ['an empty list', '[]', 'clients.csv has no rows.'],
    ['half an .xlsx', Buffer.from('PK\x03\x04rest'), 'clients.csv is damaged: its end is missing.'],
    [
      'an .odt',
      `PK\x03\x04${'x'.repeat(26)}mimetypeapplication/vnd.oasis.opendocument.text`,
      'clients.csv is an OpenDocument file (text).',
    ],
    ['an .xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'clients.csv is an Excel 97-2003 workbook (.xls).'],
    ['a PDF', '%PDF-1.7\n', 'clients.csv is a PDF.'],
    [
      'an .xls as BIFF without OLE2',
      Buffer.from('0908080000051000', 'hex'),
      'clients.csv is an Excel 97-2003 workbook (.xls).',
    ],
    [
      'other XML',
      '<?xml version="1.0"?><clients/>',
      'clients.csv is an XML file, but none of Excel or LibreOffice.',
    ],
    [
      'a workbook of Gnumeric',
      '<?xml version="1.0"?><gnm:Workbook xmlns:gnm="http://www.gnumeric.org/v10.dtd">',
      'clients.csv is an XML file, but none of Excel or LibreOffice.',
    ],
    ['a gzip', Buffer.from('1f8b0800', 'hex'), 'a compressed file'],
    ['zero bytes', 'id,name\n1,x\n2,\0\n', 'line 3 has a zero byte.'],
    ['a column without a name', 'id,,name\n1,,x\n', 'clients.csv, line 1: Column 2 has no name.'],
    ['a repeated column name', '\nid,name,id\n1,x,1\n', 'clients.csv, line 2: Two columns are named id.'],
    ['an open quote in the header', 'id,"name\n1,x\n', 'clients.csv, line 1: A quote is not closed.'],
    ['UTF-8 with a damaged line', Buffer.from('69640affc3bc0ac3a40a', 'hex'), 'line 2 is not valid UTF-8'],
    [
      'UTF-8 by its mark, but not by its bytes',
      Buffer.from('efbbbf69640afc0a', 'hex'),
      'line 2 is not valid UTF-8',
    ],
    [
      'UTF-16 with half a character',
      Buffer.from('fffe6900640009000a003dd80a00', 'hex'),
      'line 2 is not valid UTF-16',
    ],
    ['UTF-8 that is cut off', Buffer.from('69640ac3bc0ac3', 'hex'), 'line 3 is not valid UTF-8'],
  ])('is refused: %s', async (_, content, message) => {
    await expect(detect(content)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
    });
  });

  it.each(['', '\n', 'id,name\n', '[]'])('without rows gets a hint: %j', async (content) => {
    await expect(detect(content)).rejects.toMatchObject({
      hint: expect.stringContaining('has one row per record'),
    });
  });

  it('is refused as JSON without a list', async () => {
    await expect(detect('{"data":[]}', { format: 'json' })).rejects.toMatchObject({
      code: 'usage',
      message: 'clients.csv has no list of objects.',
    });
  });

  it('is refused if it does not exist', async () => {
    await expect(detectSheetForm('/nowhere/clients.csv')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('Cannot read /nowhere/clients.csv'),
    });
  });
});

describe('a column with an unknown heading', () => {
  async function guess(text: string): Promise<unknown[]> {
    const found: unknown[] = [];
    const chooseFields = async (columns: readonly UnknownColumn[]) => {
      found.push(...columns.map(({ likely }) => likely));
      return columns.map(({ heading }) => [heading, leftOut] as const);
    };
    const knownFields = Object.keys(newClient.properties);
    await detect(text, { knownFields, recognises: 'clients', asksUnknown: true, chooseFields });
    return found;
  }

  it.each([
    ['phone', ['0171/234 56 78', '+48 600 100 200']],
    ['phone', ['600100200', '600-100-201', '600 100 202']],
    ['email', ['a@b.example', 'c@d.example', '-']],
    ['birthday', ['31.12.80', '1.2.1975', '31.2.88', '4.5.2012']],
    ['birthday', ['1980-12-31', '5 maja 1999']],
    [undefined, ['03.05.2019', '01.02.2021']],
    [undefined, ['01/02/19', '02/03/20']],
    [undefined, ['01067', '53111']],
    [undefined, ['85040312345', '90010112345']],
    [undefined, ['Bonn', 'a@b.example']],
  ])('seems to have %s with %j', async (likely, values) => {
    expect(await guess(`Vorname;X;Y\n${values.map((value) => `Ana;${value};\n`).join('')}`)).toEqual([
      likely,
    ]);
  });

  it('does not seem to have what another one has', async () => {
    expect(await guess('Handy;X;Y;Z\n0171 2345678;0171 2345679;a@b.example;c@d.example\n')).toEqual([
      ...[undefined, 'email', undefined],
    ]);
  });
});

describe('the guard of an export for Excel', () => {
  it.each([
    ['is detected by a guarded cell', "id,notes\r\n1,'=x\r\n", true],
    ['is detected by the byte order mark', "\uFEFFid,notes\n1,'@x\n", true],
    ['is detected by another delimiter', "id;notes\n1;'-x\n", true],
    ['is not assumed in a plain CSV', "id,notes\n1,'=x\n", false],
    ['is not assumed if another formula is not guarded', "id,notes\r\n1,'=x\r\n2,@ana\r\n", false],
    ['is not assumed without formulas', "id,notes\r\n1,'tis\r\n2,-5\r\n", false],
  ])('%s', async (_, text, isGuarded) => {
    expect(await detect(text)).toMatchObject({ isGuarded });
  });

  it('is removed from columns as well', async () => {
    using file = writeSheet("id;'=note\r\n1;'=x\r\n");
    const form = await detectSheetForm(file.path);
    expect(await collect(readSheet(file.path, form))).toMatchObject([{ cells: { '=note': '=x' } }]);
  });

  it('is the one in the options', async () => {
    using file = writeSheet("id,notes\n1,'=x\n");
    const form = await detectSheetForm(file.path, { isGuarded: true });
    expect(await collect(readSheet(file.path, form))).toMatchObject([{ cells: { notes: '=x' } }]);
  });
});
