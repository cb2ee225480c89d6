import type pg from 'pg';
import { SalonError } from '../../../contract/errors.ts';
import type { PostgresLocation } from './location.ts';
import { schema } from './schema.ts';

/** A change of the schema, as statements that run one after the other. */
type Migration = readonly string[];

/** In order. A released migration is never changed. The first one is the schema of SQLite after its migration 021. */
export const migrations: Readonly<Record<string, Migration>> = {
  '021-first-tables': schema,
};

const createTable = `create table if not exists salon_migrations (name text not null primary key,
  applied_at timestamptz not null default now())`;
/** Locked by the process that migrates. */
const lockName = '000-lock';

/**
 * Brings the schema up to date. Of several processes that open a database at once, one migrates it. Throws `usage` when
 * the database belongs to another program, or to a newer version of salon.
 */
export async function migrate(client: pg.ClientBase, location: PostgresLocation): Promise<void> {
  if (await isUpToDate(client, location)) return;
  await assertUsable(client, location);
  await createMigrationsTable(client);
  await client.query('begin isolation level read committed, read write');
  try {
    await client.query('select name from salon_migrations where name = $1 for update', [lockName]);
    const done = await readDone(client, location);
    for (const [name, statements] of Object.entries(migrations)) {
      if (done.has(name)) continue;
      for (const statement of statements) await client.query(statement);
      await client.query('insert into salon_migrations (name) values ($1)', [name]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function isUpToDate(client: pg.ClientBase, location: PostgresLocation): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('salon_migrations') is not null as found");
  if (rows[0]?.found !== true) return false;
  const done = await readDone(client, location);
  return Object.keys(migrations).every((name) => done.has(name));
}

async function readDone(client: pg.ClientBase, location: PostgresLocation): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>('select name from salon_migrations');
  const done = rows.map(({ name }) => name).filter((name) => name !== lockName);
  if (done.some((name) => !Object.hasOwn(migrations, name))) {
    throw new SalonError('usage', `${location.name} was written by a newer version of salon.`, {
      hint: 'Update salon and try again.',
    });
  }
  return new Set(done);
}

/** Two processes may create the table at once; then one of them fails. */
async function createMigrationsTable(client: pg.ClientBase): Promise<void> {
  await client.query(createTable).catch(() => client.query(createTable));
  const text = 'insert into salon_migrations (name) values ($1) on conflict (name) do nothing';
  await client.query(text, [lockName]);
}

interface Facts {
  readonly schema: string | null;
  readonly encoding: string;
  readonly version: number;
  readonly tables: number;
}

/** Tables of extensions are nobody's. */
const factsText = `select current_schema() as schema, current_setting('server_encoding') as encoding,
  cast(current_setting('server_version_num') as integer) as version,
  (select count(*) from pg_class as c where c.relkind in ('r', 'p') and c.relname <> 'salon_migrations'
    and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
    and not exists (select 1 from pg_depend as d where d.objid = c.oid and d.deptype = 'e')) as tables,
  to_regclass('salon_migrations') is not null as known`;
const oldestVersion = 150_000;

async function assertUsable(client: pg.ClientBase, { name }: PostgresLocation): Promise<void> {
  const { rows } = await client.query<Facts & { known: boolean }>(factsText);
  const [facts] = rows;
  if (facts === undefined) throw new Error('The server told nothing about itself.');
  const refuse = (message: string, hint: string) => {
    throw new SalonError('usage', message, { hint });
  };
  if (facts.version < oldestVersion) refuse(`${name} is older than PostgreSQL 15.`, 'Update PostgreSQL.');
  if (facts.encoding !== 'UTF8') {
    refuse(`${name} has the encoding ${facts.encoding}.`, "Create it with the encoding 'UTF8'.");
  }
  if (facts.schema === null) refuse(`${name} has no schema to create tables in.`, 'Set its search_path.');
  if (!facts.known && Number(facts.tables) > 0) {
    refuse(`${name} belongs to another program.`, 'Choose an empty database, or that of the salon.');
  }
}
