import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { Administration } from '../../../service/administration.ts';
import { serviceSettings } from '../../../service/config.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { parseCount } from '../../flags/values.ts';
import type { Io } from '../../io.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { isEmbedded, prepareEmbeddedDatabase } from '../../session/embedded.ts';

export interface DatabaseFlags {
  readonly database?: string;
  /** Of commands on an account. */
  readonly account?: string;
}

/** For commands on a database. */
export const onDatabase = {
  settings: [{ ...serviceSettings.database, complete: { filesAfter: 'sqlite:' } }],
} as const;

/** For commands on an account of a database. */
export const accountFlag = {
  account: { flag: '--account <id>', help: 'Account ID, if there are several' },
} as const satisfies FlagTable;

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
    hint: `Create it with an account: salon server accounts create --name … --database ${flags.database}`,
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

const seedFlags = {
  clients: { flag: '--clients <n>', help: 'Number of clients', default: '2000', parse: parseAmount },
  appointments: {
    flag: '--appointments <n>',
    help: 'Number of appointments',
    default: '20000',
    parse: parseAmount,
  },
  seed: {
    flag: '--seed <n>',
    help: 'Seed; the same seed gives the same data',
    default: '1',
    parse: parseAmount,
  },
  ...accountFlag,
} as const satisfies FlagTable;

function parseAmount(text: string, flag: string): number {
  return parseCount(text, flag, { least: 0 });
}

export function registerDatabase(server: Command, runner: ActionRunner): void {
  runner.define(server.command('seed'), {
    description: 'Add sample data to an account, or what an interrupted run has left out',
    flags: seedFlags,
    ...onDatabase,
    examples: {
      'salon server seed --database sqlite:salon.db': 'Add the default amount of data',
      'salon server seed --clients 5000 --seed 7 --database sqlite:salon.db': 'Choose the size and the seed',
    },
    changes: 'the salon',
    handler: async () => seed,
  });
  runner.define(server.command('compact'), {
    description: 'Compact the database and remove traces of deleted clients',
    ...onDatabase,
    notes:
      'A running service does this itself up to 1 GB. Writes wait, about 4 s per GB.\nPostgreSQL: runs VACUUM; the WAL and backups may still contain deleted data.',
    examples: {
      'salon server compact --database sqlite:salon.db': 'Rewrite a large database at a quiet time',
      'salon server compact': "Rewrite the profile's embedded salon",
      'salon server compact --database sqlite:salon.db --json | jq .bytes': 'Print the new size',
    },
    changes: 'this machine',
    handler: async () => compact,
  });
}

const seed: Handler<FlagValues<typeof seedFlags>> = async (context) => {
  const { io, flags } = context;
  const { clients, appointments, seed: start, account: accountId } = flags;
  const wanted = { clients, appointments, seed: start, accountId, today: io.now(), signal: io.signal };
  const added = await administer(context, (administration) => administration.seedAccount(wanted));
  return { show: 'record', record: { ...added } };
};

const compact: Handler<DatabaseFlags> = async (context) => {
  const { bytes } = await administer(context, (administration) => administration.compact());
  return { show: 'record', record: { bytes }, message: `Compacted the database to ${bytes} bytes.` };
};
