import { resolve } from 'node:path';
import type { Command } from 'commander';
import { countOf } from '../../../contract/numbers.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { addDatabaseOption, type DatabaseFlags, findDatabase, toLocation } from './database.ts';

interface BackupFlags extends DatabaseFlags {
  readonly to: string;
}

export function registerServiceBackup(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('backup')
    .description('Copy the database into a file, even while the service runs')
    .requiredOption('--to <file>', 'File to create');
  addDatabaseOption(command);
  addExamples(command, [
    ['salon service backup --to backup.db --database sqlite:salon.db', 'Back up a salon'],
    [
      'salon service backup --to backup.db --database sqlite:salon.db --json | jq -r .secrets_key',
      'Print which key to store elsewhere',
    ],
    ['salon service check --database sqlite:backup.db', 'Check the backup'],
  ]);
  command.action(runner.action(backup));
}

async function backup(context: CommandContext<BackupFlags>): Promise<CommandResult> {
  const { backupDatabase } = await import('../../../service/maintenance/backup.ts');
  const { flags, io } = context;
  const file = resolve(io.cwd, flags.to);
  const location = await findDatabase(context);
  const { database, secretsKey } = await backupDatabase(location, file, io.env);
  const note =
    secretsKey === null ? '' : ` It does not contain the encryption key: store ${secretsKey} separately.`;
  return {
    show: 'record',
    record: { file, secrets_key: secretsKey },
    message: `Copied ${database} to ${file}.${note}`,
  };
}

interface RestoreFlags {
  readonly file: string;
  readonly database: string;
}

export function registerServiceRestore(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('restore')
    .description('Create a database from a backup, after checking it')
    .requiredOption('--file <file>', 'Backup to restore')
    .requiredOption('--database <location>', 'Database to create, e.g. sqlite:salon.db')
    .addHelpText(
      'after',
      '\nOverwrites nothing: move a former database away, with its -wal and -shm files.' +
        '\nKeys revoked and clients deleted after the backup exist again.',
    );
  addExamples(command, [
    ['salon service restore --file backup.db --database sqlite:salon.db', 'Restore a salon'],
    ['salon service check --database sqlite:backup.db', 'Check the backup first'],
    ['salon service secrets status --database sqlite:salon.db', 'Check whether the encryption key matches'],
  ]);
  command.action(runner.action(restore));
}

async function restore({ flags, io, messages }: CommandContext<RestoreFlags>): Promise<CommandResult> {
  const { restoreDatabase } = await import('../../../service/maintenance/backup.ts');
  const location = toLocation(flags.database, io);
  const restored = await restoreDatabase(resolve(io.cwd, flags.file), location, io);
  const { database, accounts, unreadable, missingKeys } = restored;
  if (unreadable > 0) {
    messages.warn(
      `${countOf(unreadable, 'secrets')} cannot be read without the key ${missingKeys.join(', ')}. Restore it from your copy.`,
    );
  }
  return {
    show: 'record',
    record: { database, accounts, unreadable_secrets: unreadable },
    message: `Restored ${flags.file} to ${database} (accounts: ${accounts}).`,
  };
}
