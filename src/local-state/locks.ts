import { createHash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Held by one process. It ends with the process. */
export type StateLock = AsyncDisposable;

/** The file of a lock by name; a name may have any characters. */
export function toLockPath(folder: string, name: string): string {
  return join(folder, `.lock-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`);
}

const sqliteBusy = 5;

/** A process that only checks whether a file is locked holds its lock for an instant. */
const waitMs = 100;

/** The files that this process has locked. The garbage collector would release one without a reference. */
const held = new Map<string, DisposableStack>();

/**
 * Locks a file until disposal, or until the process ends, however it ends. Returns undefined where somebody else holds it.
 * SQLite's locks also hold between containers that share a folder, where process IDs say nothing, and on network drives.
 * Throws where the file cannot be created or locked.
 */
export async function lockFile(path: string): Promise<StateLock | undefined> {
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

/** Whether a process holds the lock of a file. Removes the file if its process was killed. */
export async function isFileLocked(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  await using lock = await lockFile(path);
  return lock === undefined;
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
