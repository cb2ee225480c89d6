import { describe, expect, it } from 'vitest';
import { saveMembership } from '../../../src/service/db/identity/accounts.ts';
import { updateUser } from '../../../src/service/db/identity/users.ts';
import { updateStylist } from '../../../src/service/domain/stylists.ts';
import {
  cancelInvitation,
  inviteMember,
  listInvitations,
  type NewInvitation,
} from '../../../src/service/identity/invitations.ts';
import { acceptInvitation, joinAccount, readInvitation } from '../../../src/service/identity/join.ts';
import { listOwnAccounts, readSession } from '../../../src/service/identity/sessions.ts';
import { deactivateMember, listTeam } from '../../../src/service/identity/team.ts';
import { testPassword } from '../../support/members.ts';
import { openTestPeople, someBrowser, type TestPeople } from '../../support/people.ts';

const origin = 'https://salon.example';
const invited = { email: 'mia@salon.example', role: 'viewer', origin } as const;

/** Invites as the owner Ana, who is added. Returns the token of the link. */
async function invite(people: TestPeople, change: Partial<NewInvitation> = {}) {
  await people.addPerson();
  return inviteAs(people, 'ana@salon.example', change);
}

async function inviteAs(people: TestPeople, by: string, change: Partial<NewInvitation> = {}) {
  const { link } = await inviteMember(await people.signIn(by), { ...invited, ...change });
  return link?.split('/').at(-1) ?? '';
}

const person = { name: '  Mia   Reed ', password: testPassword, browser: someBrowser };

describe('an invitation', () => {
  it('makes a new person a member and signs them in', async () => {
    await using people = await openTestPeople();
    const stylistId = await people.salon.addStylist();
    const token = await invite(people, { email: 'Mia@Salon.Example', role: 'stylist', stylistId });
    expect(await readInvitation(people.visit(), token)).toEqual({
      email: 'Mia@salon.example',
      role: 'stylist',
      account: { id: people.salon.accountId, name: 'Test salon' },
      isKnownPerson: false,
    });
    const result = await acceptInvitation(people.visit(), { token, ...person });
    const { database } = people.salon.store;
    const session = 'token' in result ? result.token : '';
    expect(await readSession(database, people.salon.environment, session)).toMatchObject({
      caller: {
        role: 'stylist',
        stylistId,
        credential: { user: { name: 'Mia Reed', email: 'Mia@salon.example' } },
      },
    });
    expect(await people.signIn('mia@salon.example')).toBeDefined();
  });

  it('works once, also when two people use it at the same time', async () => {
    await using people = await openTestPeople();
    const token = await invite(people);
    const results = await Promise.allSettled([
      acceptInvitation(people.visit(), { token, ...person }),
      acceptInvitation(people.visit(), { token, ...person }),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(readInvitation(people.visit(), token)).rejects.toMatchObject({
      message: 'This link has already been used. Ask for a new one.',
    });
  });

  it('is good for a week', async () => {
    await using people = await openTestPeople();
    const token = await invite(people);
    people.salon.environment.setTime('2026-11-28T11:59:59Z');
    expect(await readInvitation(people.visit(), token)).toBeDefined();
    people.salon.environment.setTime('2026-11-28T12:00:00Z');
    const expired = { message: 'This link has expired. Ask for a new one.' };
    await expect(readInvitation(people.visit(), token)).rejects.toMatchObject(expired);
    await expect(acceptInvitation(people.visit(), { token, ...person })).rejects.toMatchObject(expired);
  });

  it('is replaced by a later one, and can be withdrawn', async () => {
    await using people = await openTestPeople();
    const first = await invite(people);
    const second = await inviteAs(people, 'ana@salon.example', { email: 'MIA@salon.example' });
    const unknown = { message: 'This link is not valid. Ask for a new one.' };
    await expect(readInvitation(people.visit(), first)).rejects.toMatchObject(unknown);
    const context = await people.signIn();
    const [only, ...others] = await listInvitations(context);
    expect(others).toEqual([]);
    await cancelInvitation(context, only?.id ?? '');
    await expect(acceptInvitation(people.visit(), { token: second, ...person })).rejects.toMatchObject(
      unknown,
    );
    await expect(cancelInvitation(context, only?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['a short password', { password: 'short' }, '/password'],
    ['the address as password', { password: 'mia@salon.example' }, '/password'],
    ['a password of a megabyte', { password: 'abcdef'.repeat(2 ** 18) }, '/password'],
    ['no name', { name: '  ' }, '/name'],
    ['a name that turns the text around', { name: 'Mia\u202eReed' }, '/name'],
  ])('is not used up by %s', async (_, change, pointer) => {
    await using people = await openTestPeople();
    const token = await invite(people);
    const refused = acceptInvitation(people.visit(), { token, ...person, ...change });
    await expect(refused).rejects.toMatchObject({ violations: [{ pointer }] });
    expect(await acceptInvitation(people.visit(), { token, ...person })).toMatchObject({
      status: 'signed_in',
    });
  });

  it('is joined by a known person only after they signed in, and not by another', async () => {
    await using people = await openTestPeople();
    const neighbour = await people.salon.openNeighbour();
    const token = await invite(people);
    const userId = await people.addPerson({ email: 'mia@salon.example' });
    await moveTo(people, neighbour.accountId, userId);
    expect(await readInvitation(people.visit(), token)).toMatchObject({ isKnownPerson: true });
    await expect(acceptInvitation(people.visit(), { token, ...person })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(joinAccount(await people.signIn(), token)).rejects.toMatchObject({
      code: 'permission_denied',
    });
    const mia = await people.signIn('mia@salon.example');
    expect(mia.caller.account.id).toBe(neighbour.accountId);
    await joinAccount(mia, token);
    const { database } = people.salon.store;
    const after = await readSession(database, people.salon.environment, mia.token);
    expect(after?.caller).toMatchObject({ role: 'viewer', account: { id: people.salon.accountId } });
    expect((await listOwnAccounts(mia)).map(({ role }) => role).sort()).toEqual(['owner', 'viewer']);
  });

  it.each([
    ['a member', { email: 'ana@salon.example' }, '/email'],
    ['an address that only looks the same', { email: 'mіa@salon.example' }, '/email'],
    ['two addresses', { email: 'mia@salon.example, eve@evil.test' }, '/email'],
    ['a stylist without a record', { role: 'stylist' as const }, '/stylist_id'],
    ['a stylist who does not exist', { role: 'stylist' as const, stylistId: 'sty_none' }, '/stylist_id'],
    ['a viewer with a calendar', { stylistId: 'sty_none' }, '/stylist_id'],
  ])('is refused for %s', async (_, change, pointer) => {
    await using people = await openTestPeople();
    await expect(invite(people, change)).rejects.toMatchObject({ violations: [{ pointer }] });
    expect(await listInvitations(await people.signIn())).toEqual([]);
  });

  it('gives no role above that of the inviting person', async () => {
    await using people = await openTestPeople();
    await people.addPerson({ role: 'manager' });
    await people.addPerson({ email: 'rita@salon.example', role: 'receptionist' });
    await expect(inviteAs(people, 'ana@salon.example', { role: 'owner' })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    await expect(inviteAs(people, 'rita@salon.example')).rejects.toMatchObject({ code: 'permission_denied' });
    expect(await inviteAs(people, 'ana@salon.example', { role: 'manager' })).toHaveLength(43);
  });

  it('of a stylist ends when the stylist becomes inactive', async () => {
    await using people = await openTestPeople();
    const stylistId = await people.salon.addStylist();
    const token = await invite(people, { role: 'stylist', stylistId });
    await updateStylist(people.salon.as(), stylistId, { change: { active: false } });
    await expect(readInvitation(people.visit(), token)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('takes a former member back, who sets a new password and has no former passkey or second factor', async () => {
    await using people = await openTestPeople();
    const token = await invite(people);
    const id = await people.addPerson({ email: 'mia@salon.example', role: 'manager' });
    const { database } = people.salon.store;
    await database.transaction('service', (tx) => updateUser(tx, id, { totp_secret: 'sealed:former' }));
    await deactivateMember(await people.signIn(), id);
    expect(await readInvitation(people.visit(), token)).toMatchObject({ isKnownPerson: false });
    const password = 'five other words for today';
    expect(await acceptInvitation(people.visit(), { token, ...person, password })).toMatchObject({
      status: 'signed_in',
    });
    expect(await listTeam(await people.signIn())).toContainEqual(
      expect.objectContaining({ id, role: 'viewer', name: 'Mia Reed', second_factor: false }),
    );
    await expect(people.signIn('mia@salon.example')).rejects.toThrow('refused');
  });
});

function membership(people: TestPeople, user_id: string) {
  const account_id = people.salon.accountId;
  return {
    account_id,
    user_id,
    role: 'manager' as const,
    stylist_id: null,
    created_at: '2026-11-21T12:00:00.000Z',
    ended_at: null,
  };
}

/** Makes a person an owner of another account instead of the test's. */
async function moveTo(people: TestPeople, accountId: string, userId: string): Promise<void> {
  await people.salon.store.database.transaction('service', async (tx) => {
    const own = membership(people, userId);
    await saveMembership(tx, { ...own, ended_at: own.created_at });
    await saveMembership(tx, { ...own, account_id: accountId, role: 'owner' });
  });
}
