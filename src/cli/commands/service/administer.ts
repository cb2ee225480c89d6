import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Administration } from '../../../service/administration.ts';
import type { Io } from '../../io.ts';

export interface DatabaseFlags {
  readonly database: string;
}

export function addDatabaseOption(command: Command): Command {
  return command.requiredOption('--database <location>', 'the database, such as sqlite:salon.db');
}

/** Opens the database of a service for one act, and closes it after. */
export async function administer<Result>(
  { flags, io }: { readonly flags: DatabaseFlags; readonly io: Io },
  act: (administration: Administration) => Promise<Result>,
): Promise<Result> {
  const { openAdministration } = await import('../../../service/administration.ts');
  await using administration = await openAdministration(toLocation(flags, io), io);
  return await act(administration);
}

/** The database, a file counted from the folder the command runs in. Other engines are named as they are. */
export function toLocation({ database }: DatabaseFlags, { cwd }: Pick<Io, 'cwd'>): string {
  const file = /^(?:sqlite:)?([^:]+)$/.exec(database)?.[1];
  return file === undefined ? database : `sqlite:${resolve(cwd, file)}`;
}
