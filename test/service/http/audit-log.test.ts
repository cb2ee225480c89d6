import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/contract/audit.ts';
import { sendRequest, type TestResponse, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

/** What is refused and exported is counted by the hour. */
const now = () => new Date('2026-11-21T09:30:00Z');

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ clients: 2500, now });
});
afterAll(() => service[Symbol.asyncDispose]());

type Role = keyof TestService['keys'];

function send(
  path: string,
  { role = 'owner', ...options }: { role?: Role; method?: string; body?: string } = {},
) {
  const headers = {
    authorization: `Bearer ${service.keys[role]}`,
    'x-request-id': 'till-7',
    ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return sendRequest(`${service.origin}/api/v1${path}`, { headers, ...options });
}

async function readLog(query = ''): Promise<AuditEntry[]> {
  const { data } = toJson(await send(`/audit-log?per_page=200&sort=-created_at${query}`)) as {
    data: AuditEntry[];
  };
  return data;
}

async function create(path: string, body: object): Promise<{ id: string }> {
  return toJson(await send(path, { method: 'POST', body: JSON.stringify(body) })) as { id: string };
}

function codeOf(response: TestResponse): unknown {
  return Object(toJson(response)).code;
}

describe('GET /audit-log', () => {
  it('shows who changed what, from where and in which request', async () => {
    const { id } = await create('/clients', { first_name: 'Ana', notes: 'tea' });
    await send(`/clients/${id}`, { method: 'PUT', body: '{"notes":"coffee"}' });
    expect(await readLog(`&record=${id}`)).toMatchObject([
      {
        ...{ action: 'client.updated', resource: 'client', record_id: id, client_id: id, via: null },
        actor: { type: 'api_key', id: expect.stringMatching(/^key_/), name: 'owner' },
        ...{ address: '127.0.0.1', request_id: 'till-7', erased: false, details: null },
        ...{ before: { notes: 'tea' }, after: { notes: 'coffee' } },
      },
      { action: 'client.created', before: null, after: { first_name: 'Ana', notes: 'tea' } },
    ]);
  });

  it('names the records that entries mention, as long as they exist', async () => {
    const { id } = await create('/clients', { first_name: 'Ida', last_name: 'Falk' });
    const stylist = service.stylistIds[0] ?? '';
    const booking = { client_id: id, stylist_id: stylist, service: 'Cut', duration: 30 };
    const start_time = '2031-02-03T09:00:00Z';
    const { id: appointment } = await create('/appointments', { ...booking, start_time });
    const [booked] = await readLog(`&client=${id}&action=appointment.created`);
    expect(booked?.names).toEqual({ [id]: 'Ida Falk', [appointment]: 'Cut', [stylist]: expect.any(String) });
    await send(`/clients/${id}?force=true`, { method: 'DELETE' });
    const [erased] = await readLog(`&record=${id}&action=client.deleted`);
    expect(erased?.names).toEqual({});
  });

  it('shows a client with their appointments and payments, and nothing of them once they are erased', async () => {
    const { id } = await create('/clients', { first_name: 'Bea' });
    const booking = { client_id: id, stylist_id: service.stylistIds[0], service: 'Cut', duration: 30 };
    const start_time = '2031-01-01T09:00:00Z';
    const { id: appointment } = await create('/appointments', { ...booking, start_time, notes: 'allergic' });
    const read = async () =>
      (await readLog(`&client=${id}`)).map(({ action, after, erased }) => [action, after?.['notes'], erased]);
    expect(await read()).toEqual([
      ['appointment.created', 'allergic', false],
      ['client.created', null, false],
    ]);
    expect((await send(`/clients/${id}?force=true`, { method: 'DELETE' })).status).toBe(204);
    const shown = await read();
    expect(shown.map(([action]) => action)).toEqual(
      expect.arrayContaining(['client.deleted', 'appointment.cancelled', 'appointment.created']),
    );
    expect(JSON.stringify(await readLog(`&record=${appointment}`))).not.toContain('allergic');
  });

  it.each([
    ['an action', '&action=client.created'],
    ['a family of actions', '&action=stylist.*,client.*'],
    ['a time', '&from=2000-01-01&to=2100-01-01'],
  ])('filters by %s', async (_title, query) => {
    const all = await readLog();
    const found = await readLog(query);
    expect(found.length).toBeGreaterThan(0);
    const families = ['client', 'stylist'];
    expect(found).toEqual(
      query.includes('from')
        ? all
        : all.filter(({ action, resource }) =>
            query.includes('*') ? families.includes(resource) : action === 'client.created',
          ),
    );
  });

  it('filters by who acted', async () => {
    await create('/clients', { first_name: 'Cy' });
    const [entry] = await readLog();
    const own = await readLog(`&actor=${entry?.actor.id}`);
    expect(own.length).toBeGreaterThan(0);
    expect(new Set(own.map(({ actor }) => actor.id))).toEqual(new Set([entry?.actor.id]));
    expect(await readLog('&actor=key_01jd00000000000000000000zz')).toEqual([]);
  });

  it('has pages and cursors in both directions', async () => {
    const { data, pagination } = toJson(await send('/audit-log?per_page=200')) as {
      data: AuditEntry[];
      pagination: { total: number };
    };
    expect(pagination.total).toBe(data.length);
    expect(data.map(({ seq }) => seq)).toEqual(data.map((_, index) => index + 1));
    for (const sort of ['created_at', '-created_at']) {
      const first = await send(`/audit-log?per_page=2&sort=${sort}`);
      const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? '';
      const after = await sendRequest(`${service.origin}${next}`, {
        headers: { authorization: `Bearer ${service.keys.owner}` },
      });
      const numbers = [first, after].flatMap((page) => (toJson(page) as { data: AuditEntry[] }).data);
      const expected = sort === 'created_at' ? data : data.toReversed();
      expect(numbers.map(({ seq }) => seq)).toEqual(expected.slice(0, 4).map(({ seq }) => seq));
      const page = toJson(await send(`/audit-log?per_page=2&page=2&sort=${sort}`)) as { data: AuditEntry[] };
      expect(page.data.map(({ seq }) => seq)).toEqual(expected.slice(2, 4).map(({ seq }) => seq));
    }
    expect(toJson(await send(`/audit-log?per_page=2&page=900`))).toMatchObject({ data: [] });
  });

  it.each([
    ['an unknown action', '?action=everything'],
    ['an unknown filter', '?who=me'],
    ['a day that does not exist', '?from=2026-02-30'],
    ['a cursor of another list', '?after=WzEsMSwxXQ'],
  ])('refuses %s', async (_title, query) => {
    const response = await send(`/audit-log${query}`);
    expect([response.status, codeOf(response)]).toEqual([400, 'invalid_parameter']);
  });

  it('is for owners and managers, and records who else asked', async () => {
    const response = await send('/audit-log', { role: 'receptionist' });
    expect([response.status, codeOf(response)]).toEqual([403, 'permission_denied']);
    expect((await readLog('&action=access.refused'))[0]).toMatchObject({
      ...{
        actor: { name: 'receptionist' },
        details: { operation: 'listAuditLog', code: 'permission_denied' },
      },
    });
  });

  it('shows nothing of another account', async () => {
    const other = await service.addAccount();
    const response = await sendRequest(`${service.origin}/api/v1/audit-log`, {
      headers: { authorization: `Bearer ${other.keys.owner}` },
    });
    const { data } = toJson(response) as { data: AuditEntry[] };
    expect(data.map(({ action }) => action)).toEqual(expect.arrayContaining(['account.created']));
    const own = new Set((await readLog()).map(({ id }) => id));
    expect(data.filter(({ id }) => own.has(id))).toEqual([]);
  });
});

describe('an export', () => {
  const readExports = async () =>
    (await readLog('&action=client.exported')).map(({ actor, details }) => [actor.name, details]);

  it('of more than 1,000 rows is recorded before the row that exceeds them is sent', async () => {
    for (let page = 1; page <= 5; page++)
      await send(`/clients?per_page=200&page=${page}`, { role: 'viewer' });
    expect(await readExports()).toEqual([]);
    await send('/clients?per_page=200&page=6', { role: 'viewer' });
    expect(await readExports()).toEqual([['viewer', { rows: 1200, filters: [] }]]);
    for (let page = 7; page <= 13; page++)
      await send(`/clients?per_page=200&page=${page}`, { role: 'viewer' });
    const [{ pagination }] = [toJson(await send('/clients')) as { pagination: { total: number } }];
    expect(await readExports()).toEqual([
      ['viewer', { rows: pagination.total - 1200, filters: [] }],
      ['viewer', { rows: 1200, filters: [] }],
    ]);
  });

  it('is not the same page again and again', async () => {
    for (let count = 0; count < 12; count++) await send('/clients?per_page=200', { role: 'stylist' });
    expect((await readExports()).filter(([name]) => name === 'stylist')).toEqual([]);
  });

  it('names the filters and not their values', async () => {
    for (let day = 1; day <= 9; day++) {
      await send(`/clients?per_page=200&updated_since=2000-01-0${day}`, { role: 'manager' });
    }
    expect((await readExports())[0]).toEqual(['manager', { rows: 1200, filters: ['updated_since'] }]);
  });
});
