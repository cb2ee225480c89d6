import { DatabaseSync } from 'node:sqlite';
import { readMigrations } from '../migrate.ts';

export interface Inspection {
  /** What is damaged; undefined for a database that is whole. */
  readonly problem?: string;
  /** The newest migration. */
  readonly schema?: string;
}

/** Checks that a database file is whole, and changes nothing in it. */
export async function inspectSqlite(file: string): Promise<Inspection> {
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const [result] = Object.values(database.prepare('pragma quick_check(1)').get() ?? {});
    if (result !== 'ok') return { problem: String(result) };
    const run = async <Row>(text: string) => database.prepare(text).all() as Row[];
    return { schema: (await readMigrations({ kind: 'sqlite', run })).at(-1) ?? 'none' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The version of SQLite in use; Node may be built with one of the system. */
export function readSqliteVersion(): string {
  using memory = new DatabaseSync(':memory:');
  return String(memory.prepare('select sqlite_version() as version').get()?.['version']);
}
