import { describe, expect, it } from 'vitest';
import { createCellRules } from '../../../src/bulk/input/cell-values.ts';
import { detectSheetForm } from '../../../src/bulk/input/detect-sheet.ts';
import type { EditOperation } from '../../../src/bulk/input/edit-fields.ts';
import { type SheetValidation, validateSheet } from '../../../src/bulk/input/validate-sheet.ts';
import { openRecordJoin } from '../../../src/bulk/plan/record-join.ts';
import type { SheetRow } from '../../../src/bulk/sheet/sheet-form.ts';
import { createPhones } from '../../../src/text/phone-reader.ts';
import { writeSheet } from './sheet-file.ts';

type Chosen = Partial<EditOperation> &
  Pick<Partial<SheetValidation>, 'allowNewFields'> & {
    readonly serverFields?: readonly string[];
    readonly country?: string | undefined;
  };

async function check(
  text: string,
  { noun, verb, match, allowNewFields, serverFields = [], country }: Chosen = {},
) {
  using file = writeSheet(text);
  const edit: EditOperation = {
    noun: noun ?? 'clients',
    verb: verb ?? 'update',
    match: match ?? 'id',
    force: false,
  };
  const form = await detectSheetForm(file.path);
  const now = new Date('2026-11-21T12:00:00Z');
  using rows = openRecordJoin<SheetRow['cells']>(edit.match);
  const phones = createPhones(country);
  const readFieldNames = async () => serverFields;
  const rules = createCellRules({ ...form, noun: edit.noun, timeZone: 'Europe/Berlin', phones });
  const options = { edit, now, rules, phones, allowNewFields, readFieldNames, rows };
  const { knownFields: _, ...report } = await validateSheet(file.path, form, options);
  return report;
}

async function findFaults(text: string, chosen: Chosen = {}) {
  const { problems } = await check(text, chosen);
  return problems.map(({ line, column, code }) => [line, column, code]);
}

const create = { verb: 'create' } as const;
const appointment = 'client_id,stylist_id,service,start_time,duration';

describe('a duration in a sheet', () => {
  const find = async (cell: string) => {
    const text = `id,duration\napt_00000000000000000000000001,"${cell}"\n`;
    return (await check(text, { noun: 'appointments' })).problems.map(({ reason }) => reason);
  };

  it.each(['45', '0:45', '00:45:00', '1h 15m', '45 minutes', 'PT45M', '24:00', '45.0'])(
    'may be %s',
    async (cell) => {
      expect(await find(cell)).toEqual([]);
    },
  );

  it.each([
    ['0.75', '0.75 may be minutes, hours or days: write minutes, such as 45, or a time, such as 0:45.'],
    ['1,5', '1,5 may be minutes, hours or days: write minutes, such as 45, or a time, such as 0:45.'],
    ['short', 'short is no duration: write minutes, such as 45, or a time, such as 0:45.'],
    ['0:45:30', '0:45:30 is no duration: write minutes, such as 45, or a time, such as 0:45.'],
    ['0', '0 is no duration: write minutes, such as 45, or a time, such as 0:45.'],
    ['36:00', 'Must be at most 1440, not 2160.'],
  ])('is refused where it is %s', async (cell, reason) => {
    expect(await find(cell)).toEqual([reason]);
  });
});

describe('validateSheet', () => {
  it('counts lists with commas, which separate nothing', async () => {
    const text = 'id,tags\ncli_1,"vip, new"\ncli_2,"a,b;c"\ncli_3,"[""a,b""]"\ncli_4,vip\n';
    expect((await check(text)).commaCells).toEqual(
      new Map([['tags', { count: 1, example: expect.stringContaining(',') }]]),
    );
  });

  it('counts phone numbers of new clients without the + of their country code', async () => {
    const text = 'phone\n447700900412\n+447700900412\n07700900412\n3125550156\n49 171 2345678\n';
    expect((await check(text, create)).phoneNotes.get('bare')).toEqual({ count: 2, lines: [2, 6] });
    const many = await check(text + '447700900412\n'.repeat(9), create);
    expect(many.phoneNotes.get('bare')).toEqual({ count: 11, lines: [2, 6, 7, 8, 9] });
  });

  it.each([
    ['an extension', '+49 30 123456 ext. 12', create, 'DE', ['extension']],
    ['an extension of a national number', '030 123456 x12', {}, 'DE', ['extension', 'national']],
    ['a number that its country does not have', '+1 123 555 0123', create, 'DE', ['invalid']],
    ['a number that is too short', '+44 20 7946', create, 'GB', ['written']],
    ['a local number', '23125018', create, 'DE', ['bare']],
    ['a national number of an unknown country', '030 23125018', create, undefined, ['national']],
    ['nothing of a number in E.164', '+493023125018', create, 'DE', []],
  ] as const)('notes %s', async (_, phone, chosen, country, notes) => {
    const { phoneNotes } = await check(`id,phone\ncli_1,${phone}\n`, { ...chosen, country });
    expect([...phoneNotes]).toEqual(notes.map((note) => [note, { count: 1, lines: [2] }]));
  });

  it('accepts a valid sheet and counts its rows', async () => {
    const text = 'id,email,tags,birthday\ncli_1,a@b.c,vip,1990-02-28\ncli_2,,\\N,\n';
    expect(await check(text)).toEqual({
      rows: 2,
      problemCount: 0,
      shortRows: 0,
      asides: { count: 0, rows: [] },
      problems: [],
      rowProblems: new Map(),
      ignoredColumns: [],
      commaCells: new Map(),
      ...{ phoneNotes: new Map(), serviceDurations: 0, leftOutRows: new Map(), organisations: [] },
    });
  });

  it.each([
    ['an unknown column, once', 'id,emial\ncli_1,x\ncli_2,y\n', {}, [[1, 'emial', 'unknown_field']]],
    [
      'an unknown member, once',
      '{"id":"a","emial":1}\n{"id":"b","emial":2}\n',
      {},
      [[1, 'emial', 'unknown_field']],
    ],
    ['a missing match column, once', 'email\na@b.c\nb@b.c\n', {}, [[1, 'id', 'required']]],
    [
      'no member to match by, in every row',
      '{"email":"a@b.c"}\n{"email":"b@b.c"}\n',
      {},
      [
        [1, 'id', 'required'],
        [2, 'id', 'required'],
      ],
    ],
    ['a blank match cell', 'id,notes\n ,x\n', {}, [[2, 'id', 'required']]],
    ['a match cell that clears', 'id,notes\n\\N,x\n', {}, [[2, 'id', 'required']]],
    ['an invalid ID', 'id,notes\n../x,x\n', {}, [[2, 'id', 'invalid_value']]],
    [
      'several values of one row',
      'id,email,phone\ncli_1,x,y\n',
      {},
      [
        [2, 'email', 'invalid_value'],
        [2, 'phone', 'invalid_value'],
      ],
    ],
    [
      'a birthday to come',
      'id,birthday\na,2026-11-22\nb,2026-11-21\n',
      {},
      [[2, 'birthday', 'invalid_value']],
    ],
    [
      'what cannot be cleared',
      'id,sms_marketing_consent\na,\\N\n',
      {},
      [[2, 'sms_marketing_consent', 'invalid_value']],
    ],
    ['a row with too many cells', 'id,notes\na,x,y\nb,x\n', {}, [[2, null, 'width']]],
    ['a new client without a name', 'first_name,email,notes\n,,x\nAna,,\n', create, [[2, null, 'required']]],
    ['a new client with a blank name', '{"first_name":" "}\n', create, [[1, null, 'required']]],
    [
      'a new appointment that lacks a field',
      `${appointment}\ncli_1,sty_1,Cut,,45m\n`,
      { ...create, noun: 'appointments' },
      [[2, 'start_time', 'required']],
    ],
    [
      'a required field that is cleared',
      `${appointment}\ncli_1,sty_1,\\N,2026-11-21 09:00,45\n`,
      { ...create, noun: 'appointments' },
      [[2, 'service', 'invalid_value']],
    ],
  ] as const)('finds %s', async (_, text, chosen, expected) => {
    expect(await findFaults(text, chosen)).toEqual(expected);
  });

  it.each([
    ['the same id', 'id,notes\na,x\nb,y\na,z\n', {}, [[4, 'id', 'duplicate']]],
    [
      'the same email address',
      'email,notes\nA@b.c,x\na@B.c,y\n',
      { match: 'email' },
      [[3, 'email', 'duplicate']],
    ],
    [
      'the same id to be deleted',
      'id\na\na\na\n',
      { verb: 'delete' },
      [
        [3, 'id', 'duplicate'],
        [4, 'id', 'duplicate'],
      ],
    ],
  ] as const)('finds %s twice', async (_, text, chosen, expected) => {
    expect(await findFaults(text, chosen)).toEqual(expected);
  });

  it('names the first line of a duplicate', async () => {
    const { problems } = await check('id,notes\na,x\nb,y\na,z\n');
    expect(problems[0]?.reason).toBe('Line 2 has the same id.');
  });

  it.each([
    ['fields that the server has', 'id,loyalty\na,5\n', { serverFields: ['loyalty'] }],
    ['new fields if they are allowed', 'id,loyalty\na,5\n', { allowNewFields: true }],
    [
      'a new client named by new fields if they are allowed',
      'given_name,notes\nAna,x\n',
      { verb: 'create', allowNewFields: true } as const,
    ],
    ['two identical new clients', 'email\na@b.c\na@b.c\n', create],
    ['any columns of a delete', 'id,loyalty,email\na,5,x\n', { verb: 'delete' }],
    [
      'times without a zone',
      `${appointment}\ncli_1,sty_1,Cut,2026-11-21 09:00,1h30m\n`,
      { ...create, noun: 'appointments' },
    ],
  ] as const)('lets %s through', async (_, text, chosen) => {
    expect(await findFaults(text, chosen)).toEqual([]);
  });

  it.each([
    ['an update', 'id,email,updated_at\na,,yesterday\n', {}, ['updated_at']],
    ['an update by email', 'id,email\n?,a@b.c\n', { match: 'email' }, ['id']],
    ['a create', 'id,email,created_at\n?,a@b.c,\n', create, ['id', 'created_at']],
    ['a delete', 'id,email\na,x\n', { verb: 'delete' }, ['email']],
    [
      'appointments from an export',
      `id,${appointment},cancellation_reason\n?,cli_1,sty_1,Cut,2026-11-21T09:00:00Z,45,ill\n`,
      { ...create, noun: 'appointments' },
      ['id', 'cancellation_reason'],
    ],
  ] as const)('ignores and reports columns that %s does not use', async (_, text, chosen, ignoredColumns) => {
    expect(await check(text, chosen)).toMatchObject({ problemCount: 0, ignoredColumns });
  });

  it('counts all problems and keeps the first thousand', async () => {
    const rows = Array.from({ length: 1_500 }, (_, index) => `cli_${index},x\n`);
    const { problemCount, problems } = await check(`id,email\n${rows.join('')}`);
    expect([problemCount, problems.length, problems.at(-1)?.line]).toEqual([1_500, 1_000, 1_001]);
  });

  it('finds duplicates thousands of rows apart', async () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => `id_${(index * 7919) % 4_999}`);
    expect(await findFaults(`id\n${ids.join('\n')}\n`, { verb: 'delete' })).toEqual([
      [5_001, 'id', 'duplicate'],
    ]);
  });

  it.each([
    'Summe;2;',
    'Razem;4;',
    'Gesamt: 2;;',
    ';Anzahl Kunden: 2;',
    'Total;;1.234,50 €',
    'TOTAL GENERAL: 12;;',
    'Ogółem;;',
    'Totaal: 2;2;2',
    'Seite 1 von 2;;',
    'First_Name;Last_Name;',
    'first_name;last_name;notes',
    'Gedruckt am 28.11.2026 um 10:15;;',
  ])('does not take %s for a record, and names it', async (row) => {
    const text = `first_name;last_name;notes\nNia;Berg;\n${row}\nTom;Sol;\n`;
    const { rows, problems, asides } = await check(text, create);
    expect([rows, problems]).toEqual([2, []]);
    expect(asides).toEqual({
      count: 1,
      rows: [{ line: 3, text: row.split(';').find((cell) => cell !== '') }],
    });
  });

  it.each([
    'Total;Berg;',
    'Suma;;0171 5550101',
    'Summer;2;',
    'Anna: 2;;',
    'Nia;2;',
    'first_name;Berg;',
    'Page;3;',
  ])('takes %s for a client', async (row) => {
    const { rows, problems } = await check(`first_name;last_name;notes\n${row}\n`, create);
    expect([rows, problems]).toEqual([1, []]);
  });

  it('names new clients with the external ID of an earlier row', async () => {
    const text = 'first_name,external_id\nNia,0042\nTom,42\nAna,\nEva,\nLea, 0042\nIda,\\N\nPia,\\N\n';
    expect((await check(text, create)).problems).toEqual([
      expect.objectContaining({ line: 6, column: 'external_id', reason: 'Line 2 has the same external_id.' }),
    ]);
  });
});
