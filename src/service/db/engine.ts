import { SalonError } from '../../contract/errors.ts';
import type { CollectionPage, ListPageRequest } from './pages.ts';
import type { SqlValue } from './rows.ts';

/** What reading functions take: the database's reader, or a transaction that must see its own writes. */
export interface Reader {
  /** Runs a statement with a value for each `?`. A change returns the rows that its `returning` selects. */
  run<Row>(text: string, values: readonly SqlValue[]): Promise<Row[]>;
}

/** The first row that a statement returns; undefined without any. */
export async function readFirst<Row>(reader: Reader, text: string, values: readonly SqlValue[]) {
  const [row] = await reader.run<Row>(text, values);
  return row;
}

/** The values that a statement with one column returns. */
export async function readColumn<Value>(reader: Reader, text: string, values: readonly SqlValue[]) {
  const rows = await reader.run<Record<string, Value>>(text, values);
  return rows.flatMap((row) => Object.values(row));
}

/** A statement that has run, without its values: they may be personal data. */
export interface RanStatement {
  readonly text: string;
  readonly ms: number;
  readonly rows: number;
}

/** Called with every statement, in the asynchronous context of its caller. */
export type StatementObserver = (statement: RanStatement) => void;

export interface EngineOptions {
  readonly observe?: StatementObserver | undefined;
  /** Whether long reads run in this thread: nobody else waits for it. */
  readonly readsHere?: boolean;
}

/** A read transaction: all its statements and pages are of one moment. */
export interface Snapshot extends Reader {
  readPage(request: ListPageRequest): Promise<CollectionPage>;
  /** Ends it. May be called twice. */
  close(): Promise<void>;
}

/** An open transaction; what writing functions take. */
export interface Writer extends Reader {
  /** Waits until no other transaction holds the account. Only a transaction with the lock `service` may need it. */
  lockAccount(accountId: string): Promise<void>;
}

/**
 * What a transaction locks before it reads, until it ends:
 * - an account: its records, positions, versions, events and audit log;
 * - `service`: people, sessions, links and all else that belongs to no single account;
 * - `rows`: only what its statements lock themselves, each of which is right on its own.
 *
 * SQLite has one writer at a time, and needs none of them.
 */
export type Lock = { readonly accountId: string } | 'service' | 'rows';

/** What other processes are notified of: who may do what, and deliveries to make. */
export type Topic = 'access' | 'deliveries';

/** An open database engine with an up-to-date schema. Every engine folder opens one. */
export interface Engine {
  readonly kind: 'sqlite' | 'postgres';
  /** Sees what is committed and never waits for an open transaction. */
  readonly reader: Reader;
  /** Like `reader`, for statements of an account that may take long: others do not wait for them. */
  scan(accountId: string): Reader;
  /** Opens a snapshot for an account. Throws `service_unavailable` when too many are open. */
  openSnapshot(accountId: string): Promise<Snapshot>;
  /**
   * Runs a body and commits when it returns; a throw rolls it back. Resolves when the commit is on the disk. A body
   * may run again, so it must change nothing but the database.
   */
  transaction<Result>(lock: Lock, body: (tx: Writer) => Promise<Result>): Promise<Result>;
  /** Reads one page, the total and the collection's version, all from one snapshot. */
  readPage(request: ListPageRequest): Promise<CollectionPage>;
  /** A number that changes with every commit that concerns access, including those of other processes. */
  readDataVersion(): number;
  /** Calls a listener after commits of other processes. Returns what stops it. */
  listen(topic: Topic, listener: () => void): () => void;
  /**
   * Removes overwritten and deleted rows from all files of the database, except for copies that only `compact` removes.
   * Returns false if another process was reading them.
   */
  purge(): Promise<boolean>;
  /** Has a purge made soon, in the background. Requests in quick succession share one. */
  requestPurge(): void;
  /** Rewrites the database with nothing but its rows; a purge then removes the rest. Returns false if it was busy. */
  compact(): Promise<boolean>;
  /** Collects statistics for the query planner, if tables have changed much. What fails is left to the next time. */
  updateStatistics(): Promise<void>;
  readBytes(): Promise<number>;
  close(): Promise<void>;
}

export interface Transactions {
  readonly transaction: Engine['transaction'];
  /** Resolves when no transaction is open. */
  settled(): Promise<void>;
}

/** A database as of one moment, read without changing anything. Migrations may be missing. */
export interface DatabaseSnapshot {
  readonly kind: Engine['kind'];
  readonly reader: Reader;
  /** The names of all tables, and of their columns. */
  readTables(): Promise<Schema>;
  /** The rows of a query, some hundred at a time. */
  readRows<Row>(text: string): AsyncIterable<readonly Row[]>;
  /** What is wrong with files, indexes and constraints: a sentence each; empty for a database that is whole. */
  findDamage(): Promise<readonly string[]>;
}

/** The columns of each table. */
export type Schema = ReadonlyMap<string, readonly string[]>;

/** The error for a transaction that has waited too long for others. */
export function toBusyError(): SalonError {
  return new SalonError('service_unavailable', 'The database is busy.', { retryable: true });
}
