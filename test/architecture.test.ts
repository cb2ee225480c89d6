import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  findDoubleNames,
  findDriver,
  findEngineFlags,
  findGlobals,
  findLoggers,
  findLongFiles,
  findNotes,
  findReExports,
  findSuppressions,
  findVagueNames,
} from './architecture/file-rules.ts';
import { findFolderRings, findHeavyStarts } from './architecture/graph.ts';
import { readImports } from './architecture/imports.ts';
import { findForbiddenImports, findUpwardImports } from './architecture/layers.ts';
import { readSourceFiles } from './architecture/source-file.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const everything = readSourceFiles(root, [
  'bin/*.js',
  'src/**/*.ts',
  'test/**/*.ts',
  'bench/**/*.ts',
  'packaging/**/*.ts',
  'build*.ts',
]);
const source = everything.filter(({ path }) => path.startsWith('src/'));

/** Packages and folders too costly to load at start-up, or with the flags of a command. */
const heavy = [
  'undici',
  'inquirer',
  'ora',
  'fastify',
  'conf',
  'typebox',
  'string-width',
  'chalk',
  'cli-table3',
  ...[
    'availability',
    'booking',
    'calendar',
    'doctor',
    'edit',
    'history',
    'listen',
    'merge',
    'oauth',
    'report',
  ].map((feature) => `src/cli/${feature}/`),
  ...['apply', 'export', 'merge', 'plan', 'undo'].map((part) => `src/bulk/${part}/`),
  'src/client/resources/',
];

/** All files except one file or those of one folder. */
function except(files: typeof everything, path: string) {
  return files.filter((file) => file.path !== path && !file.path.startsWith(path));
}

describe('the architecture', () => {
  it('was read', () => {
    expect(source.length).toBeGreaterThan(100);
  });

  it('lets every layer import only what the table allows', () => {
    expect(findForbiddenImports(source)).toEqual([]);
  });

  it('has no rings between neighbouring files and folders', () => {
    expect(findFolderRings(source)).toEqual([]);
  });

  it('has no upward or sideways imports between folders of the command line', () => {
    expect(findUpwardImports(source)).toEqual([]);
  });

  it('starts, and shows the help of a command, without what is costly', () => {
    const entries = ['src/cli/run.ts', 'src/cli/program.ts', 'src/cli/io.ts'];
    const program = source.filter(({ path }) => path === 'src/cli/program.ts');
    const commands = program
      .flatMap(readImports)
      .flatMap(({ kind, file }) => (kind === 'lazy' ? (file ?? []) : []));
    expect(findHeavyStarts(source, { entries: [...entries, ...commands], heavy })).toEqual([]);
  });

  it('uses process and console only in src/cli/io.ts and the launcher', () => {
    expect(findGlobals(except(source, 'src/cli/io.ts'))).toEqual([]);
  });

  it('sets no flags of V8', () => {
    expect(findEngineFlags(everything.filter(({ path }) => /^(?:src|bin)\//.test(path)))).toEqual([]);
  });

  it('loads the database driver only where listed', () => {
    const users = [
      'src/service/db/sqlite/',
      'src/client/temp-database.ts',
      'src/local-state/',
      'src/cli/copy/copy-file.ts',
    ];
    const others = users.reduce((files, path) => except(files, path), source);
    expect(findDriver(others)).toEqual([]);
  });

  it('re-exports only in src/index.ts', () => {
    expect(findReExports(except(everything, 'src/index.ts'))).toEqual([]);
  });

  it.each([
    ['keeps files within 300 lines', findLongFiles],
    ['names files for their content', findVagueNames],
    ['leaves no notes such as TODO', findNotes],
    ['disables no tool', findSuppressions],
  ])('%s', (_title, find) => {
    expect(find(everything)).toEqual([]);
  });

  it('gives an exported name one home', () => {
    expect(findDoubleNames(source)).toEqual([]);
  });

  it('has no importable logger', () => {
    expect(findLoggers(source)).toEqual([]);
  });
});
