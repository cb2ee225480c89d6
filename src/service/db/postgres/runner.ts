import {
  type CompiledQuery,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { createDriver } from '../driver.ts';
import type { Reader } from '../engine.ts';
import type { Tables } from '../tables.ts';

export interface StatementResult {
  readonly rows: readonly unknown[];
  readonly rowCount: number | null;
}

/** Runs a statement with `?` or `$1` placeholders. */
export type RunStatement = (text: string, values: readonly unknown[]) => Promise<StatementResult>;

/** Kysely and plain statements over one function. */
export function createRunner(run: RunStatement): Reader {
  return Object.assign(new Kysely<Tables>({ dialect: createDialect(run) }), {
    run: async <Row>(text: string, values: readonly unknown[]) => (await run(text, values)).rows as Row[],
  });
}

function createDialect(run: RunStatement): Dialect {
  return {
    createDriver: () =>
      createDriver({
        async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
          const { rows, rowCount } = await run(sql, parameters);
          return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
        },
      }),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (database) => new PostgresIntrospector(database),
  };
}
