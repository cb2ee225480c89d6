import type pg from 'pg';
import type { SqlValue } from '../conditions.ts';
import type { Reader, StatementObserver } from '../engine.ts';
import { isConnectionError, isStalePlan, toDatabaseError } from './errors.ts';
import { findStatement, sendStatement, stopPreparing } from './statements.ts';

/** Reads. What fails because its connection was lost, or its plan is stale, is read again, once. */
export function createReader(pool: pg.Pool, observe: StatementObserver = () => {}): Reader {
  async function run<Row>(text: string, values: readonly SqlValue[]): Promise<Row[]> {
    const statement = findStatement(text);
    const read = async () => {
      const client = await pool.connect();
      try {
        const result = await sendStatement(client, statement, values);
        client.release();
        return result;
      } catch (error) {
        // In doubt about its state, the connection is closed.
        client.release(true);
        throw error;
      }
    };
    const startMs = performance.now();
    try {
      const result = await read().catch((error: unknown) => {
        if (isStalePlan(error)) stopPreparing(statement);
        else if (!isConnectionError(error)) throw error;
        return read();
      });
      observe({ text: statement.text, ms: performance.now() - startMs, rows: result.rows.length });
      return result.rows;
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  return { run };
}
