import type { Command } from 'commander';
import { SalonError } from '../../contract/errors.ts';
import type { Call } from '../call.ts';
import { renderExitCodes } from '../exit-codes.ts';
import type { Frame } from '../frame.ts';
import type { Outcome } from '../output/outcome.ts';

export function registerHelp(command: Command, frame: Frame): void {
  command.argument('[words...]', 'a command, or the topic exit-codes').action(frame.action(showHelp));
}

async function showHelp(call: Call, words: readonly string[]): Promise<Outcome> {
  if (words.length === 1 && words[0] === 'exit-codes') return { show: 'text', text: renderExitCodes() };
  if (findCommand(await call.program(), words) === undefined) {
    throw new SalonError('usage', `There is no command or topic "${words.join(' ')}".`, {
      hint: 'See salon --help.',
    });
  }
  return { show: 'nothing', exitCode: await call.runAlso([...words, '--help']) };
}

/** A command by the words that lead to it; undefined when one leads nowhere. */
export function findCommand(program: Command, words: readonly string[]): Command | undefined {
  return words.reduce<Command | undefined>(
    (found, word) => found?.commands.find((child) => child.name() === word || child.aliases().includes(word)),
    program,
  );
}
