import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPassword } from '../../support/members.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { createVisitor, type Visitor } from '../../support/visitor.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
  await service.addPerson();
});
afterAll(() => service[Symbol.asyncDispose]());

const right = { email: 'ana@salon.example', password: testPassword };

async function signIn(visitor: Visitor) {
  return visitor.submit(await visitor.open('/sign-in'), right);
}

describe('signing in', () => {
  it('leads to the settings and starts a session that only the server can read', async () => {
    const visitor = createVisitor(service.origin);
    const page = await signIn(visitor);
    expect([page.status, page.url]).toEqual([200, '/settings/account']);
    expect(page.seen).toContain('Ana Costa');
    expect(page.seen).toContain('Test salon');
  });

  it('leads back to the page that was asked for', async () => {
    const visitor = createVisitor(service.origin);
    const asked = await visitor.open('/settings/security?a=1');
    expect(asked.title).toContain('Sign in');
    const page = await visitor.submit(asked, right);
    expect(page.url).toBe('/settings/security?a=1');
  });
});
