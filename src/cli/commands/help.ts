import type { Command } from 'commander';
import { SalonError } from '../../contract/errors.ts';
import type { ActionRunner } from '../action-runner.ts';
import { renderExitCodes } from '../messages/exit-codes.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';

export function registerHelp(command: Command, runner: ActionRunner): void {
  command.argument('[words...]', 'a command, or the topic exit-codes').action(runner.action(showHelp));
}

async function showHelp(context: CommandContext, words: readonly string[]): Promise<CommandResult> {
  if (words.length === 1 && words[0] === 'exit-codes') return { show: 'text', text: renderExitCodes() };
  if (findCommand(await context.program(), words) === undefined) {
    throw new SalonError('usage', `There is no command or topic "${words.join(' ')}".`, {
      hint: 'See salon --help.',
    });
  }
  return { show: 'nothing', exitCode: await context.runCommand([...words, '--help']) };
}

/** A command by the words that lead to it; undefined when one leads nowhere. */
export function findCommand(program: Command, words: readonly string[]): Command | undefined {
  return words.reduce<Command | undefined>(
    (found, word) => found?.commands.find((child) => child.name() === word || child.aliases().includes(word)),
    program,
  );
}
