import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { endpoints } from '../../../src/contract/endpoints.ts';
import { makeWebhooks, silentUrl } from '../../support/make-webhooks.ts';
import { hostileText, instants, nearValid, type Samples, type Schema } from '../../support/near-valid.ts';
import { postBodies, toWaitlistEntry } from '../../support/post-bodies.ts';
import { sendRequest, type TestRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { isLong } from '../../support/speed.ts';

// Few near-valid writes are accepted, so those need all runs.

let service: TestService;
let samples: Samples;
beforeAll(async () => {
  // What the sample appointments accept depends on the day.
  const now = () => new Date('2026-11-21T12:00:00Z');
  service = await openTestService({ clients: 100, appointments: 50, now });
  const settings = { time_zone: 'Europe/Berlin', opening_hours: 'mon-sat 9-18', currency: 'EUR' };
  await sendRequest(`${service.origin}/v1/salon`, {
    method: 'PATCH',
    key: service.keys.owner,
    body: settings,
  });
  const clientIds = await readIds('/clients');
  samples = {
    clients: clientIds,
    appointments: await readIds('/appointments'),
    stylists: service.stylistIds,
    payments: await makePayments(),
    'blocked-times': await makeMany('/blocked-times', postBodies['createBlockedTime']),
    waitlist: await makeMany('/waitlist', toWaitlistEntry(clientIds[0] ?? '')),
    services: await makeServices(),
    client_id: clientIds,
    stylist_id: service.stylistIds,
    preferred_stylist_id: service.stylistIds,
    start_time_from: [...instants, '2026-11-21'],
    start_time_to: [...instants, '2026-11-21'],
    updated_since: [...instants, '2026-11-21'],
    from: ['2026-11-21', '2026-11-22T09:00:00Z'],
    to: ['2026-12-01'],
    created_from: [...instants, '2026-11-21'],
    created_to: [...instants, '2026-11-21'],
    currency: ['EUR', 'JPY', 'XXX'],
    url: [silentUrl],
    after: [],
  };
});
afterAll(() => service[Symbol.asyncDispose]());

async function readIds(list: string): Promise<string[]> {
  const response = await sendRequest(`${service.origin}/v1${list}?per_page=200`, { key: service.keys.owner });
  return (toJson(response)['data'] as { id: string }[]).map(({ id }) => id);
}

/** Payments large enough for most refunds. */
async function makePayments(): Promise<string[]> {
  const body = { amount: 1_000_000_000_000, currency: 'EUR', method: 'cash' };
  const sent = { method: 'POST', key: service.keys.owner, body };
  const made = Array.from({ length: 10 }, () => sendRequest(`${service.origin}/v1/payments`, sent));
  return (await Promise.all(made)).map((response) => String(toJson(response)['id']));
}

/** Makes as many records as random deletions may delete. */
async function makeMany(list: string, body: object | undefined): Promise<string[]> {
  const sent = { method: 'POST', key: service.keys.owner, ...(body && { body }) };
  const made = Array.from({ length: 60 }, () => sendRequest(`${service.origin}/v1${list}`, sent));
  return (await Promise.all(made)).map((response) => String(toJson(response)['id']));
}

async function makeServices(): Promise<string[]> {
  const make = (_: unknown, index: number) =>
    sendRequest(`${service.origin}/v1/services`, {
      ...{ method: 'POST', key: service.keys.owner },
      body: { name: `Service ${index}`, duration: 30, price: 4500 },
    });
  const made = await Promise.all(Array.from({ length: 60 }, make));
  return made.map((response) => String(toJson(response)['id']));
}

async function makeKeys(): Promise<string[]> {
  const body = { name: 'till', role: 'viewer' };
  const sent = { method: 'POST', key: service.keys.owner, body };
  const made = Array.from({ length: 20 }, () => sendRequest(`${service.origin}/v1/api-keys`, sent));
  return (await Promise.all(made)).map((response) => String(toJson(response)['id']));
}

async function makeOauthClients(): Promise<string[]> {
  const body = { name: 'Shop', redirect_uris: ['https://shop.example/back'] };
  const sent = { method: 'POST', key: service.keys.owner, body };
  const made = Array.from({ length: 20 }, () => sendRequest(`${service.origin}/v1/oauth-clients`, sent));
  return (await Promise.all(made)).map((response) => String(toJson(response)['id']));
}

/** Clients into whom others were merged, and clients to merge. */
async function makeMerges(): Promise<Samples> {
  const post = async (path: string, body: object) =>
    toJson(
      await sendRequest(`${service.origin}/v1${path}`, { method: 'POST', key: service.keys.owner, body }),
    );
  const make = async () => String((await post('/clients', { first_name: 'Ana' }))['id']);
  const clients = await Promise.all(Array.from({ length: 20 }, make));
  const merged = await Promise.all(Array.from({ length: 20 }, make));
  await Promise.all(clients.map((id, index) => post(`/clients/${id}/merge`, { from: merged[index] })));
  const others = await Promise.all(Array.from({ length: 60 }, make));
  return { clients, from: [...merged, ...others] };
}

describe.each(Object.entries<Endpoint>(endpoints))('%s', (name, endpoint) => {
  it('responds to any input as the contract says, without an internal error', async () => {
    // An account cannot have a new webhook for each request.
    if (/^.(?:webhooks|deliveries)/.test(endpoint.path)) {
      samples = { ...samples, ...(await makeWebhooks(service, 10)) };
    }
    if (endpoint.path.startsWith('/api-keys/')) samples = { ...samples, 'api-keys': await makeKeys() };
    if (endpoint.path.startsWith('/oauth-clients/')) {
      samples = { ...samples, 'oauth-clients': await makeOauthClients() };
    }
    if (endpoint.path.endsWith('/void')) samples = { ...samples, payments: await makePayments() };
    if (endpoint.path.endsWith('merge')) samples = { ...samples, ...(await makeMerges()) };
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(requestsOf(endpoint), async ({ path, sent }) => {
        const response = await sendRequest(`${service.origin}${path}`, sent);
        statuses.add(response.status);
        expect(response.status).toBeLessThan(500);
        expect(response.headers['x-request-id']).toBeDefined();
        if (response.status >= 400) {
          expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
          expect(toJson(response)).toMatchObject({ status: response.status, code: expect.any(String) });
        }
      }),
      { numRuns: isLong ? 200 : 60 },
    );
    // Random bodies are rarely ones that are accepted.
    const body =
      name === 'createWaitlistEntry' ? toWaitlistEntry(samples['clients']?.[0] ?? '') : postBodies[name];
    if (body !== undefined) {
      const sent = { method: 'POST', key: service.keys.owner, body };
      statuses.add((await sendRequest(`${service.origin}/v1${endpoint.path}`, sent)).status);
    }
    // If all requests were accepted or all rejected, half of the endpoint would be untested.
    expect([...statuses]).toContain(endpoint.success.status);
    expect(Math.max(...statuses)).toBeGreaterThanOrEqual(400);
  });
});

function requestsOf({
  method,
  path,
  query,
  body,
}: Endpoint): fc.Arbitrary<{ path: string; sent: TestRequest }> {
  const known = samples[path.split('/')[1] ?? ''] ?? [''];
  return fc
    .record({
      prefix: fc.constantFrom('/v1', '/api/v1'),
      id: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, hostileText.map(encode)),
      parameters: orEmpty(
        nearValid((query as Schema | undefined) ?? {}, samples),
        query === undefined ? 16 : 1,
      ),
      body: body === undefined ? fc.constant(undefined) : orEmpty(nearValid(body as Schema, samples), 1),
      headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, hostileHeaders),
    })
    .map((made) => ({
      path: `${made.prefix}${path.replace(':id', () => made.id)}?${toQuery(made.parameters)}`,
      sent: {
        method,
        key: service.keys.owner,
        headers: { 'content-type': 'application/json', ...made.headers },
        ...(made.body === undefined ? {} : { body: JSON.stringify(made.body) }),
      },
    }));
}

/** Adds empty objects, which are often valid. */
function orEmpty(arbitrary: fc.Arbitrary<unknown>, weight: number): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 4, arbitrary }, { weight, arbitrary: fc.constant({}) });
}

const headerText = fc.oneof(
  fc.constantFrom('', '*', 'k', '"k"', 'W/"k"', '"', '","', '"k", *', '"2026-11-21T12:00:00.000Z"'),
  fc.uint8Array({ min: 0x20 }).map((bytes) => Buffer.from(bytes).toString('latin1').replaceAll('\x7f', '')),
);

/** Text of all bytes that HTTP allows. */
const hostileHeaders = fc.record(
  { 'idempotency-key': headerText, 'if-match': headerText, 'if-none-match': headerText },
  { requiredKeys: [] },
);

function toQuery(parameters: unknown): string {
  if (typeof parameters !== 'object' || parameters === null) {
    return encodeURI(toText(parameters));
  }
  return Object.entries(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(toText(value))}`)
    .join('&');
}

function toText(value: unknown): string {
  return (typeof value === 'string' ? value : String(JSON.stringify(value))).toWellFormed();
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
