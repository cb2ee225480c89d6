import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { saveRecoveryCodes } from '../../../src/service/db/identity/users.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import { inviteMember } from '../../../src/service/identity/invitations.ts';
import { acceptInvitation, joinAccount } from '../../../src/service/identity/join.ts';
import { signInWithPassword } from '../../../src/service/identity/password-sign-in.ts';
import { createReset, resetPassword } from '../../../src/service/identity/resets.ts';
import {
  beginTotp,
  finishSecondFactor,
  finishTotp,
  toRecoveryCodeHash,
} from '../../../src/service/identity/second-factor.ts';
import { sessionOf } from '../../../src/service/identity/sessions.ts';
import { testPassword } from '../../support/members.ts';
import { someBrowser, type TestPeople } from '../../support/people.ts';
import { isDone, isSignedIn, openTwoProcesses, race, races } from '../../support/race.ts';

const origin = 'https://salon.example';
const mia = 'mia@salon.example';
const newPassword = 'five other words for today';
const person = { name: 'Mia Reed', browser: someBrowser };

function toToken({ link }: { link: string | null }): string {
  return link?.split('/').at(-1) ?? '';
}

function toTotp(secret: string, { environment }: Pick<Context, 'environment'>): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: environment.now().getTime() });
}

async function countActions({ salon }: TestPeople, action: string): Promise<number> {
  const { reader } = salon.store.database;
  return (await reader.run('select seq from audit_entries where action = ?', [action])).length;
}

describe('in two processes at once', () => {
  it('an invitation is accepted once', async () => {
    await using two = await openTwoProcesses();
    const { people, elsewhere } = two;
    const owner = await people.signIn();
    for (let number = 0; number < races; number++) {
      const email = `mia${number}@salon.example`;
      const invited = await inviteMember(owner, { email, role: 'viewer', origin });
      const accept = (context: ReturnType<TestPeople['visit']>, password: string) => () =>
        acceptInvitation(context, { token: toToken(invited), password, ...person });
      const passwords = [testPassword, newPassword];
      const results = await race(
        number,
        accept(people.visit(), testPassword),
        accept(elsewhere(people.visit()), newPassword),
      );
      expect(results.filter(isDone)).toHaveLength(1);
      expect(results.filter(isSignedIn)).toHaveLength(1);
      const attempts = passwords.map((password) =>
        signInWithPassword(people.visit(), { email, password, browser: someBrowser }),
      );
      const signedIn = (await Promise.allSettled(attempts)).map(isSignedIn);
      expect(signedIn).toEqual(results.map(isDone));
      two.passHours(number);
      await people.signIn();
    }
    expect(await countActions(people, 'membership.created')).toBe(races);
  });

  it('an invitation is joined once by a person with two sessions', async () => {
    await using two = await openTwoProcesses();
    const { people, elsewhere } = two;
    const neighbour = await people.salon.openNeighbour();
    const inviting = { ...(await people.signIn()), caller: neighbour.as().caller };
    const sessions = [await people.signIn(), elsewhere(await people.signIn())] as const;
    for (let number = 0; number < races; number++) {
      const { account } = inviting.caller;
      await people.salon.store.database.transaction('service', (tx) =>
        tx.run('delete from memberships where account_id = ?', [account.id]),
      );
      const token = toToken(
        await inviteMember(inviting, { email: 'ana@salon.example', role: 'viewer', origin }),
      );
      const results = await race(
        number,
        () => joinAccount(sessions[0], token),
        () => joinAccount(sessions[1], token),
      );
      expect(results.filter(isDone)).toHaveLength(1);
      expect(results.find((result) => !isDone(result))).toMatchObject({
        reason: { message: expect.stringContaining('already been used') },
      });
    }
    expect(await countActions(people, 'membership.created')).toBe(races);
  });

  it('a reset link sets one password', async () => {
    await using two = await openTwoProcesses();
    const { people, elsewhere } = two;
    const userId = await people.addPerson({ email: mia, role: 'viewer' });
    for (let number = 0; number < races; number++) {
      two.passHours(number);
      const owner = await people.signIn();
      const token = toToken(await createReset(owner, { userId, origin, removesSecondFactor: false }));
      const passwords = [`${testPassword} ${number}`, `${newPassword} ${number}`] as const;
      const reset = (context: ReturnType<TestPeople['visit']>, password: string) => () =>
        resetPassword(context, { token, password, browser: someBrowser });
      const results = await race(
        number,
        reset(people.visit(), passwords[0]),
        reset(elsewhere(people.visit()), passwords[1]),
      );
      expect(results.filter(isDone)).toHaveLength(1);
      const signedIn: boolean[] = [];
      for (const password of passwords) {
        const result = await signInWithPassword(people.visit(), {
          email: mia,
          password,
          browser: someBrowser,
        });
        signedIn.push(result.status === 'signed_in');
      }
      expect(signedIn).toEqual(results.map(isDone));
    }
    expect(await countActions(people, 'user.password_reset')).toBe(races);
  });

  it.each(['a code of the authenticator app', 'a recovery code'])('%s signs in once', async (kind) => {
    await using two = await openTwoProcesses();
    const { people, elsewhere } = two;
    const { database } = people.salon.store;
    const context = await people.signIn();
    const { secret, setup } = await beginTotp(context);
    const toCode = () => toTotp(secret, context);
    await finishTotp(context, { setup, code: toCode() });
    const readTicket = async () => {
      const input = { email: 'ana@salon.example', password: testPassword, browser: someBrowser };
      const result = await signInWithPassword(people.visit(), input);
      return 'ticket' in result ? result.ticket : '';
    };
    for (let number = 0; number < races; number++) {
      two.passHours(number);
      const tickets = [await readTicket(), await readTicket()] as const;
      const recovery = `recovery-${number}`;
      await database.transaction('service', (tx) =>
        saveRecoveryCodes(tx, sessionOf(context).user.id, [toRecoveryCodeHash(recovery)]),
      );
      const code = kind === 'a recovery code' ? recovery : toCode();
      const results = await race(
        number,
        () => finishSecondFactor(people.visit(), { ticket: tickets[0], code, browser: someBrowser }),
        () =>
          finishSecondFactor(elsewhere(people.visit()), { ticket: tickets[1], code, browser: someBrowser }),
      );
      expect(results.map(isSignedIn).sort()).toEqual([false, true]);
    }
  });

  it('ten guesses at a password are free, and no more', async () => {
    await using two = await openTwoProcesses();
    const { people, elsewhere } = two;
    for (let number = 0; number < Math.ceil(races / 4); number++) {
      two.passHours(3 * number);
      const email = `mia${number}@salon.example`;
      const guess = { email, password: 'wrong', browser: someBrowser };
      const visits = [people.visit(), elsewhere(people.visit())];
      const guesses = Array.from({ length: 30 }, async (_, index) =>
        signInWithPassword(visits[index % 2] ?? people.visit(), guess),
      );
      const results = await Promise.all(guesses);
      expect(results.filter((result) => !('retryAfterMs' in result))).toHaveLength(10);
    }
  });
});
