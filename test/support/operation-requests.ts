import { expect } from 'vitest';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { Operation } from '../../src/contract/endpoints.ts';
import type { Scope } from '../../src/contract/roles.ts';
import { sendRequest, type TestResponse, toJson } from './send-request.ts';
import type { TestAccount } from './service.ts';

/** Whether a request concerns the calendar of the account's first stylist or of another one. */
type Whose = 'own' | 'other';

type TestRecord = Readonly<Record<string, unknown>>;

/** Requests for every operation of an account, and the records that they need. */
export interface OperationRequests {
  /** A fresh record for an operation to work on. */
  makeRecord(endpoint: Endpoint, whose: Whose): Promise<TestRecord>;
  toBody(operation: Operation, whose: Whose): Promise<object | undefined>;
  /** The record as its account sees it, without the fields of a delivery that attempts change. */
  readAgain(endpoint: Endpoint, record: TestRecord): Promise<object>;
  make(path: string, body: object): Promise<TestRecord>;
  /** A booking on a day without other appointments. */
  toBooking(whose: Whose): Promise<object>;
}

/** Bodies that fit every record. */
export const bodies: Readonly<Partial<Record<Operation, object>>> = {
  checkWrites: { writes: [{ method: 'POST', path: '/clients', body: {} }] },
  updateAppointment: { notes: 'seen' },
  patchAppointment: { notes: 'seen' },
  createClient: { first_name: 'Ana' },
  updateClient: { notes: 'seen' },
  mergeClients: { from: 'cli_other' },
  patchClient: { notes: 'seen' },
  updateBlockedTime: { note: 'seen' },
  updateWaitlistEntry: { note: 'seen' },
  updateSalon: { phone: '+4912345678' },
  updateService: { duration: 45 },
  createStylist: { first_name: 'Mia' },
  updateStylist: { phone: '+4912345678' },
  refundPayment: { amount: 100 },
  createWebhook: { url: 'http://127.0.0.1:9/' },
  updateWebhook: { description: 'seen' },
  createApiKey: { name: 'till', role: 'receptionist' },
  createOauthClient: { name: 'Shop', redirect_uris: ['https://shop.example/back'] },
  redeliverSome: { created_from: '2026-01-01' },
};

const queries: Readonly<Record<string, string>> = {
  '/availability': '?from=2033-01-06&to=2033-01-07&duration=30',
  '/changes': '?kinds=client',
};

/** The scopes that an operation needs besides its own. */
export const otherScopes: Readonly<Partial<Record<Operation, readonly Scope[]>>> = {
  listChanges: ['clients:read'],
};

/** The path of an operation on a record, with the query that it needs. */
export function toRequestPath({ path }: Endpoint, id: unknown = ''): string {
  return path.replace(':id', String(id)) + (queries[path] ?? '');
}

export function createOperationRequests(
  origin: string,
  { keys, stylistIds }: Pick<TestAccount, 'keys' | 'stylistIds'>,
): OperationRequests {
  const key = keys.owner;
  let day = 0;

  const send = (method: string, path: string, body?: object): Promise<TestResponse> =>
    sendRequest(`${origin}/api/v1${path}`, { method, key, ...(body === undefined ? {} : { body }) });

  async function make(path: string, body: object): Promise<TestRecord> {
    const response = await send('POST', path, body);
    expect(response.status, response.text).toBe(201);
    return toJson(response);
  }

  async function list<Item = { id: string }>(path: string): Promise<Item[]> {
    return JSON.parse((await send('GET', path)).text).data;
  }

  async function toBooking(whose: Whose): Promise<object> {
    const { id: client_id } = await make('/clients', { first_name: 'Bo' });
    const stylist_id = stylistIds[whose === 'own' ? 0 : 1];
    day += 1;
    const start_time = new Date(Date.UTC(2031, 0, day, 9)).toISOString();
    return { client_id, stylist_id, service: 'Cut', start_time, duration: 30 };
  }

  function toBlock(whose: Whose) {
    day += 1;
    const [start_time, end_time] = [9, 10].map((hour) =>
      new Date(Date.UTC(2041, 0, day, hour)).toISOString(),
    );
    return { stylist_id: stylistIds[whose === 'own' ? 0 : 1], start_time, end_time, reason: 'training' };
  }

  async function toEntry(whose: Whose): Promise<object> {
    const { start_time: from, end_time: to, stylist_id } = toBlock(whose);
    const { id: client_id } = await make('/clients', { first_name: 'Bo' });
    return { client_id, service: 'Cut', stylist_id, from, to };
  }

  function toService(): object {
    day += 1;
    return { name: `Cut ${day}`, duration: 30 };
  }

  async function toPayment(whose: Whose): Promise<object> {
    const { id: appointment_id } = await make('/appointments', await toBooking(whose));
    return { appointment_id, amount: 4500, currency: 'EUR', method: 'card' };
  }

  /** A client into whom another one was merged. */
  async function makeMerged(): Promise<TestRecord> {
    const into = await make('/clients', { first_name: 'Bo' });
    const { id: from } = await make('/clients', { first_name: 'Bo' });
    const response = await send('POST', `/clients/${into['id']}/merge`, { from });
    expect(response.status, response.text).toBe(200);
    return into;
  }

  /** The only webhook, because the number of webhooks is limited. */
  async function makeWebhook(): Promise<TestRecord> {
    for (const { id } of await list('/webhooks')) await send('DELETE', `/webhooks/${id}`);
    const { secret, ...webhook } = await make('/webhooks', { url: 'http://127.0.0.1:9/' });
    return webhook;
  }

  /** A key that every caller with the scope may roll. */
  async function makeKey(): Promise<TestRecord> {
    const body = { name: 'till', role: 'viewer', scopes: ['api_keys:write'] };
    const { key: text, ...record } = await make('/api-keys', body);
    return record;
  }

  /** The only one of its name, because their number is limited. */
  async function makeOauthClient(): Promise<TestRecord> {
    const former = await list<{ id: string; name: string }>('/oauth-clients?per_page=200');
    for (const { id, name } of former) if (name === 'Shop') await send('DELETE', `/oauth-clients/${id}`);
    const { secret, ...record } = await make('/oauth-clients', bodies.createOauthClient ?? {});
    return record;
  }

  async function makeDelivery(): Promise<TestRecord> {
    const { id } = await makeWebhook();
    return toJson(await send('POST', `/webhooks/${id}/test`));
  }

  return {
    make,
    toBooking,
    async makeRecord({ path }, whose) {
      if (path.endsWith('/unmerge')) return makeMerged();
      if (path.startsWith('/clients')) return make('/clients', { first_name: 'Bo' });
      if (path.startsWith('/stylists')) return make('/stylists', { first_name: 'Bo' });
      if (path.startsWith('/blocked-times')) {
        const { affected_appointment_ids, affected_count, ...block } = await make(
          '/blocked-times',
          toBlock(whose),
        );
        return block;
      }
      if (path.startsWith('/waitlist')) return make('/waitlist', await toEntry(whose));
      if (path.startsWith('/services')) return make('/services', toService());
      if (path.startsWith('/payments')) return make('/payments', await toPayment(whose));
      if (path.startsWith('/webhooks')) return makeWebhook();
      if (path.startsWith('/deliveries')) return makeDelivery();
      if (path.startsWith('/api-keys')) return makeKey();
      if (path.startsWith('/oauth-clients')) return makeOauthClient();
      return make('/appointments', await toBooking(whose));
    },
    async toBody(operation, whose) {
      if (operation === 'mergeClients') return { from: (await make('/clients', { first_name: 'Bo' }))['id'] };
      if (operation === 'getAvailability') {
        await send('PATCH', '/salon', { time_zone: 'UTC', opening_hours: 'mon-sun 9-18' });
      }
      if (operation === 'createAppointment') return toBooking(whose);
      if (operation === 'createAppointments') return { bookings: [await toBooking(whose)] };
      if (operation === 'createBlockedTime') return toBlock(whose);
      if (operation === 'createWaitlistEntry') return toEntry(whose);
      if (operation === 'createService') return toService();
      return operation === 'createPayment' ? toPayment(whose) : bodies[operation];
    },
    async readAgain({ path }, record) {
      const listOnly = /^\/(?:api-keys|oauth-clients)/.exec(path)?.[0];
      if (listOnly !== undefined) {
        return (await list(`${listOnly}?per_page=200`)).find(({ id }) => id === record['id']) ?? {};
      }
      if (!path.startsWith('/deliveries')) {
        return toJson(await send('GET', path.replace(/:id.*/, String(record['id']))));
      }
      const [logged] = await list(`/webhooks/${record['webhook_id']}/deliveries`);
      const { status, next_attempt_at, attempts, updated_at } = record;
      return { ...logged, status, next_attempt_at, attempts, updated_at };
    },
  };
}
