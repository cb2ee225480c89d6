import { expect, it } from 'vitest';
import { openPeopleSalon } from '../../support/people-salon.ts';

it('says that a merge may move what the key may not see', async () => {
  await using world = await openPeopleSalon();
  const { ids, book, salon, addKey } = world;
  await book('otherBob');
  const env = { SALON_API_KEY: await addKey(['clients:read', 'clients:write']) };
  const ran = await salon(['clients', 'merge', ids.bob, ids.otherBob, '--yes'], { env });
  expect(ran.exitCode, ran.stderr).toBe(0);
  expect(ran.stderr).toMatch(/Moves +appointments and payments that this key may not see\n/);
  expect(ran.stderr).toContain('and moved 1 appointment.');
});
