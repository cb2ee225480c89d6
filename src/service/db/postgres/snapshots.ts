import type { Reader, Snapshot } from '../engine.ts';
import { createPageReader } from '../page-reader.ts';
import { toDatabaseError } from './errors.ts';
import type { PostgresLocation } from './location.ts';
import { createPool } from './pool.ts';
import { findStatement, sendStatement } from './statements.ts';

/** Snapshots at once; others wait. */
const maxSnapshots = 4;

/** Snapshots have separate connections: an export occupies one for as long as it takes. */
export function createSnapshots(location: PostgresLocation, reader: Reader) {
  const pool = createPool(location, maxSnapshots);
  const abandonAll = new Set<() => Promise<void>>();

  async function open(): Promise<Snapshot> {
    const client = await pool.connect().catch((error: unknown) => {
      throw toDatabaseError(error);
    });
    const begin = 'begin isolation level repeatable read, read only';
    await sendStatement(client, { text: begin }).catch((error: unknown) => {
      client.release(true);
      throw toDatabaseError(error);
    });
    let closing: Promise<void> | undefined;
    const abandon = async () => {
      closing = Promise.resolve();
      abandonAll.delete(abandon);
      // The connection would otherwise end only after the statement that is running.
      const processId = 'processID' in client ? Number(client.processID) : 0;
      await reader.run('select pg_terminate_backend(?::int)', [processId]).catch(() => {});
      client.release(true);
    };
    abandonAll.add(abandon);

    const snapshot: Reader = {
      async run(text, values) {
        if (closing !== undefined) throw new Error('The snapshot is closed.');
        try {
          return (await sendStatement(client, findStatement(text), values)).rows;
        } catch (error) {
          throw toDatabaseError(error);
        }
      },
    };

    async function end(): Promise<void> {
      abandonAll.delete(abandon);
      await sendStatement(client, { text: 'commit' }).then(
        () => client.release(),
        () => client.release(true),
      );
    }

    return {
      ...snapshot,
      readPage: createPageReader(() => snapshot),
      close: () => {
        closing ??= end();
        return closing;
      },
    };
  }

  return {
    open,
    /** Closes those that are open; their statements fail. */
    close: async () => {
      await Promise.all([...abandonAll].map((abandon) => abandon()));
      await pool.end();
    },
  };
}
