import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { SalonError } from '../../../contract/errors.ts';
import type { Reader } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { migrations } from './migrations/migrations.ts';

/**
 * Brings the schema up to date in one transaction. Of several processes that open a database at once, one migrates it.
 * Throws `usage` when a newer version of salon has migrated it further.
 */
export async function migrate(
  { reader, writer }: { readonly reader: Reader; readonly writer: Reader },
  name: string,
): Promise<void> {
  if (await isUpToDate(reader, name)) {
    return;
  }
  await writer.transaction().execute(async (tx) => {
    if (await isUpToDate(tx, name)) {
      return;
    }
    const migrator = new Migrator({ db: tx, provider: { getMigrations: async () => migrations } });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) {
      throw error;
    }
  });
}

async function isUpToDate(reader: Kysely<Tables>, name: string): Promise<boolean> {
  const tables = await sql`select 1 from sqlite_schema where name = 'kysely_migration'`.execute(reader);
  if (tables.rows.length === 0) {
    return false;
  }
  const { rows: done } = await sql<{ name: string }>`select name from kysely_migration`.execute(reader);
  if (done.some((migration) => !Object.hasOwn(migrations, migration.name))) {
    throw new SalonError('usage', `${name} was written by a newer version of salon.`, {
      hint: 'Update salon and try again.',
    });
  }
  return done.length === Object.keys(migrations).length;
}
