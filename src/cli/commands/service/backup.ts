import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { addExamples } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { addDatabaseOption, administer, type DatabaseFlags } from './administer.ts';

interface Flags extends DatabaseFlags {
  readonly to: string;
}

export function registerServiceBackup(parent: Command, frame: Frame): void {
  const command = parent
    .command('backup')
    .description('Copy the database into a new file, whole, while the service goes on')
    .requiredOption('--to <file>', 'a file that does not exist yet');
  addDatabaseOption(command);
  addExamples(command, [
    ['salon service backup --database sqlite:salon.db --to salon-copy.db', 'a copy, as of this moment'],
  ]);
  command.action(frame.action(backup));
}

async function backup(call: Call<Flags>): Promise<Outcome> {
  const file = resolve(call.io.cwd, call.flags.to);
  await administer(call, (administration) => administration.backup(file));
  return { show: 'record', record: { file }, said: `Copied ${call.flags.database} to ${file}.` };
}
