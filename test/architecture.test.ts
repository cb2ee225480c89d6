import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findHeavyStarts, findRings } from './architecture/graph.ts';
import {
  findDefaultExports,
  findDriver,
  findGlobals,
  findLoggers,
  findLongFiles,
  findNotes,
  findReExports,
  findSuppressions,
  findVagueNames,
} from './architecture/house-rules.ts';
import { findForeignImports } from './architecture/rooms.ts';
import { readSourceFiles } from './architecture/source-file.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const everything = readSourceFiles(root, [
  'bin/*.js',
  'src/**/*.ts',
  'test/**/*.ts',
  'bench/**/*.ts',
  'build.ts',
]);
const source = everything.filter(({ path }) => path.startsWith('src/'));

/** Loaded when a command needs them: each costs more than a whole start may. */
const heavy = [
  'undici',
  'inquirer',
  'ora',
  'fastify',
  'kysely',
  'conf',
  'typebox',
  'string-width',
  'chalk',
  'cli-table3',
];

/** All files of a list but one, or but those of one folder. */
function except(files: typeof everything, path: string) {
  return files.filter((file) => file.path !== path && !file.path.startsWith(path));
}

describe('the house', () => {
  it('has been read', () => {
    expect(source.length).toBeGreaterThan(100);
  });

  it('lets every room import only what the table allows', () => {
    expect(findForeignImports(source)).toEqual([]);
  });

  it('has no rings, types included', () => {
    expect(findRings(everything)).toEqual([]);
  });

  it('starts without the costly packages', () => {
    const entries = ['src/cli/run.ts', 'src/cli/program.ts', 'src/cli/io.ts'];
    expect(findHeavyStarts(source, { entries, heavy })).toEqual([]);
  });

  it('touches process and console in src/cli/io.ts and the launcher alone', () => {
    expect(findGlobals(except(source, 'src/cli/io.ts'))).toEqual([]);
  });

  it('drives SQLite in one folder alone', () => {
    expect(findDriver(except(source, 'src/service/store/sqlite/'))).toEqual([]);
  });

  it('passes names on in src/index.ts alone', () => {
    expect(findReExports(except(everything, 'src/index.ts'))).toEqual([]);
  });

  it.each([
    ['keeps files within 250 lines', findLongFiles],
    ['names files for what is in them', findVagueNames],
    ['names every export', findDefaultExports],
    ['leaves no notes to oneself', findNotes],
    ['silences no tool', findSuppressions],
  ])('%s', (_title, find) => {
    expect(find(everything)).toEqual([]);
  });

  it('has no logger that could be imported', () => {
    expect(findLoggers(source)).toEqual([]);
  });
});
