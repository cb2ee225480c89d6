import type { Command } from 'commander';
import { SalonError } from '../contract/errors.ts';
import type { EnvironmentVariables } from '../settings.ts';
import { pathOf } from './command-line.ts';
import { settingEntries } from './flags/settings.ts';

/**
 * Makes a program throw `usage` for a value that is empty or blank: a flag, an argument, or a variable. It usually comes
 * from something that is not set, and taken for no value it would mean everything, or another salon.
 */
export function refuseEmptyValues(program: Command, env: EnvironmentVariables): Command {
  refuseEmptyFlags(program);
  return program.hook('preAction', (_program, command) => {
    const { args, registeredArguments } = command;
    for (const [index, value] of args.entries()) {
      const argument = registeredArguments[index] ?? registeredArguments.at(-1);
      assertGiven(value, `The argument <${argument?.name()}>`);
    }
    // These use no salon.
    if (!/^salon (?:server|help|completion)\b/.test(pathOf(command))) assertVariablesGiven(env);
  });
}

function refuseEmptyFlags(command: Command): void {
  for (const option of command.options.filter(({ required, optional }) => required || optional)) {
    const parse = option.parseArg ?? ((value: string) => value);
    option.argParser((value, before) => {
      assertGiven(value, option.long ?? option.flags);
      return parse(value, before);
    });
  }
  for (const child of command.commands) refuseEmptyFlags(child);
}

/** A switch such as SALON_PLAIN is off where it is empty. */
function assertVariablesGiven(env: EnvironmentVariables): void {
  for (const [, { variable = '', type }] of settingEntries) {
    const isOurs = variable.startsWith('SALON_') && type !== 'boolean';
    if (isOurs) assertGiven(env[variable], variable, 'Give it a value, or unset it.');
  }
}

function assertGiven(value: string | undefined, name: string, hint = unsetHint): void {
  if (value?.trim() === '') throw new SalonError('usage', `${name} is empty.`, { hint });
}

const unsetHint = 'If the value comes from a variable, that variable is not set. Set it, or leave this out.';
