import pg from 'pg';
import { readCode, toPoolerError } from './errors.ts';
import type { PostgresLocation } from './location.ts';
import { sendStatement } from './statements.ts';

/** How long to wait for a connection. */
const connectTimeoutMs = 5000;
/** The server ends a statement that takes longer. */
const statementTimeoutMs = 10_000;
/** The server ends the transaction of a process that has stopped. */
const idleTransactionTimeoutMs = 30_000;
const idleTimeoutMs = 60_000;
const keepAliveMs = 10_000;

// https://www.postgresql.org/docs/current/catalog-pg-type.html
const int8 = 20;
const numeric = 1700;

/** Counts, times and positions stay far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 || oid === numeric ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** The configuration of a connection. */
export function toClientConfig(location: PostgresLocation): pg.ClientConfig {
  const { host, port, database, user, password, ssl, applicationName } = location;
  const config: pg.ClientConfig = {
    ...{ host, port, database, user, password, ssl, types },
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  };
  // Asks for what pg has found in the environment. Without any password it would look for a file, and warn.
  const found = new pg.Client(config).password ?? '';
  return { ...config, password: () => found };
}

export function createPool(location: PostgresLocation, max = location.poolSize): pg.Pool {
  const pool = new pg.Pool({
    ...toClientConfig(location),
    max,
    idleTimeoutMillis: idleTimeoutMs,
    onConnect: (client) => configureSession(client),
  });
  // An idle connection that is lost; the pool replaces it.
  pool.on('error', () => {});
  // One in use reports the loss to its statements, too.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Not as parameters of the start, which poolers refuse. A confirmed change must be on the disk. Compiling a statement
 * takes the server up to a second, running one less than a millisecond.
 */
async function configureSession(client: pg.ClientBase): Promise<void> {
  const text = `set statement_timeout = ${statementTimeoutMs};
    set idle_in_transaction_session_timeout = ${idleTransactionTimeoutMs};
    set session characteristics as transaction isolation level read committed;
    select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';
    select set_config('jit', 'off', false) where current_setting('jit', true) = 'on'`;
  await sendStatement(client, { text });
}

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
  // A pooler gives its clients a different number.
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
