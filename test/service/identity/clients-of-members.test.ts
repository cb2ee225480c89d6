import { describe, expect, it } from 'vitest';
import type { CreatedOauthClient } from '../../../src/contract/oauth-client.ts';
import type { Database } from '../../../src/service/db/database.ts';
import { readOauthClient } from '../../../src/service/db/identity/oauth-clients.ts';
import { createApiKey } from '../../../src/service/identity/api-keys.ts';
import { readCredential } from '../../../src/service/identity/credentials.ts';
import {
  createOauthClient as create,
  rotateOauthClientSecret as rotate,
} from '../../../src/service/identity/oauth-clients.ts';
import { changeMember, deactivateMember } from '../../../src/service/identity/team.ts';
import { toTokenHash } from '../../../src/service/identity/tickets.ts';
import { issueAppToken } from '../../support/issue-credentials.ts';
import { openTestPeople } from '../../support/people.ts';

const body: Parameters<typeof create>[1] = {
  name: 'Books',
  flows: ['client_credentials'],
  scopes: ['payments:read'],
  role: 'viewer',
};

/** Two owners, each signed in, and an API key that Bea has created. */
async function openTwoOwners() {
  const people = await openTestPeople();
  const { salon } = people;
  const { database } = salon.store;
  await people.addPerson();
  const beaId = await people.addPerson({ email: 'bea@salon.example', role: 'owner' });
  const [ana, bea] = [await people.signIn(), await people.signIn('bea@salon.example')];
  const rights = { name: 'bea', role: 'owner' as const, scopes: [...bea.caller.scopes] };
  const { caller } = await readCredential(bea, (await createApiKey(bea, rights)).key);
  return {
    database,
    environment: salon.environment,
    operator: { ...salon.as(), caller: { ...ana.caller, credential: { kind: 'operator' } as const } },
    ...{ ana, bea, beasKey: { ...salon.as(), caller } },
    lowerBea: (role: 'manager' | 'receptionist' | 'viewer') => changeMember(ana, beaId, { role }),
    deactivateBea: () => deactivateMember(ana, beaId),
    [Symbol.asyncDispose]: () => people[Symbol.asyncDispose](),
  };
}

async function isValid(database: Database, { id, secret }: CreatedOauthClient): Promise<boolean> {
  const row = await readOauthClient(database.reader, id);
  return row?.secret_hash === toTokenHash(String(secret));
}

describe('the secret of an OAuth client, when an owner is deactivated', () => {
  it('ends if they created the client', async () => {
    await using owners = await openTwoOwners();
    const { database, ana, bea } = owners;
    const [ofAna, ofBea] = [await create(ana, body), await create(bea, body)];
    expect([await isValid(database, ofAna), await isValid(database, ofBea)]).toEqual([true, true]);
    await owners.deactivateBea();
    expect([await isValid(database, ofAna), await isValid(database, ofBea)]).toEqual([true, false]);
  });

  it.each(['bea', 'beasKey'] as const)(
    'ends with tokens of the client if it is one that %s has got by a rotation',
    async (who) => {
      await using owners = await openTwoOwners();
      const { database, environment, ana } = owners;
      const { id } = await create(ana, body);
      const rotated = await rotate(owners[who], id);
      const token = await database.transaction('service', (tx) =>
        issueAppToken(tx, environment, { clientId: id }),
      );
      expect(await isValid(database, rotated)).toBe(true);
      expect((await readCredential(ana, token)).refusal).toBeUndefined();
      await owners.deactivateBea();
      expect(await isValid(database, rotated)).toBe(false);
      await expect(readCredential(ana, token)).rejects.toMatchObject({ code: 'invalid_token' });
    },
  );

  it('ends if they created the client with their API key', async () => {
    await using owners = await openTwoOwners();
    const created = await create(owners.beasKey, body);
    await owners.deactivateBea();
    expect(await isValid(owners.database, created)).toBe(false);
  });

  it('stays if another owner has rotated it since', async () => {
    await using owners = await openTwoOwners();
    const { database, ana, bea } = owners;
    const [one, other] = [await create(bea, body), await create(ana, body)];
    const rotated = await rotate(ana, one.id);
    await rotate(bea, other.id);
    const again = await rotate(ana, other.id);
    await owners.deactivateBea();
    expect([await isValid(database, rotated), await isValid(database, again)]).toEqual([true, true]);
  });

  it('ends with the creator if nobody in the team generated it', async () => {
    await using owners = await openTwoOwners();
    const { id } = await create(owners.bea, body);
    const rotated = await rotate(owners.operator, id);
    await owners.deactivateBea();
    expect(await isValid(owners.database, rotated)).toBe(false);
  });
});

it.each([
  ['keeps working', 'manager', true],
  ['ends', 'viewer', false],
] as const)('the secret of a receptionist app %s when its owner becomes a %s', async (_end, role, works) => {
  await using owners = await openTwoOwners();
  const { database, ana, bea } = owners;
  const { id } = await create(ana, { ...body, role: 'receptionist' });
  const ofReceptionist = await rotate(bea, id);
  const ofViewer = await create(bea, body);
  const ofPeople = await create(bea, { name: 'Kiosk', flows: ['device_code'] });
  await owners.lowerBea(role);
  expect(await isValid(database, ofReceptionist)).toBe(works);
  expect([await isValid(database, ofViewer), await isValid(database, ofPeople)]).toEqual([true, true]);
});
