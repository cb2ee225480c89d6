import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { findChild, pathOf, readFlags } from '../../src/cli/command-line.ts';
import { defineCommand } from '../../src/cli/flags/command-definition.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { readQuotedTexts } from '../architecture/quoted-texts.ts';
import { readSourceFiles } from '../architecture/source-file.ts';

const program = await buildProgram({
  runner: { define: defineCommand },
  io: {
    stdout: new Writable(),
    terminal: { input: false, output: false, messages: false, columns: 80, rows: 24 },
    releaseUrl: 'https://releases.test',
  },
});
const commands = listCommands(program);

/** Texts of other kinds: lines of curl, names of aliases, styles of pages, a flag of Node. */
const others =
  /^src\/(?:cli\/messages\/curl-command|cli\/copy\/run-query|cli\/commands\/aliases|service\/web\/.*|service\/db\/sqlite\/publish-file)\.ts$/;
const files = readSourceFiles(new URL('../..', import.meta.url).pathname, ['src/**/*.ts']).filter(
  ({ path }) => !others.test(path),
);
const texts = files.flatMap(({ path, text }) =>
  readQuotedTexts(text).map((quoted) => ({ ...quoted, path, where: `${path}:${quoted.line}` })),
);

describe('the texts of the program', () => {
  it('name only commands that exist, with flags that they have', () => {
    const calls = texts.flatMap(({ where, text }) => findCalls(text).map((call) => ({ where, call })));
    expect(calls.length).toBeGreaterThan(300);
    const wrong = calls.flatMap(({ where, call }) =>
      findMistakes(call).map((mistake) => `${where}: ${mistake}: salon ${call}`),
    );
    expect(wrong).toEqual([]);
  });

  it('name only flags that some command has', () => {
    const ofCurl = ['--cacert', '--cert', '--key'];
    const unknown = texts.flatMap(({ where, text }) =>
      findFlagNames(text)
        .filter((flag) => !ofCurl.includes(flag) && !commands.some((command) => hasFlag(command, flag)))
        .map((flag) => `${where}: ${flag}`),
    );
    expect(unknown).toEqual([]);
  });

  it('name, where they are about sheets, only flags that every command with a file has', () => {
    const withSheets = commands.filter((command) => hasFlag(command, '--sheet-format'));
    expect(withSheets.map(pathOf)).toHaveLength(7);
    const aboutSheets =
      /^src\/(?:bulk\/input|bulk\/sheet\/(?!xlsx-writer)|bulk\/plan|cli\/edit\/(?:column-mapping|describe-phones))/;
    const missing = texts
      .filter(({ path }) => aboutSheets.test(path))
      .flatMap(({ where, text }) =>
        findFlagNames(withoutCalls(text)).flatMap((flag) =>
          withSheets
            .filter((command) => isOf(command, ofSome[flag] ?? ['']) && !hasFlag(command, flag))
            .map((command) => `${where}: ${pathOf(command)} has no ${flag}`),
        ),
      );
    expect(missing).toEqual([]);
  });
});

/** The commands whose sheets a flag is advised for, where that is not all. */
const ofSome: Readonly<Record<string, readonly string[]>> = {
  '--country': ['clients'],
  '--set': ['clients update'],
  '--skip-existing': ['clients create'],
  '--stylist': ['appointments create', 'appointments import'],
  '--split-names': ['clients create', 'clients update'],
};

function isOf(command: Command, paths: readonly string[]): boolean {
  return paths.some((path) => pathOf(command).startsWith(`salon ${path}`));
}

function listCommands(parent: Command): readonly Command[] {
  return [parent, ...parent.commands.flatMap(listCommands)];
}

function hasFlag(command: Command, flag: string): boolean {
  return ['--help', '--no-'].includes(flag) || readFlags(command, flag).length > 0;
}

function findFlagNames(text: string): readonly string[] {
  return [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag);
}

/** `settings show` in `To see them: salon settings show`. Words that no command begins with are prose. */
const call = /(?<=^|["'`(:=]\s?|\n\s*)salon ([a-z](?:[^"'`\n;).]|\.(?!\s|$))*)/g;

function findCalls(text: string): readonly string[] {
  return [...text.matchAll(call)].map(([, words = '']) => words).filter((words) => !prose.test(words));
}

const prose = /^(?:is not built|needs Node|sets it itself|must be on|secrets key|listen …|server $)/;

function withoutCalls(text: string): string {
  return text.replaceAll(call, '');
}

function findMistakes(words: string): readonly string[] {
  let command = program;
  for (const word of words.split(/ +/)) {
    const child = findChild(command, word.replace(/[,:…]$/, ''));
    if (child === undefined) break;
    command = child;
  }
  if (command.commands.length > 0) return [`no such command of ${pathOf(command)}`];
  return findFlagNames(words)
    .filter((flag) => !hasFlag(command, flag))
    .map((flag) => `${pathOf(command)} has no ${flag}`);
}
