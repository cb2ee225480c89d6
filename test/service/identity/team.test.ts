import { describe, expect, it } from 'vitest';
import type { Role } from '../../../src/contract/roles.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import { updateStylist } from '../../../src/service/domain/stylists.ts';
import { createApiKey } from '../../../src/service/identity/api-keys.ts';
import { isKeyAccepted } from '../../../src/service/identity/credentials.ts';
import { signInWithPassword } from '../../../src/service/identity/password-sign-in.ts';
import { readSession } from '../../../src/service/identity/sessions.ts';
import { changeMember, deactivateMember, listTeam } from '../../../src/service/identity/team.ts';
import { addMember, testPassword } from '../../support/members.ts';
import { openTestPeople, someBrowser, type TestPeople } from '../../support/people.ts';

const mia = 'mia@salon.example';

async function isSignedIn(people: TestPeople, token: string): Promise<boolean> {
  const { store, environment } = people.salon;
  return (await readSession(store.database, environment, token)) !== undefined;
}

async function addKey(context: Context, role: Role, change: { stylist_id?: string } = {}): Promise<string> {
  return (await createApiKey(context, { name: role, role, ...change })).key;
}

function isAccepted({ salon }: TestPeople, key: string): Promise<boolean> {
  return isKeyAccepted({ database: salon.store.database, environment: salon.environment }, key);
}

describe('the team', () => {
  it('lists members by name, without former ones', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const id = await people.addPerson({ email: mia, name: 'mia reed', role: 'viewer' });
    await people.addPerson({ email: 'max@salon.example', name: 'Max Holm', role: 'manager' });
    const owner = await people.signIn();
    expect((await listTeam(owner)).map(({ name }) => name)).toEqual(['Ana Costa', 'Max Holm', 'mia reed']);
    await deactivateMember(owner, id);
    expect(await listTeam(owner)).toHaveLength(2);
  });

  it.each(['receptionist', 'stylist', 'viewer'] as const)('is closed to the role %s', async (role) => {
    await using people = await openTestPeople();
    await people.addPerson({ email: mia, role });
    const context = await people.signIn(mia);
    const refusal = { code: 'permission_denied' };
    await expect(listTeam(context)).rejects.toMatchObject(refusal);
    await expect(deactivateMember(context, 'usr_any')).rejects.toMatchObject(refusal);
    await expect(changeMember(context, 'usr_any', { role: 'viewer' })).rejects.toMatchObject(refusal);
  });

  it('is not shown to another account', async () => {
    await using people = await openTestPeople();
    const id = await people.addPerson();
    const neighbour = (await people.salon.openNeighbour()).as();
    expect(await listTeam(neighbour)).toEqual([]);
    await expect(deactivateMember(neighbour, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(changeMember(neighbour, id, { role: 'viewer' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a member who is deactivated', () => {
  it('loses sessions and API keys at once, and nobody else does', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const id = await people.addPerson({ email: mia, role: 'manager' });
    const owner = await people.signIn();
    const member = await people.signIn(mia);
    const keys = { own: await addKey(member, 'viewer'), other: await addKey(owner, 'viewer') };
    expect(await deactivateMember(owner, id)).toMatchObject({ sessions: 1, apps: 0, keys: 1 });
    expect([await isSignedIn(people, member.token), await isSignedIn(people, owner.token)]).toEqual([
      false,
      true,
    ]);
    expect([await isAccepted(people, keys.own), await isAccepted(people, keys.other)]).toEqual([false, true]);
    const again = await signInWithPassword(people.visit(), {
      email: mia,
      password: testPassword,
      browser: someBrowser,
    });
    expect(again).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('no longer have access'),
    });
  });

  it('keeps working in another account', async () => {
    await using people = await openTestPeople();
    const neighbour = await people.salon.openNeighbour();
    await people.addPerson();
    const id = await people.addPerson({ email: mia });
    const { store, environment } = people.salon;
    await addMember(store.database, environment, {
      accountId: neighbour.accountId,
      email: mia,
      role: 'viewer',
    });
    await deactivateMember(await people.signIn(), id);
    expect((await people.signIn(mia)).caller).toMatchObject({
      account: { id: neighbour.accountId },
      role: 'viewer',
    });
  });

  it('is not the last owner', async () => {
    await using people = await openTestPeople();
    const ana = await people.addPerson();
    const id = await people.addPerson({ email: mia });
    const owner = await people.signIn();
    await changeMember(owner, id, { role: 'manager' });
    const refusal = { code: 'conflict', status: 409 };
    await expect(deactivateMember(owner, ana)).rejects.toMatchObject(refusal);
    await expect(changeMember(owner, ana, { role: 'manager' })).rejects.toMatchObject(refusal);
    const manager = await people.signIn(mia);
    await expect(deactivateMember(manager, ana)).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('of two owners who deactivate each other is only one', async () => {
    await using people = await openTestPeople();
    const ids = [await people.addPerson(), await people.addPerson({ email: mia })];
    const contexts = [await people.signIn(), await people.signIn(mia)];
    const results = await Promise.allSettled([
      deactivateMember(contexts[0] as Context, ids[1] ?? ''),
      deactivateMember(contexts[1] as Context, ids[0] ?? ''),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
});

describe('a role that is changed', () => {
  it('counts at once, and ends keys above it', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const id = await people.addPerson({ email: mia });
    const member = await people.signIn(mia);
    const keys = { owner: await addKey(member, 'owner'), viewer: await addKey(member, 'viewer') };
    await changeMember(await people.signIn(), id, { role: 'receptionist' });
    const { store, environment } = people.salon;
    expect(await readSession(store.database, environment, member.token)).toMatchObject({
      caller: { role: 'receptionist' },
    });
    expect([await isAccepted(people, keys.owner), await isAccepted(people, keys.viewer)]).toEqual([
      false,
      true,
    ]);
  });

  it('needs an active stylist for the role stylist', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const id = await people.addPerson({ email: mia });
    const owner = await people.signIn();
    const inactive = await people.salon.addStylist({ active: false });
    for (const stylistId of [null, inactive, 'sty_none']) {
      await expect(changeMember(owner, id, { role: 'stylist', stylistId })).rejects.toMatchObject({
        violations: [{ pointer: '/stylist_id' }],
      });
    }
    const stylistId = await people.salon.addStylist();
    expect(await changeMember(owner, id, { role: 'stylist', stylistId })).toMatchObject({
      stylist_id: stylistId,
    });
    expect(await changeMember(owner, id, { role: 'viewer' })).toMatchObject({ stylist_id: null });
  });
});

describe('a stylist who becomes inactive', () => {
  it('loses sessions and keys at once; becoming active again gives none of them back', async () => {
    await using people = await openTestPeople();
    const stylistId = await people.salon.addStylist();
    const other = await people.salon.addStylist();
    await people.addPerson();
    await people.addPerson({ email: mia, role: 'stylist', stylistId });
    await people.addPerson({ email: 'max@salon.example', role: 'stylist', stylistId: other });
    const owner = await people.signIn();
    const sessions = [await people.signIn(mia), await people.signIn('max@salon.example')];
    const key = await addKey(owner, 'stylist', { stylist_id: stylistId });
    for (const active of [false, true]) {
      await updateStylist(people.salon.as(), stylistId, { change: { active } });
      const signedIn = await Promise.all(sessions.map(({ token }) => isSignedIn(people, token)));
      expect(signedIn).toEqual([false, true]);
      expect(await isAccepted(people, key)).toBe(false);
    }
  });

  it('keeps them when something else changes', async () => {
    await using people = await openTestPeople();
    const stylistId = await people.salon.addStylist();
    await people.addPerson({ email: mia, role: 'stylist', stylistId });
    const { token } = await people.signIn(mia);
    await updateStylist(people.salon.as(), stylistId, { change: { display_name: 'Mimi' } });
    expect(await isSignedIn(people, token)).toBe(true);
  });
});
