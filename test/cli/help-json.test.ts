import { afterAll, describe, expect, it } from 'vitest';
import { createMachine } from '../support/io.ts';
import { commandCalls } from './command-calls.ts';

interface Described {
  readonly command: string;
  readonly changes: string | null;
  readonly flags: readonly { readonly flag: string; readonly type: string }[];
  readonly examples: readonly unknown[];
  readonly exit_codes: readonly number[];
  readonly commands: readonly Described[];
}

const machine = createMachine();
afterAll(() => machine[Symbol.dispose]());

async function help(line: string): Promise<Described> {
  const { exitCode, stdout, stderr } = await machine.salon([
    'help',
    ...line.split(' ').filter(Boolean),
    '--json',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

const leavesOf = (one: Described): Described[] =>
  one.commands.length === 0 ? [one] : one.commands.flatMap(leavesOf);

describe('salon help --json', () => {
  it('describes every command: what it changes, its examples and its exit codes', async () => {
    const whole = await help('');
    const leaves = leavesOf(whole);
    const paths = leaves.map(({ command }) => command.replace('salon ', ''));
    expect(paths.filter((path) => path !== 'upgrade').sort()).toEqual(
      Object.keys(commandCalls)
        .filter((path) => path !== 'upgrade')
        .sort(),
    );
    for (const { command, changes, examples, exit_codes } of leaves) {
      expect({ command, changes }).toEqual({
        command,
        changes: expect.stringMatching(/^(?:nothing|this machine|the salon|the receiver)$/),
      });
      expect(examples.length).toBeGreaterThan(0);
      expect(exit_codes).toEqual(expect.arrayContaining([0, 1, 2]));
    }
    expect(whole.flags.map(({ flag }) => flag)).toEqual(expect.arrayContaining(['--profile', '--format']));
  });

  it('describes one command', async () => {
    const update = await help('clients update');
    expect(update).toMatchObject({
      command: 'salon clients update',
      changes: 'the salon',
      undo: 'salon jobs undo (of a file or selection)',
      arguments: [{ name: 'client', required: false, repeatable: true }],
      exit_code_meanings: { 0: 'done' },
      commands: [],
    });
    const flags = Object.fromEntries(update.flags.map(({ flag, ...rest }) => [flag, rest]));
    expect(flags).toMatchObject({
      '--add-tag': { type: 'text', value: 'tag', repeatable: true, required: false },
      '--dry-run': { type: 'boolean', short: '-n', value: null },
      '--min-visits': { type: 'integer', value: 'n' },
      '--columns': { type: 'list' },
      '--encoding': { choices: expect.arrayContaining(['utf-8']), advanced: true },
      '--guarded': { conflicts_with: '--no-guarded' },
    });
    expect(flags).not.toHaveProperty('--country');
    expect(update.exit_codes).toEqual(expect.arrayContaining([8, 9]));
  });

  it('shows defaults, choices and required flags', async () => {
    const [duplicates, account] = [await help('clients duplicates'), await help('server account create')];
    expect(duplicates.flags[0]).toMatchObject({
      flag: '--sure',
      choices: ['certain', 'likely', 'possible'],
      default: 'likely',
    });
    expect(account.flags[0]).toMatchObject({ flag: '--name', required: true });
    expect(duplicates.exit_codes).not.toContain(8);
  });

  it('describes the commands below a noun, also by another name of it', async () => {
    const clients = await help('client');
    expect(clients).toMatchObject({ command: 'salon clients', aliases: ['client'], changes: null });
    expect(clients.commands.map(({ command }) => command)).toContain('salon clients merge');
  });

  it('refuses what is no command', async () => {
    expect(await machine.salon(['help', 'clients', 'nonsense', '--json'])).toMatchObject({
      exitCode: 2,
      stdout: '',
    });
  });
});
