import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/service/db/database.ts';
import { openAccountLimiter } from '../../../src/service/domain/rate-limit.ts';
import { createServer } from '../../../src/service/http/server.ts';
import { openCredentials } from '../../../src/service/identity/credentials.ts';
import { openSecrets } from '../../../src/service/secrets/secrets.ts';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let database: Database;
beforeAll(async () => {
  service = await openTestService();
  database = await openDatabase(service.database);
});
afterAll(async () => {
  await database.close();
  await service[Symbol.asyncDispose]();
});

describe('health', () => {
  it('fails temporarily while the database is unreachable', async () => {
    const environment = { now: () => new Date(), random: (size: number) => new Uint8Array(size) };
    const secrets = openSecrets({ location: service.database, environment });
    const app = createServer({
      context: { database, environment, secrets, checkAddress: async () => undefined },
      limiter: openAccountLimiter(database, environment),
      credentials: openCredentials({ database, environment }),
      logLevel: 'silent',
      log: { write: () => true },
      isReady: async () => false,
    });
    const response = await sendRequest(`${await app.listen({ host: '127.0.0.1', port: 0 })}/healthz`);
    await app.close();
    expect(toJson(response)).toMatchObject({ status: 503, code: 'service_unavailable' });
    expect(response.headers['retry-after']).toBe('5');
  });
});
