import pg from 'pg';
import { SalonError } from '../../../contract/errors.ts';
import { type Engine, readColumn, type StatementObserver } from '../engine.ts';
import { migrate } from '../migrate.ts';
import { createPageReader } from '../page-reader.ts';
import {
  isCertificateError,
  isConnectionError,
  isPasswordError,
  readCode,
  toDatabaseError,
} from './errors.ts';
import { type PostgresLocation, parsePostgresLocation } from './location.ts';
import { createMigrationTarget } from './migrate.ts';
import { createNotifications } from './notifications.ts';
import { createPool, refuseLosingPooler, toClientConfig } from './pool.ts';
import { createSnapshots } from './snapshots.ts';
import { createReader } from './statements.ts';
import { createTransactions } from './transactions.ts';

/**
 * Opens a database of PostgreSQL and brings its schema up to date. Throws `usage` when it is not a salon's, or the
 * server refuses the user, and `service_unavailable` when it cannot be reached.
 */
export async function openPostgres(address: string, observe?: StatementObserver): Promise<Engine> {
  const location = parsePostgresLocation(address);
  await prepareDatabase(location);
  // Readers never wait for connections that wait for locks.
  const readPool = createPool(location);
  const writePool = createPool(location);
  const notifications = createNotifications(location);
  const reader = createReader(readPool, observe);
  const snapshots = createSnapshots(location, reader);
  const { transaction, settled } = createTransactions(writePool, notifications.announce, observe);
  return {
    kind: 'postgres',
    reader,
    // The server reads; a few connections are shared by all.
    scan: () => reader,
    openSnapshot: snapshots.open,
    transaction,
    readPage: createPageReader(() => reader),
    readDataVersion: notifications.readDataVersion,
    listen: notifications.listen,
    // PostgreSQL removes deleted rows itself: by autovacuum, or by `compact`.
    purge: async () => true,
    requestPurge: () => {},
    compact: async () => {
      await reader.run('vacuum', []);
      return true;
    },
    // Autovacuum counts, too.
    updateStatistics: async () => {},
    readBytes: async () => {
      const text = 'select pg_database_size(current_database())';
      return (await readColumn<number>(reader, text, []))[0] ?? 0;
    },
    close: async () => {
      await Promise.all([settled(), snapshots.close()]);
      await Promise.all([notifications.close(), readPool.end(), writePool.end()]);
    },
  };
}

/** On connections without time limits: a migration may take long. */
async function prepareDatabase(location: PostgresLocation): Promise<void> {
  const connect = async () => {
    const client = new pg.Client(toClientConfig(location));
    client.on('error', () => {});
    return client.connect().catch((error: unknown) => {
      // pg may have given up a connection that is still open.
      client.end().catch(() => {});
      throw error;
    });
  };
  let client: pg.Client | undefined;
  try {
    client = await connect();
    await refuseLosingPooler(client, connect);
    await migrate(createMigrationTarget(client, location.name));
  } catch (error) {
    throw toOpenError(error, location);
  } finally {
    await client?.end().catch(() => {});
  }
}

/** What the operator has to correct is a usage error. */
export function toOpenError(error: unknown, { name, user }: PostgresLocation): unknown {
  const refuse = (message: string, hint: string) => new SalonError('usage', message, { hint, cause: error });
  const code = readCode(error);
  const text = error instanceof Error ? error.message : '';
  if (code === '28000' && /no encryption|SSL off/.test(text)) {
    const hint = 'Add ?sslmode=verify-full, or ?sslmode=require without verification.';
    return refuse(`${name} requires TLS.`, hint);
  }
  if (code?.startsWith('28') || isPasswordError(error)) {
    const message = `${name} refuses the user "${user}" or the password.`;
    return refuse(message, 'Check the address of the database.');
  }
  if (code === '3D000') return refuse(`The database ${name} does not exist.`, 'Create it with createdb.');
  if (code === '42501') {
    const hint = `Make the user the owner: alter database … owner to ${user}.`;
    return refuse(`The user "${user}" may not create tables in ${name}.`, hint);
  }
  if (text === 'The server does not support SSL connections') {
    return refuse(`${name} does not support TLS.`, 'Add ?sslmode=disable if the network is private.');
  }
  if (isCertificateError(error)) {
    const reason = code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? 'it is for another host' : text.split(';')[0];
    const hint = 'Add ?sslrootcert=… with its authority, or ?sslmode=require without verification.';
    return refuse(`The certificate of ${name} is not trusted: ${reason}.`, hint);
  }
  if ((isConnectionError(error) && !code?.startsWith('57P')) || text === 'timeout expired') {
    const message = `${name} cannot be reached.`;
    return new SalonError('service_unavailable', message, { retryable: true, cause: error });
  }
  return toDatabaseError(error);
}
