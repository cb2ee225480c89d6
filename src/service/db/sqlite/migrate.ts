import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Reader } from '../engine.ts';
import { assertSupported, minimumSetting, minimumVersion } from '../schema-version.ts';
import type { Tables } from '../tables.ts';
import { migrations } from './migrations/migrations.ts';

/**
 * Brings the schema up to date in one transaction. Of several processes that open a database at once, one migrates it.
 * Throws `usage` when a newer version of salon has changed it too far.
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
    await sql`insert into database_settings (name, value) values (${minimumSetting}, ${minimumVersion})
      on conflict (name) do update set value = max(value, excluded.value)`.execute(tx);
  });
}

async function isUpToDate(reader: Kysely<Tables>, name: string): Promise<boolean> {
  const tables = await sql`select 1 from sqlite_schema where name = 'kysely_migration'`.execute(reader);
  if (tables.rows.length === 0) {
    return false;
  }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    reader,
  );
  const [known, done] = [Object.keys(migrations), rows.map((row) => row.name)];
  assertSupported(name, { known, done, minimum: await readMinimum(reader) });
  return known.every((migration) => done.includes(migration));
}

async function readMinimum(reader: Kysely<Tables>): Promise<string | undefined> {
  const tables = await sql`select 1 from sqlite_schema where name = 'database_settings'`.execute(reader);
  if (tables.rows.length === 0) return undefined;
  const { rows } = await sql<{ value: string }>`
    select value from database_settings where name = ${minimumSetting}`.execute(reader);
  return rows[0]?.value;
}
