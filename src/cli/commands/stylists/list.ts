import type { Command } from 'commander';
import type { Stylist } from '../../../contract/stylist.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { type KnownStylist, rememberStylists } from '../../completion/known-stylists.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addListOptions, type ListFlags } from '../../flags/options.ts';
import type { Io } from '../../io.ts';
import { readListQuery } from '../../list-query.ts';
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
  const { query, options } = await readListQuery(context, {});
  const client = await context.client();
  const pages = client.stylists.list(query, options);
  const baseUrl = (await context.session()).settings.baseUrl?.value;
  return {
    show: 'records',
    noun: 'stylists',
    columns: stylistColumns,
    pages: baseUrl === undefined ? pages : rememberAll(pages, context.io, baseUrl),
    rateLimit: client.limits,
    report: pages.consistency,
    isSortedHere: pages.isSortedHere,
  };
}

/** Passes the pages on; once all were read, completion knows who is in them. */
async function* rememberAll<Page extends { readonly rows: readonly Stylist[] }>(
  pages: AsyncIterable<Page>,
  io: Io,
  baseUrl: string,
): AsyncGenerator<Page> {
  const seen: KnownStylist[] = [];
  for await (const page of pages) {
    seen.push(...page.rows.map(toKnown));
    yield page;
  }
  rememberStylists(io, baseUrl, seen);
}

function toKnown({ id, display_name, first_name, last_name }: Stylist): KnownStylist {
  return { id, name: display_name || [first_name, last_name].filter(Boolean).join(' ') };
}
