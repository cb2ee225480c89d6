import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testPassword } from '../../../support/members.ts';
import { openTestService, type TestService } from '../../../support/service.ts';
import { createVisitor, type FormValues, type VisitedPage, type Visitor } from '../../../support/visitor.ts';

const start = Date.parse('2026-11-21T12:00:00Z');
const dayMs = 86_400_000;

let service: TestService;
let nowMs: number;
let owner: Visitor;
beforeEach(async () => {
  nowMs = start;
  service = await openTestService({ now: () => new Date(nowMs), config: { logLevel: 'info' } });
  await service.addPerson();
  owner = await signIn('ana@salon.example');
});
afterEach(() => service[Symbol.asyncDispose]());

async function signIn(email: string, password = testPassword): Promise<Visitor> {
  const visitor = createVisitor(service.origin);
  await visitor.submit(await visitor.open('/sign-in'), { email, password });
  return visitor;
}

async function invite(values: FormValues, visitor = owner): Promise<VisitedPage> {
  return visitor.submit(await visitor.open('/settings/team/invite'), { role: 'receptionist', ...values });
}

/** The path of the link that a page shows once. */
function readLink({ text }: VisitedPage): string {
  const link = /id="shown-once" value="([^"]+)"/.exec(text)?.[1] ?? '';
  return new URL(link).pathname;
}

const joining = { name: 'Bo Lima', password: 'seven green umbrellas' };

describe('an invitation', () => {
  it('makes a person a member with the role, and works once', async () => {
    const path = readLink(await invite({ email: 'bo@salon.example' }));
    const bo = createVisitor(service.origin);
    const page = await bo.open(path);
    expect(page.seen).toContain('You are invited as receptionist . Your email address is bo@salon.example .');
    const joined = await bo.submit(page, joining);
    expect([joined.url, joined.seen]).toEqual([
      '/settings/account',
      expect.stringContaining('Welcome to Test salon.'),
    ]);
    expect(joined.seen).toContain('Your role receptionist');
    expect((await owner.open('/settings/team')).seen).toContain('Bo Lima bo@salon.example receptionist');

    const again = await createVisitor(service.origin).open(path);
    expect([again.status, again.seen]).toEqual([
      404,
      expect.stringContaining('This link has already been used.'),
    ]);
  });

  it('is not used by programs that only look at it, and is not logged', async () => {
    const path = readLink(await invite({ email: 'bo@salon.example' }));
    for (let count = 0; count < 3; count++) await createVisitor(service.origin).open(path);
    expect((await createVisitor(service.origin).open(path)).status).toBe(200);
    expect(service.logged.join()).toContain('"path":"/invitation/:token"');
    expect(service.logged.join()).not.toContain(path.split('/')[2]);
  });

  it('asks for a name and a password that is hard to guess, and keeps the name', async () => {
    const bo = createVisitor(service.origin);
    const page = await bo.open(readLink(await invite({ email: 'bo@salon.example' })));
    const { status, seen, forms } = await bo.submit(page, { name: 'Bo Lima', password: 'password123' });
    expect([status, forms[0]?.values['name']]).toEqual([422, 'Bo Lima']);
    expect(seen).toContain('There is a problem Use at least 12 characters.');
    expect((await bo.submit(page, { ...joining, name: '' })).seen).toContain('Enter a name');
  });

  it('expires, and is listed as expired until it is withdrawn', async () => {
    const path = readLink(await invite({ email: 'bo@salon.example' }));
    nowMs += 8 * dayMs;
    expect((await createVisitor(service.origin).open(path)).seen).toContain('This link has expired.');
    const team = await owner.open('/settings/team');
    expect(team.seen).toContain('bo@salon.example receptionist Expired');
    const withdrawn = await owner.press(team, 'Withdraw the invitation of bo@salon.example');
    expect(withdrawn.seen).not.toContain('bo@salon.example');
  });

  it('lets a person with a password join by signing in, and nobody else', async () => {
    const other = await service.addAccount();
    await service.addPerson({ accountId: other.id, email: 'bo@salon.example', name: 'Bo Lima' });
    const path = readLink(await invite({ email: 'bo@salon.example' }));
    expect((await owner.open(path)).seen).toContain('You are signed in as ana@salon.example.');
    const stranger = createVisitor(service.origin);
    const asked = await stranger.open(path);
    expect(asked.seen).toContain('You already have a password for this service.');
    const bo = await signIn('bo@salon.example');
    const joined = await bo.press(await bo.open(path), 'Join');
    expect(joined.seen).toContain('You have joined the team.');
    expect(joined.seen).toContain('Test salon');
  });

  it.each([
    ['no address', { email: '' }, 'Enter an email address'],
    [
      'an address that imitates another',
      { email: 'аna@salon.example' },
      'other letters could imitate an address',
    ],
    ['a member', { email: 'ANA@salon.example' }, 'This person is already on the team.'],
    ['no stylist for a stylist', { email: 'b@salon.example', role: 'stylist' }, 'Choose which stylist'],
    ['an unknown role', { email: 'b@salon.example', role: 'admin' }, 'Role must be one of'],
  ])('is refused with %s', async (_name, values, reason) => {
    const { status, seen, forms } = await invite(values);
    expect([status, seen]).toEqual([422, expect.stringContaining(reason)]);
    expect(forms.some(({ values: kept }) => kept['email'] === values.email)).toBe(true);
  });

  it('of a manager is never above a manager', async () => {
    await service.addPerson({ email: 'max@salon.example', name: 'Max Holm', role: 'manager' });
    const manager = await signIn('max@salon.example');
    const page = await manager.open('/settings/team/invite');
    expect(page.text).not.toContain('value="owner"');
    expect((await invite({ email: 'bo@salon.example', role: 'owner' }, manager)).status).toBe(403);
    const { text } = await manager.open('/settings/team');
    expect(text.match(/Manage<span class="hidden-text"> [^<]+/g)).toEqual([
      expect.stringContaining('Max Holm'),
    ]);
  });
});

describe('a member', () => {
  let bo: Visitor;
  let path: string;
  beforeEach(async () => {
    const id = await service.addPerson({ email: 'bo@salon.example', name: 'Bo Lima', role: 'manager' });
    path = `/settings/team/${id}`;
    bo = await signIn('bo@salon.example');
  });

  it('gets another role, which takes effect at once', async () => {
    expect((await bo.open('/settings/team')).status).toBe(200);
    const page = await owner.submit(await owner.open(path), { role: 'viewer' });
    expect(page.seen).toContain('Bo Lima now has the role viewer.');
    expect((await bo.open('/settings/team')).status).toBe(403);
    expect((await bo.open('/settings')).seen).not.toContain('Team');
  });

  it('gets a link for a new password, which ends the sessions and works once', async () => {
    const link = readLink(await owner.press(await owner.open(path), 'Create link'));
    const visitor = createVisitor(service.origin);
    const asked = await visitor.open(link);
    expect(asked.seen).toContain('For bo@salon.example .');
    const page = await visitor.submit(asked, { password: joining.password });
    expect(page.seen).toContain('Your password was changed.');
    expect((await bo.open('/settings')).url).toContain('/sign-in');
    expect((await createVisitor(service.origin).open(link)).seen).toContain(
      'This link has already been used.',
    );
    expect((await signIn('bo@salon.example', joining.password)).cookies.size).toBe(2);
  });

  it('loses access at once after a confirmation', async () => {
    const asked = await owner.open(`${path}/deactivate`);
    expect(asked.seen).toContain('Bo Lima (bo@salon.example) loses access to Test salon at once');
    const page = await owner.press(asked, 'Deactivate member');
    expect(page.seen).toContain(
      'Bo Lima no longer has access. Ended: 1 session, 0 connected apps, 0 API keys.',
    );
    expect((await bo.open('/settings')).url).toContain('/sign-in');
    expect((await createVisitor(service.origin).open('/sign-in')).status).toBe(200);
  });

  it('is erased by an owner after a confirmation, and not by others', async () => {
    await service.addPerson({ email: 'max@salon.example', name: 'Max Holm', role: 'manager' });
    const manager = await signIn('max@salon.example');
    expect((await manager.open(`${path}/deactivate`)).seen).not.toContain('Erase member');
    const asked = await owner.open(`${path}/deactivate`);
    expect(asked.seen).toContain('also from the audit log. This cannot be undone.');
    const page = await owner.press(asked, 'Erase member');
    expect(page.seen).toContain('bo@salon.example was erased.');
    expect((await bo.open('/settings')).url).toContain('/sign-in');
    expect((await owner.open('/settings/audit-log')).seen).toContain('Person erased');
  });

  it('cannot be changed by a lower role, and the last owner stays', async () => {
    const team = await owner.open('/settings/team');
    const own =
      /href="(\/settings\/team\/usr_\w+)">Manage<span class="hidden-text"> Ana Costa/.exec(team.text)?.[1] ??
      '';
    expect((await bo.submit(await bo.open(own), { role: 'viewer' })).status).toBe(403);
    const refused = await owner.submit(await owner.open(own), { role: 'viewer' });
    expect([refused.status, refused.seen]).toEqual([422, expect.stringContaining('is the only owner')]);
    expect((await owner.press(await owner.open(`${own}/deactivate`), 'Deactivate member')).status).toBe(409);
  });

  it('of another account is not found', async () => {
    const other = await service.addAccount();
    const id = await service.addPerson({ accountId: other.id, email: 'ze@salon.example' });
    expect((await owner.open(`/settings/team/${id}`)).status).toBe(404);
    expect((await owner.open(`/settings/team/${id}/deactivate`)).status).toBe(404);
  });
});

describe('a forgotten password', () => {
  it('without a mail server refers to an owner', async () => {
    const page = await createVisitor(service.origin).open('/reset');
    expect(page.seen).toContain('Ask an owner of your salon');
    expect(page.forms).toEqual([]);
  });
});
