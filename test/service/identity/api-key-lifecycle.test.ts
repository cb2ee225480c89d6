import { describe, expect, it } from 'vitest';
import { maxApiKeys } from '../../../src/contract/api-key.ts';
import { scopesWith } from '../../../src/contract/roles.ts';
import { revokeAccess } from '../../../src/service/db/identity/access.ts';
import type { ApiKeyRow } from '../../../src/service/db/identity/api-keys.ts';
import { toInsert } from '../../../src/service/db/rows.ts';
import { toOperatorContext } from '../../../src/service/domain/accounts.ts';
import {
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  rollApiKey,
} from '../../../src/service/identity/api-keys.ts';
import { openCredentials } from '../../../src/service/identity/credentials.ts';
import { listKeys, signInAs, till, useKey } from '../../support/api-keys.ts';
import { openTestSalon } from '../../support/salon.ts';

const source = { requestId: 'req_1', address: '203.0.113.7' };

describe('a new API key', () => {
  it('names its creator, and is valid for a year', async () => {
    await using salon = await openTestSalon();
    const owner = await signInAs(salon, 'owner');
    const { id, key } = await createApiKey(owner, { ...till, name: ' Till ' });
    expect(await getApiKey(owner, id)).toEqual({
      id,
      ...till,
      prefix: key.slice(0, 8),
      scopes: scopesWith(till.role, salon.as().caller.scopes),
      stylist_id: null,
      allowed_addresses: [],
      status: 'active',
      created_by: 'user' in owner.caller.credential ? owner.caller.credential.user?.id : '',
      created_by_name: 'The owner',
      created_at: '2026-11-21T12:00:00.000Z',
      last_used_at: null,
      expires_at: '2027-11-21T12:00:00.000Z',
      revoked_at: null,
      replaced_by: null,
      created_with: null,
      created_keys: 0,
    });
    expect((await useKey(salon, key)).caller.credential).toMatchObject({ creator: { name: 'The owner' } });
  });

  it('starts with slk_test_ in a sandbox account', async () => {
    await using salon = await openTestSalon();
    await salon.store.database.transaction('service', (tx) => tx.run('update accounts set sandbox = 1', []));
    const { key, prefix } = await createApiKey(salon.as(), till);
    expect(key).toMatch(/^slk_test_[0-9A-Za-z]{36}$/);
    expect(prefix).toBe(key.slice(0, 13));
    expect((await useKey(salon, key)).caller.role).toBe('receptionist');
  });

  it.each([
    [
      'a role above the own one',
      { role: 'owner' },
      { code: 'permission_denied', members: { required_role: 'owner' } },
    ],
    [
      'a scope that the creator lacks',
      { scopes: ['clients:write'] },
      { code: 'insufficient_scope', members: { scope: 'clients:write' } },
    ],
    ['a wider range of addresses', { allowed_addresses: ['203.0.0.0/16'] }, { code: 'permission_denied' }],
    ['any address', { allowed_addresses: [] }, { code: 'permission_denied' }],
  ] as const)('cannot have %s', async (_, change, refusal) => {
    await using salon = await openTestSalon();
    const { key } = await createApiKey(salon.as(), {
      ...{ name: 'Limited', role: 'manager' },
      scopes: ['api_keys:read', 'api_keys:write', 'clients:read'],
      allowed_addresses: ['203.0.113.0/24', '2001:db8::/32'],
    });
    const limited = await useKey(salon, key);
    const body = { ...till, ...structuredClone(change) } as Parameters<typeof createApiKey>[1];
    await expect(createApiKey(limited, body)).rejects.toMatchObject(refusal);
    const before = await listKeys(salon.as());
    expect(before.map(({ name }) => name)).toEqual(['Limited']);
    const made = await createApiKey(limited, { ...till, role: 'manager' });
    expect(made).toMatchObject({
      scopes: ['clients:read', 'api_keys:read', 'api_keys:write'],
      allowed_addresses: ['203.0.113.0/24', '2001:db8::/32'],
    });
  });

  it.each([
    ['an inactive stylist', { active: false }, 'inactive'],
    ["another account's stylist", undefined, 'not_found'],
  ])('is not limited to %s', async (_, change, code) => {
    await using salon = await openTestSalon();
    const stylist_id = await (change === undefined ? await salon.openNeighbour() : salon).addStylist(change);
    const refused = createApiKey(salon.as(), { name: 'Mia', role: 'stylist', stylist_id });
    await expect(refused).rejects.toMatchObject({ violations: [{ pointer: '/stylist_id', code }] });
  });

  it('is refused above the maximum of active keys, which a first roll may exceed', async () => {
    await using salon = await openTestSalon();
    const first = await createApiKey(salon.as(), till);
    await salon.store.database.transaction('service', async (tx) => {
      const [row] = await tx.run<ApiKeyRow>('select * from api_keys', []);
      const rows = Array.from({ length: maxApiKeys - 1 }, (_, index) => ({
        ...(row as ApiKeyRow),
        id: `key_${index}`,
        hash: String(index),
      }));
      await tx.run(...toInsert('api_keys', rows));
    });
    const tooMany = { violations: [{ pointer: '', code: 'out_of_range' }] };
    await expect(createApiKey(salon.as(), till)).rejects.toMatchObject(tooMany);
    await rollApiKey(salon.as(), first.id, {});
    await expect(rollApiKey(salon.as(), first.id, {})).rejects.toMatchObject(tooMany);
    await revokeApiKey(salon.as(), 'key_1');
    await revokeApiKey(salon.as(), 'key_2');
    await createApiKey(salon.as(), till);
  });
});

describe('API keys', () => {
  it('end with the person who created them, and with keys made by those keys', async () => {
    await using salon = await openTestSalon();
    const { database } = salon.store;
    const manager = await signInAs(salon, 'manager');
    const own = await createApiKey(manager, { name: 'Own', role: 'manager' });
    await createApiKey(await useKey(salon, own.key), { name: 'Of own', role: 'viewer' });
    const other = await createApiKey(salon.as(), { name: 'Other', role: 'viewer' });
    const userId = 'user' in manager.caller.credential ? (manager.caller.credential.user?.id ?? '') : '';
    const owner = { accountId: salon.accountId, userId };
    await database.transaction('service', (tx) => revokeAccess(tx, owner, '2026-11-21T12:00:00.000Z'));
    const status = 'active,expired,revoked';
    const statuses = (await listKeys(salon.as(), { status })).map((key) => [key.name, key.status]);
    expect(Object.fromEntries(statuses)).toEqual({ Own: 'revoked', 'Of own': 'revoked', Other: 'active' });
    expect((await useKey(salon, other.key)).caller.role).toBe('viewer');
  });

  it('are listed page by page, by status', async () => {
    await using salon = await openTestSalon();
    const keys = [];
    for (const name of ['A', 'B', 'C', 'D']) {
      salon.environment.setTime(`2026-11-21T12:00:0${keys.length}Z`);
      keys.push(await createApiKey(salon.as(), { ...till, name }));
    }
    const [first] = keys;
    await revokeApiKey(salon.as(), first?.id ?? '');
    const names = async (query: object) => (await listKeys(salon.as(), query)).map(({ name }) => name);
    expect(await names({})).toEqual(['B', 'C', 'D']);
    expect(await names({ status: 'revoked' })).toEqual(['A']);
    const page = await listApiKeys(salon.as(), { per_page: 2 });
    expect(page).toMatchObject({ total: 3, page: 1 });
    expect(await names({ per_page: 2, after: page.next })).toEqual(['D']);
    expect(await names({ per_page: 2, page: 2 })).toEqual(['D']);
    await expect(names({ status: 'lost' })).rejects.toMatchObject({ code: 'invalid_parameter' });
    await expect(names({ status: 'revoked', after: page.next })).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
  });

  it('note their last use without a write per request', async () => {
    await using salon = await openTestSalon();
    const { database } = salon.store;
    const { id, key } = await createApiKey(salon.as(), till);
    let writes = 0;
    const transaction: typeof database.transaction = (lock, body) => {
      writes += 1;
      return database.transaction(lock, body);
    };
    const surroundings = { database: { ...database, transaction }, environment: salon.environment };
    const credentials = openCredentials(surroundings, { saveDelayMs: 3_600_000 });
    for (let second = 0; second < 60; second++) {
      salon.environment.setTime(`2026-11-21T12:00:${String(second).padStart(2, '0')}Z`);
      await credentials.read(key, source);
    }
    expect(writes).toBe(0);
    await credentials.save();
    expect(writes).toBe(1);
    expect(await getApiKey(salon.as(), id)).toMatchObject({ last_used_at: '2026-11-21T12:00:59.000Z' });
    const late = openCredentials({ database, environment: salon.environment });
    salon.environment.setTime('2026-11-21T11:00:00Z');
    await late.read(key, source);
    await late.save();
    expect(await getApiKey(salon.as(), id)).toMatchObject({ last_used_at: '2026-11-21T12:00:59.000Z' });
  });

  it('of an earlier version keep working', async () => {
    await using salon = await openTestSalon();
    const { database } = salon.store;
    const operator = await toOperatorContext({ database, environment: salon.environment });
    const made = await createApiKey(operator, { ...till, expires_at: '2026-12-21T12:00:00Z' });
    await database.transaction('service', (tx) =>
      tx.run('update api_keys set prefix = null, created_by = null, last_used_ms = null', []),
    );
    expect((await useKey(salon, made.key)).caller.role).toBe('receptionist');
    expect(await getApiKey(salon.as(), made.id)).toMatchObject({ prefix: null, created_by: null });
  });
});
