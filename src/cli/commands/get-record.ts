import type { Command } from 'commander';
import type { ActionRunner } from '../action-runner.ts';
import type { Examples } from '../flags/command-definition.ts';
import { addPrintOptions, type PrintFlags } from '../flags/options.ts';
import type { ColumnSet } from '../output/columns.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';

interface Gettable {
  readonly noun: 'appointments' | 'payments' | 'services' | 'stylists';
  readonly name: string;
  readonly columns: ColumnSet;
  readonly examples: Examples;
  /** The argument, such as `<appointment...>`, and what it may be. */
  readonly argument: string;
  readonly reference: string;
  /** Finds the record that a reference means; its ID is enough. */
  readonly find: (reference: string, context: CommandContext) => Promise<Found>;
}

interface Found {
  readonly id: string;
  readonly record?: object | undefined;
}

/** Adds the command that shows one record. */
export function registerGet(parent: Command, runner: ActionRunner, gettable: Gettable): void {
  const { noun, name, columns, examples, argument, reference, find } = gettable;
  const command = parent.command('get').argument(argument, reference).description(`Show one ${name}`);
  addPrintOptions(command);
  const get = async (
    context: CommandContext<PrintFlags>,
    words: readonly string[],
  ): Promise<CommandResult> => {
    const { id, record } = await find(words.join(' '), context);
    const client = await context.client();
    return { show: 'record', record: { ...(record ?? (await client[noun].get(id))) }, columns };
  };
  runner.add(command, get, examples);
}
