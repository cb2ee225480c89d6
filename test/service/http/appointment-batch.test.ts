import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendRequest, type TestRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let clientId: string;
beforeEach(async () => {
  service = await openTestService({
    clients: 1,
    hourlyLimit: 100,
    now: () => new Date('2026-11-21T09:30:00Z'),
  });
  clientId = (await readList('/clients'))[0] ?? '';
});
afterEach(() => service[Symbol.asyncDispose]());

function send(path: string, sent: TestRequest = {}) {
  const headers = { 'content-type': 'application/json', ...sent.headers };
  return sendRequest(`${service.origin}/api/v1${path}`, { key: service.keys.owner, ...sent, headers });
}

async function readList(path: string): Promise<string[]> {
  return (toJson(await send(path))['data'] as { id: string }[]).map(({ id }) => id);
}

/** Bookings at these hours of one day. */
function at(...hours: readonly number[]) {
  const [stylist_id] = service.stylistIds;
  const booking = { client_id: clientId, stylist_id, service: 'Cut', duration: 60 };
  const toStart = (hour: number) => new Date(Date.UTC(2031, 0, 7, hour)).toISOString();
  return hours.map((hour) => ({ ...booking, start_time: toStart(hour) }));
}

const book = (body: object, sent: TestRequest = {}) =>
  send('/appointments/batch', { method: 'POST', body, ...sent });

const leftOf = async () => Number((await send('/me')).headers['x-ratelimit-remaining']);

describe('POST /appointments/batch', () => {
  it('responds with 201 and an entry for each booking', async () => {
    const response = await book({ bookings: at(9, 9, 11), on_conflict: 'skip' });
    expect(response).toMatchObject({
      status: 201,
      headers: { 'content-type': expect.stringContaining('json') },
    });
    expect(response.headers).not.toHaveProperty('location');
    const { data } = toJson(response);
    const problem = {
      ...{ status: 409, code: 'appointment_conflict', request_id: response.headers['x-request-id'] },
      type: `${service.origin}/problems/appointment-conflict`,
    };
    expect(data).toMatchObject([{ problem: null }, { appointment: null, problem }, { problem: null }]);
    expect(await readList('/appointments')).toHaveLength(2);
  });

  it('responds with 409 and the problem of each refused booking where all of them are wanted', async () => {
    const response = await book({ bookings: at(9, 9) });
    expect(toJson(response)).toMatchObject({
      ...{ status: 409, code: 'bookings_refused', detail: '1 of 2 bookings is refused, so none was made.' },
      problems: [null, { status: 409, code: 'appointment_conflict' }],
    });
    expect(await readList('/appointments')).toEqual([]);
  });

  it.each<[string, () => object, string]>([
    ['no bookings', () => ({ bookings: [] }), '/bookings'],
    ['61 bookings', () => ({ bookings: at(...Array.from({ length: 61 }, (_, hour) => hour)) }), '/bookings'],
    [
      'a booking without a duration',
      () => ({ bookings: [...at(9), { ...at(10)[0], duration: undefined }] }),
      '/bookings/1/duration',
    ],
    ['an unknown rule', () => ({ bookings: at(9), on_conflict: 'maybe' }), '/on_conflict'],
  ])('refuses %s', async (_, toBody, pointer) => {
    const response = await book(toBody());
    expect(response.status).toBe(422);
    expect(toJson(response)).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
    expect(await readList('/appointments')).toEqual([]);
  });

  it('is replayed under its key, and refuses the key for other bookings', async () => {
    const headers = { 'idempotency-key': 'spring' };
    const first = await book({ bookings: at(9, 10) }, { headers });
    const again = await book({ bookings: at(9, 10) }, { headers });
    expect(again).toMatchObject({
      status: 201,
      text: first.text,
      headers: { 'idempotent-replayed': 'true' },
    });
    expect((await book({ bookings: at(9, 11) }, { headers })).status).toBe(422);
    expect(await readList('/appointments')).toHaveLength(2);
  });

  it('counts as as many requests as bookings', async () => {
    const before = await leftOf();
    const { headers } = await book({ bookings: at(9, 10, 11) });
    expect(Number(headers['x-ratelimit-remaining'])).toBe(before - 3);
    expect(await leftOf()).toBe(before - 4);
    // Each was checked.
    await book({ bookings: at(9, 10, 11) });
    expect(await leftOf()).toBe(before - 8);
  });

  it('counts once if it is refused before a booking is checked', async () => {
    const before = await leftOf();
    const [mine, theirs] = service.stylistIds;
    const bookings = [mine, theirs].map((stylist_id) => ({ ...at(9)[0], stylist_id }));
    expect((await book({ bookings }, { key: service.keys.stylist })).status).toBe(403);
    const headers = { 'idempotency-key': 'spring' };
    expect((await book({ bookings: at(9) }, { headers })).status).toBe(201);
    expect((await book({ bookings: at(9, 10, 11) }, { headers })).status).toBe(422);
    expect(await leftOf()).toBe(before - 4);
  });

  it('is refused if it costs more than is left of the hour', async () => {
    const bookings = at(...Array.from({ length: 60 }, (_, hour) => hour));
    await book({ bookings });
    const response = await book({ bookings });
    expect(response).toMatchObject({ status: 429, headers: { 'retry-after': '1800' } });
    expect(toJson(response)['detail']).toMatch(/^The batch costs 60 requests, and the account has \d+ left/);
  });

  it('changes nothing in a dry run', async () => {
    const write = (hours: number[], on_conflict: string) => ({
      ...{ method: 'POST', path: '/appointments/batch', body: { bookings: at(...hours), on_conflict } },
    });
    const writes = [write([9, 10], 'refuse'), write([9, 9], 'refuse'), write([9, 9], 'skip')];
    const { results } = toJson(await send('/dry-run', { method: 'POST', body: { writes } }));
    expect(results).toMatchObject([
      { status: 201, record: { data: [{ problem: null }, { problem: null }] } },
      { status: 409, record: null, problem: { problems: [null, { code: 'appointment_conflict' }] } },
      { status: 201, record: { data: [{ problem: null }, { problem: { code: 'appointment_conflict' } }] } },
    ]);
    expect(await readList('/appointments')).toEqual([]);
  });

  it('is announced by /me', async () => {
    expect((await send('/me')).headers['salon-batch']).toBe('60');
  });
});
