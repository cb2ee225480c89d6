import type pg from 'pg';
import { isLostStatement } from './errors.ts';

/** Lends a connection for a read. */
export type Lend = <Result>(read: (client: pg.PoolClient) => Promise<Result>) => Promise<Result>;

/** Lends each read a connection of its own. */
export function createLend(pool: pg.Pool): Lend {
  return async (read) => {
    const client = await pool.connect();
    try {
      const result = await read(client);
      client.release();
      return result;
    } catch (error) {
      // In doubt about its state, the connection is closed.
      client.release(true);
      throw error;
    }
  };
}

/** With more, the service and the server would wait for each other in turn. */
const maxReads = 2;

interface Shared {
  readonly client: Promise<pg.PoolClient>;
  begun: number;
  running: number;
  failure?: unknown;
}

/**
 * Lends one connection to two reads that begin in the same turn of the event loop. Sent together, they cost one system
 * call and wake the server once. Only for reads that are always quick, because the second waits for the first.
 */
export function createSharedLend(pool: pg.Pool): Lend {
  let open: Shared | undefined;

  function take(): Shared {
    if (open === undefined || open.begun >= maxReads) {
      const created = { client: pool.connect(), begun: 0, running: 0 };
      setImmediate(() => {
        if (open === created) open = undefined;
      });
      open = created;
    }
    open.begun += 1;
    open.running += 1;
    return open;
  }

  return async (read) => {
    const shared = take();
    const client = await shared.client;
    try {
      return await read(client);
    } catch (error) {
      shared.failure ??= error;
      // The second read cannot run a statement that the first one failed to prepare.
      throw isLostStatement(error) ? shared.failure : error;
    } finally {
      shared.running -= 1;
      // A failed read is repeated on another connection.
      if (open === shared && (shared.running === 0 || shared.failure !== undefined)) open = undefined;
      if (shared.running === 0) client.release(shared.failure !== undefined);
    }
  };
}
