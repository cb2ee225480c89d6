import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyUsage } from '../../../src/contract/api-key.ts';
import { openDatabase } from '../../../src/service/db/database.ts';
import { createApiKey } from '../../../src/service/identity/api-keys.ts';
import { openCredentials } from '../../../src/service/identity/credentials.ts';
import { getKeyUsage } from '../../../src/service/identity/key-usage.ts';
import { type Credentialed, openCredentialed } from '../../support/credentialed.ts';
import { openTestSalon } from '../../support/salon.ts';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService } from '../../support/service.ts';

const hour = '2026-11-21T12:30:00Z';

async function readUsage(origin: string, key: string): Promise<KeyUsage> {
  const response = await sendRequest(`${origin}/v1/api-keys/usage`, { key });
  expect(response.status, response.text).toBe(200);
  return toJson(response) as KeyUsage & Record<string, unknown>;
}

const namesAndRequests = ({ data }: KeyUsage) => data.map(({ name, requests }) => [name, requests]);

describe('the usage by key', () => {
  it('has what the limit has counted of the current hour, and keys without requests', async () => {
    let now = new Date(hour);
    await using service = await openTestService({ now: () => now, hourlyLimit: 5_000, appointments: 1_200 });
    const { owner, viewer } = service.keys;
    const send = (path: string, key: string, headers = {}) =>
      sendRequest(`${service.origin}/v1${path}`, { key, headers });
    for (const path of ['/me', '/clients', '/nowhere', '/clients/cli_none']) await send(path, viewer);
    // A request for each 1,000 records.
    await send('/appointments', viewer, { accept: 'application/x-ndjson' });
    const usage = await readUsage(service.origin, owner);
    expect(usage).toMatchObject({
      window_start: '2026-11-21T12:00:00Z',
      window_end: '2026-11-21T13:00:00Z',
      limit: 5_000,
    });
    expect(namesAndRequests(usage)).toEqual([
      ['viewer', 5],
      ['owner', 1],
      ['manager', 0],
      ['receptionist', 0],
      ['stylist', 0],
    ]);
    expect(usage.data[0]).toEqual({
      ...{ id: expect.stringMatching(/^key_/), kind: 'api_key', name: 'viewer' },
      ...{ prefix: viewer.slice(0, 8), role: 'viewer', app: null, person: null },
      ...{ last_used_at: hour, requests: 5 },
    });
    now = new Date('2026-11-21T13:00:00Z');
    expect(namesAndRequests(await readUsage(service.origin, owner))[0]).toEqual(['owner', 1]);
  });

  it('is shown when the limit is used up, a few times, and leaves out what was refused', async () => {
    await using service = await openTestService({ now: () => new Date(hour), hourlyLimit: 3 });
    const { owner, viewer } = service.keys;
    for (let sent = 0; sent < 5; sent += 1) await sendRequest(`${service.origin}/v1/me`, { key: viewer });
    expect(namesAndRequests(await readUsage(service.origin, owner)).slice(0, 2)).toEqual([
      ['viewer', 3],
      ['manager', 0],
    ]);
    expect((await sendRequest(`${service.origin}/v1/me`, { key: owner })).status).toBe(429);
    const statuses = [];
    for (let sent = 0; sent < 40; sent += 1) {
      statuses.push((await sendRequest(`${service.origin}/v1/api-keys/usage`, { key: owner })).status);
    }
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  it('adds what several processes have counted, with one write each', async () => {
    await using salon = await openTestSalon();
    const { database, location } = salon.store;
    const { environment } = salon;
    await using other = await openDatabase(location);
    const { id, key } = await createApiKey(salon.as(), { name: 'till', role: 'owner' });
    const source = { requestId: null, address: null };
    const status = { resetAt: Date.parse('2026-11-21T13:00:00Z') / 1000 } as never;
    let writes = 0;
    const transaction: typeof database.transaction = (lock, body) => {
      writes += 1;
      return database.transaction(lock, body);
    };
    const slow = { saveDelayMs: 3_600_000 };
    const [one, two] = [{ ...database, transaction }, other].map((of) =>
      openCredentials({ database: of, environment }, slow),
    ) as [ReturnType<typeof openCredentials>, ReturnType<typeof openCredentials>];
    for (const process of [one, two, one, one]) {
      const caller = await process.read(key, source);
      process.count(caller, 100, status);
      process.count(caller, -1, status);
    }
    expect(writes).toBe(0);
    await Promise.all([one.save(), two.save()]);
    await one.save();
    expect(writes).toBe(1);
    const usage = await getKeyUsage(salon.as());
    expect(usage.data.find((use) => use.id === id)).toMatchObject({ name: 'till', requests: 396 });
  });

  it('keeps what could not be saved', async () => {
    await using salon = await openTestSalon();
    const { database } = salon.store;
    const { id, key } = await createApiKey(salon.as(), { name: 'till', role: 'owner' });
    let isFull = true;
    const transaction: typeof database.transaction = (lock, body) =>
      isFull ? Promise.reject(new Error('The disk is full.')) : database.transaction(lock, body);
    const credentials = openCredentials({
      database: { ...database, transaction },
      environment: salon.environment,
    });
    const caller = await credentials.read(key, { requestId: null, address: null });
    const status = { resetAt: Date.parse('2026-11-21T13:00:00Z') / 1000 } as never;
    credentials.count(caller, 2, status);
    await expect(credentials.save()).rejects.toThrow('full');
    credentials.count(caller, 1, status);
    isFull = false;
    await credentials.save();
    const usage = await getKeyUsage(salon.as());
    expect(usage.data.find((use) => use.id === id)).toMatchObject({ requests: 3 });
  });
});

describe('the usage of people and apps', () => {
  let scene: Credentialed;
  beforeAll(async () => {
    scene = await openCredentialed();
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  it('names sign-ins, apps, the keys that they made, and what is gone', async () => {
    const { service } = scene;
    const person = await scene.issue('person token', { role: 'manager' });
    const app = await scene.issue('app token', { role: 'owner' });
    const made: unknown[] = [];
    for (const key of [person, app]) {
      const body = { name: 'made', role: 'viewer' };
      const { id } = toJson(await scene.send('POST', '/api-keys', { key, body }));
      made.push(id);
    }
    const leaver = await scene.issue('person token', { role: 'manager' });
    await scene.send('GET', '/me', { key: leaver });
    await scene.change(async (tx) => {
      await tx.run('delete from oauth_grants where user_id = (select max(user_id) from oauth_grants)', []);
    });
    const { data } = await readUsage(service.origin, service.keys.owner);
    const find = (kind: string) => data.filter((use) => use.kind === kind);
    expect(find('sign_in')).toEqual([
      {
        ...{ id: expect.any(String), kind: 'sign_in', prefix: null, role: 'manager' },
        ...{ name: expect.any(String), person: expect.any(String), app: 'Salon command line' },
        ...{ last_used_at: expect.any(String), requests: 1 },
      },
    ]);
    expect(find('app')).toEqual([
      {
        ...{ id: expect.any(String), kind: 'app', name: 'Bookings', app: 'Bookings' },
        ...{ prefix: null, role: 'owner', person: null, last_used_at: expect.any(String), requests: 1 },
      },
    ]);
    expect(find('removed')).toMatchObject([{ name: null, role: null, app: null, requests: 1 }]);
    const apps = find('api_key').flatMap(({ id, app: name }) => (made.includes(id) ? [name] : []));
    // What a person makes on the command line is the person's.
    expect(apps.sort()).toEqual(['Bookings', null]);
  });
});
