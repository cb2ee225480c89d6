import type { Command } from 'commander';
import { SalonError } from '../../contract/errors.ts';
import type { ActionRunner, Handler } from '../action-runner.ts';
import { changeAliases, readAliases, splitWords } from '../aliases.ts';
import { findChild } from '../command-line.ts';
import { printFlags } from '../flags/options.ts';
import { columnSet } from '../output/columns.ts';
import { onePage } from '../output/command-result.ts';

export function registerAliases(aliases: Command, runner: ActionRunner): void {
  runner.define(aliases.command('set'), {
    description: 'Create a command of your own, or change it',
    args: {
      '<name>': 'the new command',
      '<command>': 'what it stands for, quoted; $1 to $9 are its arguments',
    },
    examples: {
      [`salon aliases set mine 'calendar --week --stylist Mia'`]: 'Then: salon mine',
      [`salon aliases set vips 'clients list --tag vip --search "$1"'`]: 'With an argument: salon vips ana',
      [`salon aliases set noshows 'appointments list --status no_show --from -30d'`]:
        'More flags may follow it',
    },
    changes: 'this machine',
    undo: 'salon aliases delete',
    handler: async () => setAlias,
  });
  runner.define(aliases.command('list'), {
    description: 'List your own commands',
    flags: printFlags,
    examples: { 'salon aliases list': 'Show each name and what it stands for' },
    handler: async () => listAliases,
  });
  runner.define(aliases.command('delete'), {
    description: 'Delete a command of your own',
    args: { '<name>': { help: 'name of the alias', complete: 'aliases' } },
    examples: { 'salon aliases delete mine': 'Delete it' },
    changes: 'this machine',
    handler: async () => deleteAlias,
  });
}

const aliasColumns = columnSet({ name: 'text', command: 'text' });

const setAlias: Handler<object, [name: string, line: string]> = async (context, name, line) => {
  const program = await context.program();
  assertFreeName(name, program);
  const expansion = line.trim().replace(/^salon\s+/, '');
  assertExpansion(expansion, program, readAliases(context.io));
  let before: string | undefined;
  await changeAliases(context.io, (aliases) => {
    before = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    return { ...aliases, [name]: expansion };
  });
  const was = before === undefined ? '' : ` (was: salon ${before})`;
  const message = `salon ${name} now stands for: salon ${expansion}${was}`;
  return { show: 'record', record: { name, command: expansion }, columns: aliasColumns, message };
};

const listAliases: Handler = async ({ io }) => {
  const rows = Object.entries(readAliases(io)).map(([name, line]) => ({ name, command: line }));
  rows.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { show: 'records', noun: 'aliases', columns: aliasColumns, pages: onePage(rows) };
};

const deleteAlias: Handler<object, [name: string]> = async ({ io }, name) => {
  let line = '';
  await changeAliases(io, (aliases) => {
    if (!Object.hasOwn(aliases, name)) {
      throw new SalonError('not_found', `There is no alias "${name}".`, { hint: 'See: salon aliases list' });
    }
    const { [name]: removed = '', ...kept } = aliases;
    line = removed;
    return kept;
  });
  const message = `Deleted alias ${name} (salon ${line}).`;
  return { show: 'record', record: { name, deleted: true }, message };
};

/** Throws `usage` for a name that cannot be typed as a command, or already is one. */
function assertFreeName(name: string, program: Command): void {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}_-]{0,31}$/u.test(name)) {
    throw new SalonError('usage', `"${name}" cannot be the name of a command.`, {
      hint: 'Use up to 32 letters, digits, dashes and underscores.',
    });
  }
  if (findChild(program, name) === undefined) return;
  throw new SalonError('usage', `"${name}" is a command of salon already.`, { hint: 'Choose another name.' });
}

/** Throws `usage` unless a line starts with a command of salon: an alias of an alias could go round in circles. */
function assertExpansion(line: string, program: Command, aliases: Readonly<Record<string, string>>): void {
  const words = splitWords(line);
  if (words === undefined) throw new SalonError('usage', `A quote is not closed in: ${line}`);
  const [first = ''] = words;
  if (line.startsWith('!')) {
    throw new SalonError('usage', 'An alias stands for a command of salon, not of the shell.', {
      hint: 'Define a function in your shell instead.',
    });
  }
  if (findChild(program, first) !== undefined) return;
  if (Object.hasOwn(aliases, first)) {
    throw new SalonError('usage', `"${first}" is an alias itself.`, {
      hint: `Write out what it stands for: ${aliases[first]}`,
    });
  }
  throw new SalonError('usage', `There is no command "${first}".`, {
    hint: 'Start with a command, e.g. salon aliases set mine "calendar --week".',
  });
}
