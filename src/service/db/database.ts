import { resolve } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import type { DatabaseSnapshot, Engine, EngineOptions } from './engine.ts';
import { readPending } from './migrate.ts';
import { isPostgresLocation, parsePostgresLocation } from './postgres/location.ts';
import { foldAgain } from './records/folded-columns.ts';
import { openSqlite } from './sqlite/engine.ts';
import { type Inspection, inspectSqlite, readSqliteVersion } from './sqlite/salon-file.ts';
import { readSqliteSnapshot } from './sqlite/snapshot.ts';
import { backupSqlite, type SqliteTransfer } from './sqlite/transfer.ts';
import type { Transferred } from './transfer.ts';

/** An open database. It may be closed twice. */
export interface Database extends Engine, AsyncDisposable {}

/**
 * Opens `sqlite:<file>`, a bare path, or `postgres://…`. Creates a new file, and the tables in an empty database. Throws
 * `usage` for a location it cannot open, and `service_unavailable` for a server that cannot be reached.
 */
export async function openDatabase(location: string, options: EngineOptions = {}): Promise<Database> {
  const engine = await openEngine(location, options);
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= engine.close();
    return closed;
  };
  await foldAgain(engine).catch(async (error) => {
    await close();
    throw error;
  });
  return { ...engine, close, [Symbol.asyncDispose]: close };
}

async function openEngine(location: string, options: EngineOptions): Promise<Engine> {
  if (!isPostgresLocation(location)) return openSqlite(parseLocation(location), options);
  // Only then: pg takes time to load.
  const { openPostgres } = await import('./postgres/engine.ts');
  return openPostgres(location, options.observe);
}

/**
 * Copies the file of a database into a new file, which gets its name only when `verify` has accepted the draft. Throws
 * `usage` when the database is of a version that is not supported, or the file exists or cannot be created.
 */
export function copyDatabase(location: string, copy: string, options: SqliteTransfer): Promise<void> {
  const verify = async (draft: DatabaseSnapshot) => {
    await findMissingMigrations(draft, location);
    await options.verify(draft);
  };
  return backupSqlite(parseLocation(location), parseLocation(copy), { ...options, verify });
}

/**
 * Reads the database at a location as of one moment, and changes nothing. Throws `usage` if there is none, or its version
 * is not supported.
 */
export async function readSnapshot<Result>(
  location: string,
  body: (snapshot: DatabaseSnapshot) => Promise<Result>,
): Promise<Result> {
  const readSupported = async (snapshot: DatabaseSnapshot) => {
    await findMissingMigrations(snapshot, location);
    return body(snapshot);
  };
  if (!isPostgresLocation(location)) return readSqliteSnapshot(parseLocation(location), readSupported);
  const { readPostgresSnapshot } = await import('./postgres/snapshot.ts');
  return readPostgresSnapshot(location, readSupported);
}

/** The migrations that the database of a snapshot lacks. Throws `usage` if its version is not supported. */
export function findMissingMigrations(
  { kind, reader }: DatabaseSnapshot,
  location: string,
): Promise<string[]> {
  return readPending({ kind, run: (text) => reader.run(text, []) }, describeLocation(location));
}

/**
 * Copies a snapshot into a new database of any engine, completely or not at all. `verify` accepts a new file before it
 * gets its name. Throws `usage` if there is a salon already, or if the snapshot is of an earlier version.
 */
export async function transferDatabase(
  source: DatabaseSnapshot,
  location: string,
  options: SqliteTransfer,
): Promise<Transferred> {
  if (!isPostgresLocation(location)) {
    const { transferToSqlite } = await import('./sqlite/transfer.ts');
    return transferToSqlite(source, parseLocation(location), options);
  }
  const { transferToPostgres } = await import('./postgres/transfer.ts');
  return transferToPostgres(source, location, options);
}

/** A location without its password, for messages. */
export function describeLocation(location: string): string {
  return isPostgresLocation(location) ? parsePostgresLocation(location).name : location;
}

/** Checks that the database at a location is whole, and changes nothing in it. Throws `usage` for an unusable location. */
export function inspectDatabase(location: string): Promise<Inspection> {
  return inspectSqlite(parseLocation(location));
}

/** The name and version of the database engine. */
export function readEngineVersion(): string {
  return `SQLite ${readSqliteVersion()}`;
}

function parseLocation(location: string): string {
  const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]+):)?(.*)$/is.exec(location) ?? [];
  const isKnown = scheme === undefined || scheme.toLowerCase() === 'sqlite';
  if (!isKnown || rest === '' || rest === ':memory:' || rest.includes('\0')) {
    // It may be an address with a password.
    const shown = location.replace(/\/\/.*@/s, '//…@');
    throw new SalonError('usage', `"${shown}" is not a database location.`, {
      hint: 'Use a file, such as sqlite:salon.db, or postgres://….',
    });
  }
  return resolve(rest);
}
