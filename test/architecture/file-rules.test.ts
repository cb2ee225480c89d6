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
} from './file-rules.ts';

const path = 'src/a.ts';

describe('file rules', () => {
  it.each([
    ['process', findGlobals, 'const { env } = process;', 'src/a.ts:1 uses process'],
    ['console', findGlobals, '\nconsole.log(1);', 'src/a.ts:2 uses console'],
    ['process through globalThis', findGlobals, 'globalThis.process;', 'src/a.ts:1 uses globalThis.process'],
    [
      'process as a module',
      findGlobals,
      `import { env } from 'node:process';`,
      'src/a.ts imports node:process',
    ],
    ['the driver', findDriver, `await import('node:sqlite');`, 'src/a.ts imports node:sqlite'],
    ['a flag of V8', findEngineFlags, "f('--no-opt');", 'src/a.ts sets a flag of V8: --no-opt'],
    [
      'a flag of V8 with a value',
      findEngineFlags,
      "execArgv: ['--max_old_space_size=9']",
      'src/a.ts sets a flag of V8: --max_old_space_size',
    ],
    [
      'a call for flags of V8',
      findEngineFlags,
      'v8.setFlagsFromString(text);',
      'src/a.ts sets a flag of V8: setFlagsFromString',
    ],
    ['a re-export', findReExports, `export { a } from './b.ts';`, 'src/a.ts:1 re-exports: export {'],
    [
      'a re-export of types',
      findReExports,
      `export type { A } from './b.ts';`,
      'src/a.ts:1 re-exports: export type {',
    ],
    [
      'a re-export of everything',
      findReExports,
      `export * from './b.ts';`,
      'src/a.ts:1 re-exports: export *',
    ],
    [
      'a re-export in two steps',
      findReExports,
      `import { a } from './b.ts';\nexport { a };`,
      'src/a.ts:2 re-exports: export {',
    ],
    ['a note', findNotes, 'a();\n// TODO: b', 'src/a.ts:2 contains TODO'],
    ['a note in a block comment', findNotes, '/* a\n FIXME */', 'src/a.ts:2 contains FIXME'],
    [
      'a disabled linter',
      findSuppressions,
      '// biome-ignore lint/a: b',
      'src/a.ts:1 disables a tool: biome-ignore',
    ],
    [
      'a disabled compiler check',
      findSuppressions,
      '// @ts-expect-error',
      'src/a.ts:1 disables a tool: @ts-expect-error',
    ],
    [
      'an importable logger',
      findLoggers,
      'export const logger = create();',
      'src/a.ts:1 has an importable output: export const logger',
    ],
  ])('find %s', (_title, find, text, finding) => {
    expect(find([{ path, text }])).toEqual([finding]);
  });

  it.each([
    ['a word in a comment', findGlobals, '// the process ends; console'],
    ['a member of that name', findGlobals, 'child.process; a.console;'],
    ['a word that contains it', findGlobals, 'processRow(); subprocess();'],
    ['a flag of salon', findEngineFlags, "f('--no-mask --trace=a.har --help');"],
    ['a type of Node', findGlobals, 'const a: NodeJS.Process = b;'],
    ['a file logger in a type', findLoggers, 'export interface Environment { log: Writable }'],
    ['a note in quoted text', findNotes, `const text = '// TODO';`],
    ['an ordinary export', findReExports, 'export const a = 1;\nexport function b() {}'],
    ['an address in a comment', findSuppressions, '// see https://example.com/@ts'],
  ])('accepts %s', (_title, find, text) => {
    expect(find([{ path, text }])).toEqual([]);
  });

  it('finds a file of 301 lines but not one of 300', () => {
    expect(findLongFiles([{ path, text: 'a;\n'.repeat(300) }])).toEqual([]);
    expect(findLongFiles([{ path, text: 'a;\n'.repeat(301) }])).toEqual([
      'src/a.ts has 301 lines; the limit is 300',
    ]);
  });

  it.each(['src/utils.ts', 'src/helpers/a.ts', 'test/common.test.ts', 'src/types.d.ts', 'src/base.ts'])(
    'finds the vague name %s',
    (vague) => {
      expect(findVagueNames([{ path: vague, text: '' }])).toEqual([
        expect.stringContaining('has the vague name'),
      ]);
    },
  );

  it.each(['src/readPage.ts', 'src/Client.ts', 'src/read_page.ts'])('finds the spelling %s', (path) => {
    expect(findVagueNames([{ path, text: '' }])).toEqual([`${path} is not named in kebab-case`]);
  });

  it.each(['src/base-address.ts', 'src/cli/fields.test.ts', 'src/client/http/retry-after.d.ts'])(
    'accepts the name %s',
    (path) => {
      expect(findVagueNames([{ path, text: '' }])).toEqual([]);
    },
  );

  it('finds a file that is a logger', () => {
    expect(findLoggers([{ path: 'src/cli/logger.ts', text: '' }])).toEqual([
      'src/cli/logger.ts is an importable logger',
    ]);
  });

  it('finds a name that two files export, unless both are for an engine', () => {
    const text = 'export async function readDay(): void {}';
    const paths = ['src/a.ts', 'src/b.ts', 'src/service/db/sqlite/c.ts', 'src/service/db/postgres/c.ts'];
    const files = paths.map((each) => ({ path: each, text }));
    expect(findDoubleNames(files.slice(0, 2))).toEqual(['readDay is exported by src/a.ts and src/b.ts']);
    expect(findDoubleNames(files.slice(1, 3))).toHaveLength(1);
    expect(findDoubleNames(files.slice(2))).toEqual([]);
  });
});
