import { DatabaseSync } from 'node:sqlite';

export interface Inspection {
  /** What is damaged; undefined for a database that is whole. */
  readonly problem?: string;
  /** The newest migration. */
  readonly schema?: string;
}

/** Checks that a database file is whole, and changes nothing in it. */
export function inspectSqlite(file: string): Inspection {
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const [result] = Object.values(database.prepare('pragma quick_check(1)').get() ?? {});
    if (result !== 'ok') return { problem: String(result) };
    const newest = database.prepare('select max(name) as name from kysely_migration').get();
    return { schema: String(newest?.['name']) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The version of SQLite in use; Node may be built with one of the system. */
export function readSqliteVersion(): string {
  using memory = new DatabaseSync(':memory:');
  return String(memory.prepare('select sqlite_version() as version').get()?.['version']);
}
