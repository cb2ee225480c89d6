import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { Administration } from '../../../service/administration.ts';
import { serviceSettings } from '../../../service/config.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { createOption } from '../../flags/flag.ts';
import { parseCount } from '../../flags/values.ts';
import type { Io } from '../../io.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { isEmbedded, prepareEmbeddedDatabase } from '../../session/embedded.ts';

export interface DatabaseFlags {
  readonly database?: string;
  /** Of commands on an account. */
  readonly account?: string;
}

export function addDatabaseOption(command: Command): Command {
  return command.addOption(createOption(serviceSettings.database));
}

export const accountHelp = 'Account ID, if there are several';

/** For commands on an account of a database. */
export function addAccountOption(command: Command): Command {
  return addDatabaseOption(command.option('--account <id>', accountHelp));
}

type DatabaseContext = Pick<CommandContext<DatabaseFlags>, 'flags' | 'io' | 'session'>;

/** Opens the database of a service, and closes it after the action. Only `creates` accepts a new file. */
export async function administer<Result>(
  context: DatabaseContext,
  act: (administration: Administration) => Promise<Result>,
  { creates = false } = {},
): Promise<Result> {
  const { openAdministration } = await import('../../../service/administration.ts');
  const { flags, io } = context;
  const isNew = creates && flags.database !== undefined;
  const location = isNew ? toLocation(flags.database, io) : await findDatabase(context);
  await using administration = await openAdministration(location, io);
  return await act(administration);
}

/** The location of an existing database: a mistyped name must not create an empty salon. Throws `usage`. */
export async function findDatabase(context: DatabaseContext): Promise<string> {
  const { flags, io } = context;
  if (flags.database === undefined) return findEmbeddedDatabase(context);
  const location = toLocation(flags.database, io);
  if (isThere(location)) return location;
  throw new SalonError('usage', `No database ${flags.database}.`, {
    hint: `Create it with an account: salon server account create --name … --database ${flags.database}`,
  });
}

/** The database of the embedded salon that the profile is for. */
async function findEmbeddedDatabase({ io, session }: DatabaseContext): Promise<string> {
  const { settings } = await session();
  const baseUrl = settings.baseUrl?.value;
  if (baseUrl !== undefined && isEmbedded(baseUrl)) {
    const location = prepareEmbeddedDatabase(baseUrl, io);
    if (isThere(location)) return location;
  }
  throw new SalonError('usage', 'No database given, and no embedded salon is in use.', {
    hint: 'Use --database sqlite:salon.db, or a profile with an embedded salon: -p demo, which "salon demo" creates.',
  });
}

/** Whether there is a database file; a database of another engine is asked later. */
function isThere(location: string): boolean {
  return !location.startsWith('sqlite:') || existsSync(location.slice('sqlite:'.length));
}

/** Resolves a file against the working folder. Locations of other engines stay unchanged. */
export function toLocation(database: string, { cwd }: Pick<Io, 'cwd'>): string {
  const file = /^(?:sqlite:)?([^:]+)$/.exec(database)?.[1];
  return file === undefined ? database : `sqlite:${resolve(cwd, file)}`;
}

interface SeedFlags extends DatabaseFlags {
  readonly clients: string;
  readonly appointments: string;
  readonly seed: string;
}

export function registerServiceSeed(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('seed')
    .description('Add sample data to an account, or what an interrupted run has left out')
    .option('--clients <n>', 'Number of clients', '2000')
    .option('--appointments <n>', 'Number of appointments', '20000')
    .option('--seed <n>', 'Seed; the same seed gives the same data', '1');
  runner.add(addAccountOption(command), seed, {
    'salon server seed --database sqlite:salon.db': 'Add the default amount of data',
    'salon server seed --clients 5000 --seed 7 --database sqlite:salon.db': 'Choose the size and the seed',
  });
}

async function seed(context: CommandContext<SeedFlags>): Promise<CommandResult> {
  const { flags, io } = context;
  const least = { least: 0 };
  const amounts = {
    clients: parseCount(flags.clients, '--clients', least),
    appointments: parseCount(flags.appointments, '--appointments', least),
    seed: parseCount(flags.seed, '--seed', least),
  };
  const wanted = { ...amounts, accountId: flags.account, today: io.now(), signal: io.signal };
  const added = await administer(context, (administration) => administration.seedAccount(wanted));
  return { show: 'record', record: { ...added } };
}

export function registerServiceCompact(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('compact')
    .description('Compact the database and remove traces of deleted clients')
    .addHelpText(
      'after',
      '\nA running service does this itself up to 1 GB. Writes wait, about 4 s per GB.\nPostgreSQL: runs VACUUM; the WAL and backups may still contain deleted data.',
    );
  runner.add(addDatabaseOption(command), compact, {
    'salon server compact --database sqlite:salon.db': 'Rewrite a large database at a quiet time',
    'salon server compact': "Rewrite the profile's embedded salon",
    'salon server compact --database sqlite:salon.db --json | jq .bytes': 'Print the new size',
  });
}

const compact: Handler<DatabaseFlags> = async (context) => {
  const { bytes } = await administer(context, (administration) => administration.compact());
  return { show: 'record', record: { bytes }, message: `Compacted the database to ${bytes} bytes.` };
};
