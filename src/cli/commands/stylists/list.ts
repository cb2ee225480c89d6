import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { readListing } from '../../listing.ts';
import { addExamples, addListOptions, type ListFlags } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { stylistColumns } from '../../print/columns.ts';

export function registerStylistsList(parent: Command, frame: Frame): void {
  const command = parent.command('list').description('List stylists, also those who have left');
  addListOptions(command);
  addExamples(command, [
    ['salon stylists list', 'everybody who works here, or did'],
    ['salon stylists list --json | jq -r ".[] | select(.active) | .id"', 'who can be booked, for a script'],
  ]);
  command.action(frame.action(listStylists));
}

async function listStylists(call: Call<ListFlags>): Promise<Outcome> {
  const { query, options } = await readListing(call, {});
  const client = await call.client();
  const pages = client.stylists.list(query, options);
  return {
    show: 'records',
    noun: 'stylists',
    columns: stylistColumns,
    pages,
    limit: client.limits,
    verdict: pages.verdict,
    isSortedHere: pages.isSortedHere,
  };
}
