import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { parsePostgresLocation } from '../../../../src/service/db/postgres/location.ts';
import { createPool } from '../../../../src/service/db/postgres/pool.ts';
import { createSharedLend, type Lend } from '../../../../src/service/db/postgres/read-connections.ts';
import { openTwoAccounts } from '../../../support/database.ts';

async function openPool() {
  const store = await openTwoAccounts();
  const pool: pg.Pool = createPool(parsePostgresLocation(store.location), 4);
  return {
    pool,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** The server's process of a read. */
function readPid(lend: Lend, table = 'accounts'): Promise<number> {
  const text = `select pg_backend_pid() as pid from ${table}`;
  return lend(async (client) => Number((await client.query(text)).rows[0]?.pid));
}

describe('reads that share connections', () => {
  it('share one in a turn of the event loop, two at a time', async () => {
    await using opened = await openPool();
    const lend = createSharedLend(opened.pool);
    const pids = await Promise.all(Array.from({ length: 5 }, () => readPid(lend)));
    expect(pids[0]).toBe(pids[1]);
    expect(pids[2]).toBe(pids[3]);
    expect(new Set(pids).size).toBe(3);
    expect(opened.pool.idleCount).toBe(3);
  });

  it('fail alone, and leave no connection open that one has failed on', async () => {
    await using opened = await openPool();
    const lend = createSharedLend(opened.pool);
    const [other, failed] = await Promise.allSettled([readPid(lend), readPid(lend, 'nothing')]);
    expect(failed).toMatchObject({ reason: { code: '42P01' } });
    expect(other.status).toBe('fulfilled');
    expect(opened.pool.totalCount).toBe(0);
    expect(await readPid(lend)).toBeGreaterThan(0);
  });
});
