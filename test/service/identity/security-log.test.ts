import { describe, expect, it } from 'vitest';
import { listAuditLog } from '../../../src/service/domain/audit-log.ts';
import { inviteMember } from '../../../src/service/identity/invitations.ts';
import { acceptInvitation, readInvitation } from '../../../src/service/identity/join.ts';
import { changePassword } from '../../../src/service/identity/own-account.ts';
import { signInWithPassword } from '../../../src/service/identity/password-sign-in.ts';
import { createReset, readReset, resetPassword } from '../../../src/service/identity/resets.ts';
import { endSession } from '../../../src/service/identity/sessions.ts';
import { changeMember, deactivateMember } from '../../../src/service/identity/team.ts';
import { testPassword } from '../../support/members.ts';
import { openTestPeople, someBrowser, type TestPeople } from '../../support/people.ts';

const origin = 'https://salon.example';
const password = 'five other words for today';
const mia = 'mia@salon.example';

async function readLog(people: TestPeople): Promise<Record<string, unknown>[]> {
  const { dataJson } = await listAuditLog(people.salon.as(), { per_page: 200 });
  return JSON.parse(dataJson.toString());
}

function tokenOf(link: string | null): string {
  return link?.split('/').at(-1) ?? '';
}

describe('the audit log', () => {
  it('names what happened to people, in order, without any secret', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const owner = await people.signIn();
    const invited = await inviteMember(owner, { email: mia, role: 'manager', origin });
    const token = tokenOf(invited.link);
    const visitor = people.visit('198.51.100.7');
    await acceptInvitation(visitor, {
      token,
      name: 'Mia Reed',
      password: testPassword,
      browser: someBrowser,
    });
    await signInWithPassword(visitor, { email: mia, password: 'a wrong one', browser: someBrowser });
    await signInWithPassword(visitor, {
      email: 'nobody@salon.example',
      password: 'a wrong one',
      browser: someBrowser,
    });
    await expect(readInvitation(visitor, token)).rejects.toMatchObject({ code: 'not_found' });
    const member = await people.signIn(mia);
    await changePassword(member, { current: testPassword, password, browser: someBrowser });
    const { user } = 'user' in member.caller.credential ? member.caller.credential : { user: null };
    const userId = user?.id ?? '';
    const { link } = await createReset(owner, { userId, origin, removesSecondFactor: false });
    await resetPassword(visitor, { token: tokenOf(link), password: testPassword, browser: someBrowser });
    await changeMember(owner, userId, { role: 'viewer' });
    await deactivateMember(owner, userId);
    await endSession(owner);
    const log = await readLog(people);
    expect(log.map(({ action }) => action)).toEqual([
      'account.created',
      'user.signed_in',
      'invitation.created',
      'membership.created',
      'user.signed_in',
      'user.sign_in_failed',
      'access.refused',
      'user.signed_in',
      'user.password_changed',
      'user.reset_created',
      'user.password_reset',
      'user.signed_in',
      'membership.updated',
      'membership.ended',
      'user.signed_out',
    ]);
    const text = JSON.stringify(log);
    for (const secret of [
      token,
      tokenOf(link),
      testPassword,
      password,
      'a wrong one',
      owner.token,
      '$argon2id',
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  it('names refused links in the accounts of the person', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const userId = await people.addPerson({ email: mia });
    const { link } = await createReset(await people.signIn(), { userId, origin, removesSecondFactor: false });
    people.salon.environment.setTime('2026-11-22T12:00:00Z');
    await expect(readReset(people.visit(), tokenOf(link))).rejects.toMatchObject({ code: 'not_found' });
    expect(await readLog(people)).toContainEqual(
      expect.objectContaining({
        action: 'access.refused',
        details: expect.objectContaining({ operation: 'reset', code: 'link_expired' }),
      }),
    );
  });

  it('has a bounded number of entries of guesses', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    for (let guess = 0; guess < 30; guess += 1) {
      await signInWithPassword(people.visit(), {
        email: 'ana@salon.example',
        password: 'no',
        browser: someBrowser,
      });
    }
    const failed = (await readLog(people)).filter(({ action }) => action === 'user.sign_in_failed');
    expect(failed).toHaveLength(10);
    expect(failed.at(-1)).toMatchObject({ details: { method: 'password', wait_seconds: 900 } });
  });
});
