import { DatabaseSync } from 'node:sqlite';
import { markAsCopy } from './epoch.ts';
import { publishFile } from './publish-file.ts';
import { toFileError } from './salon-file.ts';
import { openSalonFile, readSqliteSnapshot } from './snapshot.ts';
import type { SqliteTransfer } from './transfer.ts';

/**
 * Copies a database, as of one moment, into a new file that only its owner can read. Writers are not blocked, and the
 * copy is not migrated, so that a service of an earlier version can run on. The file gets its name only when `verify`
 * has read the draft without throwing. Throws `usage` if the file exists.
 */
export async function backupSqlite(
  file: string,
  copy: string,
  { isCopy, verify }: SqliteTransfer,
): Promise<void> {
  const write = async (draft: string) => {
    const reading = openSalonFile(file);
    try {
      reading.prepare('vacuum into ?').run(draft);
    } catch (error) {
      throw toFileError(error, file);
    } finally {
      reading.close();
    }
    if (isCopy) markFile(draft);
    await readSqliteSnapshot(draft, verify);
  };
  await publishFile(copy, write, { isLarge: true });
}

function markFile(draft: string): void {
  const written = new DatabaseSync(draft);
  try {
    markAsCopy(written);
  } finally {
    written.close();
  }
}
