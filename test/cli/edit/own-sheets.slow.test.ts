import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';
import { isInstalled } from '../../support/gateway-process.ts';
import { hasLibreOffice, runLibreOffice } from '../../support/libreoffice.ts';
import { addHostileRecords, columnsOf, expectNoChange, hostileTexts, list, nouns } from './own-sheets.ts';

/** Gnumeric takes a carriage return in quotes for the end of a row: such a sheet is refused. */
const texts = hostileTexts.filter((text) => !text.includes('\r'));
/** No program knows days before March 1900: they are refused. */
const birthdays = ['1990-03-04', '1900-03-01', '2000-02-29', null];
let world: EditWorld;

beforeAll(async () => {
  world = await openEditWorld({ clients: 0 });
  await addHostileRecords(world, { texts, birthdays });
  for (const noun of nouns) {
    const flags = [...columnsOf[noun].all, '--excel'];
    for (const format of ['xlsx', 'csv']) await list(world, noun, { file: `${noun}.${format}`, flags });
  }
});
afterAll(() => world[Symbol.asyncDispose]());

const characters = 'Text - txt - csv (StarCalc):44,34,76,1';

/** Open files in a spreadsheet program, and save them in a format in a folder. */
const programs = {
  LibreOffice(folder: string, paths: readonly string[], extension: string): void {
    const as = extension === 'csv' ? `csv:${characters},,1033,false,true` : extension;
    const opened = paths.every((path) => path.endsWith('.csv')) ? [`--infilter=${characters}`] : [];
    runLibreOffice([...opened, '--convert-to', as, '--outdir', folder, ...paths]);
  },
  Gnumeric(folder: string, paths: readonly string[], extension: string): void {
    mkdirSync(folder, { recursive: true });
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    for (const path of paths) execFileSync('ssconvert', [path, toSaved(folder, path, extension)], { env });
  },
};

function toSaved(folder: string, path: string, extension: string): string {
  return join(folder, basename(path).replace(/\w+$/, extension));
}

type Program = keyof typeof programs;

const canRun: Readonly<Record<Program, boolean>> = {
  LibreOffice: hasLibreOffice,
  Gnumeric: isInstalled('ssconvert'),
};

const ways = (['LibreOffice', 'Gnumeric'] as const).flatMap((program) =>
  ['xlsx', 'csv'].flatMap((from) => ['xlsx', 'csv'].map((to) => [program, from, to] as const)),
);

describe.each(ways)('%s opens lists as %s and saves them as %s', (program, from, to) => {
  it.skipIf(!canRun[program] && process.env['CI'] === undefined)('so that nothing changes', async () => {
    const paths = nouns.map((noun) => world.pathOf(`${noun}.${from}`));
    const folder = world.pathOf(`${program}-${from}-${to}`);
    programs[program](folder, paths, to);
    for (const [index, noun] of nouns.entries()) {
      await expectNoChange(world, noun, toSaved(folder, paths[index] ?? '', to), texts.length);
    }
  });
});
