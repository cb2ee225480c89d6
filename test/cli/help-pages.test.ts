import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { findCommand } from '../../src/cli/command-line.ts';
import { defineCommand, definitionOf } from '../../src/cli/flags/command-definition.ts';
import { renderGlobalFlags } from '../../src/cli/flags/help-page.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { commandCalls } from './command-calls.ts';

const root = join(import.meta.dirname, '../..');
const program = await buildIdleProgram();

describe.each(commandsBelow(program))('the help page of salon %s', (path, command) => {
  const page = helpOf(command, 80);
  const lines = page.trimEnd().split('\n');

  it('has at most 50 lines of 80 columns, long examples apart', () => {
    expect(lines.length).toBeLessThanOrEqual(53);
    expect(lines.filter((line) => line.length > 80 && !line.startsWith('  $ '))).toEqual([]);
  });

  it('says of no word or flag that it is not used, and leaves no sentence to the reader', () => {
    expect(page).not.toMatch(/Not used|-to: or/);
  });

  it('starts with the purpose and the usage, and ends with a pointer to the global flags', () => {
    expect(lines[0]).toMatch(/^[A-Z][a-z]+,? .*[^.]$/);
    expect(page).toMatch(/^Usage: salon \S/m);
    expect(page).not.toContain('--profile <name>');
    expect(lines.at(-1)).toMatch(
      /^Global flags: salon help flags\. (?:Exit codes|Bulk edits): salon help [a-z-]+\.$/,
    );
  });

  it('is the same in a program for its words alone, by any name', async () => {
    const above = path.split(' ').slice(0, -1);
    for (const name of [command.name(), ...command.aliases()]) {
      const words = [...above, name];
      const small = findCommand(await buildIdleProgram(words), words);
      expect(small && helpOf(small, 80)).toBe(page);
    }
  });

  it('describes every flag', () => {
    const flags = command.options.filter(({ hidden, long }) => !hidden && long !== '--help');
    expect(flags.filter(({ description }) => description === '')).toEqual([]);
  });
});

describe.each(commandsBelow(program).filter(([, { commands }]) => commands.length === 0))(
  'the examples of salon %s',
  (_path, command) => {
    it('are one to four and parse', async () => {
      const examples = examplesOf(helpOf(command), '  $ ');
      expect(examples.length).toBeGreaterThanOrEqual(1);
      expect(examples.length).toBeLessThanOrEqual(4);
      for (const line of examples) await parse(line);
    });
  },
);

describe.each(commandsBelow(program).filter(([, { commands }]) => commands.length === 0))(
  'what salon %s changes',
  (path, command) => {
    const { changes, undo } = definitionOf(command) ?? {};
    const has = (flag: string) => command.options.some(({ long }) => long === flag);

    it('is something if it asks first, previews or can be undone', () => {
      const isChange = has('--yes') || has('--dry-run') || undo !== undefined;
      expect(changes).not.toBe(isChange ? 'nothing' : undefined);
    });

    it.skipIf(path.startsWith('server '))('is the salon exactly where --confirm names its account', () => {
      expect(changes === 'the salon').toBe(has('--confirm'));
    });
  },
);

describe('README and the guides in docs', () => {
  it('name every command', () => {
    const guides = ['README.md', ...globSync('docs/*.md', { cwd: root })];
    const text = guides
      .map((guide) => readFileSync(join(root, guide), 'utf8'))
      .join()
      .replace(/\s+/g, ' ');
    const commands = commandsBelow(program).filter(([, command]) => command.commands.length === 0);
    const missing = commands.filter(([path]) => !new RegExp(`\\bsalon ${path}\\b`).test(text));
    expect(missing.map(([path]) => path)).toEqual([]);
  });
});

describe('test/cli/command-calls.ts', () => {
  it('has a call of every command', () => {
    const commands = commandsBelow(program).filter(([, command]) => command.commands.length === 0);
    expect(Object.keys(commandCalls).sort()).toEqual(commands.map(([path]) => path).sort());
  });
});

describe('salon --help', () => {
  it('fits the same frame and lists every command', () => {
    const page = helpOf(program, 80);
    expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(53);
    for (const { name } of program.commands.map((command) => ({ name: command.name() }))) {
      expect(page).toMatch(new RegExp(`^  ${name} +[A-Z]`, 'm'));
    }
  });
});

describe('salon help flags', () => {
  it('groups every flag by its purpose', () => {
    const page = renderGlobalFlags(program, 80);
    expect(page).toMatch(/^Other:\n(?: {2}.*\n)+ {2}-V, --version /m);
    expect(page).not.toMatch(/^Flags:/m);
  });
});

/** Parses an example without running it. Rejects where a command or flag does not exist. */
async function parse(line: string): Promise<void> {
  const words = line.match(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g) ?? [];
  const argv = words.map((word) => word.replace(/['"]/g, ''));
  if (['--help', '--version'].includes(argv.at(-1) ?? '')) return;
  await (await buildIdleProgram(argv)).parseAsync(argv, { from: 'user' });
}

/** Every call of salon in a text, without the prompt, variables, npx, pipes, redirections and comments around it. */
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

function helpOf(command: Command, width = 1000): string {
  const parts: string[] = [];
  command
    .configureOutput({ writeOut: (part) => parts.push(part), getOutHelpWidth: () => width })
    .outputHelp();
  return parts.join('');
}

async function buildIdleProgram(argv?: readonly string[]): Promise<Command> {
  const terminal = { input: false, output: false, messages: false, columns: 80, rows: 24 };
  const runner = { define: defineCommand };
  return buildProgram({ runner, io: { stdout: new Writable(), terminal }, ...(argv && { argv }) });
}
