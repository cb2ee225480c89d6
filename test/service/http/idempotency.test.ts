import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { endpoints } from '../../../src/contract/endpoints.ts';
import { parseServiceConfig } from '../../../src/service/config.ts';
import { openDatabase } from '../../../src/service/db/database.ts';
import { openService } from '../../../src/service/service.ts';
import { makeWebhooks } from '../../support/make-webhooks.ts';
import { makers, postBodies, toWaitlistEntry } from '../../support/post-bodies.ts';
import { sendRequest, type TestRequest, type TestResponse, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let nowMs = Date.parse('2026-11-21T12:00:00Z');
let service: TestService;
beforeAll(async () => {
  service = await openTestService({ clients: 1, appointments: 1, now: () => new Date(nowMs) });
});
afterAll(() => service[Symbol.asyncDispose]());

const hourMs = 3_600_000;
let keys = 0;
const newKey = () => `key-${keys++}`;
function post(
  path: string,
  key: string,
  sent: TestRequest & { origin?: string } = {},
): Promise<TestResponse> {
  return sendRequest(`${sent.origin ?? service.origin}${path}`, {
    method: 'POST',
    key: service.keys.owner,
    ...sent,
    headers: { 'content-type': 'application/json', 'idempotency-key': key, ...sent.headers },
  });
}

/** Adds a client who can be found by the key. */
function addClient(key: string, sent: TestRequest & { origin?: string } = {}): Promise<TestResponse> {
  return post('/api/v1/clients', key, { body: { first_name: 'Ana', last_name: `Of ${key}.` }, ...sent });
}

async function countClients(key: string): Promise<number> {
  const path = `/v1/clients?q=${encodeURIComponent(`of ${key}.`)}`;
  const response = await sendRequest(`${service.origin}${path}`, { key: service.keys.owner });
  return (toJson(response)['pagination'] as { total: number }).total;
}

async function readFirstId(list: string): Promise<string> {
  const response = await sendRequest(`${service.origin}/v1${list}`, { key: service.keys.owner });
  const [record] = toJson(response)['data'] as { id: string }[];
  return record?.id ?? '';
}

/** A record for the operation to work on. */
async function readId(path: string): Promise<string> {
  const [, list = ''] = path.split('/');
  const maker = makers[list];
  if (maker !== undefined) return makeRecord(`/${list}`, maker);
  if (!/^.(?:webhooks|deliveries)/.test(path)) return readFirstId('/appointments');
  const { webhooks, deliveries } = await makeWebhooks(service, 1);
  return (path.startsWith('/webhooks') ? webhooks : deliveries)[0] ?? '';
}

async function makeRecord(path: string, operation: string): Promise<string> {
  return String(toJson(await post(`/v1${path}`, newKey(), { body: await toBody(operation) }))['id']);
}

async function toBody(operation: string): Promise<object> {
  if (operation === 'createWaitlistEntry') return toWaitlistEntry(await readFirstId('/clients'));
  if (!operation.startsWith('createAppointment')) return postBodies[operation] ?? {};
  const day = operation === 'createAppointment' ? '07' : '08';
  const start_time = `2031-01-${day}T10:00:00Z`;
  const booking = { stylist_id: service.stylistIds[0], service: 'Cut', start_time, duration: 30 };
  const whole = { ...booking, client_id: await readFirstId('/clients') };
  return operation === 'createAppointment' ? whole : { bookings: [whole] };
}

const isKeyed = ([, { method, isSafe }]: [string, Endpoint]) => method === 'POST' && !isSafe;
const { mergeClients, unmergeClients, ...others } = endpoints;
const posts = Object.entries<Endpoint>(others).filter(isKeyed);

describe('a POST with an Idempotency-Key', () => {
  it.each(posts)('is executed once and its response replayed: %s', async (operation, endpoint) => {
    const key = newKey();
    const body = await toBody(operation);
    const path = endpoint.path.replace(':id', await readId(endpoint.path));
    const status = endpoint.success.status;
    const first = await post(`/api/v1${path}`, key, { body });
    expect(first).toMatchObject({ status, headers: { 'idempotent-replayed': 'false' } });
    const again = await post(`/v1${path}`, key, { body: JSON.stringify(body, null, 2) });
    expect(again).toMatchObject({
      status,
      text: first.text,
      headers: { 'idempotent-replayed': 'true' },
    });
    for (const name of ['location', 'etag', 'content-type']) {
      expect(again.headers[name]).toBe(first.headers[name]);
    }
  });

  it('replays the first response even if the record has changed', async () => {
    const key = newKey();
    const first = await addClient(key);
    const path = first.headers['location'];
    await sendRequest(service.origin + path, {
      method: 'PUT',
      key: service.keys.owner,
      body: { notes: 'x' },
    });
    expect((await addClient(key)).text).toBe(first.text);
    expect(await countClients(key)).toBe(1);
  });

  it('has no replay header without a key', async () => {
    const response = await sendRequest(`${service.origin}/v1/clients`, {
      method: 'POST',
      key: service.keys.owner,
      body: { first_name: 'Ana' },
    });
    expect(response.headers['idempotent-replayed']).toBeUndefined();
  });

  it.each([
    ['body', '/api/v1/clients', { first_name: 'Eva' }],
    ['path', '/api/v1/appointments', undefined],
  ])('is rejected with another %s', async (_, path, body) => {
    const key = newKey();
    await addClient(key);
    const other = body ?? (await toBody('createAppointment'));
    const response = await post(path, key, { body: other });
    expect(toJson(response)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    expect(response.headers['idempotent-replayed']).toBeUndefined();
  });

  it('can be corrected after an error, which is not stored', async () => {
    const key = newKey();
    expect((await addClient(key, { body: { first_name: 7 } })).status).toBe(422);
    expect((await addClient(key, { body: { notes: 'nobody' } })).status).toBe(422);
    expect(await addClient(key)).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'false' } });
  });

  it('applies to one account only', async () => {
    const key = newKey();
    const other = await service.addAccount();
    const first = await addClient(key);
    const theirs = await addClient(key, { key: other.keys.owner });
    expect(theirs).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'false' } });
    expect(toJson(theirs)['id']).not.toBe(toJson(first)['id']);
  });

  it('is not replayed to a key without the right', async () => {
    const key = newKey();
    await addClient(key);
    expect(toJson(await addClient(key, { key: service.keys.viewer }))).toMatchObject({
      code: 'permission_denied',
    });
  });

  it('is not replayed to a key for another calendar', async () => {
    const body = { ...(await toBody('createAppointment')), stylist_id: service.stylistIds[1] };
    const booked = toJson(await post('/v1/appointments', newKey(), { body }));
    const payment = { appointment_id: booked['id'], amount: 4500, currency: 'EUR', method: 'cash' };
    for (const [path, sent] of [
      ['/v1/payments', { body: payment }],
      [`/v1/appointments/${booked['id']}/cancel`, { body: {} }],
    ] as const) {
      const key = newKey();
      expect((await post(path, key, sent)).text).toContain(String(booked['id']));
      const theirs = await post(path, key, { ...sent, key: service.keys.stylist });
      expect(toJson(theirs)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
      expect(await post(path, key, sent)).toMatchObject({ headers: { 'idempotent-replayed': 'true' } });
    }
  });

  it('is remembered for 24 hours', async () => {
    const key = newKey();
    await addClient(key);
    nowMs += 24 * hourMs;
    expect((await addClient(key)).headers['idempotent-replayed']).toBe('true');
    nowMs += 1;
    expect((await addClient(key)).headers['idempotent-replayed']).toBe('false');
    expect(await countClients(key)).toBe(2);
    expect((await addClient(key)).headers['idempotent-replayed']).toBe('true');
  });

  it('neither recreates nor reveals a client removed since', async () => {
    const key = newKey();
    const { id } = toJson(await addClient(key));
    await sendRequest(`${service.origin}/v1/clients/${id}`, { method: 'DELETE', key: service.keys.owner });
    const again = await addClient(key);
    expect(toJson(again)).toMatchObject({ status: 404, code: 'not_found', resource: 'client', id });
    expect(again.text).not.toContain('Ana');
    expect(await countClients(key)).toBe(0);
  });

  it.each([
    ['empty', ''],
    ['with a space', 'a b'],
    ['of 256 characters', 'x'.repeat(256)],
    ['beyond ASCII', 'é'],
    ['sent twice', ['a', 'b']],
  ])('rejects a key %s', async (_, key) => {
    const response = await addClient(newKey(), { headers: { 'idempotency-key': key } });
    expect(toJson(response)).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'Idempotency-Key', code: 'invalid_format' }],
    });
  });

  it.each(['!', '~'.repeat(255), '"quoted"', "';--"])('accepts the key %s', async (key) => {
    expect((await addClient(newKey(), { headers: { 'idempotency-key': key } })).status).toBe(201);
  });
});

describe('concurrent requests with one key', () => {
  it('create one record, also across services', async () => {
    const { env } = service;
    const environment = { now: () => new Date(nowMs), random: randomBytes, log: { write: () => {} }, env };
    const config = parseServiceConfig({ port: '0', database: service.database, logLevel: 'silent' });
    await using second = await openService(config, environment);
    const key = newKey();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        return addClient(key, { origin: index % 2 === 0 ? service.origin : second.origin });
      }),
    );
    const made = responses.filter(({ status }) => status === 201);
    expect(made.filter(({ headers }) => headers['idempotent-replayed'] === 'false')).toHaveLength(1);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const refused of responses.filter(({ status }) => status !== 201)) {
      expect(toJson(refused)).toMatchObject({ status: 409, code: 'idempotency_key_in_use' });
    }
    expect(await countClients(key)).toBe(1);
  });

  it('are rejected with Retry-After while the first is running', async () => {
    await using database = await openDatabase(service.database);
    const key = newKey();
    let both: Promise<TestResponse>[] = [];
    // This transaction blocks other writers of the account, so the first request stays in progress.
    const refused = await database.transaction({ accountId: service.id }, async (tx) => {
      // Its answer comes once the lock is held.
      await tx.run('select id from accounts', []);
      both = [addClient(key), addClient(key)];
      return Promise.race(both);
    });
    expect(toJson(refused)).toMatchObject({ status: 409, code: 'idempotency_key_in_use' });
    expect(refused.headers['retry-after']).toBe('1');
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await addClient(key)).headers['idempotent-replayed']).toBe('true');
  });
});
