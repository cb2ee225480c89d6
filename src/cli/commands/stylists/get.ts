import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { stylistColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export function registerStylistsGet(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('get')
    .argument('<id>', 'identifier of the stylist')
    .description('Show one stylist');
  addPrintOptions(command);
  addExamples(command, [
    ['salon stylists get sty_01jd…', 'name, services, and whether they still work here'],
  ]);
  command.action(runner.action(getStylist));
}

async function getStylist(context: CommandContext<PrintFlags>, id: string): Promise<CommandResult> {
  const client = await context.client();
  return { show: 'record', record: await client.stylists.get(id), columns: stylistColumns };
}
