import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DryRunResult, PlannedWrite } from '../../../src/contract/dry-run.ts';
import { openDatabase } from '../../../src/service/db/database.ts';
import { listTables } from '../../support/salon-state.ts';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

/** Requests are counted by the hour. */
const now = () => new Date('2026-11-21T09:30:00Z');

let service: TestService;
beforeEach(async () => {
  service = await openTestService({ clients: 3, now });
});
afterEach(() => service[Symbol.asyncDispose]());

const start = '2031-01-07T10:00:00Z';

function send(path: string, method: string, body?: object, key = service.keys.owner) {
  return sendRequest(`${service.origin}/v1${path}`, {
    method,
    key,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
}

async function check(writes: readonly PlannedWrite[], key?: string): Promise<readonly DryRunResult[]> {
  const response = await send('/dry-run', 'POST', { writes }, key);
  expect(response.status, JSON.stringify(toJson(response))).toBe(200);
  return toJson(response)['results'] as DryRunResult[];
}

async function readIds(list: string): Promise<readonly string[]> {
  return (toJson(await send(list, 'GET'))['data'] as { id: string }[]).map(({ id }) => id);
}

async function toBooking(change: object = {}) {
  const [client_id] = await readIds('/clients');
  return {
    client_id,
    stylist_id: service.stylistIds[0],
    service: 'Cut',
    start_time: start,
    duration: 30,
    ...change,
  };
}

/** Every row of every table that a write could change. */
async function readEverything(): Promise<Record<string, string[]>> {
  await using database = await openDatabase(service.database);
  const tables = [
    'collections',
    'clients',
    'appointments',
    'stylists',
    'payments',
    'webhooks',
    'events',
    'deliveries',
    'idempotency',
  ];
  const names = (await listTables(database)).filter((name) => !name.startsWith('sqlite_'));
  expect(tables.filter((name) => names.includes(name)).length).toBeGreaterThan(7);
  const everything: Record<string, string[]> = {};
  for (const name of names) {
    // Written in the background, and by every request.
    if (/^audit_(?:hours|indexed|links)$|^rate_windows$|^request_counts$/.test(name)) continue;
    const rows = await database.reader.run<object>(`select * from ${name}`, []);
    // The service notes from time to time when a key was used last.
    everything[name] = rows.map((row) => JSON.stringify({ ...row, last_used_ms: null })).sort();
  }
  return everything;
}

describe('POST /dry-run', () => {
  it('answers what each write would get, and changes nothing', async () => {
    const [ana = ''] = await readIds('/clients');
    const before = await readEverything();
    const results = await check([
      { method: 'POST', path: '/clients', body: { first_name: 'Ada' } },
      { method: 'PUT', path: `/clients/${ana}`, body: { notes: 'new' } },
      { method: 'POST', path: '/appointments', body: await toBooking() },
      { method: 'DELETE', path: `/clients/${ana}?force=true` },
      { method: 'POST', path: '/payments', body: { amount: 100, currency: 'EUR', method: 'cash' } },
      { method: 'POST', path: '/stylists', body: { first_name: 'Mia' } },
    ]);
    expect(results.map(({ status }) => status)).toEqual([201, 200, 201, 204, 201, 201]);
    expect(results[0]).toMatchObject({ record: { first_name: 'Ada' }, problem: null });
    expect(results[1]).toMatchObject({ record: { id: ana, notes: 'new' } });
    expect(await readEverything()).toEqual(before);
  });

  it('checks a merge of clients and its reversal', async () => {
    const [into = '', from = ''] = await readIds('/clients');
    const before = await readEverything();
    const path = `/clients/${into}/merge`;
    const [good, self] = await check([
      { method: 'POST', path, body: { from } },
      { method: 'POST', path, body: { from: into } },
    ]);
    expect(good).toMatchObject({ status: 200, record: { id: into, from } });
    expect(self?.problem).toMatchObject({ status: 422, errors: [{ pointer: '/from' }] });
    expect(await readEverything()).toEqual(before);
    const unmerge = `/clients/${into}/unmerge`;
    expect((await check([{ method: 'POST', path: unmerge }]))[0]?.problem).toMatchObject({
      code: 'merge_not_reversible',
    });
    expect((await send(path, 'POST', { from })).status).toBe(200);
    const merged = await readEverything();
    expect((await check([{ method: 'POST', path: unmerge }]))[0]).toMatchObject({ record: { from } });
    expect(await readEverything()).toEqual(merged);
  });

  it('refuses what the write would be refused for', async () => {
    const taken = await toBooking();
    expect((await send('/appointments', 'POST', taken)).status).toBe(201);
    const [, idle = ''] = service.stylistIds;
    await send(`/stylists/${idle}`, 'PUT', { active: false });
    const codes = (
      await check([
        { method: 'POST', path: '/appointments', body: taken },
        { method: 'POST', path: '/appointments', body: { ...taken, allow_overlap: true } },
        { method: 'POST', path: '/appointments', body: { ...taken, stylist_id: idle } },
        { method: 'POST', path: '/appointments', body: { ...taken, stylist_id: 'Mia' } },
        { method: 'POST', path: '/appointments', body: { ...taken, start_time: 'tomorrow' } },
        { method: 'POST', path: '/clients', body: { first_name: 'Ada', tags: 'vip' } },
        { method: 'DELETE', path: `/clients/${taken.client_id}` },
        { method: 'PUT', path: `/clients/${taken.client_id}`, body: { notes: 'x' }, if_match: '"old"' },
        { method: 'PUT', path: '/clients/cli_none', body: { notes: 'x' } },
        { method: 'POST', path: '/clients?force=true', body: {} },
        { method: 'DELETE', path: '/appointments/apt_1' },
        { method: 'POST', path: '/dry-run', body: { writes: [] } },
        { method: 'POST', path: '/webhooks', body: { url: 'https://example.com' } },
        { method: 'POST', path: '/payments/pay_1/void', body: { amount: 1 } },
      ])
    ).map(({ status, problem }) => `${status} ${(problem as { code?: string } | null)?.code ?? 'accepted'}`);
    expect(codes).toEqual([
      '409 appointment_conflict',
      '201 accepted',
      '422 validation_failed',
      '422 validation_failed',
      '422 validation_failed',
      '422 validation_failed',
      '409 client_has_upcoming_appointments',
      '412 precondition_failed',
      '404 not_found',
      '400 invalid_parameter',
      '422 validation_failed',
      '422 validation_failed',
      '422 validation_failed',
      '422 validation_failed',
    ]);
  });

  it('refuses what the account has no space for', async () => {
    const [ana = ''] = await readIds('/clients');
    await using database = await openDatabase(service.database);
    await database.transaction('service', (tx) =>
      tx.run("update collections set bytes = ? where name = 'stylists'", [10 ** 15]),
    );
    const results = await check([
      { method: 'POST', path: '/clients', body: { first_name: 'Ada' } },
      { method: 'PUT', path: `/clients/${ana}`, body: { notes: 'new' } },
      { method: 'DELETE', path: `/clients/${ana}?force=true` },
    ]);
    expect(results.map(({ status }) => status)).toEqual([403, 403, 204]);
  });

  it('has the rights of the key, write by write', async () => {
    const [ana = ''] = await readIds('/clients');
    const writes: PlannedWrite[] = [
      { method: 'POST', path: '/clients', body: { first_name: 'Ada' } },
      { method: 'DELETE', path: `/clients/${ana}` },
    ];
    const statuses = async (key: string) => (await check(writes, key)).map(({ status }) => status);
    expect(await statuses(service.keys.receptionist)).toEqual([201, 403]);
    expect(await statuses(service.keys.viewer)).toEqual([403, 403]);
  });

  it('costs one request, keeps no idempotency record, and is announced by GET /me', async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'once' };
    const writes = Array.from({ length: 200 }, () => ({
      method: 'POST',
      path: '/clients',
      body: { first_name: 'Ada' },
    }));
    const request = { method: 'POST', key: service.keys.owner, headers, body: { writes } };
    const [one, two] = [
      await sendRequest(`${service.origin}/v1/dry-run`, request),
      await sendRequest(`${service.origin}/v1/dry-run`, request),
    ];
    const left = ({ headers: { 'x-ratelimit-remaining': remaining } }: typeof one) => Number(remaining);
    expect([one.status, two.status, left(one) - left(two)]).toEqual([200, 200, 1]);
    expect(one.headers['idempotent-replayed']).toBeUndefined();
    const created = await send('/clients', 'POST', { first_name: 'Ada' });
    expect(created.status).toBe(201);
    expect((await send('/me', 'GET')).headers['salon-dry-run']).toBe('200');
  });

  it.each([
    [{}],
    [{ writes: [] }],
    [{ writes: Array(201).fill({ method: 'POST', path: '/clients' }) }],
    [{ writes: [{ method: 'GET', path: '/clients' }] }],
  ])('refuses a body without one to 200 writes', async (body) => {
    expect((await send('/dry-run', 'POST', body)).status).toBe(422);
  });
});
