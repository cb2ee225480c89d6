import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CreatedOauthClient } from '../../../src/contract/oauth-client.ts';
import { readOauthClient } from '../../../src/service/db/identity/oauth-clients.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import {
  createApiKey,
  getApiKey,
  listAllApiKeys,
  revokeApiKey,
  rollApiKey,
} from '../../../src/service/identity/api-keys.ts';
import { readCredential } from '../../../src/service/identity/credentials.ts';
import {
  createOauthClient,
  deleteOauthClient,
  getOauthClient,
  rotateOauthClientSecret,
} from '../../../src/service/identity/oauth-clients.ts';
import { toTokenHash } from '../../../src/service/identity/tickets.ts';
import { signInAs, useKey } from '../../support/api-keys.ts';
import { issueAppToken } from '../../support/issue-credentials.ts';
import { isDone, openTwoProcesses, race, races } from '../../support/race.ts';
import { openTestSalon, type TestSalon, testNow } from '../../support/salon.ts';
import { countBySpeed } from '../../support/speed.ts';

const inAMonth = '2026-12-21T12:00:00.000Z';
const owner = { name: 'Some', role: 'owner' } as const;
const body = { name: 'Books', flows: ['client_credentials'], role: 'owner' } satisfies Parameters<
  typeof createOauthClient
>[1];
const ended = { code: 'invalid_token' };

type App = Pick<CreatedOauthClient, 'id' | 'secret'>;
type Salon = Pick<TestSalon, 'store' | 'environment' | 'as'>;

async function isValid({ store }: Salon, { id, secret }: App): Promise<boolean> {
  const row = await readOauthClient(store.database.reader, id);
  return row?.secret_hash === toTokenHash(String(secret));
}

/** An access token that an app gets with its secret. */
async function issueToken(salon: Salon, app: App): Promise<string> {
  if (!(await isValid(salon, app))) throw Object.assign(new Error('no token'), ended);
  const { store, environment } = salon;
  return store.database.transaction('service', (tx) => issueAppToken(tx, environment, { clientId: app.id }));
}

async function useToken(salon: Salon, token: string): Promise<Context> {
  const { caller, refusal } = await readCredential(salon.as(), token);
  if (refusal !== undefined) throw refusal;
  return { ...salon.as(), caller };
}

const useApp = async (salon: Salon, app: App) => useToken(salon, await issueToken(salon, app));

/** A person, a key of theirs that is valid for a month, and an app that was added with it. */
async function openApp(salon: TestSalon) {
  const person = await signInAs(salon, 'owner');
  const key = await createApiKey(person, { ...owner, expires_at: inAMonth });
  const program = await useKey(salon, key.key);
  return { person, key, program, app: await createOauthClient(program, body) };
}

describe('the secret of an app that was generated with an API key', () => {
  it('is shown with the key, and expires with it', async () => {
    await using salon = await openTestSalon();
    const { person, key, app } = await openApp(salon);
    expect(app).toMatchObject({ secret_by: key.id, secret_expires_at: inAMonth });
    const token = await issueToken(salon, app);
    expect((await useToken(salon, token)).caller.credential).toMatchObject({ kind: 'token' });
    salon.environment.setTime('2026-12-21T11:59:59Z');
    const last = await issueToken(salon, app);
    expect((await useToken(salon, last)).caller.credential).toMatchObject({ expiresAt: new Date(inAMonth) });
    salon.environment.setTime(inAMonth);
    await expect(useToken(salon, last)).rejects.toMatchObject(ended);
    const own = await createOauthClient(person, body);
    expect(own).toMatchObject({ secret_expires_at: null });
  });

  it.each([
    ['added', 3, async (program: Context) => createOauthClient(program, body)],
    [
      'rotated',
      3,
      async (program: Context, person: Context) =>
        rotateOauthClientSecret(program, (await createOauthClient(person, body)).id),
    ],
    [
      'added with a key of an app of the key',
      5,
      async (program: Context, _person: Context, salon: TestSalon) => {
        const app = await useApp(salon, await createOauthClient(program, body));
        return createOauthClient(await useKey(salon, (await createApiKey(app, owner)).key), body);
      },
    ],
  ])('is revoked with the key, with tokens and keys, if it was %s', async (_how, count, generate) => {
    await using salon = await openTestSalon();
    const { person, key, program } = await openApp(salon);
    const app = await generate(program, person, salon);
    const token = await issueToken(salon, app);
    const caller = await useToken(salon, token);
    const made = await createApiKey(caller, owner);
    expect(made).toMatchObject({ created_with: app.id, expires_at: inAMonth });
    const never = createApiKey(caller, { ...owner, expires_at: null });
    await expect(never).rejects.toMatchObject({ code: 'validation_failed' });
    expect((await getApiKey(person, key.id)).created_keys).toBe(count);
    await revokeApiKey(person, key.id);
    expect((await getApiKey(person, key.id)).created_keys).toBe(0);
    expect(await isValid(salon, app)).toBe(false);
    await expect(useToken(salon, token)).rejects.toMatchObject(ended);
    await expect(createApiKey(caller, owner)).rejects.toMatchObject(ended);
    await expect(useKey(salon, made.key)).rejects.toMatchObject(ended);
    const entries = await salon.store.database.reader.run<{ action: string; record_id: string }>(
      "select action, record_id from audit_entries where changes like '%creator_revoked%' order by seq",
      [],
    );
    expect(entries).toContainEqual({ action: 'oauth_client.secret_revoked', record_id: app.id });
    expect(entries).toContainEqual({ action: 'api_key.revoked', record_id: made.id });
  });

  it('ends with the overlap when the key is rolled, as the keys that it created do', async () => {
    await using salon = await openTestSalon();
    const { person, key, app } = await openApp(salon);
    const made = await createApiKey(await useApp(salon, app), owner);
    const { former_expires_at } = await rollApiKey(person, key.id, { overlap_seconds: 60 });
    expect((await getOauthClient(person, app.id)).secret_expires_at).toBe(former_expires_at);
    expect((await getApiKey(person, made.id)).expires_at).toBe(former_expires_at);
    await useApp(salon, app);
    salon.environment.setTime(former_expires_at);
    await expect(useApp(salon, app)).rejects.toMatchObject(ended);
  });

  it('ends for good when a person generates another one, with what the app did before', async () => {
    await using salon = await openTestSalon();
    const { person, key, app } = await openApp(salon);
    const token = await issueToken(salon, app);
    const made = await createApiKey(await useToken(salon, token), owner);
    const rotated = await rotateOauthClientSecret(person, app.id);
    expect(rotated).toMatchObject({ secret_expires_at: null });
    await expect(useToken(salon, token)).rejects.toMatchObject(ended);
    await expect(useKey(salon, made.key)).rejects.toMatchObject(ended);
    await revokeApiKey(person, key.id);
    salon.environment.setTime('2027-01-01T12:00:00Z');
    expect(
      (await createApiKey(await useApp(salon, rotated), { ...owner, expires_at: null })).expires_at,
    ).toBe(null);
  });

  it('is not replaced with what the app itself created', async () => {
    await using salon = await openTestSalon();
    const { app } = await openApp(salon);
    const made = await createApiKey(await useApp(salon, app), owner);
    await expect(rotateOauthClientSecret(await useKey(salon, made.key), app.id)).rejects.toMatchObject({
      code: 'permission_denied',
      message: expect.stringContaining(
        'was created by the key or app that it would replace, and ends with it.',
      ),
    });
    expect(await isValid(salon, app)).toBe(true);
  });

  it('leaves public apps alone, which have none', async () => {
    await using salon = await openTestSalon();
    const { person, key, program } = await openApp(salon);
    const kiosk = await createOauthClient(program, { name: 'Kiosk', type: 'public', flows: ['device_code'] });
    expect(kiosk).toMatchObject({ secret: null, secret_by: null, secret_expires_at: null });
    await revokeApiKey(person, key.id);
    expect((await getOauthClient(person, kiosk.id)).type).toBe('public');
  });
});

it('nothing outlives a key that led to it, whatever keys and apps create, replace and revoke', async () => {
  const act = fc.record({
    verb: fc.constantFrom('key', 'key', 'app', 'roll', 'rotate', 'revoke'),
    by: fc.nat(9),
    which: fc.nat(9),
    days: fc.integer({ min: 1, max: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 16 }), async (acts) => {
      await using salon = await openTestSalon();
      const { person, key, app } = await openApp(salon);
      const keys = [key];
      const apps: App[] = [app];
      /** The keys that led to a key or a secret, as it was when that was made. */
      const origins = new Map<string, readonly string[]>([
        [key.id, []],
        [String(app.secret), [key.id]],
      ]);
      for (const [step, { verb, by, which, days }] of acts.entries()) {
        salon.environment.setTime(new Date(Date.parse(testNow) + step * 3_600_000).toISOString());
        const callers = [...keys, ...apps];
        const one = callers[by % callers.length] ?? key;
        const caller = await ('key' in one ? useKey(salon, one.key) : useApp(salon, one)).catch(() => person);
        const own =
          caller === person
            ? []
            : 'key' in one
              ? [...(origins.get(one.id) ?? []), one.id]
              : origins.get(String(one.secret));
        const id = keys[which % keys.length]?.id ?? '';
        const appId = apps[which % apps.length]?.id ?? '';
        const expires_at = new Date(Date.parse(testNow) + days * 86_400_000).toISOString();
        const refused = () => undefined;
        if (verb === 'revoke') await revokeApiKey(caller, id).catch(refused);
        if (verb === 'key' || verb === 'roll') {
          const made = await (verb === 'key'
            ? createApiKey(caller, { ...owner, expires_at })
            : rollApiKey(caller, id, { overlap_seconds: days * 600 })
          ).catch(refused);
          const isItself = verb === 'roll' && caller !== person && one.id === id;
          if (made !== undefined) origins.set(made.id, (isItself ? origins.get(id) : own) ?? []);
          if (made !== undefined) keys.push(made);
        }
        if (verb === 'app' || verb === 'rotate') {
          const made = await (verb === 'app'
            ? createOauthClient(caller, body)
            : rotateOauthClientSecret(caller, appId)
          ).catch(refused);
          if (made !== undefined) origins.set(String(made.secret), own ?? []);
          if (made !== undefined) apps.push(made);
        }
        const all = await listAllApiKeys(person, ['active', 'expired', 'revoked']);
        const byId = new Map(all.map((found) => [found.id, found]));
        const toEnd = (found: string) => {
          const { revoked_at, expires_at } = byId.get(found) ?? {};
          return Math.min(Date.parse(revoked_at ?? '9999'), Date.parse(expires_at ?? '9999'));
        };
        for (const [made, led] of origins) {
          const holder = apps.find(({ secret }) => secret === made);
          if (holder !== undefined && !(await isValid(salon, holder))) continue;
          const row = holder && (await readOauthClient(salon.store.database.reader, holder.id));
          const end = row ? Date.parse(row.secret_expires_at ?? '9999') : toEnd(made);
          expect(end).toBeLessThanOrEqual(Math.min(...led.map(toEnd), Date.parse('9999')));
        }
      }
    }),
    { numRuns: countBySpeed(15, 500) },
  );
});

it('an app whose secret a person replaces in another process keeps nothing that it creates meanwhile', async () => {
  await using two = await openTwoProcesses();
  const { people, elsewhere } = two;
  const { salon } = people;
  const person = await people.signIn();
  const key = await createApiKey(person, owner);
  for (let number = 0; number < races * 2; number++) {
    const app = await createOauthClient(await useKey(salon, key.key), { ...body, name: `App ${number}` });
    const program = elsewhere(await useApp(salon, app));
    const results = await race(
      number,
      () => rotateOauthClientSecret(person, app.id),
      () => createApiKey(program, owner),
    );
    expect(results[0]).toMatchObject({ status: 'fulfilled' });
    if (!isDone(results[1])) expect(results[1]).toMatchObject({ reason: ended });
    const active = await listAllApiKeys(person, ['active']);
    expect(active.filter(({ created_with }) => created_with === app.id)).toEqual([]);
    // An account has a maximum of apps, and a long run adds more.
    await deleteOauthClient(person, app.id);
  }
});
