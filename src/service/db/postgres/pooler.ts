import type pg from 'pg';
import { readCode, toPoolerError } from './errors.ts';

/** A pooler with a single connection to the server would wait for ever. */
const waitMs = 1000;

/**
 * Throws `service_unavailable` behind a pooler that gives transactions one connection after the other and loses the
 * statements that were prepared on them, such as PgBouncer before 1.21 in transaction mode.
 */
export async function refuseLosingPooler(
  client: pg.Client,
  connect: () => Promise<pg.Client>,
): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  // A pooler gives its clients a number of its own.
  if ('processID' in client && client.processID === rows[0]?.pid) return;
  const prepared = { name: 'salon_pooler_check', text: 'select 1' };
  await client.query(prepared);
  const other = await connect();
  // It takes the connection that the statement was prepared on, and the client gets another one.
  await other.query('begin');
  const timer = setTimeout(() => other.end().catch(() => {}), waitMs);
  try {
    await client.query(prepared);
  } catch (error) {
    throw ['26000', '42P05'].includes(readCode(error) ?? '') ? toPoolerError(error) : error;
  } finally {
    clearTimeout(timer);
    await other.end().catch(() => {});
  }
}
