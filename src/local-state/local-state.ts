import { createHash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { SalonError } from '../contract/errors.ts';
import { tryParseJson } from '../text/json.ts';

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
      return createLocalState(database, folder);
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw toFailure(path, error);
  }
}

function createLocalState(database: DatabaseSync, folder: string) {
  function attempt<Result>(act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      throw toFailure(toStatePath(folder), error);
    }
  }

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

  function read(key: string): unknown {
    const row = attempt(() => database.prepare('SELECT json FROM state_value WHERE key = ?').get(key));
    return row === undefined ? undefined : tryParseJson(String(row['json']));
  }

  function update<Result>(key: string, change: (value: unknown) => Change<Result>): Result {
    return transact(() => {
      const { value, result } = change(read(key));
      if (value === undefined) database.prepare('DELETE FROM state_value WHERE key = ?').run(key);
      else database.prepare('REPLACE INTO state_value VALUES (?, ?)').run(key, JSON.stringify(value));
      return result;
    });
  }

  return {
    /** The keys with this prefix, sorted. */
    keys(prefix: string): readonly string[] {
      const query = 'SELECT key FROM state_value WHERE substr(key, 1, length(?)) = ? ORDER BY key';
      return attempt(() => database.prepare(query).all(prefix, prefix)).map(({ key }) => String(key));
    },
    /** Undefined for a key without a value. */
    read,
    /** An undefined value deletes the key. */
    write: (key: string, value: unknown) => update(key, () => ({ value, result: undefined })),
    /** Changes a value in one transaction, so that no change of another process is lost. */
    update,
    /** Runs a function while no other process changes this state. Ends with the process, even after `kill -9`. */
    exclusively: transact,
    /** Returns undefined where a live process holds the lock. A lock ends with its process, even after `kill -9`. */
    async acquireLock(name: string) {
      try {
        return await lockFile(toLockPath(folder, name));
      } catch (error) {
        throw toFailure(toStatePath(folder), error);
      }
    },
    async isLocked(name: string): Promise<boolean> {
      const path = toLockPath(folder, name);
      if (!existsSync(path)) return false;
      // Removes the file if its process was killed.
      await using lock = await lockFile(path);
      return lock === undefined;
    },
    [Symbol.dispose]: () => database.close(),
  };
}

interface Change<Result> {
  /** The next value; undefined deletes the key. */
  readonly value: unknown;
  readonly result: Result;
}

/** Small state that processes share: JSON values in one SQLite file, and locks. Methods throw `output_failed`. */
export type LocalState = ReturnType<typeof createLocalState>;

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damagedCodes = [11, 26];
const sqliteBusy = 5;

function toFailure(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error instanceof SalonError) return error;
  if ('errcode' in error && damagedCodes.includes(Number(error.errcode))) {
    // Replacing it here would drop what running processes have saved.
    return new SalonError('usage', `${path} is damaged: ${error.message}.`, {
      hint: 'End all running salon commands, then move the file away: locks, counters and kept listeners start anew.',
      cause: error,
    });
  }
  const isBusy = 'errcode' in error && error.errcode === sqliteBusy;
  return new SalonError('output_failed', `Cannot use ${path}: ${error.message}.`, {
    hint: isBusy
      ? 'Other commands were changing it for too long. Try again.'
      : 'Check that the file and its folder are writable, and that there is space left.',
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

/** The file of a lock by name; a name may have any characters. */
function toLockPath(folder: string, name: string): string {
  return join(folder, `.lock-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`);
}

/** A process that only checks whether a file is locked holds its lock for an instant. */
const waitMs = 100;

/** The files that this process has locked. The garbage collector would release one without a reference. */
const held = new Map<string, DisposableStack>();

/**
 * Locks a file until disposal, or until the process ends, however it ends. Returns undefined where somebody else holds it.
 * SQLite's locks also hold between containers that share a folder, where process IDs say nothing, and on network drives.
 * Throws where the file cannot be created or locked.
 */
export async function lockFile(path: string): Promise<AsyncDisposable | undefined> {
  const { DatabaseSync } = await import('node:sqlite');
  // To close a file for the second time in a process ends its lock.
  while (!held.has(path)) {
    using resources = new DisposableStack();
    const descriptor = resources.adopt(openSync(path, 'a', 0o600), closeSync);
    const database = resources.use(new DatabaseSync(path, { timeout: waitMs }));
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      if (!isAt(path, descriptor)) continue;
      if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined;
      throw error;
    }
    if (!isAt(path, descriptor)) continue;
    held.set(path, resources.move());
    return { [Symbol.asyncDispose]: async () => release(path) };
  }
  return undefined;
}

/** Whether a path still leads to an open file: the process that held its lock removes it. */
function isAt(path: string, descriptor: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  const open = fstatSync(descriptor, { bigint: true });
  return found?.ino === open.ino && found.dev === open.dev;
}

/** Removes the file first, since somebody else may lock it then. Windows removes it only once it is closed. */
function release(path: string): void {
  const resources = held.get(path);
  if (!held.delete(path)) return;
  const remove = () => rmSync(path, { force: true });
  try {
    remove();
    resources?.dispose();
  } catch {
    resources?.dispose();
    remove();
  }
}
