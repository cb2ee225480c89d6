import type pg from 'pg';
import { SalonError } from '../../../contract/errors.ts';
import type { DatabaseSnapshot } from '../engine.ts';
import { type Transferred, type TransferredRow, type TransferTarget, transferRows } from '../transfer.ts';
import { openPostgres } from './engine.ts';
import { isRefusal, toUnknownCommit } from './errors.ts';
import { parsePostgresLocation } from './location.ts';
import { readBatches, readTables, useConnection } from './snapshot.ts';

/**
 * Copies a database of any engine into one without accounts, in one transaction. If the original stays in use
 * (`givesNewVersions`), collections get versions that it has not sent; see `sqlite/epoch.ts`. Throws `usage` if there
 * are accounts, and `commit_unknown` if it is not known whether the copy was saved.
 */
export async function transferToPostgres(
  source: DatabaseSnapshot,
  address: string,
  { givesNewVersions }: { readonly givesNewVersions: boolean },
): Promise<Transferred> {
  // Creates the tables.
  await (await openPostgres(address)).close();
  return useConnection(address, async (client) => {
    // The check then sees an account that was committed while it waited for the lock.
    await client.query('begin isolation level read committed, read write');
    await assertEmpty(client, address);
    const transferred = await transferRows(source, createTarget(client));
    if (givesNewVersions) {
      await client.query(
        `update collections
          set version = greatest(version + 1, cast(extract(epoch from clock_timestamp()) * 100000 as bigint))`,
      );
    }
    await client.query('commit').catch((error: unknown) => {
      if (isRefusal(error)) throw error;
      const hint =
        'Run the command again: it copies the salon, or says that the database already contains one.';
      throw toUnknownCommit(error, hint);
    });
    return transferred;
  });
}

/** Keeps others from adding an account until the end of the transaction. */
async function assertEmpty(client: pg.ClientBase, address: string): Promise<void> {
  await client.query('lock table accounts in share row exclusive mode');
  const { rows } = await client.query('select id from accounts limit 1');
  if (rows.length === 0) return;
  throw new SalonError('usage', `${parsePostgresLocation(address).name} already contains a salon.`, {
    hint: 'Use an empty database: createdb …',
  });
}

function createTarget(client: pg.ClientBase): TransferTarget {
  return {
    readTables: () => readTables(client),
    async clear(table) {
      await client.query(`delete from ${table}`);
    },
    async insert(table, columns, rows) {
      const names = columns.join(', ');
      const text = `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1)`;
      await client.query(text, [JSON.stringify(rows)]);
    },
    readRows: (text) => readBatches<TransferredRow>(client, text),
  };
}
