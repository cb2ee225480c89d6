import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBulkEdits } from '../../../src/bulk/bulk-edits.ts';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';
import { hasLibreOffice, runLibreOffice } from '../../support/libreoffice.ts';
import { bySpeed, isLong } from '../../support/speed.ts';

const slow = 120_000;
const clients = bySpeed({ full: 200, long: 2_000 });
let world: EditWorld;

beforeAll(async () => {
  world = await openEditWorld({ clients, appointments: 300 });
}, slow);
afterAll(() => world[Symbol.asyncDispose]());

const filter = 'Text - txt - csv (StarCalc)';
/** CSV in UTF-8, as an English and a German LibreOffice save it. */
const [englishCsv, germanCsv] = [
  `csv:${filter}:44,34,76,1,,1033,false,true`,
  `csv:${filter}:59,34,76,1,,1031,false,true`,
];

interface Saving {
  readonly as: string;
  /** Reads a CSV as Windows-1252, as programs do that do not look at its mark. */
  readonly isMisread?: boolean;
}

/** Opens a file and saves it again, in another folder. Returns its path. */
function saveAgain(path: string, folder: string, { as, isMisread = false }: Saving): string {
  const characters = `--infilter=${filter}:44,34,${isMisread ? 1 : 76},1`;
  const opened = path.endsWith('.csv') ? [characters] : [];
  runLibreOffice([...opened, '--convert-to', as, '--outdir', world.pathOf(folder), path]);
  const saved = join(world.pathOf(folder), basename(path));
  if (!existsSync(saved)) throw new Error(`soffice has not written ${saved}.`);
  return saved;
}

async function expectUnchanged(file: string): Promise<string> {
  const ran = await world.salon(['clients', 'update', '--file', file, '--dry-run', '--json']);
  expect(ran.stdout, ran.stderr).toBe('[]\n');
  expect(ran.exitCode).toBe(0);
  expect(ran.stderr).toContain(`${clients.toLocaleString('en')} unchanged`);
  return ran.stderr;
}

type Case = readonly [title: string, file: string, flags: string[], saving: Saving, damaged: string[]];

const wellRead: readonly Case[] = [
  ['a CSV for spreadsheets, with semicolons', 'all.csv', ['--excel'], { as: germanCsv }, []],
  ['a plain CSV', 'all.csv', [], { as: englishCsv }, ['phone']],
];

describe.skipIf(!hasLibreOffice && process.env['CI'] === undefined)('LibreOffice', () => {
  it.each<Case>([
    ['a workbook', 'all.xlsx', [], { as: 'xlsx' }, []],
    [
      'a misread CSV',
      'all.csv',
      ['--excel'],
      { as: englishCsv, isMisread: true },
      ['first_name', 'last_name'],
    ],
    ...bySpeed({ full: [], long: wellRead }),
  ])(
    'saves %s of clients so that nothing changes',
    async (_title, file, flags, saving, damaged) => {
      await world.salon(['clients', 'list', ...flags, '-o', file]);
      const said = await expectUnchanged(saveAgain(world.pathOf(file), 'saved', saving));
      const found = Array.from(said.matchAll(/^(\w+): [\d,]+ cells damaged/gm), ([, field]) => field);
      expect(found.sort()).toEqual(damaged);
    },
    slow,
  );

  it.runIf(isLong)(
    'saves a CSV for spreadsheets twice so that nothing changes',
    async () => {
      await world.salon(['clients', 'list', '--excel', '-o', 'twice.csv']);
      const once = saveAgain(world.pathOf('twice.csv'), 'once', { as: englishCsv });
      const said = await expectUnchanged(saveAgain(once, 'again', { as: englishCsv }));
      expect(said).not.toContain('damaged');
    },
    slow,
  );

  it.each([['all.xlsx', 'xlsx'], ...bySpeed({ full: [], long: [['all.csv', englishCsv]] })])(
    'saves the local times of %s so that no appointment changes',
    async (file, as) => {
      const timeZone = 'Europe/London';
      await world.salon(['appointments', 'list', '--excel', '-o', file], { timeZone });
      const saved = saveAgain(world.pathOf(file), 'times', { as });
      const edits = createBulkEdits({ client: world.client, folder: world.pathOf('jobs'), timeZone });
      await using planned = await edits.planSheet(saved, { noun: 'appointments', verb: 'update' });
      expect(planned.plan.counts).toMatchObject({ rows: 300, none: 300 });
    },
    slow,
  );
});
