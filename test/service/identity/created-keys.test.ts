import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/service/domain/context.ts';
import {
  createApiKey,
  getApiKey,
  listAllApiKeys,
  revokeApiKey,
  rollApiKey,
} from '../../../src/service/identity/api-keys.ts';
import { readCredential } from '../../../src/service/identity/credentials.ts';
import { createOauthClient, deleteOauthClient } from '../../../src/service/identity/oauth-clients.ts';
import { disconnectApp } from '../../../src/service/identity/oauth-grants.ts';
import { signInAs, useKey } from '../../support/api-keys.ts';
import { addApp, issueAppToken, issuePersonToken } from '../../support/issue-credentials.ts';
import { openTestPeople } from '../../support/people.ts';
import { isDone, openTwoProcesses, race, races } from '../../support/race.ts';
import { openTestSalon, type TestSalon, testNow } from '../../support/salon.ts';
import { countBySpeed } from '../../support/speed.ts';

const inAMonth = '2026-12-21T12:00:00.000Z';
const manager = { name: 'Some', role: 'manager' } as const;

/** A key of a person, valid for a month, and the context of who uses it. */
async function openParent(salon: TestSalon) {
  const owner = await signInAs(salon, 'owner');
  const parent = await createApiKey(owner, { ...manager, name: 'Parent', expires_at: inAMonth });
  return { owner, parent, program: await useKey(salon, parent.key) };
}

function outOfRange(pointer: string) {
  return { code: 'validation_failed', violations: [{ pointer, code: 'out_of_range' }] };
}

describe('a key that a key creates', () => {
  it('expires with it by default, and is refused when asked to last longer', async () => {
    await using salon = await openTestSalon();
    const { parent, program } = await openParent(salon);
    const made = await createApiKey(program, manager);
    expect(made).toMatchObject({ expires_at: inAMonth, created_with: parent.id, created_keys: 0 });
    for (const expires_at of [null, '2026-12-21T12:00:00.001Z', '2030-01-01T00:00:00Z']) {
      const refused = createApiKey(program, { ...manager, expires_at });
      await expect(refused).rejects.toMatchObject(outOfRange('/expires_at'));
    }
    expect(await createApiKey(program, { ...manager, expires_at: inAMonth })).toMatchObject({
      expires_at: inAMonth,
    });
  });

  it('is revoked with it, and so is what it created itself', async () => {
    await using salon = await openTestSalon();
    const { owner, parent, program } = await openParent(salon);
    const child = await createApiKey(program, manager);
    const grandchild = await createApiKey(await useKey(salon, child.key), manager);
    const other = await createApiKey(owner, manager);
    expect((await getApiKey(owner, parent.id)).created_keys).toBe(2);
    expect((await getApiKey(owner, child.id)).created_keys).toBe(1);
    await revokeApiKey(owner, parent.id);
    for (const { key } of [parent, child, grandchild]) {
      await expect(useKey(salon, key)).rejects.toMatchObject({ code: 'invalid_token' });
    }
    expect((await useKey(salon, other.key)).caller.role).toBe('manager');
    expect((await getApiKey(owner, parent.id)).created_keys).toBe(0);
    const revoked = await salon.store.database.reader.run<{ record_id: string; changes: string }>(
      "select record_id, changes from audit_entries where action = 'api_key.revoked' order by seq",
      [],
    );
    expect(revoked.map(({ record_id }) => record_id)).toEqual([parent.id, child.id, grandchild.id]);
    expect(revoked[2]?.changes).toContain('creator_revoked');
  });

  it('ends when the overlap ends, once its creator was rolled', async () => {
    await using salon = await openTestSalon();
    const { owner, parent, program } = await openParent(salon);
    const child = await createApiKey(program, manager);
    const { former_expires_at } = await rollApiKey(owner, parent.id, { overlap_seconds: 60 });
    expect(await getApiKey(owner, child.id)).toMatchObject({ expires_at: former_expires_at });
    const stopped = await createApiKey(program, manager);
    expect(stopped.expires_at).toBe(former_expires_at);
    await rollApiKey(owner, parent.id, { overlap_seconds: 0 });
    await expect(useKey(salon, stopped.key)).rejects.toMatchObject({ code: 'invalid_token' });
  });
});

describe('a key that rolls', () => {
  it('itself keeps its lifetime and its creator, and does not outlast that', async () => {
    await using salon = await openTestSalon();
    const { parent, program } = await openParent(salon);
    const child = await createApiKey(program, { ...manager, expires_at: '2026-12-11T12:00:00Z' });
    salon.environment.setTime('2026-11-26T12:00:00Z');
    const second = await rollApiKey(await useKey(salon, child.key), child.id, {});
    expect(second).toMatchObject({ expires_at: '2026-12-16T12:00:00.000Z', created_with: parent.id });
    salon.environment.setTime('2026-12-10T12:00:00Z');
    const third = await rollApiKey(await useKey(salon, second.key), second.id, {});
    expect(third).toMatchObject({ expires_at: inAMonth, created_with: parent.id });
    const own = await rollApiKey(await useKey(salon, parent.key), parent.id, {});
    expect(own).toMatchObject({ expires_at: '2027-01-09T12:00:00.000Z', created_with: null });
  });

  it('another one makes it end with itself; a person gives it its whole lifetime again', async () => {
    await using salon = await openTestSalon();
    const { owner, parent, program } = await openParent(salon);
    const lasting = await createApiKey(owner, { ...manager, expires_at: null });
    const rolled = await rollApiKey(program, lasting.id, {});
    expect(rolled).toMatchObject({ expires_at: inAMonth, created_with: parent.id });
    const freed = await rollApiKey(owner, rolled.id, {});
    expect(freed).toMatchObject({ expires_at: null, created_with: null });
    await revokeApiKey(owner, parent.id);
    await expect(useKey(salon, rolled.key)).rejects.toMatchObject({ code: 'invalid_token' });
    expect((await useKey(salon, freed.key)).caller.role).toBe('manager');
  });

  it('one that it ends with is refused, and a person can do it', async () => {
    await using salon = await openTestSalon();
    const { owner, parent, program } = await openParent(salon);
    const child = await createApiKey(program, manager);
    const grandchild = await createApiKey(await useKey(salon, child.key), manager);
    for (const { key } of [child, grandchild]) {
      for (const overlap_seconds of [0, 86_400]) {
        const refused = rollApiKey(await useKey(salon, key), parent.id, { overlap_seconds });
        await expect(refused).rejects.toMatchObject({ code: 'permission_denied', status: 403 });
      }
    }
    expect(await getApiKey(owner, parent.id)).toMatchObject({ expires_at: inAMonth, replaced_by: null });
    expect((await rollApiKey(owner, parent.id, {})).expires_at).toBe(inAMonth);
  });
});

describe('a key that an app creates', () => {
  it('ends with the access that the person gave it', async () => {
    await using people = await openTestPeople();
    const { salon } = people;
    const { accountId, environment } = salon;
    const userId = await people.addPerson();
    const ana = await people.signIn();
    const app = await createOauthClient(ana, {
      ...{ name: 'Shop', redirect_uris: ['https://shop.example/back'], scopes: ['api_keys:write'] },
    });
    const connect = async (clientId: string) => {
      const token = await salon.store.database.transaction('service', async (tx) => {
        const issued = await issuePersonToken(tx, environment, { accountId, userId });
        if (clientId === app.id) {
          await tx.run('update oauth_grants set client_id = ?', [app.id]);
          await tx.run('update oauth_tokens set client_id = ?', [app.id]);
        }
        return issued;
      });
      return { ...salon.as(), caller: (await readCredential(salon.as(), token)).caller };
    };
    const shop = await connect(app.id);
    const grantId = 'id' in shop.caller.credential ? shop.caller.credential.id : '';
    const made = await createApiKey(shop, manager);
    expect(made).toMatchObject({ created_with: grantId, expires_at: '2026-11-22T12:00:00.000Z' });
    const cli = await createApiKey(await connect('salon-cli'), { ...manager, expires_at: null });
    expect(cli).toMatchObject({ created_with: null, expires_at: null });
    await disconnectApp(ana, grantId);
    await expect(useKey(salon, made.key)).rejects.toMatchObject({ code: 'invalid_token' });
    expect((await useKey(salon, cli.key)).caller.role).toBe('manager');
    await expect(createApiKey(shop, manager)).rejects.toMatchObject({ code: 'invalid_token' });
  });

  it('for itself ends with the app', async () => {
    await using salon = await openTestSalon();
    const { accountId, environment } = salon;
    const { id, token } = await salon.store.database.transaction('service', async (tx) => {
      const clientId = await addApp(tx, environment, { accountId, role: 'owner' });
      return { id: clientId, token: await issueAppToken(tx, environment, { clientId }) };
    });
    const app: Context = { ...salon.as(), caller: (await readCredential(salon.as(), token)).caller };
    const made = await createApiKey(app, { ...manager, expires_at: null });
    expect(made.created_with).toBe(id);
    await deleteOauthClient(salon.as(), id);
    await expect(useKey(salon, made.key)).rejects.toMatchObject({ code: 'invalid_token' });
    await expect(createApiKey(app, manager)).rejects.toMatchObject({ code: 'invalid_token' });
  });
});

it('no key outlives what created it, whatever keys create, roll and revoke', async () => {
  const act = fc.record({
    verb: fc.constantFrom('create', 'create', 'roll', 'revoke'),
    by: fc.nat(9),
    which: fc.nat(9),
    days: fc.integer({ min: 1, max: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), async (acts) => {
      await using salon = await openTestSalon();
      const { owner, parent } = await openParent(salon);
      const texts = [parent];
      for (const [step, { verb, by, which, days }] of acts.entries()) {
        salon.environment.setTime(new Date(Date.parse(testNow) + step * 3_600_000).toISOString());
        const caller = await useKey(salon, texts[by % texts.length]?.key ?? '').catch(() => owner);
        const id = texts[which % texts.length]?.id ?? '';
        const expires_at = new Date(Date.parse(testNow) + days * 86_400_000).toISOString();
        const done =
          verb === 'create'
            ? createApiKey(caller, { ...manager, expires_at })
            : verb === 'roll'
              ? rollApiKey(caller, id, { overlap_seconds: days * 600 })
              : revokeApiKey(caller, id);
        const made = await done.catch(() => undefined);
        if (made !== undefined) texts.push(made);
        const keys = await listAllApiKeys(owner, ['active', 'expired', 'revoked']);
        const byId = new Map(keys.map((key) => [key.id, key]));
        for (const key of keys) {
          const creator = byId.get(key.created_with ?? '');
          if (key.revoked_at !== null || creator === undefined) continue;
          expect(creator.revoked_at).toBeNull();
          expect(Date.parse(key.expires_at ?? '9999')).toBeLessThanOrEqual(
            Date.parse(creator.expires_at ?? '9999'),
          );
        }
      }
    }),
    { numRuns: countBySpeed(15, 500) },
  );
});

it('a key that is revoked in another process leaves none that it creates at that moment', async () => {
  await using two = await openTwoProcesses();
  const { people, elsewhere } = two;
  const { salon } = people;
  const owner = await people.signIn();
  for (let number = 0; number < races * 2; number++) {
    const parent = await createApiKey(owner, { ...manager, name: `Parent ${number}` });
    const program = elsewhere(await useKey(salon, parent.key));
    const other = await createApiKey(owner, { ...manager, name: `Other ${number}` });
    const results = await race(
      number,
      () => revokeApiKey(owner, parent.id),
      () => (number % 3 === 0 ? rollApiKey(program, other.id, {}) : createApiKey(program, manager)),
    );
    expect(results[0]).toMatchObject({ status: 'fulfilled' });
    if (!isDone(results[1])) expect(results[1]).toMatchObject({ reason: { code: 'invalid_token' } });
    const active = await listAllApiKeys(owner, ['active']);
    expect(active.filter(({ created_with }) => created_with === parent.id)).toEqual([]);
    // An account has a maximum of active keys, and a long run makes more.
    for (const { id } of active) await revokeApiKey(owner, id);
  }
});
