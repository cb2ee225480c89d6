import { describe, expect, it } from 'vitest';
import { verifyAuditLog } from '../../../src/service/domain/audit-verification.ts';
import { cleanUp } from '../../../src/service/domain/clean-up.ts';
import { addClient } from '../../../src/service/domain/clients.ts';
import { createApiKey, getApiKey } from '../../../src/service/identity/api-keys.ts';
import { isKeyAccepted } from '../../../src/service/identity/credentials.ts';
import { inviteMember } from '../../../src/service/identity/invitations.ts';
import { acceptInvitation } from '../../../src/service/identity/join.ts';
import {
  deactivatePerson,
  erasePersonByEmail,
  listPeople,
} from '../../../src/service/identity/operator-people.ts';
import { changeName } from '../../../src/service/identity/own-account.ts';
import { createReset } from '../../../src/service/identity/resets.ts';
import { changeMember, deactivateMember, erasePerson, listTeam } from '../../../src/service/identity/team.ts';
import { readAuditLog } from '../../support/audit-log.ts';
import { addMember } from '../../support/members.ts';
import { openTestPeople, someBrowser } from '../../support/people.ts';
import { readStored } from '../../support/stored-text.ts';

const origin = 'https://salon.example';
const mia = 'qz_mail@salon.example';
const texts = ['qz_mail', 'Quisquilia', 'Zwetschge'];

/** An owner, Ana, and Mia, who was invited, renamed herself, works here, and left a key and a link. */
async function openSalonWithMia() {
  const people = await openTestPeople();
  const { salon } = people;
  await people.addPerson();
  const ana = await people.signIn();
  const { link } = await inviteMember(ana, { email: mia, role: 'manager', origin });
  const token = new URL(link ?? '').pathname.split('/').at(-1) ?? '';
  const password = 'four random words here';
  await acceptInvitation(people.visit(), { token, name: 'Quisquilia', password, browser: someBrowser });
  const context = await people.signIn(mia);
  const id = 'user' in context.caller.credential ? (context.caller.credential.user?.id ?? '') : '';
  await changeName(context, 'Zwetschge');
  const client = await addClient(context, { first_name: 'Bo', notes: 'tea' });
  const key = await createApiKey(context, { name: 'Till', role: 'viewer' });
  await createReset(ana, { userId: id, origin, removesSecondFactor: false });
  return {
    ...{ people, salon, ana, mia: context, id, client, key },
    operator: ana,
    async readTexts() {
      const stored = await readStored(salon.store.location);
      return texts.filter((text) => stored.includes(text));
    },
    [Symbol.asyncDispose]: () => people[Symbol.asyncDispose](),
  };
}

describe('erasing a person', () => {
  it('ends their access and leaves none of their data in the files, and a log that verifies', async () => {
    await using world = await openSalonWithMia();
    const { salon, ana, id, key } = world;
    const { database } = salon.store;
    expect(await world.readTexts()).toEqual(texts);
    expect((await verifyAuditLog(database.reader)).chains.flatMap(({ faults }) => faults)).toEqual([]);
    expect(await erasePerson(ana, id)).toEqual({ email: mia });
    expect((await listTeam(ana)).map(({ name }) => name)).toEqual(['Ana Costa']);
    expect(await isKeyAccepted({ database, environment: salon.environment }, key.key)).toBe(false);
    expect(await getApiKey(ana, key.id)).toMatchObject({ created_by: id, created_by_name: null });
    await expect(world.people.signIn(mia)).rejects.toThrow('refused');
    salon.environment.setTime('2026-11-21T12:05:00Z');
    while ((await cleanUp(database, salon.environment, { isPruning: true })).hasTraces) {}
    expect(await world.readTexts()).toEqual([]);
    const { chains } = await verifyAuditLog(database.reader);
    expect(chains.flatMap(({ faults }) => faults)).toEqual([]);
    expect(chains.find(({ account_id }) => account_id === salon.accountId)?.erased).toBeGreaterThanOrEqual(3);
  });

  it('keeps what they did, under an ID that names nobody, and the values of clients', async () => {
    await using world = await openSalonWithMia();
    const { ana, id, client } = world;
    const before = await readAuditLog(ana);
    expect(before.filter(({ actor }) => actor.id === id).map(({ actor }) => actor.name)).toContain(
      'Zwetschge',
    );
    await erasePerson(ana, id);
    const entries = await readAuditLog(ana);
    const own = entries.filter(({ actor }) => actor.id === id);
    expect(own.map(({ action }) => action)).toContain('client.created');
    for (const { actor } of own) expect(actor).toEqual({ type: 'user', id, name: null });
    const created = entries.find(
      ({ action, record_id }) => action === 'client.created' && record_id === client.id,
    );
    expect(created).toMatchObject({ erased: false, after: { first_name: 'Bo', notes: 'tea' } });
    expect(JSON.stringify(entries)).not.toMatch(/qz_mail|Quisquilia|Zwetschge/);
    const [erased] = entries.filter(({ action }) => action === 'user.erased');
    expect(erased).toMatchObject({ record_id: id, actor: { type: 'user', name: 'Ana Costa' } });
  });

  it('lets somebody else use the address again', async () => {
    await using world = await openSalonWithMia();
    await erasePerson(world.ana, world.id);
    const again = await world.people.addPerson({ email: mia, name: 'New', role: 'viewer' });
    expect(again).not.toBe(world.id);
    await world.people.signIn(mia);
  });

  it('is for owners, and for the operator where the person works elsewhere, too', async () => {
    await using world = await openSalonWithMia();
    const { salon, ana, id, operator } = world;
    await expect(erasePerson(world.mia, id)).rejects.toMatchObject({ code: 'permission_denied' });
    const neighbour = await salon.openNeighbour();
    await expect(erasePerson(neighbour.as(), id)).rejects.toMatchObject({ code: 'not_found' });
    const { database } = salon.store;
    const elsewhere = { accountId: neighbour.accountId, email: mia, role: 'viewer' } as const;
    await addMember(database, salon.environment, elsewhere);
    await expect(erasePerson(ana, id)).rejects.toMatchObject({ code: 'permission_denied' });
    expect(await erasePersonByEmail(operator, mia)).toEqual({ id, email: mia });
    for (const context of [ana, neighbour.as()]) {
      expect((await readAuditLog(context)).map(({ action }) => action)).toContain('user.erased');
    }
    await expect(erasePersonByEmail(operator, mia)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(['at once', 'after their invitation was withdrawn'])(
    'who is only invited withdraws the invitation and erases the address: %s',
    async (when) => {
      await using world = await openSalonWithMia();
      const { salon, ana, operator } = world;
      const email = 'qz_max@salon.example';
      await inviteMember(ana, { email, role: 'viewer', origin });
      if (when !== 'at once') {
        const input = { email, isEverywhere: false };
        expect(await deactivatePerson(operator, input)).toMatchObject({ email, invitations: 1 });
        await expect(deactivatePerson(operator, input)).rejects.toMatchObject({ code: 'not_found' });
      }
      expect(await readStored(salon.store.location)).toContain('qz_max');
      expect(await erasePersonByEmail(operator, email)).toMatchObject({ email });
      expect((await listPeople(operator)).map((one) => one.email)).not.toContain(email);
      salon.environment.setTime('2026-11-21T12:05:00Z');
      const { database } = salon.store;
      while ((await cleanUp(database, salon.environment, { isPruning: true })).hasTraces) {}
      expect(await readStored(salon.store.location)).not.toContain('qz_max');
      const { chains } = await verifyAuditLog(database.reader);
      expect(chains.flatMap(({ faults }) => faults)).toEqual([]);
      await expect(erasePersonByEmail(operator, email)).rejects.toMatchObject({ code: 'not_found' });
    },
  );

  it('is possible after a deactivation', async () => {
    await using world = await openSalonWithMia();
    await deactivateMember(world.ana, world.id);
    await erasePersonByEmail(world.operator, mia);
    const { chains } = await verifyAuditLog(world.salon.store.database.reader);
    expect(chains.flatMap(({ faults }) => faults)).toEqual([]);
    expect(JSON.stringify(await readAuditLog(world.ana))).not.toContain('qz_mail');
  });

  it('is refused for the only owner of an account, also to the operator', async () => {
    await using world = await openSalonWithMia();
    const refusal = { code: 'conflict', message: expect.stringContaining('Ana Costa is the only owner') };
    await expect(erasePersonByEmail(world.operator, 'ana@salon.example')).rejects.toMatchObject(refusal);
    await changeMember(world.ana, world.id, { role: 'owner' });
    await erasePersonByEmail(world.operator, 'ana@salon.example');
    await expect(erasePersonByEmail(world.operator, mia)).rejects.toMatchObject({ code: 'conflict' });
  });
});
