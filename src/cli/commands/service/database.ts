import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { Administration } from '../../../service/administration.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { parseCount } from '../../flags/values.ts';
import type { Io } from '../../io.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export interface DatabaseFlags {
  readonly database: string;
}

export function addDatabaseOption(command: Command): Command {
  return command.requiredOption('--database <location>', 'Database, e.g. sqlite:salon.db');
}

/** Opens the database of a service, and closes it after the action. Only `creates` accepts a new file. */
export async function administer<Result>(
  { flags, io }: { readonly flags: DatabaseFlags; readonly io: Io },
  act: (administration: Administration) => Promise<Result>,
  { creates = false } = {},
): Promise<Result> {
  const { openAdministration } = await import('../../../service/administration.ts');
  const location = creates ? toLocation(flags, io) : findDatabase(flags, io);
  await using administration = await openAdministration(location, io);
  return await act(administration);
}

/** The location of an existing database: a mistyped name must not create an empty salon. Throws `usage`. */
export function findDatabase(flags: DatabaseFlags, io: Pick<Io, 'cwd'>): string {
  const location = toLocation(flags, io);
  if (!location.startsWith('sqlite:') || existsSync(location.slice('sqlite:'.length))) return location;
  throw new SalonError('usage', `No database ${flags.database}.`, {
    hint: `Create it with an account: salon service account create --name … --database ${flags.database}`,
  });
}

/** Resolves a file against the working folder. Locations of other engines stay unchanged. */
function toLocation({ database }: DatabaseFlags, { cwd }: Pick<Io, 'cwd'>): string {
  const file = /^(?:sqlite:)?([^:]+)$/.exec(database)?.[1];
  return file === undefined ? database : `sqlite:${resolve(cwd, file)}`;
}

interface SeedFlags extends DatabaseFlags {
  readonly account?: string;
  readonly clients: string;
  readonly appointments: string;
  readonly seed: string;
}

export function registerServiceSeed(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('seed')
    .description('Add sample data to an account')
    .option('--clients <n>', 'Number of clients', '2000')
    .option('--appointments <n>', 'Number of appointments', '20000')
    .option('--seed <n>', 'Seed; the same seed gives the same data', '1')
    .option('--account <id>', 'Account ID, if there are several');
  addDatabaseOption(command);
  addExamples(command, [
    ['salon service seed --database sqlite:salon.db', 'Add the default amount of data'],
    ['salon service seed --clients 5000 --seed 7 --database sqlite:salon.db', 'Choose the size and the seed'],
  ]);
  command.action(runner.action(seed));
}

async function seed(context: CommandContext<SeedFlags>): Promise<CommandResult> {
  const { flags, io } = context;
  const least = { least: 0 };
  const amounts = {
    clients: parseCount(flags.clients, '--clients', least),
    appointments: parseCount(flags.appointments, '--appointments', least),
    seed: parseCount(flags.seed, '--seed', least),
  };
  const added = await administer(context, (administration) =>
    administration.seedAccount({
      ...amounts,
      today: io.now(),
      ...(flags.account === undefined ? {} : { accountId: flags.account }),
    }),
  );
  return { show: 'record', record: { ...added } };
}

interface BackupFlags extends DatabaseFlags {
  readonly to: string;
}

export function registerServiceBackup(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('backup')
    .description('Copy the database, even while the service runs')
    .requiredOption('--to <file>', 'File to create');
  addDatabaseOption(command);
  addExamples(command, [['salon service backup --database sqlite:salon.db --to backup.db', 'Back up']]);
  command.action(runner.action(backup));
}

async function backup({ io, flags }: CommandContext<BackupFlags>): Promise<CommandResult> {
  const { backupService } = await import('../../../service/administration.ts');
  const file = resolve(io.cwd, flags.to);
  const { secretsKey } = await backupService(findDatabase(flags, io), file, io.env);
  const note =
    secretsKey === null ? '' : ` The key of its secrets is not in it: keep ${secretsKey} elsewhere.`;
  return {
    show: 'record',
    record: { file, secrets_key: secretsKey },
    message: `Copied ${flags.database} to ${file}.${note}`,
  };
}
