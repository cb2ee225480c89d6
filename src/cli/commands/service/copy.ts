import type { Command } from 'commander';
import { countOf } from '../../../contract/numbers.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { addDatabaseOption, type DatabaseFlags, findDatabase, toLocation } from './database.ts';

interface CopyFlags extends DatabaseFlags {
  readonly to: string;
}

export function registerServiceCopy(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('copy')
    .description('Copy a salon to another database, e.g. from SQLite to PostgreSQL')
    .requiredOption('--to <location>', 'New database: a file, or an empty postgres:// database')
    .addHelpText(
      'after',
      '\nStop the service first, and start it on the new database. Every row is read back' +
        '\nand compared. The password may come from PGPASSWORD.',
    );
  addDatabaseOption(command);
  addExamples(command, [
    [
      'salon service copy --database sqlite:salon.db --to postgres://salon@db.example/salon',
      'Move to PostgreSQL',
    ],
    [
      'salon service copy --database postgres://salon@db.example/salon --to sqlite:salon.db',
      'Move back to a file',
    ],
    [
      'salon service copy --database sqlite:salon.db --to sqlite:moved.db --json | jq .rows',
      'Print how many rows were copied',
    ],
  ]);
  command.action(runner.action(copy));
}

async function copy(context: CommandContext<CopyFlags>): Promise<CommandResult> {
  const { copySalon } = await import('../../../service/maintenance/backup.ts');
  const { flags, io, messages } = context;
  const location = await findDatabase(context);
  const target = toLocation(flags.to, io);
  const copied = await copySalon(location, target, io);
  const { database, accounts, tables, rows, unreadable, missingKeys, isOutdated } = copied;
  if (isOutdated) {
    messages.warn('The original was changed while it was copied: stop its service and copy it again.');
  }
  if (unreadable > 0) {
    const keys = missingKeys.join(', ');
    messages.warn(
      `${countOf(unreadable, 'secrets')} cannot be read without the key ${keys}. Set SALON_SECRETS_KEY, or put the key file beside the new database.`,
    );
  }
  return {
    show: 'record',
    record: { database, accounts, tables, rows, unreadable_secrets: unreadable, outdated: isOutdated },
    message: `Copied ${rows} rows to ${database} (accounts: ${accounts}).`,
  };
}
