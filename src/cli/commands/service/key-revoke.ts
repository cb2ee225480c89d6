import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addYesOption } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { addDatabaseOption, administer, type DatabaseFlags } from './administer.ts';

export function registerKeyRevoke(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('revoke')
    .argument('<id>', 'identifier of the key, as shown when it was made')
    .description('End an API key at once');
  addDatabaseOption(command);
  addYesOption(command);
  addExamples(command, [
    ['salon service key revoke key_01jd… --yes --database sqlite:salon.db', 'from the next request on'],
  ]);
  command.action(runner.action(revokeKey));
}

async function revokeKey(context: CommandContext<DatabaseFlags>, id: string): Promise<CommandResult> {
  await context.confirmLocal(`End key ${id}? Whatever uses it stops working.`);
  await administer(context, (administration) => administration.revokeApiKey(id));
  return { show: 'record', record: { id, revoked: true }, said: `Key ${id} is ended.` };
}
