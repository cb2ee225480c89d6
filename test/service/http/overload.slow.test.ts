import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/service/db/database.ts';
import { sendRequest } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

/** What a request waits at least before it is refused, and the time between two lines about refused ones. */
const shortestWaitMs = 10_000;

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ config: { logLevel: 'warn', shutdownTimeoutMs: 100 } });
});
afterAll(() => service[Symbol.asyncDispose]());

/** Keeps the writes of the first account waiting until it is released. */
async function holdWrites() {
  const database = await openDatabase(service.database);
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const transaction = database.transaction({ accountId: service.id }, async (tx) => {
    await tx.run('select id from accounts', []);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  return {
    async [Symbol.asyncDispose]() {
      release.resolve();
      await transaction;
      await database.close();
    },
  };
}

function addClient(key: string, signal?: AbortSignal) {
  return fetch(`${service.origin}/v1/clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"first_name":"Ana"}',
    ...(signal === undefined ? {} : { signal }),
  });
}

describe('an account with too many requests', () => {
  it('has 256 of them wait, is refused the others, and delays no other account', async () => {
    const other = await service.addAccount();
    const statuses: number[] = [];
    const sent: Promise<unknown>[] = [];
    const refused = Promise.withResolvers<Response>();
    const startMs = performance.now();
    {
      await using _held = await holdWrites();
      for (let count = 0; count < 300; count += 1) {
        const answered = addClient(service.keys.owner).then((response) => {
          statuses.push(response.status);
          if (statuses.length === 44) refused.resolve(response);
        });
        sent.push(answered);
      }
      const response = await refused.promise;
      expect(statuses).toEqual(Array(44).fill(503));
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await response.json()).toMatchObject({ code: 'service_unavailable', status: 503 });
      expect((await sendRequest(`${service.origin}/v1/me`, { key: other.keys.owner })).status).toBe(200);
      expect((await sendRequest(`${service.origin}/v1/me`, { key: service.keys.owner })).status).toBe(200);
    }
    await Promise.all(sent);
    expect(service.logged.filter((line) => line.includes('request failed'))).toEqual([]);
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
    // A machine that needs longer refuses others because they waited for so long.
    if (performance.now() - startMs > shortestWaitMs) return;
    const refusals = service.logged.filter((line) => line.includes('too many requests: some were refused'));
    expect(refusals).toHaveLength(1);
    expect(statuses.filter((status) => status === 201)).toHaveLength(256);
  });

  it('gets its places back when clients leave without a response', async () => {
    const leaving = new AbortController();
    {
      await using _held = await holdWrites();
      const sent = Array.from({ length: 60 }, () => addClient(service.keys.owner, leaving.signal));
      const outcomes = Promise.allSettled(sent);
      // They are under way once a request that was sent after them is answered.
      await sendRequest(`${service.origin}/v1/me`, { key: service.keys.owner });
      leaving.abort();
      await outcomes;
    }
    const responses = await Promise.all(Array.from({ length: 64 }, () => addClient(service.keys.owner)));
    expect(responses.map(({ status }) => status)).toEqual(Array(64).fill(201));
  });
});
