import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Reader } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { createDialect } from './dialect.ts';
import type { Statements } from './statements.ts';

/** Kysely and plain statements over one connection. */
export function createRunner(sqlite: DatabaseSync, statements: Statements): Reader {
  const kysely = new Kysely<Tables>({ dialect: createDialect(sqlite, statements) });
  return Object.assign(kysely, {
    run: async <Row>(text: string, values: Parameters<Reader['run']>[1]) =>
      statements.run<Row>(text, values).rows,
  });
}
