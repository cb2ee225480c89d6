import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/service/db/database.ts';
import { sendRequest, type TestRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

const now = new Date('2026-11-21T12:00:00Z');
let service: TestService;
beforeAll(async () => {
  service = await openTestService({ now: () => now, config: { trustedProxies: ['127.0.0.1'] } });
});
afterAll(() => service[Symbol.asyncDispose]());

const till = { name: 'Till', role: 'receptionist' };

function send(method: string, path: string, sent: TestRequest = {}) {
  return sendRequest(`${service.origin}/api/v1${path}`, { method, key: service.keys.owner, ...sent });
}

async function create(body: object = {}): Promise<{ id: string; key: string }> {
  const response = await send('POST', '/api-keys', { body: { ...till, ...body } });
  expect(response.status, response.text).toBe(201);
  return JSON.parse(response.text);
}

/** Every text of a table, as stored. */
async function readTable(table: string): Promise<string> {
  await using database = await openDatabase(service.database);
  const rows = await database.reader.run(`select * from ${table}`, []);
  return JSON.stringify(rows.map((row) => JSON.stringify(row)).sort());
}

describe('/api-keys', () => {
  it('creates, lists, rolls and revokes a key', async () => {
    const { id, key } = await create();
    const listed = await send('GET', '/api-keys?per_page=200');
    expect(JSON.parse(listed.text).data).toContainEqual(expect.objectContaining({ id, ...till }));
    expect(listed.text).not.toContain(key);
    const rolled = toJson(await send('POST', `/api-keys/${id}/roll`));
    expect(rolled).toMatchObject({ former_id: id, former_expires_at: '2026-11-22T12:00:00.000Z' });
    expect((await send('GET', '/me', { key: String(rolled['key']) })).status).toBe(200);
    expect((await send('DELETE', `/api-keys/${id}`)).status).toBe(204);
    expect((await send('DELETE', `/api-keys/${id}`)).status).toBe(204);
    expect(toJson(await send('GET', '/me', { key }))).toMatchObject({ status: 401, code: 'invalid_token' });
  });

  it.each([
    [{ name: '' }, '/name'],
    [{ name: ' ' }, '/name'],
    [{ name: 'a\u0000' }, '/name'],
    [{ name: 'a\u001b[2J' }, '/name'],
    [{ name: 'x'.repeat(101) }, '/name'],
    [{ name: 'Till \u202eyek' }, '/name'],
    [{ role: 'admin' }, '/role'],
    [{ role: 'constructor' }, '/role'],
    [{ role: 'stylist' }, '/stylist_id'],
    [{ stylist_id: 'sty_1' }, '/stylist_id'],
    [{ role: 'stylist', stylist_id: 'sty_none' }, '/stylist_id'],
    [{ scopes: [] }, '/scopes'],
    [{ scopes: ['everything'] }, '/scopes/0'],
    [{ expires_at: '2026-11-21T12:00:00Z' }, '/expires_at'],
    [{ expires_at: '2026-12-01' }, '/expires_at'],
    [{ expires_at: '2027-02-30T12:00:00Z' }, '/expires_at'],
    [{ allowed_addresses: ['localhost'] }, '/allowed_addresses/0'],
    [{ allowed_addresses: ['10.0.0.1', '10.0.0'] }, '/allowed_addresses/1'],
    [{ allowed_addresses: ['10.0.0.0/33'] }, '/allowed_addresses/0'],
    [{ allowed_addresses: ['0x7f.1'] }, '/allowed_addresses/0'],
    [{ allowed_addresses: ['fe80::1%eth0'] }, '/allowed_addresses/0'],
    [{ allowed_addresses: Array(51).fill('10.0.0.1') }, '/allowed_addresses'],
    [{ account_id: 'acc_1' }, '/account_id'],
  ])('refuses %j at %s, and creates nothing', async (change, pointer) => {
    const before = await readTable('api_keys');
    const response = await send('POST', '/api-keys', { body: { ...till, ...change } });
    expect(toJson(response)).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(JSON.parse(response.text).errors.map((error: { pointer: string }) => error.pointer)).toContain(
      pointer,
    );
    expect(await readTable('api_keys')).toBe(before);
  });

  it.each([-1, 604_801, 1.5, '60'])('refuses an overlap of %j', async (overlap_seconds) => {
    const { id } = await create();
    const response = await send('POST', `/api-keys/${id}/roll`, { body: { overlap_seconds } });
    expect(toJson(response)).toMatchObject({ status: 422, errors: [{ pointer: '/overlap_seconds' }] });
  });

  it('replays a new key only to the credential that created it, and stores no key', async () => {
    const headers = { 'idempotency-key': 'one' };
    const first = await send('POST', '/api-keys', { headers, body: till });
    const again = await send('POST', '/api-keys', { headers, body: till });
    expect([again.status, again.text]).toEqual([201, first.text]);
    const other = await send('POST', '/api-keys', { headers, body: till, key: service.keys.manager });
    expect(toJson(other)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    expect(other.text).not.toContain('slk_');
    const { key } = JSON.parse(first.text);
    for (const table of ['idempotency_keys', 'api_keys', 'audit_entries']) {
      expect(await readTable(table)).not.toContain(key.slice(8));
    }
  });

  it('creates no key in a dry run and shows none', async () => {
    const before = await readTable('api_keys');
    const writes = [{ method: 'POST', path: '/api-keys', body: till }];
    const response = await send('POST', '/dry-run', { body: { writes } });
    expect(JSON.parse(response.text).results).toMatchObject([{ status: 201, record: { name: 'Till' } }]);
    expect(response.text).not.toContain('"key"');
    expect(await readTable('api_keys')).toBe(before);
  });

  it('is audited, the use of a revoked key included', async () => {
    const { id, key } = await create({ name: 'Audited' });
    const { id: rolledId } = toJson(await send('POST', `/api-keys/${id}/roll`));
    await send('DELETE', `/api-keys/${id}`);
    for (let count = 0; count < 3; count++) await send('GET', '/me', { key });
    const log = await send('GET', `/audit-log?per_page=200`);
    const entries = JSON.parse(log.text).data.map((entry: Record<string, unknown>) => [
      entry['action'],
      entry['record_id'],
    ]);
    expect(entries).toContainEqual(['api_key.created', id]);
    expect(entries).toContainEqual(['api_key.created', rolledId]);
    expect(entries).toContainEqual(['api_key.rolled', id]);
    expect(entries).toContainEqual(['api_key.revoked', id]);
    const refused = JSON.parse(log.text).data.filter(
      (entry: { action: string; actor: { id: string } }) =>
        entry.action === 'access.refused' && entry.actor.id === id,
    );
    expect(refused).toHaveLength(1);
    expect(log.text).not.toContain(key.slice(8));
  });
});

describe('a key with allowed addresses', () => {
  it.each([
    ['203.0.113.7', 200],
    ['203.0.113.7:50123', 200],
    ['::ffff:203.0.113.7', 200],
    ['198.51.100.1, 203.0.113.7', 200],
    ['203.0.113.7, 198.51.100.1', 403],
    ['198.51.100.1', 403],
    ['unknown', 403],
    [undefined, 403],
  ])('behind a trusted proxy that forwards for %s: %d', async (forwarded, status) => {
    const { key } = await create({ allowed_addresses: ['203.0.113.0/24'] });
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const response = await send('GET', '/me', { key, headers });
    expect(response.status).toBe(status);
    if (status === 403) {
      expect(toJson(response)).toMatchObject({ code: 'address_not_allowed' });
      expect(response.text).not.toContain('203.0.113.0');
    }
  });

  it('does not believe X-Forwarded-For of others', async () => {
    await using plain = await openTestService();
    const body = { ...till, allowed_addresses: ['203.0.113.7'] };
    const created = await sendRequest(`${plain.origin}/v1/api-keys`, {
      method: 'POST',
      key: plain.keys.owner,
      body,
    });
    const { key } = JSON.parse(created.text);
    const headers = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' };
    const response = await sendRequest(`${plain.origin}/v1/me`, { key, headers });
    expect(toJson(response)).toMatchObject({ status: 403, code: 'address_not_allowed' });
  });
});

describe('the last use of a key', () => {
  it('is kept when the service stops', async () => {
    await using stopping = await openTestService({ now: () => now });
    await sendRequest(`${stopping.origin}/v1/me`, { key: stopping.keys.viewer });
    await stopping.close();
    await using database = await openDatabase(stopping.database);
    const rows = await database.reader.run<{ role: string; last_used_ms: number | null }>(
      'select role, last_used_ms from api_keys order by role',
      [],
    );
    const used = rows.filter(({ last_used_ms }) => last_used_ms !== null);
    expect(used).toEqual([{ role: 'viewer', last_used_ms: now.getTime() }]);
  });
});
