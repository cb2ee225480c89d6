import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest } from '../../../support/send-request.ts';
import { openTestService, type TestService } from '../../../support/service.ts';
import { signInVisitor } from '../../../support/signed-in-visitor.ts';
import type { Visitor } from '../../../support/visitor.ts';

const path = '/settings/audit-log';

let service: TestService;
let owner: Visitor;
let manager: Visitor;
beforeAll(async () => {
  service = await openTestService();
  await service.addPerson({ email: 'ana@salon.example', name: 'Ana Costa', role: 'owner' });
  await service.addPerson({ email: 'max@salon.example', name: 'Max Holm', role: 'manager' });
  owner = await signInVisitor(service.origin, 'ana@salon.example');
  manager = await signInVisitor(service.origin, 'max@salon.example');
  for (let count = 0; count < 60; count++) {
    const body = { first_name: '<b>Zoe</b>', notes: `note ${count}` };
    await sendRequest(`${service.origin}/v1/clients`, { method: 'POST', key: service.keys.owner, body });
  }
});
afterAll(() => service[Symbol.asyncDispose]());

describe('the page of the audit log', () => {
  it('shows entries page by page, newest first', async () => {
    const first = await owner.open(path);
    expect(first.seen).toContain('Client created');
    expect(first.seen).toMatch(/owner\s*API key/);
    const next = /href="(\/settings\/audit-log\?after=[^"]+)"/.exec(first.text)?.[1] ?? '';
    const second = await owner.open(next.replaceAll('&amp;', '&'));
    expect(second.seen).toContain('Signed in');
    expect(second.seen).toContain('Max Holm');
  });

  it('filters by what was done and by whom', async () => {
    const page = await owner.open(`${path}?resource=user`);
    expect(page.seen).toContain('Signed in');
    expect(page.seen).not.toContain('Client created');
    const nobody = await owner.open(`${path}?actor=key_nobody`);
    expect(nobody.seen).toContain('No person, API key or app matches “key_nobody”.');
    expect(nobody.seen).not.toContain('Signed in');
  });

  it('finds people by name or email address', async () => {
    for (const typed of ['max holm', 'max@salon.example', 'Holm']) {
      const page = await owner.open(`${path}?${new URLSearchParams({ actor: typed })}`);
      expect(page.seen).toContain('1 entry by Max Holm, newest first.');
    }
  });

  it('offers a choice where several have a name, and names nobody in the middle of a word', async () => {
    for (const body of [
      { first_name: 'Ina', last_name: 'Roth' },
      { first_name: 'Ina', last_name: 'Zorn' },
    ]) {
      await sendRequest(`${service.origin}/v1/clients`, { method: 'POST', key: service.keys.owner, body });
    }
    const page = await owner.open(`${path}?record=ina`);
    expect(page.seen).toContain('Several match “ina”. Which one?');
    const links = [...page.text.matchAll(/href="([^"]+record=cli_[^"]+)">Ina Zorn</g)];
    const chosen = await owner.open((links[0]?.[1] ?? '').replaceAll('&amp;', '&'));
    expect(chosen.seen).toContain('1 entry about Ina Zorn, newest first.');
    expect((await owner.open(`${path}?actor=anager`)).seen).toContain('No person, API key or app');
    expect((await owner.open(`${path}?record=ina+roth`)).seen).toContain('1 entry about Ina Roth');
  });

  it('calls an erased client that, and can be filtered by all fields left empty', async () => {
    const body = { first_name: 'Gone', notes: 'tea' };
    const request = { method: 'POST', key: service.keys.owner, body };
    const { id } = JSON.parse((await sendRequest(`${service.origin}/v1/clients`, request)).text);
    await sendRequest(`${service.origin}/v1/clients/${id}`, { method: 'DELETE', key: service.keys.owner });
    const page = await owner.open(`${path}?record=${id}`);
    expect(page.seen).toContain('erased client');
    expect(page.seen).not.toContain('Gone');
    expect(page.text).not.toMatch(/<input[^>]* name="(?:record|actor|from|to)"[^>]* required/);
  });

  it('lets an owner choose how long entries are kept', async () => {
    const page = await owner.open(path);
    const refused = await owner.press(page, 'Save', { days: '5' });
    expect([refused.status, refused.seen]).toEqual([
      422,
      expect.stringContaining('Days must be at least 30.'),
    ]);
    const saved = await owner.press(page, 'Save', { days: '90' });
    expect(saved.seen).toContain('now kept for 90 days');
    expect((await manager.open(path)).seen).not.toContain('Retention');
  });
});
