import { resolve } from 'node:path';
import type { Command } from 'commander';
import { cleanText } from '../../../text/clean-text.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { exitCodes } from '../../messages/exit-codes.ts';
import { columnSet } from '../../output/columns.ts';
import { onePage } from '../../output/command-result.ts';
import { type DatabaseFlags, findDatabase, onDatabase, toLocation } from './database.ts';
import { warnOfUnreadable } from './secrets.ts';

const restoreFlags = {
  file: { flag: '--file <file>', help: 'Backup to restore', isRequired: true },
  database: {
    flag: '--database <location>',
    help: 'Database to create, e.g. sqlite:salon.db',
    isRequired: true,
    complete: { filesAfter: 'sqlite:' },
  },
} as const satisfies FlagTable;

export function registerBackups(server: Command, runner: ActionRunner): void {
  runner.define(server.command('backup'), {
    description: 'Copy the database into a file, even while the service runs',
    flags: { to: { flag: '--to <file>', help: 'File to create', isRequired: true } },
    ...onDatabase,
    examples: {
      'salon server backup --to backup.db --database sqlite:salon.db': 'Back up a salon',
      'salon server backup --to backup.db --database sqlite:salon.db --json | jq -r .secrets_key':
        'Print which key to store elsewhere',
      'salon server check --database sqlite:backup.db': 'Check the backup',
    },
    changes: 'this machine',
    handler: async () => backup,
  });
  runner.define(server.command('restore'), {
    description: 'Create a database from a backup, after checking it',
    flags: restoreFlags,
    notes:
      'Overwrites nothing: move a former database away, with its -wal and -shm files.' +
      '\nKeys revoked and clients deleted after the backup exist again.',
    examples: {
      'salon server restore --file backup.db --database sqlite:salon.db': 'Restore a salon',
      'salon server check --database sqlite:backup.db': 'Check the backup first',
      'salon server secrets status --database sqlite:salon.db': 'Check whether the encryption key matches',
    },
    changes: 'this machine',
    handler: async () => restore,
  });
  runner.define(server.command('check'), {
    description: 'Check a database or a backup for damage (exit code 1 if found)',
    ...onDatabase,
    notes: 'Reads everything and changes nothing; a service may be running on the database.',
    examples: {
      'salon server check --database sqlite:salon.db': 'Check a database',
      'salon server check --database sqlite:backup.db': 'Check a backup',
      "salon server check --database sqlite:salon.db --json | jq -r '.[].problems[]'":
        'Print only what is wrong',
    },
    handler: async () => check,
  });
  runner.define(server.command('copy'), {
    description: 'Copy a salon to another database, e.g. from SQLite to PostgreSQL',
    flags: {
      to: {
        flag: '--to <location>',
        help: 'New database: a file, or an empty postgres:// database',
        isRequired: true,
      },
    },
    ...onDatabase,
    notes:
      'Stop the service first, and start it on the new database. Every row is read back' +
      '\nand compared. The password may come from PGPASSWORD.',
    examples: {
      'salon server copy --database sqlite:salon.db --to postgres://salon@db.example/salon':
        'Move to PostgreSQL',
      'salon server copy --database postgres://salon@db.example/salon --to sqlite:salon.db':
        'Move back to a file',
      'salon server copy --database sqlite:salon.db --to sqlite:moved.db --json | jq .rows':
        'Print how many rows were copied',
    },
    changes: 'this machine',
    handler: async () => copy,
  });
}

interface TargetFlags extends DatabaseFlags {
  readonly to: string;
}

const backup: Handler<TargetFlags> = async (context) => {
  const { backupDatabase } = await import('../../../service/maintenance/backup.ts');
  const { flags, io } = context;
  const file = resolve(io.cwd, flags.to);
  const location = await findDatabase(context);
  const { database, secretsKey } = await backupDatabase(location, file, io.env);
  const note =
    secretsKey === null ? '' : ` It does not contain the encryption key: store ${secretsKey} separately.`;
  const record = { file, secrets_key: secretsKey };
  return { show: 'record', record, message: `Copied ${database} to ${file}.${note}` };
};

const restore: Handler<FlagValues<typeof restoreFlags>> = async (context) => {
  const { flags, io } = context;
  const { restoreDatabase } = await import('../../../service/maintenance/backup.ts');
  const location = toLocation(flags.database, io);
  const restored = await restoreDatabase(resolve(io.cwd, flags.file), location, io);
  const { database, accounts, unreadable, missingKeys } = restored;
  warnOfUnreadable(context, unreadable, missingKeys);
  const record = { database, accounts, unreadable_secrets: unreadable };
  const message = `Restored ${flags.file} to ${database} (accounts: ${accounts}).`;
  return { show: 'record', record, message };
};

const columns = columnSet({ check: 'text', status: 'status', count: 'integer' });

const check: Handler<DatabaseFlags> = async (context) => {
  const { checkDatabase } = await import('../../../service/maintenance/check.ts');
  const results = await checkDatabase(await findDatabase(context));
  const { messages } = context;
  for (const { check: name, problems } of results) {
    for (const problem of problems) messages.warn(cleanText(`${name}: ${problem}`));
  }
  if (results.some(({ status }) => status === 'skipped')) {
    messages.warn('Some checks were skipped because of the damage.');
  }
  const isSound = results.every(({ status }) => status !== 'failed');
  return {
    show: 'records',
    noun: 'checks',
    columns: { ...columns, all: [...columns.all, { key: 'problems', kind: 'list' }] },
    pages: onePage(results.map((result) => ({ ...result, count: result.problems.length }))),
    exitCode: isSound ? exitCodes.done.code : exitCodes.refused.code,
  };
};

const copy: Handler<TargetFlags> = async (context) => {
  const { copySalon } = await import('../../../service/maintenance/backup.ts');
  const { flags, io, messages } = context;
  const location = await findDatabase(context);
  const target = toLocation(flags.to, io);
  const copied = await copySalon(location, target, io);
  const { database, accounts, tables, rows, unreadable, missingKeys, isOutdated } = copied;
  if (isOutdated) {
    messages.warn('The original was changed while it was copied: stop its service and copy it again.');
  }
  const advice = 'Set SALON_SECRETS_KEY, or put the key file beside the new database.';
  warnOfUnreadable(context, unreadable, missingKeys, advice);
  return {
    show: 'record',
    record: { database, accounts, tables, rows, unreadable_secrets: unreadable, outdated: isOutdated },
    message: `Copied ${rows} rows to ${database} (accounts: ${accounts}).`,
  };
};
