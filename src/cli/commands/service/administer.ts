import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { Administration } from '../../../service/administration.ts';
import type { Io } from '../../io.ts';

export interface DatabaseFlags {
  readonly database: string;
}

export function addDatabaseOption(command: Command): Command {
  return command.requiredOption('--database <location>', 'the database, such as sqlite:salon.db');
}

/** Opens the database of a service for one act, and closes it after. Only an act that makes one may name a new file. */
export async function administer<Result>(
  { flags, io }: { readonly flags: DatabaseFlags; readonly io: Io },
  act: (administration: Administration) => Promise<Result>,
  { makes = false } = {},
): Promise<Result> {
  const { openAdministration } = await import('../../../service/administration.ts');
  await using administration = await openAdministration(
    makes ? toLocation(flags, io) : toExisting(flags, io),
    io,
  );
  return await act(administration);
}

/** The database, which has to be there: a mistyped name would otherwise become an empty salon. Throws `usage`. */
export function toExisting(flags: DatabaseFlags, io: Pick<Io, 'cwd'>): string {
  const location = toLocation(flags, io);
  if (!location.startsWith('sqlite:') || existsSync(location.slice('sqlite:'.length))) return location;
  throw new SalonError('usage', `There is no database ${flags.database}.`, {
    hint: `Make it with its first account: salon service account create --name … --database ${flags.database}`,
  });
}

/** The database, a file counted from the folder the command runs in. Other engines are named as they are. */
function toLocation({ database }: DatabaseFlags, { cwd }: Pick<Io, 'cwd'>): string {
  const file = /^(?:sqlite:)?([^:]+)$/.exec(database)?.[1];
  return file === undefined ? database : `sqlite:${resolve(cwd, file)}`;
}
