import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, scopeOf } from '../../../src/contract/endpoint.ts';
import { endpoints, type Operation } from '../../../src/contract/endpoints.ts';
import { scopes } from '../../../src/contract/roles.ts';
import { callers, statuses } from '../../support/role-table.ts';
import { sendRequest, type TestResponse, toJson } from '../../support/send-request.ts';
import { openTestService, type TestAccount, type TestService } from '../../support/service.ts';

const bodies: Readonly<Partial<Record<Operation, object>>> = {
  checkWrites: { writes: [{ method: 'POST', path: '/clients', body: {} }] },
  updateAppointment: { notes: 'seen' },
  patchAppointment: { notes: 'seen' },
  createClient: { first_name: 'Ana' },
  updateClient: { notes: 'seen' },
  mergeClients: { from: 'cli_other' },
  patchClient: { notes: 'seen' },
  createStylist: { first_name: 'Mia' },
  updateStylist: { phone: '+4912345678' },
  refundPayment: { amount: 100 },
  createWebhook: { url: 'http://127.0.0.1:9/' },
  updateWebhook: { description: 'seen' },
  createApiKey: { name: 'till', role: 'receptionist' },
  createOauthClient: { name: 'Shop', redirect_uris: ['https://shop.example/back'] },
  redeliverSome: { created_from: '2026-01-01' },
};

const all = Object.entries<Endpoint>(endpoints) as [Operation, Endpoint][];
const cases = all.flatMap(([operation, endpoint]) =>
  callers.map(([role, whose], index) => ({
    ...{ operation, endpoint, role, whose },
    status: statuses[operation][index] ?? 0,
  })),
);
const withScope = all.flatMap(([operation, endpoint]) =>
  [scopeOf(endpoint)].flatMap((scope) => (scope === null ? [] : [{ operation, endpoint, scope }])),
);
const withId = all
  .filter(([, { path }]) => path.includes(':id'))
  .map(([operation, endpoint]) => ({ operation, endpoint }));

let service: TestService;
let other: TestAccount;
beforeAll(async () => {
  service = await openTestService();
  other = await service.addAccount();
});
afterAll(() => service[Symbol.asyncDispose]());

let day = 0;

/** A booking with the key's own or another stylist, on a day without other appointments. */
async function toBooking(whose: 'own' | 'other'): Promise<object> {
  const { id: client_id } = await make('/clients', { first_name: 'Bo' });
  const stylist_id = service.stylistIds[whose === 'own' ? 0 : 1];
  day += 1;
  const start_time = new Date(Date.UTC(2031, 0, day, 9)).toISOString();
  return { client_id, stylist_id, service: 'Cut', start_time, duration: 30 };
}

/** A payment for such a booking. */
async function toPayment(whose: 'own' | 'other'): Promise<object> {
  const { id: appointment_id } = await make('/appointments', await toBooking(whose));
  return { appointment_id, amount: 4500, currency: 'EUR', method: 'card' };
}

function toBody(operation: Operation, whose: 'own' | 'other'): Promise<object> | object | undefined {
  if (operation === 'mergeClients') {
    return make('/clients', { first_name: 'Bo' }).then(({ id }) => ({ from: id }));
  }
  if (operation === 'createAppointment') return toBooking(whose);
  return operation === 'createPayment' ? toPayment(whose) : bodies[operation];
}

async function make(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await send('POST', path, { key: service.keys.owner, body });
  expect(response.status, response.text).toBe(201);
  return toJson(response);
}

/** A fresh record for the operation to work on. */
async function makeRecord({ path }: Endpoint, whose: 'own' | 'other'): Promise<Record<string, unknown>> {
  if (path.endsWith('/unmerge')) return makeMerged();
  if (path.startsWith('/clients')) return make('/clients', { first_name: 'Bo' });
  if (path.startsWith('/stylists')) return make('/stylists', { first_name: 'Bo' });
  if (path.startsWith('/payments')) return make('/payments', await toPayment(whose));
  if (path.startsWith('/webhooks')) return makeWebhook();
  if (path.startsWith('/deliveries')) return makeDelivery();
  if (path.startsWith('/api-keys')) return makeKey();
  if (path.startsWith('/oauth-clients')) return makeOauthClient();
  return make('/appointments', await toBooking(whose));
}

/** A client into whom another one was merged. */
async function makeMerged(): Promise<Record<string, unknown>> {
  const [into, from] = [
    await make('/clients', { first_name: 'Bo' }),
    await make('/clients', { first_name: 'Bo' }),
  ];
  const body = { from: from['id'] };
  const response = await send('POST', `/clients/${into['id']}/merge`, { key: service.keys.owner, body });
  expect(response.status, response.text).toBe(200);
  return into;
}

/** The only webhook, because the number of webhooks is limited. */
async function makeWebhook(): Promise<Record<string, unknown>> {
  const key = service.keys.owner;
  for (const { id } of await list('/webhooks')) await send('DELETE', `/webhooks/${id}`, { key });
  const { secret, ...webhook } = await make('/webhooks', { url: 'http://127.0.0.1:9/' });
  return webhook;
}

/** A key that every key with the scope may roll. */
async function makeKey(): Promise<Record<string, unknown>> {
  const { key, ...record } = await make('/api-keys', {
    name: 'till',
    role: 'viewer',
    scopes: ['api_keys:write'],
  });
  return record;
}

async function makeOauthClient(): Promise<Record<string, unknown>> {
  const { secret, ...record } = await make('/oauth-clients', bodies.createOauthClient ?? {});
  return record;
}

async function list(path: string): Promise<{ id: string }[]> {
  const response = await send('GET', path, { key: service.keys.owner });
  return JSON.parse(response.text).data;
}

async function makeDelivery(): Promise<Record<string, unknown>> {
  const { id } = await makeWebhook();
  return toJson(await send('POST', `/webhooks/${id}/test`, { key: service.keys.owner }));
}

/** The record as its account sees it, without the fields of a delivery that attempts change. */
async function readAgain({ path }: Endpoint, record: Record<string, unknown>): Promise<object> {
  const key = service.keys.owner;
  if (path.startsWith('/api-keys')) {
    const known = (await list('/api-keys?per_page=200')).find(({ id }) => id === record['id']);
    return known ?? {};
  }
  if (path.startsWith('/oauth-clients')) {
    const known = (await list('/oauth-clients?per_page=200')).find(({ id }) => id === record['id']);
    return known ?? {};
  }
  if (!path.startsWith('/deliveries')) {
    return toJson(await send('GET', path.replace(/:id.*/, String(record['id'])), { key }));
  }
  const [logged] = await list(`/webhooks/${record['webhook_id']}/deliveries`);
  const { status, next_attempt_at, attempts, updated_at } = record;
  return { ...logged, status, next_attempt_at, attempts, updated_at };
}

function send(method: string, path: string, sent: { key: string; body?: object }): Promise<TestResponse> {
  return sendRequest(`${service.origin}/api/v1${path}`, { method, ...sent });
}

function toSent(key: string, body: object | undefined) {
  return body === undefined ? { key } : { key, body };
}

describe('a role', () => {
  it.each(cases)('$role at $operation ($whose): $status', async (testCase) => {
    const { operation, endpoint, role, whose, status } = testCase;
    const record = endpoint.path.includes(':id') ? await makeRecord(endpoint, whose) : {};
    const body = await toBody(operation, whose);
    const path = endpoint.path.replace(':id', String(record['id']));
    const response = await send(endpoint.method, path, toSent(service.keys[role], body));
    expect(response.status, response.text).toBe(status);
    if (status >= 400 && record['id'] !== undefined) {
      expect(await readAgain(endpoint, record)).toEqual(record);
    }
  });

  it('limited to its own calendar can neither give an appointment away nor take one over', async () => {
    const key = service.keys.stylist;
    const own = await make('/appointments', await toBooking('own'));
    const body = { stylist_id: service.stylistIds[1] };
    const response = await send('PUT', `/appointments/${own['id']}`, { key, body });
    expect(toJson(response)).toMatchObject({
      status: 403,
      code: 'permission_denied',
      required_role: 'receptionist',
    });
    const foreign = await make('/appointments', await toBooking('other'));
    const taken = { stylist_id: service.stylistIds[0] };
    const refused = await send('PUT', `/appointments/${foreign['id']}`, { key, body: taken });
    expect(toJson(refused)).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('a key with limited scopes', () => {
  it.each(withScope)('needs only $scope for $operation', async ({ operation, endpoint, scope }) => {
    const record = endpoint.path.includes(':id') ? await makeRecord(endpoint, 'other') : {};
    const body = await toBody(operation, 'other');
    const path = endpoint.path.replace(':id', String(record['id']));
    const without = await service.addKey({ scopes: scopes.filter((other) => other !== scope) });
    const refused = await send(endpoint.method, path, toSent(without.key, body));
    expect(toJson(refused)).toMatchObject({ status: 403, code: 'insufficient_scope', scope });
    if (record['id'] !== undefined) expect(await readAgain(endpoint, record)).toEqual(record);
    const { key } = await service.addKey({ scopes: [scope] });
    const response = await send(endpoint.method, path, toSent(key, body));
    expect(response.status, response.text).toBe(endpoint.success.status);
  });
});

describe("another account's record", () => {
  it.each(withId)('is not found by $operation and not changed', async ({ operation, endpoint }) => {
    const record = await makeRecord(endpoint, 'other');
    const path = endpoint.path.replace(':id', String(record['id']));
    const response = await send(endpoint.method, path, toSent(other.keys.owner, bodies[operation]));
    expect(toJson(response)).toMatchObject({ status: 404, code: 'not_found', id: record['id'] });
    expect(await readAgain(endpoint, record)).toEqual(record);
  });
});
