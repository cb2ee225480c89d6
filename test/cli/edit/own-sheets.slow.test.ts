import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { hasLibreOffice } from '../../bulk/input/libreoffice.ts';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';
import { addHostileRecords, columnsOf, expectNoChange, hostileTexts, list, nouns } from './own-sheets.ts';

const slow = 600_000;
/** Gnumeric takes a carriage return in quotes for the end of a row: such a sheet is refused. */
const texts = hostileTexts.filter((text) => !text.includes('\r'));
/** No program knows days before March 1900: they are refused. */
const birthdays = ['1990-03-04', '1900-03-01', '2000-02-29', null];
let world: EditWorld;

beforeAll(async () => {
  world = await openEditWorld({ clients: 0 });
  await addHostileRecords(world, { texts, birthdays });
}, slow);
afterAll(() => world[Symbol.asyncDispose]());

const characters = 'Text - txt - csv (StarCalc):44,34,76,1';

/** Open a file in a spreadsheet program and save it in a format. Return the path. */
const programs = {
  LibreOffice(path: string, extension: string): string {
    const folder = world.pathOf(`libreoffice-${extension}`);
    const as = extension === 'csv' ? `csv:${characters},,1033,false,true` : extension;
    const opened = path.endsWith('.csv') ? [`--infilter=${characters}`] : [];
    const settings = `-env:UserInstallation=${pathToFileURL(world.pathOf('settings'))}`;
    start('soffice', [settings, '--headless', ...opened, '--convert-to', as, '--outdir', folder, path]);
    return join(folder, basename(path).replace(/\w+$/, extension));
  },
  Gnumeric(path: string, extension: string): string {
    const folder = world.pathOf(`gnumeric-${extension}`);
    mkdirSync(folder, { recursive: true });
    const saved = join(folder, basename(path).replace(/\w+$/, extension));
    start('ssconvert', [path, saved]);
    return saved;
  },
};

type Program = keyof typeof programs;

function start(program: string, argv: readonly string[]): void {
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const { status, stderr } = spawnSync(program, argv, { encoding: 'utf8', timeout: slow, env });
  if (status !== 0) throw new Error(`${program} has failed: ${stderr}`);
}

const isInstalled: Readonly<Record<Program, boolean>> = {
  LibreOffice: hasLibreOffice(),
  Gnumeric: spawnSync('ssconvert', ['--version'], { stdio: 'ignore' }).status === 0,
};

const ways = (['LibreOffice', 'Gnumeric'] as const).flatMap((program) =>
  ['xlsx', 'csv'].flatMap((from) => ['xlsx', 'csv'].map((to) => [program, from, to] as const)),
);

describe.each(ways)('%s opens a list as %s and saves it as %s', (program, from, to) => {
  it.skipIf(!isInstalled[program] && process.env['CI'] === undefined).each(nouns)(
    'so that nothing changes in the %s',
    async (noun) => {
      const flags = [...columnsOf[noun].all, '--excel'];
      const path = await list(world, noun, { file: `list.${from}`, flags });
      await expectNoChange(world, noun, programs[program](path, to), texts.length);
    },
    slow,
  );
});
