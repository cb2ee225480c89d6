import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { SalonError } from '../../../contract/errors.ts';
import { alikeLetters } from '../../../contract/search-text.ts';
import { listKeyOriginStatements } from '../key-origins.ts';
import { assertSupported, minimumSetting, minimumVersion } from '../schema-version.ts';
import { lockNotAvailable, readCode } from './errors.ts';
import { schema } from './schema.ts';

/** A change of the schema while programs work on it, those of the version before included. */
export interface Migration {
  readonly statements: readonly string[];
  /**
   * Whether each statement runs by itself and not in one transaction, such as `create index concurrently`. All of them
   * must be able to run again.
   */
  readonly isConcurrent?: true;
}

export type Migrations = Readonly<Record<string, Migration>>;

/** In order. A released migration is never changed. The first one is the schema of SQLite after its migration 019. */
export const migrations: Migrations = {
  '019-first-tables': { statements: schema },
  '020-secret-holders': { statements: ['alter table oauth_clients add column secret_by text collate "C"'] },
  '021-key-origins': { statements: listKeyOriginStatements('text collate "C"') },
  '022-second-factors': {
    statements: [
      'alter table accounts add column requires_second_factor smallint not null default 0',
      'alter table sessions add column has_second_factor smallint not null default 0',
    ],
  },
  '023-responses': { statements: ['alter table delivery_attempts add column response text collate "C"'] },
  '024-alike-letters': {
    statements: [
      `update clients set search = translate(search, '${alikeLetters.from}', '${alikeLetters.to}')
        where search ~ '[${alikeLetters.from}]'`,
    ],
  },
  '025-no-row-counts': { statements: ['drop table blocks'] },
};

const createTable = `create table if not exists salon_migrations (name text not null primary key,
  applied_at timestamptz not null default now())`;
/** Locked by the process that migrates. */
const lockName = '000-lock';
/** While a schema change waits for a table lock, other statements on that table have to wait, too. */
const lockTimeoutMs = 1000;
const lockAttempts = 60;
const pauseMs = 200;

export interface MigrationTarget {
  readonly client: pg.ClientBase;
  /** For messages. */
  readonly name: string;
  /** Opens another connection, for what cannot run in the transaction that keeps other processes away. */
  connect(): Promise<pg.Client>;
}

/**
 * Brings the schema up to date. Of several processes that open a database at once, one migrates it. Throws `usage` when
 * the database belongs to another program, or a newer version of salon has changed it too far.
 */
export async function migrate(target: MigrationTarget, known: Migrations = migrations): Promise<void> {
  const { client } = target;
  if ((await readPending(target, known)).length === 0) return;
  await assertUsable(target);
  await createMigrationsTable(client);
  for (let attempts = 0; ; ) {
    const [name] = await readPending(target, known);
    if (name === undefined) return;
    try {
      await client.query('begin');
      const isDone = (await lock(client)) && (await applyPending(target, known));
      await client.query(isDone ? 'commit' : 'rollback');
      if (!isDone) await delay(pauseMs);
    } catch (error) {
      await client.query('rollback');
      attempts += 1;
      if (readCode(error) !== lockNotAvailable || attempts === lockAttempts) throw error;
      await delay(pauseMs);
    }
  }
}

/**
 * Keeps other processes away until the transaction ends; returns false if one of them is migrating. To wait for it in a
 * statement would have a snapshot, for which `create index concurrently` waits.
 */
async function lock(client: pg.ClientBase): Promise<boolean> {
  const text = 'select name from salon_migrations where name = $1 for update skip locked';
  return (await client.query(text, [lockName])).rows.length > 0;
}

/** Applies the next migration. Another process may have done so. */
async function applyPending(target: MigrationTarget, known: Migrations): Promise<true> {
  const [name] = await readPending(target, known);
  if (name !== undefined) await apply(target, name, known[name]);
  return true;
}

async function apply(
  { client, connect }: MigrationTarget,
  name: string,
  { statements, isConcurrent }: Migration = { statements: [] },
): Promise<void> {
  // Without parameters, it also ends the last portal and its snapshot, for which a concurrent statement would wait.
  await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
  const other = isConcurrent ? await connect() : undefined;
  try {
    for (const statement of statements) await (other ?? client).query(statement);
  } finally {
    await other?.end();
  }
  await client.query('insert into salon_migrations (name) values ($1)', [name]);
  const raise = `insert into database_settings as old (name, value) values ($1, $2)
    on conflict (name) do update set value = greatest(old.value, excluded.value)`;
  await client.query(raise, [minimumSetting, minimumVersion]);
}

async function readPending({ client, name }: MigrationTarget, known: Migrations): Promise<string[]> {
  const { rows } = await client.query("select to_regclass('salon_migrations') is not null as found");
  const names = Object.keys(known);
  if (rows[0]?.found !== true) return names;
  const found = await client.query<{ name: string }>(
    'select name from salon_migrations where name <> $1 order by name',
    [lockName],
  );
  const done = found.rows.map((row) => row.name);
  assertSupported(name, {
    known: names,
    done,
    minimum: done.length === 0 ? undefined : await readMinimum(client),
  });
  return names.filter((migration) => !done.includes(migration));
}

async function readMinimum(client: pg.ClientBase): Promise<string | undefined> {
  const text = 'select value from database_settings where name = $1';
  const { rows } = await client.query<{ value: string }>(text, [minimumSetting]);
  return rows[0]?.value;
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

/** Tables of extensions do not count. */
const factsText = `select current_schema() as schema, current_setting('server_encoding') as encoding,
  cast(current_setting('server_version_num') as integer) as version,
  (select count(*) from pg_class as c where c.relkind in ('r', 'p') and c.relname <> 'salon_migrations'
    and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
    and not exists (select 1 from pg_depend as d where d.objid = c.oid and d.deptype = 'e')) as tables,
  to_regclass('salon_migrations') is not null as known`;
const oldestVersion = 150_000;

async function assertUsable({ client, name }: MigrationTarget): Promise<void> {
  const { rows } = await client.query<Facts & { known: boolean }>(factsText);
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
