import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { EditWorld } from '../../support/edit-world.ts';

/** The zone of the salon, whose clocks go back in the night to 2026-10-25. */
const timeZone = 'Europe/Berlin';

/** Texts that formats, guards, marks and spreadsheet programs have a meaning for. */
export const hostileTexts: readonly string[] = [
  ...['a\tb', 'one\ntwo', 'one\r\ntwo', 'one\rtwo', '⏎ and ␉, typed', '␍', '‹U+202E›'],
  ...['"', '"quoted"', '"5 inch" nail', 'say "hi"', 'open "quote', '"a""b"', '"\n"'],
  ...['=1+1', '=HYPERLINK("x")', '+1', '-1', '@x', "'", "'quoted'", "'=1+1", "''=1+1", '＝1'],
  ...['#N/A', '#REF!', 'Err:502', 'N/A', '\\N', '\\', 'NULL', 'TRUE', 'false', 'Inf', 'NaN'],
  ...['00042', '1E5', '1e400', '1.50', '12345678901234567', '0x1F', '1,234', '50%', '€50', '(5)', '-5', '.5'],
  ...[
    '1-2',
    '3/4',
    '5 March',
    '2026-01-01',
    '2026-01-01 10:00',
    '12:30',
    '1/2/2020',
    '24.11.2026',
    '10:00 PM',
  ],
  ...['+447700900123', '(030) 123-456', '030.123456', '+1 (555) 010-0199'],
  ...[
    '\u202eabc',
    'a\u200bb',
    '\u05d0\u05d1',
    '\u0301x',
    '👩🏽‍🎨',
    'Čapek ﬁ 陽',
    'a\u00a0b',
    'Ã¼',
    'a;b|c,d',
  ],
  ...[
    '  lead and trail  ',
    ' ',
    'trailing ',
    '_x000D_ and _x0041_',
    '<b>&amp;</b>',
    '[1,2]',
    '{"a":1}',
    'sep=;',
  ],
  ...['x'.repeat(4_096), '😀'.repeat(2_000), 'https://a.example/?a=1&b=<2>'],
];

/** The beginning of a text, with whole characters. */
const cut = (text: string, length: number) => Array.from(text).slice(0, length).join('');

/** What an appointment costs, in cents. */
const prices = [0, null, 1, 5, 45, 100, 4_500, 17_550, 123_456_700, 99_999_999];
const starts = [
  '2026-10-24T22:00:00Z', // midnight in Berlin
  '2026-10-25T00:30:00Z', // 02:30, for the first time
  '2026-10-25T01:30:00Z', // 02:30, for the second time
  '2026-03-29T01:00:00Z',
  '2026-12-31T23:59:00Z',
  '1999-12-31T23:00:00Z',
];

const oddBirthdays = ['1990-03-04', '1899-12-31', '1900-02-28', '2000-02-29', null];

/** Adds a client and an appointment with each of the texts. */
export async function addHostileRecords(
  { client, service }: EditWorld,
  { texts = hostileTexts, birthdays = oddBirthdays } = {},
): Promise<void> {
  await client.salon.update({ time_zone: timeZone, currency: 'EUR' });
  const [stylist = ''] = service.stylistIds;
  const added = await Promise.all(
    texts.map((text, index) =>
      client.clients.create({
        first_name: cut(`N${text}`, 80),
        last_name: cut(text, 80),
        notes: text,
        external_id: cut(text, 200),
        tags: text.trim() === '' ? [] : [cut(text, 40), 'vip', `${cut(text, 40)};`],
        birthday: birthdays[index % birthdays.length] ?? null,
        phone: ['+447700900123', '(030) 12345-67', '07700900123', '+49 30 123456', null][index % 5] ?? null,
        email: `t${index}@rt.example`,
        email_marketing_consent: index % 2 === 0,
        preferred_stylist_id: index % 3 === 0 ? stylist : null,
      }),
    ),
  );
  await Promise.all(
    texts.map((text, index) =>
      client.appointments.create({
        client_id: added[index]?.record?.id ?? '',
        stylist_id: stylist,
        service: text.trim() === '' ? 'Cut' : cut(text, 200),
        start_time: starts[index % starts.length] ?? '',
        duration: 15 + (index % 50),
        notes: text,
        price: prices[index % prices.length] ?? null,
        allow_overlap: true,
      }),
    ),
  );
}

export const nouns = ['clients', 'appointments'] as const;

export type Noun = (typeof nouns)[number];

/** What `list` is asked for: its default columns, or every column, also those of people. */
export const columnsOf: Readonly<Record<Noun, Readonly<Record<'default' | 'all', readonly string[]>>>> = {
  clients: { default: [], all: ['-c', '+all,preferred_stylist_name'] },
  appointments: {
    default: [],
    all: ['-c', '+all,client_name,client_phone,client_email,stylist_name'],
  },
};

/** Where a list goes, and the flags for it; nothing for a pipe. */
type ListFormat = readonly [title: string, file: string | undefined, ...flags: string[]];

export const formats: readonly ListFormat[] = [
  ['CSV', 'list.csv'],
  ['CSV for Excel', 'list.csv', '--excel'],
  ['tab-separated text', 'list.tsv'],
  ['a workbook', 'list.xlsx'],
  ['JSON', 'list.json'],
  ['NDJSON', 'list.ndjson'],
  ['a pipe', undefined],
];

/** Writes the list of a noun, and returns the path. */
export async function list(
  world: EditWorld,
  noun: Noun,
  { file, flags }: { readonly file: string | undefined; readonly flags: readonly string[] },
): Promise<string> {
  const output = file === undefined ? [] : ['-o', file];
  const ran = await world.salon([noun, 'list', ...flags, ...output], { timeZone });
  expect(ran.exitCode, ran.stderr).toBe(0);
  if (file === undefined) writeFileSync(world.pathOf('piped.txt'), ran.stdout);
  return world.pathOf(file ?? 'piped.txt');
}

/** Reads a sheet as changes of the records, of which it makes none. */
export async function expectNoChange(
  world: EditWorld,
  noun: Noun,
  path: string,
  count = hostileTexts.length,
): Promise<void> {
  const ran = await world.salon([noun, 'update', '--file', path, '--dry-run', '--json'], { timeZone });
  expect({ changes: ran.stdout, exitCode: ran.exitCode }, ran.stderr).toEqual({
    changes: '[]\n',
    exitCode: 0,
  });
  expect(ran.stderr).toContain(`${count} unchanged`);
}
