import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { pathOf } from '../../../src/cli/command-line.ts';
import { type CommandDefinition, defineCommand } from '../../../src/cli/flags/command-definition.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { readImports } from '../../architecture/imports.ts';
import { readSourceFiles } from '../../architecture/source-file.ts';

const files = new Map(
  readSourceFiles(`${import.meta.dirname}/../../..`, ['src/cli/**/*.ts']).map((file) => [file.path, file]),
);

/** Each command: its path, the keys of its flags, and the names that its handler and what it imports read of flags. */
const commands: { path: string; keys: string[]; read: ReadonlySet<string> }[] = [];
const runner = {
  define(command: Command, definition: CommandDefinition & { handler(start: never): unknown }) {
    defineCommand(command, definition);
    const [, here = ''] =
      /\/(src\/cli\/commands\/\S+?\.ts)/.exec(new Error('The caller is asked for.').stack ?? '') ?? [];
    const [, loaded = here] = /["']\/?(src\/cli\/\S+?\.ts)["']/.exec(String(definition.handler)) ?? [];
    commands.push({
      path: pathOf(command),
      keys: Object.keys(definition.flags ?? {}),
      read: readsFrom(loaded),
    });
  },
};
const terminal = { input: false, output: false, messages: false, columns: 80, rows: 24 };
await buildProgram({ runner, io: { stdout: new Writable(), terminal } });

describe.each(commands)('the handler of $path', ({ keys, read }) => {
  it('reads every flag of the command', () => {
    expect(keys.filter((key) => !read.has(key))).toEqual([]);
  });
});

describe('what is read', () => {
  it('is not what only a table or another command names', () => {
    const { read } = commands.find(({ path }) => path === 'salon clients update') ?? {};
    expect([...(read ?? [])]).toEqual(expect.arrayContaining(['notSeenSince', 'yes', 'output']));
    expect([...(read ?? [])]).not.toEqual(expect.arrayContaining(['forwardTo']));
  });
});

/** The names that a file and all it imports read of flags, and so does what runs every command. */
function readsFrom(path: string): Set<string> {
  const reached = new Set([path, 'src/cli/action-runner.ts']);
  for (const from of reached) {
    const file = files.get(from);
    if (file === undefined) continue;
    for (const { kind, file: target } of readImports(file)) {
      if (kind !== 'type' && target !== undefined) reached.add(target);
    }
  }
  return new Set([...reached].flatMap((one) => readsOf(files.get(one)?.text ?? '')));
}

/** The names that a text reads of an object that is called flags, or whose type is. */
function readsOf(text: string): string[] {
  const members = [...text.matchAll(/[fF]lags\b[^.\n;]{0,30}\.(\w+)/g)].map(([, name = '']) => name);
  const patterns = /flags: \{([^{}]*)\}|\{([^{}]*)\}(?:: \w*Flags\b|\s*=\s[^;]*?[fF]lags\b)/g;
  const taken = [...text.matchAll(patterns)].flatMap(([, ofContext, others = '']) =>
    (ofContext ?? others).split(',').map((one) => /\w+/.exec(one)?.[0] ?? ''),
  );
  return [...members, ...taken];
}
