import { afterAll, beforeAll, expect, it } from 'vitest';
import { testPassword } from '../../support/members.ts';
import { openTestService, type TestAccount, type TestService } from '../../support/service.ts';
import { createVisitor, type Visitor } from '../../support/visitor.ts';

let service: TestService;
let other: TestAccount;
let ana: Visitor;
beforeAll(async () => {
  service = await openTestService();
  other = await service.addAccount();
  await service.addPerson({ role: 'manager' });
  await service.addPerson({ accountId: other.id, role: 'owner' });
  ana = createVisitor(service.origin);
  const page = await ana.open('/sign-in');
  await ana.submit(page, { email: 'ana@salon.example', password: testPassword });
});
afterAll(() => service[Symbol.asyncDispose]());

async function countKeys(key: string): Promise<number> {
  const url = `${service.origin}/v1/api-keys`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  return ((await response.json()) as { data: unknown[] }).data.length;
}

it('a form that was opened before the person switched to another account changes nothing there', async () => {
  const count = () => Promise.all([service, other].map(({ keys }) => countKeys(keys.owner)));
  const before = await count();
  const form = await ana.open('/settings/api-keys/new');
  const invitation = await ana.open('/settings/team/invite');
  await ana.press(await ana.open('/settings/account'), 'Switch to Another salon');
  expect((await ana.open('/settings/account')).seen).toContain('Your role owner');

  const { status, seen } = await ana.submit(form, { name: 'Website' });
  expect([status, await count()]).toEqual([403, before]);
  expect(seen).toContain('switched accounts');
  const invited = await ana.submit(invitation, { email: 'mia@salon.example', role: 'viewer' });
  expect(invited.status).toBe(403);
  expect((await ana.open('/settings/team')).seen).not.toContain('mia@salon.example');

  const again = await ana.submit(await ana.open('/settings/api-keys/new'), { name: 'Website' });
  expect([again.status, await count()]).toEqual([200, [before[0], Number(before[1]) + 1]]);
});
