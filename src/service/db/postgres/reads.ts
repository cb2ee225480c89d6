import type pg from 'pg';
import type { Reader } from '../engine.ts';
import { isConnectionError, toDatabaseError } from './errors.ts';
import { createRunner, type RunStatement } from './runner.ts';
import { findStatement, send } from './statements.ts';

/** Runs statements that see one snapshot of the database. They are sent together with its beginning. */
export type RunSnapshot = <Result>(read: (run: Reader['run']) => Promise<Result>) => Promise<Result>;

/** Reads over a pool. What fails because its connection was lost is read again, once. */
export function createReads(pool: pg.Pool): { readonly reader: Reader; readonly snapshot: RunSnapshot } {
  const use = async <Result>(act: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    try {
      return await useClient(pool, act).catch((error: unknown) => {
        if (!isConnectionError(error)) throw error;
        return useClient(pool, act);
      });
    } catch (error) {
      throw toDatabaseError(error);
    }
  };
  const run: RunStatement = (text, values) => use((client) => send(client, findStatement(text), values));
  return {
    reader: createRunner(run),
    snapshot: (read) =>
      use(async (client) => {
        const begun = client.query('begin isolation level repeatable read, read only');
        const [, result] = await Promise.all([
          begun,
          read(async (text, values) => (await send(client, findStatement(text), values)).rows),
        ]);
        // Waits for nothing: a snapshot has nothing to lose.
        client.query('commit').catch(() => {});
        return result;
      }),
  };
}

async function useClient<Result>(
  pool: pg.Pool,
  act: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    const result = await act(client);
    client.release();
    return result;
  } catch (error) {
    // In doubt about its state, the connection is closed.
    client.release(true);
    throw error;
  }
}
