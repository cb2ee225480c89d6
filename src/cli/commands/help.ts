import type { Command } from 'commander';
import { SalonError } from '../../contract/errors.ts';
import type { ActionRunner } from '../action-runner.ts';
import { addExamples, renderBulkFlags, renderGlobalFlags } from '../flags/help-page.ts';
import { renderExitCodes } from '../messages/exit-codes.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';

export function registerHelp(command: Command, runner: ActionRunner): void {
  command.argument('[words...]', 'A command, or a topic: flags, bulk-edits, exit-codes');
  addExamples(command, [
    ['salon help appointments create', 'A command'],
    ['salon help flags', 'The flags that every command takes'],
    ['salon help exit-codes', 'What the exit codes mean'],
  ]);
  command.action(runner.action(showHelp));
}

const bulkEdits = `Bulk edits:

  With --file, a command works on every row of a CSV, XLSX, NDJSON or JSON
  file. A blank cell leaves the field unchanged; \\N clears it. With conditions,
  such as --tag vip, it works on every record that matches all of them.

  1. Every row is checked, and errors name their line. Nothing is sent yet.
  2. The plan shows what would change. --plan-file saves it for salon jobs apply.
  3. You confirm, or pass --yes. --max-changes and --max-clears set a limit.
  4. Rows that failed are written to a file that you can fix and run again.
  5. salon jobs resume continues after an interruption, salon jobs undo restores
     the previous values.

  --dry-run stops after step 2 and has the service check every row.
  --simulate does all of it on a local copy.
`;

async function showHelp(context: CommandContext, words: readonly string[]): Promise<CommandResult> {
  const topic = words.join(' ');
  if (topic === 'exit-codes') return { show: 'text', text: renderExitCodes() };
  const program = await context.program();
  if (topic === 'bulk-edits') {
    const flags = renderBulkFlags(program, context.io.terminal.columns);
    return { show: 'text', text: `${bulkEdits}\n${flags}` };
  }
  if (topic === 'flags') {
    return { show: 'text', text: renderGlobalFlags(program, context.io.terminal.columns) };
  }
  if (findCommand(program, words) === undefined) {
    throw new SalonError('usage', `No command or topic "${topic}".`, { hint: 'See salon --help.' });
  }
  return { show: 'nothing', exitCode: await context.runCommand([...words, '--help']) };
}

/** Finds a command by the words that lead to it. */
export function findCommand(program: Command, words: readonly string[]): Command | undefined {
  return words.reduce<Command | undefined>(
    (found, word) => found?.commands.find((child) => child.name() === word || child.aliases().includes(word)),
    program,
  );
}
