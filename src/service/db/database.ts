import { resolve } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import { type Cache, createCache } from './cache.ts';
import type { Engine, Reader, Writer } from './engine.ts';
import { createGroupCommit } from './group-commit.ts';
import type { Count } from './lists/count-statement.ts';
import { migrate } from './migrate.ts';
import { openSqlite } from './sqlite/engine.ts';

/** An open database, of whatever engine. */
export interface Database extends AsyncDisposable {
  /** Sees what is committed; never waits for an open transaction. */
  readonly reader: Reader;
  /** The reader's short way for what runs with every request: rows of a statement with named values. */
  readonly read: Engine['read'];
  /** For what many requests read and hardly anybody writes. */
  readonly memory: Cache;
  /** Another number after every commit of anybody, in whatever process. */
  readonly readMark: Engine['readMark'];
  /** How many records fulfil a filter, as far as this process has been asked. */
  readonly counts: Map<string, Count>;
  /**
   * Runs a body alone among all processes and commits when it returns; a throw takes everything back.
   * What it answers is on the disk by then. Bodies that arrive together may share one commit.
   */
  transaction<Result>(body: (tx: Writer) => Promise<Result>): Promise<Result>;
  /** Takes what was overwritten or deleted out of every file of the database: belongs behind what erases a person. */
  readonly purge: Engine['purge'];
  /** Waits for transactions under way. May be called again. */
  close(): Promise<void>;
}

/**
 * Opens `sqlite:<file>` or a bare path, makes it when it is new, and brings its tables up to date.
 * Throws `usage` when the location cannot be one.
 */
export async function openDatabase(location: string): Promise<Database> {
  const engine = await openSqlite(parseLocation(location));
  const { reader, writer } = engine;
  const commits = createGroupCommit(engine);
  const close = async () => {
    // The writer goes last: closing it moves what is in the log into the file.
    await reader.destroy();
    await commits.settled();
    await writer.destroy();
  };
  let closed: Promise<void> | undefined;
  const database: Database = {
    reader,
    read: engine.read,
    memory: createCache(engine.readMark),
    readMark: engine.readMark,
    counts: new Map(),
    transaction: commits.transaction,
    purge: engine.purge,
    close: () => {
      closed ??= close();
      return closed;
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
  try {
    await migrate(engine, location);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function parseLocation(location: string): string {
  const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]+):)?(.*)$/is.exec(location) ?? [];
  const known = scheme === undefined || scheme.toLowerCase() === 'sqlite';
  if (!known || rest === '' || rest === ':memory:' || rest.includes('\0')) {
    throw new SalonError('usage', `"${location}" does not name a database.`, {
      hint: 'Give a file, such as sqlite:salon.db or /var/lib/salon/salon.db.',
    });
  }
  return resolve(rest);
}
