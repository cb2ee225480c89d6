import type { Reader, StatementObserver } from '../engine.ts';
import { isConnectionError, isStalePlan, toDatabaseError } from './errors.ts';
import type { Lend } from './read-connections.ts';
import { createRunner } from './runner.ts';
import { findStatement, send, stopPreparing } from './statements.ts';

/** Reads. What fails because its connection was lost, or its plan is stale, is read again, once. */
export function createReader(lend: Lend, observe: StatementObserver = () => {}): Reader {
  return createRunner(async (text, values) => {
    const statement = findStatement(text);
    const read = () => lend((client) => send(client, statement, values));
    const startMs = performance.now();
    try {
      const result = await read().catch((error: unknown) => {
        if (isStalePlan(error)) stopPreparing(statement);
        else if (!isConnectionError(error)) throw error;
        return read();
      });
      observe({ text: statement.text, ms: performance.now() - startMs, rows: result.rows.length });
      return result;
    } catch (error) {
      throw toDatabaseError(error);
    }
  });
}
