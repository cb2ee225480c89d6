import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPassword } from '../../../support/members.ts';
import { sendRequest } from '../../../support/send-request.ts';
import { openTestService, type TestService } from '../../../support/service.ts';
import { createVisitor, type Visitor } from '../../../support/visitor.ts';

const path = '/settings/audit-log';

let service: TestService;
let owner: Visitor;
let manager: Visitor;
beforeAll(async () => {
  service = await openTestService();
  await service.addPerson({ email: 'ana@salon.example', name: 'Ana Costa', role: 'owner' });
  await service.addPerson({ email: 'max@salon.example', name: 'Max Holm', role: 'manager' });
  owner = await signIn('ana@salon.example');
  manager = await signIn('max@salon.example');
  for (let count = 0; count < 60; count++) {
    const body = { first_name: '<b>Zoe</b>', notes: `note ${count}` };
    await sendRequest(`${service.origin}/v1/clients`, { method: 'POST', key: service.keys.owner, body });
  }
});
afterAll(() => service[Symbol.asyncDispose]());

async function signIn(email: string): Promise<Visitor> {
  const visitor = createVisitor(service.origin);
  await visitor.submit(await visitor.open('/sign-in'), { email, password: testPassword });
  return visitor;
}

describe('the page of the audit log', () => {
  it('shows entries page by page, newest first', async () => {
    const first = await owner.open(path);
    expect(first.seen).toContain('client created');
    expect(first.seen).toContain('owner (API key)');
    const next = /href="(\/settings\/audit-log\?after=[^"]+)"/.exec(first.text)?.[1] ?? '';
    const second = await owner.open(next.replaceAll('&amp;', '&'));
    expect(second.seen).toContain('user signed in');
    expect(second.seen).toContain('Max Holm');
  });

  it('filters by what was done and by whom', async () => {
    const page = await owner.open(`${path}?resource=user`);
    expect(page.seen).toContain('user signed in');
    expect(page.seen).not.toContain('client created');
    expect((await owner.open(`${path}?actor=key_nobody`)).seen).toContain('No entries match.');
  });

  it('lets an owner choose how long entries are kept', async () => {
    const page = await owner.open(path);
    const refused = await owner.press(page, 'Save', { days: '5' });
    expect([refused.status, refused.seen]).toEqual([422, expect.stringContaining('from 30 to 3650')]);
    const saved = await owner.press(page, 'Save', { days: '90' });
    expect(saved.seen).toContain('now kept for 90 days');
    expect((await manager.open(path)).seen).not.toContain('Retention');
  });
});
