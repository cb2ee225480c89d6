import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/service/db/database.ts';
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

export async function openTestDatabase(): Promise<TestDatabase> {
  const folder = createTestFolder();
  const file = join(folder.path, 'salon.db');
  const empty = await createEmptyDatabase(file);
  const { location } = empty;
  const opened: Database[] = [];
  async function openAgain(): Promise<Database> {
    const database = await openDatabase(location);
    opened.push(database);
    return database;
  }
  return {
    database: await openAgain(),
    location,
    file,
    openAgain,
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((database) => database.close()));
      await empty[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Adds an account named after its ID. */
export function addAccount(database: Database, id: string): Promise<unknown> {
  return database.transaction('service', (tx) =>
    tx
      .insertInto('accounts')
      .values({ id, name: id, ...plainAccount })
      .execute(),
  );
}

export async function countAccounts({ reader }: Database): Promise<number> {
  return (await reader.selectFrom('accounts').select('id').execute()).length;
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
