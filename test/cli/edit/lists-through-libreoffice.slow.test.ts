import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';
import { hasLibreOffice, runLibreOffice } from '../../support/libreoffice.ts';
import { bySpeed } from '../../support/speed.ts';
import { type Country, countries, type Person, toPerson } from './typed-lists.ts';

const slow = 600_000;
const rows = bySpeed({ full: 24, long: 2_000 });
let world: EditWorld;

beforeAll(async () => {
  world = await openEditWorld({ clients: 0, hourlyLimit: 1_000_000 });
}, slow);
afterAll(() => world[Symbol.asyncDispose]());

/** One language in each format, and in a long run all in both: LibreOffice takes seconds to start. */
const formatsOf = (index: number): readonly ('csv' | 'xlsx')[] => {
  const both = ['csv', 'xlsx'] as const;
  const few = both.filter((_, format) => index === 2 * (format + 1));
  return bySpeed<typeof few>({ full: few, long: [...both] });
};

const filter = 'Text - txt - csv (StarCalc)';

/** What LibreOffice with the settings of a country saves of a list that is typed into it. */
function save(country: Country, people: readonly Person[], format: 'xlsx' | 'csv'): string {
  const folder = world.pathOf(`${country.country}-${format}`);
  mkdirSync(folder, { recursive: true });
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const lines = [country.headings.split('|'), ...people.map(({ cells }) => cells)];
  writeFileSync(
    join(folder, 'typed.csv'),
    lines.map((cells) => `${cells.map(quote).join(',')}\r\n`).join(''),
  );
  const { locale, delimiter, characterSet } = country;
  const saved = `csv:${filter}:${delimiter.charCodeAt(0)},34,${characterSet},1,,${locale},false,true`;
  const opened = `--infilter=${filter}:44,34,76,1,,${locale},false,true`;
  const as = format === 'csv' ? saved : format;
  runLibreOffice([opened, '--convert-to', as, '--outdir', 'saved', 'typed.csv'], folder);
  return join(folder, 'saved', `typed.${format}`);
}

describe.skipIf(!hasLibreOffice && process.env['CI'] === undefined)(
  'a client list that LibreOffice saves',
  () => {
    it.each(
      countries.flatMap((country, index) =>
        formatsOf(index).map((format) => ({ ...country, country, format })),
      ),
    )(
      'in $language as $format is added with every cell where it belongs',
      async ({ country, format }) => {
        const prefix = `${country.country}${format.slice(0, 1)}`;
        const people = Array.from({ length: rows }, (_, index) => toPerson(country, index, prefix));
        await world.client.salon.update({ country: country.country });
        const file = save(country, people, format);
        const isNamed = format === 'csv' && country.encoding !== 'utf-8';
        const argv = [
          ...[
            'clients',
            'create',
            '--file',
            file,
            '--yes',
            '--json',
            '--ignore-columns',
            '--split-names',
            'last-word',
          ],
          ...(isNamed ? ['--encoding', country.encoding] : []),
        ];
        const ran = await world.salon(argv);
        expect(ran.exitCode, ran.stderr).toBe(0);
        expect(ran.stderr).toContain(`Not taken: ${country.headings.split('|').at(-1)}`);
        const added = (await world.clients()).filter(({ external_id }) =>
          String(external_id).startsWith(`${prefix}-`),
        );
        expect(added).toHaveLength(rows);
        const byNumber = new Map(added.map((client) => [client['external_id'], client]));
        for (const { fields } of people) expect(byNumber.get(fields['external_id'])).toMatchObject(fields);
      },
      slow,
    );
  },
);
