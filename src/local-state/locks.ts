import { existsSync, rmSync, statSync } from 'node:fs';

export type StateLock = AsyncDisposable;

/** Whoever only looks whether a lock is held holds it for a moment. */
const busyTimeoutMs = 100;
const sqliteBusy = 5;
/** Kept here, because the garbage collector would close a database that nobody refers to. */
const held = new Set<Closable>();

interface Closable {
  close(): void;
}

/**
 * Locks a file until disposal, or until the process ends, however it ends. Returns undefined where another one holds it.
 * SQLite's locks also hold between containers that share a folder, where process IDs say nothing, and on network drives.
 * Throws where the file cannot be created or locked.
 */
export async function lockFile(path: string): Promise<StateLock | undefined> {
  const { DatabaseSync } = await import('node:sqlite');
  for (;;) {
    // Opening it in any other way would end a lock that this process holds.
    const found = statSync(path, { throwIfNoEntry: false })?.ino;
    const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined;
      throw error;
    }
    // The former holder may have removed it meanwhile: then the name stands for another file, or for none.
    if (found !== undefined && statSync(path, { throwIfNoEntry: false })?.ino === found) {
      held.add(database);
      return { [Symbol.asyncDispose]: async () => release(path, database) };
    }
    database.close();
  }
}

export async function isFileLocked(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  const lock = await lockFile(path);
  await lock?.[Symbol.asyncDispose]();
  return lock === undefined;
}

/** Removes the file first, since somebody else may lock it then. Windows removes it only once it is closed. */
function release(path: string, database: Closable): void {
  held.delete(database);
  const remove = () => rmSync(path, { force: true });
  try {
    remove();
    database.close();
  } catch {
    database.close();
    remove();
  }
}
