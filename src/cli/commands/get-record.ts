import type { Command } from 'commander';
import type { ActionRunner } from '../action-runner.ts';
import { addExamples, type Example } from '../flags/help-page.ts';
import { addPrintOptions, type PrintFlags } from '../flags/options.ts';
import type { ColumnSet } from '../output/columns.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';

interface Gettable {
  readonly noun: 'appointments' | 'payments' | 'stylists';
  readonly name: string;
  readonly columns: ColumnSet;
  readonly examples: readonly Example[];
}

/** Adds the command that shows one record by its ID. */
export function registerGet(parent: Command, runner: ActionRunner, gettable: Gettable): void {
  const { noun, name, columns, examples } = gettable;
  const command = parent.command('get').argument('<id>', `${name} ID`).description(`Show one ${name}`);
  addPrintOptions(command);
  addExamples(command, examples);
  command.action(
    runner.action(async (context: CommandContext<PrintFlags>, id: string): Promise<CommandResult> => {
      const client = await context.client();
      return { show: 'record', record: await client[noun].get(id), columns };
    }),
  );
}
