import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { parsePostgresLocation } from '../../../../src/service/db/postgres/location.ts';
import { createPool } from '../../../../src/service/db/postgres/pool.ts';
import { createSharedLend, type Lend } from '../../../../src/service/db/postgres/read-connections.ts';
import { send } from '../../../../src/service/db/postgres/statements.ts';
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

  it('fail for the same reason as the first one where it could not prepare their statement', async () => {
    await using opened = await openPool();
    const lend = createSharedLend(opened.pool);
    const read = () => lend((client) => send(client, { text: 'select 1 from nothing', name: 'nothing' }));
    const failed = await Promise.allSettled([read(), read(), read()]);
    expect(failed.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    for (const one of failed) expect(one).toMatchObject({ reason: { code: '42P01' } });
  });

  it('are repeated on another connection at once, while others still run on the first', async () => {
    await using opened = await openPool();
    const lend = createSharedLend(opened.pool);
    await readPid(lend);
    const lost = lend(() => Promise.reject(new Error('lost')));
    const running = readPid(lend);
    const repeated = lost.catch(() => readPid(lend));
    expect(await repeated).not.toBe(await running);
  });
});
