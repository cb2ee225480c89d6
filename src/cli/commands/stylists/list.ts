import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples, addListOptions, type ListFlags } from '../../flags/options.ts';
import { readListing } from '../../list-query.ts';
import { stylistColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export function registerStylistsList(parent: Command, runner: ActionRunner): void {
  const command = parent.command('list').description('List stylists, also those who have left');
  addListOptions(command);
  addExamples(command, [
    ['salon stylists list', 'everybody who works here, or did'],
    ['salon stylists list --json | jq -r ".[] | select(.active) | .id"', 'who can be booked, for a script'],
  ]);
  command.action(runner.action(listStylists));
}

async function listStylists(context: CommandContext<ListFlags>): Promise<CommandResult> {
  const { query, options } = await readListing(context, {});
  const client = await context.client();
  const pages = client.stylists.list(query, options);
  return {
    show: 'records',
    noun: 'stylists',
    columns: stylistColumns,
    pages,
    limit: client.limits,
    verdict: pages.consistency,
    isSortedHere: pages.isSortedHere,
  };
}
