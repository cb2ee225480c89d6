import type { Command } from 'commander';
import type { Stylist } from '../../../contract/stylist.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { type KnownStylist, rememberStylists } from '../../completion/known-stylists.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addListOptions, type ListFlags } from '../../flags/options.ts';
import type { Io } from '../../io.ts';
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
  const baseUrl = (await context.session()).settings.baseUrl?.value;
  return {
    show: 'records',
    noun: 'stylists',
    columns: stylistColumns,
    pages: baseUrl === undefined ? pages : rememberAll(pages, context.io, baseUrl),
    limit: client.limits,
    verdict: pages.consistency,
    isSortedHere: pages.isSortedHere,
  };
}

/** Passes the pages on; once all were read, completion knows who is in them. */
async function* rememberAll<Page extends { readonly rows: readonly Stylist[] }>(
  pages: AsyncIterable<Page>,
  io: Io,
  baseUrl: string,
): AsyncGenerator<Page> {
  const { toNamedStylist } = await import('../../people/names.ts');
  const seen: KnownStylist[] = [];
  for await (const page of pages) {
    seen.push(...page.rows.map(toNamedStylist));
    yield page;
  }
  rememberStylists(io, baseUrl, seen);
}
