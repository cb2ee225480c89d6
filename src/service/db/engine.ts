import type { Kysely, Transaction } from 'kysely';
import type { Values } from './lists/conditions.ts';
import type { Tables } from './tables.ts';

/** What reading functions work on: the reader, or a transaction that must see its own writes. */
export type Reader = Kysely<Tables>;

/** An open transaction; what writing functions work on. */
export type Writer = Transaction<Tables> & Pick<Engine, 'run'>;

/** An opened database engine. Each engine folder makes one of these from a location of its own kind. */
export interface Engine {
  /** Sees what is committed and never waits for an open transaction. */
  readonly reader: Kysely<Tables>;
  /** The reader's short way for what runs with every request: rows of a statement with named values. */
  read<Row>(text: string, values: Values): Promise<Row[]>;
  /** Another number after every commit of anybody, in whatever process. */
  readMark(): number;
  /** Transactions on it run one after the other and are alone among all processes. */
  readonly writer: Kysely<Tables>;
  /** A transaction's short way for what runs with every change: rows of a statement with values by position. */
  run<Row>(text: string, values: readonly (number | string | null)[]): Promise<Row[]>;
  /** Takes what was overwritten or deleted out of every file of the database. */
  purge(): Promise<void>;
}
