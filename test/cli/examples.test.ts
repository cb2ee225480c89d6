import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';

const program = await buildIdleProgram();

describe('examples', () => {
  it.each(commandsBelow(program).filter(hasAction))(
    'stand in the help of: salon %s',
    async (_path, command) => {
      const examples = examplesOf(helpOf(command), '  $ ');
      expect(examples).not.toEqual([]);
      for (const line of examples) await parse(line);
    },
  );
});

describe('help', () => {
  it.each(commandsBelow(program))('fits 80 columns, but for the examples, of: salon %s', (_path, command) => {
    const lines = helpOf(command, 80).split('\n');
    expect(lines.filter((line) => line.length > 80 && !line.startsWith('  $ '))).toEqual([]);
  });
});

/** The words of an example, parsed by a tree whose verbs do nothing; rejects when a command or flag does not exist. */
async function parse(line: string): Promise<void> {
  const words = line.match(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g) ?? [];
  const argv = words.map((word) => word.replace(/['"]/g, ''));
  if (['--help', '--version'].includes(argv.at(-1) ?? '')) return;
  await (await buildIdleProgram()).parseAsync(argv, { from: 'user' });
}

/** Every call of salon in a text: behind an optional prompt, variables and npx; up to a pipe, a redirection or a remark. */
function examplesOf(text: string, prompt: string): string[] {
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  const calls = lines.flatMap((line) => {
    const context = line.startsWith(prompt) ? line.slice(prompt.length) : '';
    return (
      /^(?:[^#]*\| |[^#]*<\(|eval "\$\()?(?:[A-Z_]+=\S+ +)*(?:npx )?salon ([^|>)]*)/.exec(context)?.[1] ?? []
    );
  });
  return calls
    .map((context) => context.replace(/ #.*| {2,}.*/, '').trim())
    .filter((context) => context !== '' && !context.includes('·'));
}

function commandsBelow(parent: Command, path = ''): (readonly [path: string, command: Command])[] {
  return parent.commands.flatMap((child) => {
    const childPath = `${path} ${child.name()}`.trim();
    return [[childPath, child] as const, ...commandsBelow(child, childPath)];
  });
}

function hasAction([path, command]: readonly [string, Command]): boolean {
  return command.commands.length === 0 && path !== 'help';
}

function helpOf(command: Command, width = 1000): string {
  const parts: string[] = [];
  command
    .configureOutput({ writeOut: (part) => parts.push(part), getOutHelpWidth: () => width })
    .outputHelp();
  return parts.join('');
}

async function buildIdleProgram(): Promise<Command> {
  const terminal = { input: false, output: false, messages: false, columns: 80, rows: 24 };
  const runner = { action: () => async () => {}, exitCode: 0, isJson: false };
  return buildProgram({ runner, io: { stdout: new Writable(), terminal } });
}
