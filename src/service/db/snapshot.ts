import type { Engine, Reader } from './engine.ts';

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
