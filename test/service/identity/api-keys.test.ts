import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BodyOf } from '../../../src/contract/endpoints.ts';
import { scopes as everyScope } from '../../../src/contract/roles.ts';
import type { Database } from '../../../src/service/db/database.ts';
import {
  createAccount,
  findAccount,
  listAccounts,
  type OperatorServices,
  toOperatorContext,
} from '../../../src/service/domain/accounts.ts';
import type { Environment } from '../../../src/service/domain/context.ts';
import { isWellFormedKey } from '../../../src/service/identity/api-key-format.ts';
import { createApiKey as createKeyOf } from '../../../src/service/identity/api-keys.ts';
import { readCredential } from '../../../src/service/identity/credentials.ts';
import {
  findStylistId,
  revokeOperatorKey as revokeApiKey,
} from '../../../src/service/identity/operator-keys.ts';
import { openTestDatabase } from '../../support/database.ts';
import { createTestEnvironment, openTestSalon } from '../../support/salon.ts';
import { readStored } from '../../support/stored-text.ts';

async function authenticate(database: Database, environment: Environment, key: string) {
  const { caller, refusal } = await readCredential({ database, environment }, key);
  if (refusal !== undefined) throw refusal;
  return caller;
}

/** Creates a key as the operator, in the only account. */
async function createApiKey(services: OperatorServices, body: BodyOf<'createApiKey'>) {
  return createKeyOf(await toOperatorContext(services), body);
}

describe('an API key', () => {
  it('authenticates its account, role and scopes', async () => {
    await using salon = await openTestSalon();
    const { database } = salon.store;
    const expiresAt = new Date('2027-01-01T00:00:00Z');
    const made = await createApiKey(
      { database, environment: salon.environment },
      {
        role: 'viewer',
        name: 'export',
        scopes: ['clients:read'],
        expires_at: expiresAt.toISOString(),
      },
    );
    expect(made).toMatchObject({
      id: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^slk_[0-9A-Za-z]{36}$/),
      scopes: ['clients:read'],
      stylist_id: null,
      expires_at: '2027-01-01T00:00:00.000Z',
    });
    expect(await authenticate(database, salon.environment, made.key)).toEqual({
      account: { id: salon.accountId, name: 'Test salon', plan: 'pro', hourlyLimit: 5000, settings: {} },
      role: 'viewer',
      scopes: ['clients:read'],
      stylistId: null,
      credential: { kind: 'api_key', id: made.id, name: 'export', expiresAt, creator: null },
    });
  });

  it("has all scopes by default, and its account's limit", async () => {
    await using store = await openTestDatabase();
    const { database } = store;
    const environment = createTestEnvironment();
    await createAccount({ database, environment }, { name: 'Small', plan: 'enterprise', hourlyLimit: 7 });
    const { key } = await createApiKey({ database, environment }, { role: 'owner', name: 'k' });
    expect(await authenticate(database, environment, key)).toMatchObject({
      scopes: everyScope,
      account: { plan: 'enterprise', hourlyLimit: 7 },
    });
  });

  it('is not stored in the database', async () => {
    await using salon = await openTestSalon();
    const { key } = await createApiKey(
      { database: salon.store.database, environment: salon.environment },
      { role: 'owner', name: 'k' },
    );
    const stored = await readStored(salon.store.location);
    expect(stored).toContain('owner');
    expect(stored).not.toContain(key.slice(4, 34));
  });

  it('is reported as revoked or expired only when it exists', async () => {
    await using salon = await openTestSalon();
    const { database } = salon.store;
    const expires_at = '2026-11-21T12:00:01Z';
    const expiring = await createApiKey(
      { database, environment: salon.environment },
      { role: 'owner', name: 'k', expires_at },
    );
    const revoked = await createApiKey(
      { database, environment: salon.environment },
      { role: 'owner', name: 'k' },
    );
    await authenticate(database, salon.environment, expiring.key);
    salon.environment.setTime('2026-11-21T12:00:01.000Z');
    await revokeApiKey({ database, environment: salon.environment }, revoked.id);
    const cases = [
      [expiring.key, 'The API key expired at 2026-11-21T12:00:01.000Z.'],
      [revoked.key, 'The API key was revoked at 2026-11-21T12:00:01.000Z.'],
      ['slk_nobody', 'Unknown API key.'],
    ] as const;
    for (const [key, message] of cases) {
      await expect(authenticate(database, salon.environment, key)).rejects.toMatchObject({
        code: 'invalid_token',
        message,
      });
    }
  });

  it('keeps the time of its first revocation', async () => {
    await using salon = await openTestSalon();
    const { database } = salon.store;
    const { id, key } = await createApiKey(
      { database, environment: salon.environment },
      { role: 'owner', name: 'k' },
    );
    await revokeApiKey({ database, environment: salon.environment }, id);
    salon.environment.setTime('2030-01-01T00:00:00Z');
    await revokeApiKey({ database, environment: salon.environment }, id);
    await expect(authenticate(database, salon.environment, key)).rejects.toThrow('2026-11-21');
    await expect(
      revokeApiKey({ database, environment: salon.environment }, 'key_none'),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('with one wrong character is refused without a query', async () => {
    await using salon = await openTestSalon();
    const { key } = await createApiKey(
      { database: salon.store.database, environment: salon.environment },
      { role: 'owner', name: 'k' },
    );
    await salon.store.database.close();
    const closed: Database = salon.store.database;
    const change = fc.tuple(fc.nat(key.length - 1), fc.constantFrom(...'09AZaz_- é'));
    await fc.assert(
      fc.asyncProperty(change, async ([index, character]) => {
        fc.pre(key[index] !== character);
        const changed = key.slice(0, index) + character + key.slice(index + 1);
        expect(isWellFormedKey(changed)).toBe(false);
        await expect(authenticate(closed, salon.environment, changed)).rejects.toMatchObject({
          code: 'invalid_token',
        });
      }),
    );
    expect(isWellFormedKey(key)).toBe(true);
  });

  it('with the role stylist needs a stylist of its account; other roles refuse one', async () => {
    await using salon = await openTestSalon();
    const { database } = salon.store;
    const stylistId = await salon.addStylist();
    const make = (change: object) =>
      createApiKey({ database, environment: salon.environment }, { role: 'stylist', name: 'k', ...change });
    const refusal = { code: 'validation_failed' };
    await expect(make({})).rejects.toMatchObject(refusal);
    await expect(make({ stylist_id: 'sty_none' })).rejects.toMatchObject(refusal);
    await expect(make({ role: 'owner', stylist_id: stylistId })).rejects.toMatchObject(refusal);
    const { key } = await make({ stylist_id: stylistId });
    expect(await authenticate(database, salon.environment, key)).toMatchObject({
      role: 'stylist',
      stylistId,
    });
  });

  it('of a stylist is asked for by name or email address, if only one has it', async () => {
    await using salon = await openTestSalon();
    const zoe = await salon.addStylist({
      first_name: 'Zoë',
      last_name: 'Reed',
      display_name: 'Z',
      email: 'z@x.example',
    });
    await salon.addStylist({ first_name: 'Max', last_name: 'Reed', display_name: 'Max' });
    await salon.addStylist({ first_name: 'Max', last_name: 'Holm', display_name: 'M. Holm' });
    for (const reference of ['zoe', 'Reed, Zoë', 'z@x.example', zoe]) {
      expect(await findStylistId(salon.as(), reference)).toBe(zoe);
    }
    for (const reference of ['Max', 'Re', '', ' ']) {
      await expect(findStylistId(salon.as(), reference)).rejects.toMatchObject({ code: 'usage' });
    }
  });
});

describe('the default account', () => {
  it('is the only one there is', async () => {
    await using salon = await openTestSalon();
    const { database } = salon.store;
    expect(await findAccount(database.reader)).toMatchObject({ id: salon.accountId, hourly_limit: 5000 });
    expect(await listAccounts(database)).toHaveLength(1);
  });

  it('does not exist when there is none or more than one', async () => {
    await using store = await openTestDatabase();
    const environment = createTestEnvironment();
    await expect(findAccount(store.database.reader)).rejects.toMatchObject({ code: 'usage' });
    const first = await createAccount({ database: store.database, environment }, { name: 'A', plan: 'pro' });
    const second = await createAccount({ database: store.database, environment }, { name: 'B', plan: 'pro' });
    const refusal = await findAccount(store.database.reader).catch((error) => error);
    expect(refusal).toMatchObject({ code: 'usage', hint: expect.stringContaining(first.id) });
    expect(refusal.hint).toContain(second.id);
    expect(await findAccount(store.database.reader, second.id)).toEqual(second);
    await expect(findAccount(store.database.reader, 'acc_none')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([0, -1, 1.5, Number.NaN])('cannot have %d requests per hour', async (hourlyLimit) => {
    await using store = await openTestDatabase();
    const wanted = { name: 'A', plan: 'pro', hourlyLimit } as const;
    await expect(
      createAccount({ database: store.database, environment: createTestEnvironment() }, wanted),
    ).rejects.toMatchObject({
      code: 'usage',
    });
  });
});
