import { closeSync, openSync, statSync } from 'node:fs';

/** A file that this process keeps open. Its users share one handle. */
export interface SharedFile {
  readonly handle: number;
  /** May close the file. */
  release(): void;
}

const open = new Map<string, { readonly handle: number; uses: number }>();

/**
 * Opens a database file for reading, apart from SQLite. Closing a file ends all locks of the process on it, also those of
 * SQLite, and other processes would take the database for unused. So it stays open until nothing here uses it.
 */
export function openSharedFile(file: string): SharedFile {
  const { dev, ino } = statSync(file);
  const key = `${dev}:${ino}`;
  const known = open.get(key) ?? { handle: openSync(file, 'r'), uses: 0 };
  open.set(key, known);
  known.uses += 1;
  let isReleased = false;
  return {
    handle: known.handle,
    release() {
      if (isReleased) return;
      isReleased = true;
      known.uses -= 1;
      if (known.uses > 0) return;
      open.delete(key);
      closeSync(known.handle);
    },
  };
}
