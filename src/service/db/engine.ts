import type { Kysely, Transaction } from 'kysely';
import type { SqlValue } from './conditions.ts';
import type { CollectionPage, ListPageRequest } from './pages.ts';
import type { Tables } from './tables.ts';

/** Runs a statement of plain text. Much cheaper than building the same query with Kysely for every request. */
export interface StatementRunner {
  run<Row>(text: string, values: readonly SqlValue[]): Promise<Row[]>;
}

/** What reading functions take: the database's reader, or a transaction that must see its own writes. */
export type Reader = Kysely<Tables> & StatementRunner;

/** An open transaction; what writing functions take. */
export type Writer = Transaction<Tables> & StatementRunner;

/** An open database engine with an up-to-date schema. Every engine folder opens one. */
export interface Engine {
  /** Sees what is committed and never waits for an open transaction. */
  readonly reader: Reader;
  /** Its transactions run one at a time and hold the database's write lock. */
  readonly writer: Reader;
  /** Reads one page, the total and the collection's version, all from one snapshot. */
  readPage(request: ListPageRequest): Promise<CollectionPage>;
  /** A number that changes with every commit, including those of other processes. */
  readDataVersion(): number;
  /**
   * Removes overwritten and deleted rows from all files of the database, except for copies that only `compact` removes.
   * Returns false if another process was reading them.
   */
  purge(): Promise<boolean>;
  /** Rewrites the database with nothing but its rows; a purge then removes the rest. Returns false if it was busy. */
  compact(): Promise<boolean>;
  readBytes(): number;
}
