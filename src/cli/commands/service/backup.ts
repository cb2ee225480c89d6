import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { addDatabaseOption, administer, type DatabaseFlags } from './administer.ts';

interface Flags extends DatabaseFlags {
  readonly to: string;
}

export function registerServiceBackup(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('backup')
    .description('Copy the database into a new file, whole, while the service goes on')
    .requiredOption('--to <file>', 'a file that does not exist yet');
  addDatabaseOption(command);
  addExamples(command, [
    ['salon service backup --database sqlite:salon.db --to salon-copy.db', 'a copy, as of this moment'],
  ]);
  command.action(runner.action(backup));
}

async function backup(context: CommandContext<Flags>): Promise<CommandResult> {
  const file = resolve(context.io.cwd, context.flags.to);
  await administer(context, (administration) => administration.backup(file));
  return { show: 'record', record: { file }, said: `Copied ${context.flags.database} to ${file}.` };
}
