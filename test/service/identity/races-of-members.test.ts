import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import type { AuditEntryRow } from '../../../src/service/db/audit/entries.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import { createApiKey, listAllApiKeys, rollApiKey } from '../../../src/service/identity/api-keys.ts';
import { inviteMember, listInvitations } from '../../../src/service/identity/invitations.ts';
import { createOauthClient, rotateOauthClientSecret } from '../../../src/service/identity/oauth-clients.ts';
import { changePassword } from '../../../src/service/identity/own-account.ts';
import { beginPasskey, finishPasskey } from '../../../src/service/identity/passkeys.ts';
import { createReset, resetPassword } from '../../../src/service/identity/resets.ts';
import { beginTotp, finishTotp, renewRecoveryCodes } from '../../../src/service/identity/second-factor.ts';
import { changeMember, deactivateMember, listTeam } from '../../../src/service/identity/team.ts';
import { createAuthenticator } from '../../support/authenticator.ts';
import { testPassword } from '../../support/members.ts';
import { someBrowser, type TestPeople } from '../../support/people.ts';
import { isDone, isSignedIn, openTwoProcesses, race, races } from '../../support/race.ts';

const origin = 'https://salon.example';
const mia = 'mia@salon.example';
const newPassword = 'five other words for today';

function toToken({ link }: { link: string | null }): string {
  return link?.split('/').at(-1) ?? '';
}

function toTotp(secret: string, { environment }: Pick<Context, 'environment'>): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: environment.now().getTime() });
}

describe('of owners who lower or end each other in two processes at once', () => {
  const acts = {
    'deactivate each other': (context: Context, id: string) => deactivateMember(context, id),
    'lower each other': (context: Context, id: string) => changeMember(context, id, { role: 'viewer' }),
  };

  it.each(Object.entries(acts))('those who %s keep one', async (_, act) => {
    await using two = await openTwoProcesses();
    const { people, elsewhere } = two;
    const emails = ['ana@salon.example', mia] as const;
    // With a third owner nobody is the last one, and still only one of the two may win.
    await people.addPerson({ email: 'leo@salon.example', name: 'Leo' });
    for (let number = 0; number < races; number++) {
      const ids = [await people.addPerson({ email: emails[0] }), await people.addPerson({ email: mia })];
      const [ana, other] = [await people.signIn(), elsewhere(await people.signIn(mia))];
      const results = await race(
        number,
        () => act(ana, ids[1] ?? ''),
        () => act(other, ids[0] ?? ''),
      );
      expect(results.map(isDone).sort()).toEqual([false, true]);
    }
  });

  it.each(Object.entries(acts))('the last two who %s leave one owner', async (_, act) => {
    await using two = await openTwoProcesses();
    const { people, elsewhere } = two;
    for (let number = 0; number < races; number++) {
      const ids = [await people.addPerson(), await people.addPerson({ email: mia })];
      const [ana, other] = [await people.signIn(), elsewhere(await people.signIn(mia))];
      // Each leaves.
      const results = await race(
        number,
        () => act(ana, ids[0] ?? ''),
        () => act(other, ids[1] ?? ''),
      );
      expect(results.map(isDone).sort()).toEqual([false, true]);
      const owners = (await listTeam(people.salon.as())).filter(({ role }) => role === 'owner');
      expect(owners).toHaveLength(1);
    }
  });
});

/** What a person did in the account after an act of another ended their access. */
async function readLateActs({ salon }: TestPeople, userId: string, end: string): Promise<string[]> {
  const { reader } = salon.store.database;
  const entries = await reader.run<Pick<AuditEntryRow, 'action' | 'actor_id' | 'record_id'>>(
    'select action, actor_id, record_id from audit_entries where account_id = ? order by seq desc limit 50',
    [salon.accountId],
  );
  const last = entries.findIndex(({ action, record_id }) => action === end && record_id === userId);
  expect(last).toBeGreaterThanOrEqual(0);
  const later = entries.slice(0, last).filter(({ actor_id }) => actor_id === userId);
  return later.map(({ action }) => action);
}

type Member = Awaited<ReturnType<TestPeople['signIn']>>;

describe('a member who is deactivated in another process', () => {
  it('does nothing afterwards that would last', async () => {
    await using two = await openTwoProcesses();
    const { people, elsewhere } = two;
    const owner = await people.signIn();
    const redirect_uris = ['https://shop.example/back'];
    const app = await createOauthClient(owner, { name: 'Shop', redirect_uris, scopes: ['clients:read'] });
    const key = await createApiKey(owner, { name: 'Old', role: 'viewer' });
    const bo = await people.addPerson({ email: 'bo@salon.example', role: 'viewer' });
    const late = 'eve@salon.example';
    const acts: readonly ((context: Member, number: number) => Promise<unknown>)[] = [
      (context) => createApiKey(context, { name: 'Late', role: 'viewer' }),
      (context) => rollApiKey(context, key.id, { overlap_seconds: 86_400 }),
      (context) => inviteMember(context, { email: late, role: 'owner', origin }),
      (context) => createReset(context, { userId: bo, origin, removesSecondFactor: false }),
      (context) => rotateOauthClientSecret(context, app.id),
      (context, number) => changeMember(context, bo, { role: number % 2 === 0 ? 'owner' : 'viewer' }),
      (context) => deactivateMember(context, bo),
    ];
    for (let number = 0; number < Math.max(races, acts.length * 2); number++) {
      const id = await people.addPerson({ email: mia });
      await people.addPerson({ email: 'bo@salon.example', role: 'viewer' });
      const member = elsewhere(await people.signIn(mia));
      const act = acts[number % acts.length];
      const results = await race(
        Math.floor(number / acts.length),
        () => deactivateMember(owner, id),
        async () => act?.(member, number),
      );
      expect(results[0]).toMatchObject({ status: 'fulfilled' });
      if (!isDone(results[1])) expect(results[1]).toMatchObject({ reason: { code: 'permission_denied' } });
      expect(await readLateActs(people, id, 'membership.ended')).toEqual([]);
      expect(await listInvitations(owner)).toEqual([]);
      const keys = await listAllApiKeys(owner, ['active']);
      expect(keys.filter(({ created_by }) => created_by === id)).toEqual([]);
    }
  });
});

describe('a person whose password is reset in another process', () => {
  const acts: Readonly<Record<string, (context: Member) => Promise<unknown>>> = {
    'another password': (context) =>
      changePassword(context, { current: testPassword, password: newPassword, browser: someBrowser }),
    'an authenticator app': async (context) => {
      const { secret, setup } = await beginTotp(context);
      return finishTotp(context, { setup, code: toTotp(secret, context) });
    },
    'a passkey': async (context) => {
      const { options, ticket } = await beginPasskey(context, { origin });
      const response = createAuthenticator().register(options, origin);
      await finishPasskey(context, { origin, ticket, name: 'Phone', response });
    },
    'recovery codes': (context) => renewRecoveryCodes(context),
  };

  it.each(Object.entries(acts))('does not get %s through a session that it ended', async (_, act) => {
    await using two = await openTwoProcesses();
    const { people, elsewhere } = two;
    for (let number = 0; number < races; number++) {
      two.passHours(number);
      const email = `mia${number}@salon.example`;
      const userId = await people.addPerson({ email });
      const owner = await people.signIn();
      const token = toToken(await createReset(owner, { userId, origin, removesSecondFactor: false }));
      const session = elsewhere(await people.signIn(email));
      const password = 'six quite different words for tomorrow';
      const [reset] = await race(
        number,
        () => resetPassword(people.visit(), { token, password, browser: someBrowser }),
        () => act(session),
      );
      // A new password withdraws the link.
      if (!isDone(reset)) continue;
      expect(await readLateActs(people, userId, 'user.password_reset')).toEqual(
        isSignedIn(reset) ? ['user.signed_in'] : [],
      );
    }
  });
});
