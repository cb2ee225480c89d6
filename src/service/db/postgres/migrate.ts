import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { SalonError } from '../../../contract/errors.ts';
import { createMigrationsTable, type MigrationTarget } from '../migrate.ts';
import { lockNotAvailable, readCode } from './errors.ts';

/** While a schema change waits for a table lock, other statements on that table have to wait, too. */
const lockTimeoutMs = 1000;
const lockAttempts = 60;
const pauseMs = 200;

/** A database to migrate while programs work on it, those of the version before included. `name` is for messages. */
export function createMigrationTarget(client: pg.ClientBase, name: string): MigrationTarget {
  async function attempt(body: () => Promise<void>): Promise<void> {
    await client.query('begin');
    try {
      await client.query('lock table salon_migrations in exclusive mode');
      await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
      await body();
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  }

  return {
    kind: 'postgres',
    name,
    run: async <Row>(text: string) => (await client.query(text)).rows as Row[],
    async transaction(body) {
      await assertUsable(client, name);
      // Two processes may create the table at once; then one of them fails.
      await client.query(createMigrationsTable).catch(() => client.query(createMigrationsTable));
      for (let attempts = 1; ; attempts += 1) {
        try {
          return await attempt(body);
        } catch (error) {
          if (readCode(error) !== lockNotAvailable || attempts === lockAttempts) throw error;
          await delay(pauseMs);
        }
      }
    },
  };
}

interface Facts {
  readonly schema: string | null;
  readonly encoding: string;
  readonly version: number;
  readonly tables: number;
  readonly known: boolean;
}

/** Tables of extensions do not count. */
const factsText = `select current_schema() as schema, current_setting('server_encoding') as encoding,
  cast(current_setting('server_version_num') as integer) as version,
  (select count(*) from pg_class as c where c.relkind in ('r', 'p') and c.relname <> 'salon_migrations'
    and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
    and not exists (select 1 from pg_depend as d where d.objid = c.oid and d.deptype = 'e')) as tables,
  to_regclass('salon_migrations') is not null as known`;
const oldestVersion = 150_000;

async function assertUsable(client: pg.ClientBase, name: string): Promise<void> {
  const { rows } = await client.query<Facts>(factsText);
  const [facts] = rows;
  if (facts === undefined) throw new Error('The server did not report its version.');
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
