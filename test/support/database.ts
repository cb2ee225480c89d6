import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { type Database, openDatabase } from '../../src/service/db/database.ts';
import type { Writer } from '../../src/service/db/engine.ts';
import { createPageReader } from '../../src/service/db/page-reader.ts';
import { type SqlValue, toInsert } from '../../src/service/db/rows.ts';
import { createPostgresDatabase, isPostgres } from './postgres.ts';

/** The columns of an account that a test does not care about. */
export const plainAccount = {
  plan: 'pro',
  hourly_limit: null,
  sandbox: 0,
  created_at: '2026',
  requires_second_factor: 0,
} as const;

/** A temporary folder, deleted at the end. */
export function createTestFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'salon-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** An empty database. `openAgain` opens the same one as another process would. */
export interface TestDatabase extends AsyncDisposable {
  readonly database: Database;
  readonly location: string;
  /** The file of a database of SQLite. On PostgreSQL only the key of secrets lies beside it. */
  readonly file: string;
  openAgain(): Promise<Database>;
}

/** Where an empty database was created. */
export interface EmptyDatabase extends AsyncDisposable {
  readonly location: string;
}

/** Creates an empty database as a copy of one that is migrated once: in a file, or on the PostgreSQL of the run. */
export async function createEmptyDatabase(file: string): Promise<EmptyDatabase> {
  if (isPostgres) return createPostgresDatabase();
  emptyDatabase ??= readEmptyDatabase();
  writeFileSync(file, await emptyDatabase, { mode: 0o600 });
  return { location: `sqlite:${file}`, [Symbol.asyncDispose]: async () => {} };
}

let emptyDatabase: Promise<Buffer> | undefined;

async function readEmptyDatabase(): Promise<Buffer> {
  using folder = createTestFolder();
  const file = join(folder.path, 'empty.db');
  const database = await openDatabase(`sqlite:${file}`);
  await database.close();
  return readFileSync(file);
}

/** Creates a database as migration 025, the baseline, left it: a salon with rows in every table. */
export async function createBaselineDatabase(file: string): Promise<EmptyDatabase> {
  if (!isPostgres) {
    createBaselineFile(file);
    return { location: `sqlite:${file}`, [Symbol.asyncDispose]: async () => {} };
  }
  const created = await createPostgresDatabase('template0');
  await changeDatabase(created.location, readDump('postgres'));
  return created;
}

/** Creates the file of a SQLite database as `createBaselineDatabase` does. */
export function createBaselineFile(file: string): void {
  writeFileSync(file, '', { mode: 0o600 });
  using sqlite = new DatabaseSync(file);
  sqlite.exec(`begin; ${readDump('sqlite')} commit`);
}

function readDump(kind: Database['kind']): string {
  return readFileSync(new URL(`databases/025.${kind}.sql`, import.meta.url), 'utf8');
}

/** Runs statements on a database as another program would. */
export async function changeDatabase(location: string, statements: string): Promise<void> {
  if (!isPostgres) {
    using sqlite = new DatabaseSync(location.replace(/^sqlite:/, ''));
    return sqlite.exec(statements);
  }
  const client = new pg.Client({ connectionString: location, ssl: false });
  await client.connect();
  await client.query(statements);
  await client.end();
}

/** Opens an empty database, or the one that a function creates. */
export async function openTestDatabase(create = createEmptyDatabase): Promise<TestDatabase> {
  const folder = createTestFolder();
  const file = join(folder.path, 'salon.db');
  let mayReuse = isPostgres && create === createEmptyDatabase;
  const first = (mayReuse ? spares.pop() : undefined) ?? (await openCreated(await create(file)));
  const opened: Database[] = [];
  /** From now on, others than the test itself may use the database, also once it has ended. */
  function share(): string {
    mayReuse = false;
    return first.created.location;
  }
  return {
    database: {
      ...first.database,
      listen(...watched) {
        share();
        return first.database.listen(...watched);
      },
    },
    get location() {
      return share();
    },
    file,
    async openAgain() {
      const database = await openDatabase(share());
      opened.push(database);
      return database;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((database) => database.close()));
      if (mayReuse && (await emptyTables(first.database))) spares.push(first);
      else await first[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

interface OpenedDatabase extends AsyncDisposable {
  readonly created: EmptyDatabase;
  readonly database: Database;
}

async function openCreated(created: EmptyDatabase): Promise<OpenedDatabase> {
  const database = await openDatabase(created.location);
  return {
    created,
    database,
    async [Symbol.asyncDispose]() {
      await database.close();
      await created[Symbol.asyncDispose]();
    },
  };
}

/** Databases that tests left empty: on PostgreSQL, creating and opening one takes ten times as long as emptying it. */
const spares: OpenedDatabase[] = [];

/**
 * Deletes what a test wrote; returns false if the database is closed. Deleted rows would stay in the files of large
 * tables, and slow down the next test.
 */
async function emptyTables({ transaction }: Database): Promise<boolean> {
  const text = `do $$
    declare
      name text;
    begin
      for name in select tablename from pg_tables where schemaname = 'public'
          and tablename not in ('salon_migrations', 'service_lock', 'database_settings') loop
        if pg_relation_size(name::regclass) > 100000 then execute 'truncate ' || name;
        elsif pg_relation_size(name::regclass) > 0 then execute 'delete from ' || name;
        end if;
      end loop;
      delete from database_settings where database_settings.name <> 'minimum_version';
    end $$`;
  try {
    await transaction('rows', (tx) => tx.run(text, []));
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a body with a database whose transactions are parts of a single one, which is rolled back: thousands of salons
 * cost no waiting for the disk, and each finds the database as it was.
 */
export async function rollBackAfter(
  store: TestDatabase,
  body: (inside: TestDatabase) => Promise<void>,
): Promise<void> {
  const done = new Error('rolled back');
  const whole = store.database.transaction('rows', async (writer) => {
    let former: Promise<unknown> = Promise.resolve();
    const tx: Writer = {
      ...writer,
      // One after the other, as pg wants it.
      run<Row>(text: string, values: readonly SqlValue[]) {
        const rows = former.then(() => writer.run<Row>(text, values));
        former = rows.catch(() => {});
        return rows;
      },
    };
    const transaction: Database['transaction'] = async (_lock, act) => {
      await tx.run('savepoint act', []);
      try {
        const result = await act(tx);
        await tx.run('release act', []);
        return result;
      } catch (error) {
        await tx.run('rollback to act', []);
        throw error;
      }
    };
    const reading = { reader: tx, scan: () => tx, readPage: createPageReader(() => tx) };
    await body({ ...store, database: { ...store.database, ...reading, transaction } });
    throw done;
  });
  await whole.catch((error: unknown) => {
    if (error !== done) throw error;
  });
}

/** Adds an account named after its ID. */
export function addAccount(database: Database, id: string): Promise<unknown> {
  return database.transaction('service', (tx) =>
    tx.run(...toInsert('accounts', [{ id, name: id, ...plainAccount }])),
  );
}

export async function countAccounts({ reader }: Database): Promise<number> {
  return (await reader.run('select id from accounts', [])).length;
}

/** A database with the accounts `acc_1` and `acc_2`, and a row of settings for each to change. */
export async function openTwoAccounts(): Promise<TestDatabase> {
  const store = await openTestDatabase();
  for (const id of ['acc_1', 'acc_2']) await addAccount(store.database, id);
  await store.database.transaction('service', (tx) =>
    tx.run('insert into audit_settings (account_id, kept_days) select id, 0 from accounts', []),
  );
  return store;
}
