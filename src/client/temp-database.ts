import { createRequire } from 'node:module';
import type { DatabaseSync } from 'node:sqlite';

/**
 * Opens an empty SQLite database for data that does not fit in memory, inside one transaction that never commits.
 * The file is private to this process and nameless: the system removes it on dispose and when the process dies. It is
 * created in the system's temporary folder (`SQLITE_TMPDIR` or `TMPDIR` if set), and only once the data outgrows
 * `cacheKib` of memory. Loads `node:sqlite` on the first call, so call it only where a list is too long for memory.
 */
export function openTempDatabase(schema: string, cacheKib = 8_192): DatabaseSync {
  const sqlite: typeof import('node:sqlite') = createRequire(import.meta.url)('node:sqlite');
  const database = new sqlite.DatabaseSync('');
  database.exec(`PRAGMA cache_size = -${cacheKib}; PRAGMA synchronous = OFF; BEGIN; ${schema}`);
  return database;
}
