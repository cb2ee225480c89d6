import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { SalonError } from '../contract/errors.ts';
import { isFileLocked, lockFile, type StateLock, toLockPath } from './locks.ts';

/** Small state that processes share: JSON values in one SQLite file, and locks. Methods throw `output_failed`. */
export interface LocalState extends Disposable {
  /** The keys with this prefix, sorted. */
  keys(prefix: string): readonly string[];
  /** Undefined for a key without a value. */
  read(key: string): unknown;
  /** An undefined value deletes the key. */
  write(key: string, value: unknown): void;
  /** Changes a value in one transaction, so that no change of another process is lost. */
  update<Result>(key: string, change: (value: unknown) => Change<Result>): Result;
  /** Runs a function while no other process changes this state. Ends with the process, even after `kill -9`. */
  exclusively<Result>(act: () => Result): Result;
  /** Returns undefined where a live process holds the lock. A lock ends with its process, even after `kill -9`. */
  acquireLock(name: string): Promise<StateLock | undefined>;
  isLocked(name: string): Promise<boolean>;
}

interface Change<Result> {
  /** The next value; undefined deletes the key. */
  readonly value: unknown;
  readonly result: Result;
}

/** How long an operation waits for other processes before it fails. */
const defaultBusyTimeoutMs = 5_000;

/** Commits are not synced to disk. SQLite undoes the change of a killed process; only a power failure can do damage. */
const setup = `
  PRAGMA synchronous = OFF;
  CREATE TABLE IF NOT EXISTS state_value (key TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

export function toStatePath(folder: string): string {
  return join(folder, '.state.db');
}

/** Opens the state file of a folder. Creates both with access for their owner only. */
export async function openLocalState(
  folder: string,
  { busyTimeoutMs = defaultBusyTimeoutMs }: { readonly busyTimeoutMs?: number } = {},
): Promise<LocalState> {
  const path = toStatePath(folder);
  const { DatabaseSync } = await import('node:sqlite');
  try {
    createPrivateFolder(folder);
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
    try {
      database.exec(setup);
      return createLocalState(database, { folder, path });
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw toFailure(path, error);
  }
}

function createLocalState(
  database: DatabaseSync,
  { folder, path }: { readonly folder: string; readonly path: string },
): LocalState {
  const state: LocalState = {
    keys: (prefix) =>
      attempt(() =>
        database
          .prepare('SELECT key FROM state_value WHERE substr(key, 1, length(?)) = ? ORDER BY key')
          .all(prefix, prefix)
          .map(({ key }) => String(key)),
      ),
    read: (key) =>
      attempt(() =>
        parseJson(database.prepare('SELECT json FROM state_value WHERE key = ?').get(key)?.['json']),
      ),
    write: (key, value) => state.update(key, () => ({ value, result: undefined })),
    update: (key, change) =>
      transact(() => {
        const { value, result } = change(state.read(key));
        if (value === undefined) database.prepare('DELETE FROM state_value WHERE key = ?').run(key);
        else database.prepare('REPLACE INTO state_value VALUES (?, ?)').run(key, JSON.stringify(value));
        return result;
      }),
    exclusively: transact,
    async acquireLock(name) {
      try {
        return await lockFile(toLockPath(folder, name));
      } catch (error) {
        throw toFailure(path, error);
      }
    },
    isLocked: (name) => isFileLocked(toLockPath(folder, name)),
    [Symbol.dispose]: () => database.close(),
  };
  return state;

  function transact<Result>(act: () => Result): Result {
    return attempt(() => {
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = act();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  function attempt<Result>(act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      throw toFailure(path, error);
    }
  }
}

/** Undefined for a text that is no JSON. */
function parseJson(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damagedCodes = [11, 26];
const busyCode = 5;

function toFailure(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error instanceof SalonError) return error;
  if ('errcode' in error && damagedCodes.includes(Number(error.errcode))) {
    // Replacing it here would drop what running processes have saved.
    return new SalonError('usage', `${path} is damaged: ${error.message}.`, {
      hint: 'End all running salon commands, then move the file away: locks, counters and kept listeners start anew.',
      cause: error,
    });
  }
  const isBusy = 'errcode' in error && error.errcode === busyCode;
  return new SalonError('output_failed', `Cannot use ${path}: ${error.message}.`, {
    hint: isBusy
      ? 'Other commands were changing it for too long. Try again.'
      : 'Check that the file and its folder are writable.',
    cause: error,
  });
}

/**
 * Creates a folder, with its parents, that only its owner may enter. Node's recursive mkdir never returns where a
 * parent answers ENOENT to every mkdir, as /proc does.
 */
export function createPrivateFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    createPrivateFolder(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}
