import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestAccount, type TestService } from '../../support/service.ts';

let service: TestService;
let other: TestAccount;
beforeAll(async () => {
  service = await openTestService({ appointments: 30 });
  other = await service.addAccount();
});
afterAll(() => service[Symbol.asyncDispose]());

function send(method: string, path: string, sent: { key?: string; body?: unknown } = {}) {
  return sendRequest(`${service.origin}/api/v1${path}`, { method, key: service.keys.owner, ...sent });
}

async function readFirst(list: string): Promise<Record<string, unknown>> {
  const [first] = toJson(await send('GET', list))['data'] as Record<string, unknown>[];
  return first ?? {};
}

describe('records', () => {
  it('of a client are created, read, changed and removed', async () => {
    const made = await send('POST', '/clients', { body: { first_name: 'Ana', email: 'Ana@Example.com' } });
    expect(made.status).toBe(201);
    const path = `/clients/${toJson(made)['id']}`;
    expect(made.headers['location']).toBe(`/api/v1${path}`);
    expect(toJson(made)).toMatchObject({ first_name: 'Ana', email: 'ana@example.com', tags: [] });

    const changed = await send('PUT', path, { body: { ...toJson(made), first_name: null, tags: ['new'] } });
    expect(changed.status).toBe(200);
    expect(toJson(changed)).toMatchObject({ first_name: null, email: 'ana@example.com', tags: ['new'] });
    expect(toJson(await send('GET', path))).toEqual(toJson(changed));

    const removed = await send('DELETE', path);
    expect(removed).toMatchObject({ status: 204, text: '' });
    expect(removed.headers['content-type']).toBeUndefined();
    expect((await send('GET', path)).status).toBe(404);
    expect((await send('DELETE', path)).status).toBe(404);
  });

  it('of an appointment are booked once', async () => {
    const client = await readFirst('/clients');
    const body = {
      client_id: client['id'],
      stylist_id: service.stylistIds[0],
      service: 'Cut',
      start_time: '2031-01-07T10:00:00+01:00',
      duration: 30,
    };
    const made = await send('POST', '/appointments', { body });
    expect(made.status).toBe(201);
    expect(toJson(made)).toMatchObject({ start_time: '2031-01-07T09:00:00Z', status: 'confirmed' });
    expect(made.headers['location']).toBe(`/api/v1/appointments/${toJson(made)['id']}`);

    const refused = await send('POST', '/appointments', { body });
    expect(toJson(refused)).toMatchObject({
      status: 409,
      code: 'appointment_conflict',
      conflicting_appointment_ids: [toJson(made)['id']],
    });

    const kept = await send('DELETE', `/clients/${client['id']}`);
    expect(toJson(kept)).toMatchObject({ status: 409, code: 'client_has_upcoming_appointments' });
    expect((await send('DELETE', `/clients/${client['id']}?force=true`)).status).toBe(204);
    expect(toJson(await send('GET', `/appointments/${toJson(made)['id']}`))).toMatchObject({
      status: 'cancelled',
    });
  });

  it.each([
    ['GET', '/clients', undefined],
    ['PUT', '/clients', { notes: 'seen' }],
    ['DELETE', '/clients', undefined],
    ['GET', '/appointments', undefined],
  ])('are not found by another account (%s %s)', async (method, list, body) => {
    const { id } = await readFirst(list);
    const response = await send(method, `${list}/${id}`, { key: other.keys.owner, body });
    expect(toJson(response)).toMatchObject({ status: 404, code: 'not_found', id });
    expect((await send('GET', `${list}/${id}`)).status).toBe(200);
  });

  it('of another account are not listed', async () => {
    const body = { first_name: 'Only', last_name: 'Ours' };
    const made = await send('POST', '/clients', { body });
    const [ours, theirs] = [
      await send('GET', '/clients?q=only+ours'),
      await send('GET', '/clients?q=only+ours', { key: other.keys.owner }),
    ];
    expect(toJson(ours)['data']).toEqual([toJson(made)]);
    expect(toJson(theirs)).toMatchObject({ data: [], pagination: { total: 0 } });
  });

  it("of other stylists are not found by a stylist's key", async () => {
    const { stylistIds, keys } = service;
    const foreign = await readFirst(`/appointments?stylist_id=${stylistIds[1]}`);
    const response = await send('GET', `/appointments/${foreign['id']}`, { key: keys.stylist });
    expect(response.status).toBe(404);
    const own = await send('GET', '/appointments', { key: keys.stylist });
    for (const appointment of toJson(own)['data'] as { stylist_id: string }[]) {
      expect(appointment.stylist_id).toBe(stylistIds[0]);
    }
  });
});
