import { describe, expect, it } from 'vitest';
import { SalonError } from '../../../src/contract/errors.ts';
import { type Database, openDatabase } from '../../../src/service/db/database.ts';
import { openAccountLimiter } from '../../../src/service/domain/rate-limit.ts';
import { createServer } from '../../../src/service/http/server.ts';
import { openCredentials } from '../../../src/service/identity/credentials.ts';
import { watchWrites } from '../../../src/service/monitoring/monitoring.ts';
import { createReadiness } from '../../../src/service/monitoring/readiness.ts';
import { openSecrets } from '../../../src/service/secrets/secrets.ts';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService } from '../../support/service.ts';

const environment = { now: () => new Date(), random: (size: number) => new Uint8Array(size) };
/** Waits for the database however busy the machine is. */
const patient = { timeoutMs: 150_000 };
const ready = { service: 'ok', database: 'ok', writes: 'ok', migrations: 'ok', disk: 'ok' };

/** A server whose readiness checks give a report. */
async function openServer(location: string, report: typeof ready) {
  const database = await openDatabase(location);
  const app = createServer({
    context: {
      ...{ database, environment, checkAddress: async () => undefined },
      secrets: openSecrets({ location, environment }),
    },
    limiter: openAccountLimiter(database, environment),
    credentials: openCredentials({ database, environment }),
    logLevel: 'silent',
    log: { write: () => true },
    checkReadiness: async () => report,
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const close = async () => {
    await app.close();
    await database.close();
  };
  return { origin, [Symbol.asyncDispose]: close };
}

describe('health', () => {
  it('and readiness are reported by a service that works', async () => {
    await using service = await openTestService();
    const health = await sendRequest(`${service.origin}/healthz`);
    expect([health.status, toJson(health)]).toEqual([200, { status: 'ok' }]);
    const readiness = await sendRequest(`${service.origin}/readyz`);
    expect([readiness.status, toJson(readiness)]).toEqual([200, { status: 'ok', checks: ready }]);
  });

  it('is that of the process while the service is not ready, and says why it is not', async () => {
    await using service = await openTestService();
    await using server = await openServer(service.database, { ...ready, disk: 'full' });
    expect((await sendRequest(`${server.origin}/healthz`)).status).toBe(200);
    const response = await sendRequest(`${server.origin}/readyz`);
    expect(toJson(response)).toMatchObject({
      status: 503,
      code: 'service_unavailable',
      detail: 'Not ready: disk: full.',
      checks: { ...ready, disk: 'full' },
    });
    expect(response.headers['retry-after']).toBe('5');
    expect((await sendRequest(`${server.origin}/readyz?exclude=disk`)).status).toBe(200);
    expect((await sendRequest(`${server.origin}/readyz?exclude=database`)).status).toBe(503);
  });

  it('fails while the database does not respond, and the process stays healthy', async () => {
    await using service = await openTestService();
    const database = await openDatabase(service.database);
    const hanging = { ...database, reader: { ...database.reader, run: () => new Promise<never>(() => {}) } };
    const readiness = createReadiness({
      database: hanging as unknown as typeof database,
      file: undefined,
      timeoutMs: 1,
    });
    expect(await readiness.check()).toMatchObject({ service: 'ok', database: 'no response' });
    await database.close();
    expect(await createReadiness({ database, file: undefined, ...patient }).check()).not.toMatchObject({
      database: 'ok',
    });
  });

  it('fails until a first write succeeds, and after one that failed until one succeeds', async () => {
    await using service = await openTestService();
    await using opened = await openDatabase(service.database);
    const full = new SalonError('service_unavailable', 'The disk that holds the database is full.');
    let isFull = true;
    const failing: Database = {
      ...opened,
      transaction: (lock, body) => (isFull ? Promise.reject(full) : opened.transaction(lock, body)),
    };
    const { database, findWriteFailure } = watchWrites(failing);
    const readiness = createReadiness({ database, file: undefined, findWriteFailure, ...patient });
    expect(await readiness.check()).toEqual({ ...ready, writes: 'The disk that holds the database is full' });
    isFull = false;
    expect(await readiness.check()).toEqual(ready);
    isFull = true;
    expect(await readiness.check()).toEqual(ready);
    await expect(database.transaction('rows', async () => {})).rejects.toBe(full);
    expect(await readiness.check()).toEqual({ ...ready, writes: 'The disk that holds the database is full' });
    isFull = false;
    expect(await readiness.check()).toEqual(ready);
    expect(findWriteFailure()).toBeUndefined();
  });

  it('fails if an older backup took the place of the database', async () => {
    await using service = await openTestService();
    await using database = await openDatabase(service.database);
    const readiness = createReadiness({ database, file: undefined, ...patient });
    await readiness.check();
    await database.transaction('rows', (tx) => tx.run('delete from salon_migrations', []));
    expect(await readiness.check()).toEqual({
      ...ready,
      migrations: 'the schema is older than the service',
    });
  });

  it('fails once the service is about to stop', async () => {
    await using service = await openTestService();
    await using database = await openDatabase(service.database);
    const readiness = createReadiness({ database, file: undefined, ...patient });
    readiness.stop();
    expect(await readiness.check()).toMatchObject({ service: 'stopping', database: 'ok' });
  });
});
