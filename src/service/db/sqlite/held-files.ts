import { closeSync, openSync, statSync } from 'node:fs';

/** A file that this process keeps open. */
export interface HeldFile {
  readonly handle: number;
  /** May close the file. */
  release(): void;
}

const held = new Map<string, { readonly handle: number; uses: number }>();

/**
 * Opens a database file for reading, apart from SQLite. Closing a file ends all locks of the process on it, also those of
 * SQLite, and other processes would take the database for unused. So it stays open until nothing here holds it.
 */
export function holdFile(file: string): HeldFile {
  const { dev, ino } = statSync(file);
  const key = `${dev}:${ino}`;
  const known = held.get(key) ?? { handle: openSync(file, 'r'), uses: 0 };
  held.set(key, known);
  known.uses += 1;
  let isReleased = false;
  return {
    handle: known.handle,
    release() {
      if (isReleased) return;
      isReleased = true;
      known.uses -= 1;
      if (known.uses > 0) return;
      held.delete(key);
      closeSync(known.handle);
    },
  };
}
