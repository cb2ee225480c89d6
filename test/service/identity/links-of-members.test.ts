import { describe, expect, it } from 'vitest';
import { readAuditEntries } from '../../../src/service/domain/audit-log.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import { createApiKey } from '../../../src/service/identity/api-keys.ts';
import { isKeyAccepted } from '../../../src/service/identity/credentials.ts';
import { inviteMember } from '../../../src/service/identity/invitations.ts';
import { joinAccount, readInvitation } from '../../../src/service/identity/join.ts';
import { createReset, readReset } from '../../../src/service/identity/resets.ts';
import { changeMember, deactivateMember } from '../../../src/service/identity/team.ts';
import { openTestPeople, type TestPeople } from '../../support/people.ts';

const origin = 'https://salon.example';
const max = 'max@salon.example';
const mia = 'mia@salon.example';

function toToken({ link }: { link: string | null }): string {
  return link?.split('/').at(-1) ?? '';
}

/** Ana, the owner; Max, a manager, who has an invitation and a reset link for Mia in his hands. */
async function openWithLinks(people: TestPeople) {
  await people.addPerson();
  const maxId = await people.addPerson({ email: max, role: 'manager' });
  const userId = await people.addPerson({ email: mia, role: 'viewer' });
  const manager = await people.signIn(max);
  const invited = await inviteMember(manager, { email: 'second-max@salon.example', role: 'manager', origin });
  const reset = await createReset(manager, { userId, origin, removesSecondFactor: false });
  return {
    maxId,
    invitationId: invited.invitation.id,
    openInvitation: () => readInvitation(people.visit(), toToken(invited)),
    openReset: () => readReset(people.visit(), toToken(reset)),
  };
}

const unusable = { code: 'not_found' };

describe('links that a member has created', () => {
  it('end when the member is deactivated', async () => {
    await using people = await openTestPeople();
    const { maxId, invitationId, openInvitation, openReset } = await openWithLinks(people);
    const owner = await people.signIn();
    await deactivateMember(owner, maxId);
    await expect(openInvitation()).rejects.toMatchObject(unusable);
    await expect(openReset()).rejects.toMatchObject(unusable);
    expect(await readActions(owner, invitationId)).toContain('invitation.cancelled');
  });

  it('end when the role of the member is lowered', async () => {
    await using people = await openTestPeople();
    const { maxId, openInvitation, openReset } = await openWithLinks(people);
    await changeMember(await people.signIn(), maxId, { role: 'viewer' });
    await expect(openInvitation()).rejects.toMatchObject(unusable);
    await expect(openReset()).rejects.toMatchObject(unusable);
  });

  it('stay when the role is raised, and when somebody else is deactivated', async () => {
    await using people = await openTestPeople();
    const { maxId, openInvitation, openReset } = await openWithLinks(people);
    const owner = await people.signIn();
    await changeMember(owner, maxId, { role: 'owner' });
    await deactivateMember(owner, await people.addPerson({ email: 'bo@salon.example', role: 'manager' }));
    expect(await openInvitation()).toMatchObject({ role: 'manager' });
    expect(await openReset()).toMatchObject({ email: mia });
  });
});

it('a reset link of an owner ends when the person joins another account, where it would lead, too', async () => {
  await using people = await openTestPeople();
  await people.addPerson();
  const userId = await people.addPerson({ email: mia, role: 'viewer' });
  const owner = await people.signIn();
  const token = toToken(await createReset(owner, { userId, origin, removesSecondFactor: false }));
  const neighbour = await people.salon.openNeighbour();
  const other = { ...owner, caller: neighbour.as().caller };
  const invitation = await inviteMember(other, { email: mia, role: 'manager', origin });
  await joinAccount(await people.signIn(mia), toToken(invitation));
  await expect(readReset(people.visit(), token)).rejects.toMatchObject(unusable);
});

describe('keys of a manager who becomes a stylist', () => {
  it('end if they may see more than the calendar of that stylist', async () => {
    await using people = await openTestPeople();
    const own = await people.salon.addStylist();
    const other = await people.salon.addStylist();
    await people.addPerson();
    const id = await people.addPerson({ email: max, role: 'manager' });
    const manager = await people.signIn(max);
    const keys = [
      await createApiKey(manager, { name: 'All', role: 'viewer' }),
      await createApiKey(manager, { name: 'Another', role: 'stylist', stylist_id: other }),
      await createApiKey(manager, { name: 'Own', role: 'stylist', stylist_id: own }),
    ];
    await changeMember(await people.signIn(), id, { role: 'stylist', stylistId: own });
    const { store, environment } = people.salon;
    const context = { database: store.database, environment };
    const accepted = await Promise.all(keys.map(({ key }) => isKeyAccepted(context, key)));
    expect(accepted).toEqual([false, false, true]);
  });
});

async function readActions(context: Context, record: string): Promise<string[]> {
  const page = await readAuditEntries(context, { record });
  return page.entries.map(({ action }) => action);
}
