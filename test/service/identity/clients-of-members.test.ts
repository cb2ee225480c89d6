import { expect, it } from 'vitest';
import { readOauthClient } from '../../../src/service/db/oauth-clients.ts';
import { createOauthClient } from '../../../src/service/identity/oauth-clients.ts';
import { toTokenHash } from '../../../src/service/identity/random-token.ts';
import { deactivateMember } from '../../../src/service/identity/team.ts';
import { openTestPeople } from '../../support/people.ts';

it('the secret of an OAuth client ends with the owner who created it', async () => {
  await using people = await openTestPeople();
  await people.addPerson();
  const beaId = await people.addPerson({ email: 'bea@salon.example', role: 'owner' });
  const [ana, bea] = [await people.signIn(), await people.signIn('bea@salon.example')];
  const body: Parameters<typeof createOauthClient>[1] = {
    name: 'Books',
    flows: ['client_credentials'],
    scopes: ['payments:read'],
    role: 'viewer',
  };
  const [ofAna, ofBea] = [await createOauthClient(ana, body), await createOauthClient(bea, body)];
  const works = async ({ id, secret }: typeof ofAna) =>
    (await readOauthClient(ana.database.reader, id))?.secret_hash === toTokenHash(String(secret));
  expect([await works(ofAna), await works(ofBea)]).toEqual([true, true]);
  await deactivateMember(ana, beaId);
  expect([await works(ofAna), await works(ofBea)]).toEqual([true, false]);
});
