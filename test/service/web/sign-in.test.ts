import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testPassword } from '../../support/members.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { createVisitor, type VisitedPage, type Visitor } from '../../support/visitor.ts';

const start = Date.parse('2026-11-21T12:00:00Z');
const minuteMs = 60_000;

let service: TestService;
let nowMs: number;
beforeEach(async () => {
  nowMs = start;
  service = await openTestService({ now: () => new Date(nowMs) });
  await service.addPerson();
});
afterEach(() => service[Symbol.asyncDispose]());

const email = 'ana@salon.example';

async function signIn(visitor: Visitor, values: Record<string, string> = {}): Promise<VisitedPage> {
  return visitor.submit(await visitor.open('/sign-in'), { email, password: testPassword, ...values });
}

function cookieNames(visitor: Visitor): string[] {
  return [...visitor.cookies.keys()].map((name) => name.replace(/-\d+$/, '')).sort();
}

describe('signing in', () => {
  it('leads to the settings', async () => {
    const page = await signIn(createVisitor(service.origin));
    expect([page.status, page.url]).toEqual([200, '/settings/account']);
    expect(page.seen).toContain('Ana Costa');
    expect(page.seen).toContain('Test salon');
  });

  it('leads back to the page that was asked for', async () => {
    const visitor = createVisitor(service.origin);
    const asked = await visitor.open('/settings/security?a=1');
    expect(asked.title).toContain('Sign in');
    expect((await visitor.submit(asked, { email, password: testPassword })).url).toBe(
      '/settings/security?a=1',
    );
  });

  it('leads nowhere else', async () => {
    const visitor = createVisitor(service.origin);
    const asked = await visitor.open('/sign-in?return_to=//evil.example/');
    expect((await visitor.submit(asked, { email, password: testPassword })).url).toBe('/settings/account');
    expect((await visitor.send('/sign-in?return_to=https://evil.example/')).headers['location']).toBe(
      '/settings',
    );
  });

  it('starts a session that scripts and other sites cannot use, of its own for each port', async () => {
    const visitor = createVisitor(service.origin);
    const { values = {} } = (await visitor.open('/sign-in')).forms[0] ?? {};
    const form = { ...values, email, password: testPassword };
    const { headers } = await visitor.send('/sign-in', { form });
    const { port } = new URL(service.origin);
    expect(headers['set-cookie']).toMatch(
      new RegExp(`salon-session-${port}=[\\w-]{43}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax,`),
    );
    expect(cookieNames(visitor)).toEqual(['salon-device', 'salon-session']);
  });

  it('refuses a wrong password and an unknown address with the same page, and keeps the address', async () => {
    const refusals = [{ password: 'wrong password' }, { email: 'nobody@salon.example' }].map(
      async (values) => {
        const { status, seen, forms } = await signIn(createVisitor(service.origin), values);
        return { status, seen, email: forms[0]?.values['email'] };
      },
    );
    const [wrong, unknown] = await Promise.all(refusals);
    expect(wrong).toMatchObject({ status: 422, email });
    expect(wrong?.seen).toContain('There is a problem The email address or the password is wrong.');
    expect(unknown).toEqual({ ...wrong, email: 'nobody@salon.example' });
  });

  it('asks for what is missing, beside the fields and above the form', async () => {
    const { status, title, text } = await signIn(createVisitor(service.origin), { email: ' ', password: '' });
    expect([status, title]).toEqual([422, 'Error: Sign in · Salon']);
    expect(text).toContain('<a href="#email">Enter your email address.</a>');
    expect(text).toMatch(/<input id="password"[^>]* aria-invalid="true" aria-describedby="password-error"/);
  });

  it('refuses guessing for a while, but not in the browser that the person uses', async () => {
    const own = createVisitor(service.origin);
    await own.press(await signIn(own), 'Sign out');
    const stranger = createVisitor(service.origin);
    let page = await signIn(stranger, { password: 'wrong password' });
    for (let count = 0; page.status === 422 && count < 100; count++) {
      page = await signIn(stranger, { password: 'wrong password' });
    }
    expect(page.status).toBe(429);
    expect(Number(page.headers['retry-after'])).toBeGreaterThan(0);
    expect((await signIn(stranger)).status).toBe(429);
    expect((await signIn(own)).url).toBe('/settings/account');
  });

  it('never shows or logs a password', async () => {
    const password = 'a password that is wrong';
    const { text } = await signIn(createVisitor(service.origin), { password });
    expect(text).not.toContain(password);
    expect(service.logged.join()).not.toContain(password);
  });
});

describe('a session', () => {
  it('ends on sign-out, even if its cookie was copied', async () => {
    const visitor = createVisitor(service.origin);
    const page = await signIn(visitor);
    const kept = new Map(visitor.cookies);
    const out = await visitor.press(page, 'Sign out');
    expect(out.seen).toContain('You have signed out.');
    for (const [name, value] of kept) visitor.cookies.set(name, value);
    expect((await visitor.open('/settings')).url).toContain('/sign-in');
  });

  it.each([
    ['is invented', 'a'.repeat(43)],
    ['is no text of ours', '"; drop table sessions'],
    ['is empty', ''],
  ])('does not start with a cookie that %s', async (_name, value) => {
    const visitor = createVisitor(service.origin);
    visitor.cookies.set(`salon-session-${new URL(service.origin).port}`, value);
    expect((await visitor.open('/settings')).url).toContain('/sign-in');
  });

  it('does not start with a cookie of another salon of this machine, or of one with HTTPS', async () => {
    const visitor = createVisitor(service.origin);
    await signIn(visitor);
    const { port } = new URL(service.origin);
    const token = visitor.cookies.get(`salon-session-${port}`) ?? '';
    for (const name of [`salon-session-${Number(port) + 1}`, '__Host-salon-session', 'salon-session']) {
      const { headers } = await createVisitor(service.origin).send('/settings', {
        headers: { cookie: `${name}=${token}` },
      });
      expect(headers['location']).toContain('/sign-in');
    }
  });

  it('works in one account at a time, and switches only to accounts of the person', async () => {
    const other = await service.addAccount();
    const visitor = createVisitor(service.origin);
    expect((await signIn(visitor)).seen).not.toContain('Switch account');
    await service.addPerson({ accountId: other.id, role: 'viewer' });
    const page = await visitor.press(await visitor.open('/settings/account'), 'Another salon viewer');
    expect(page.seen).toContain('Your role viewer');
    expect((await visitor.open('/settings/team')).status).toBe(403);
    await service.addPerson({ accountId: (await service.addAccount()).id, email: 'ze@salon.example' });
    const form = page.forms.find(({ values }) => 'account' in values);
    const foreign = { ...form?.values, account: 'acc_00000000000000000000000000' };
    expect((await visitor.send('/account-switch', { form: foreign })).status).toBe(404);
  });

  it('ends when it was not used for two weeks', async () => {
    const visitor = createVisitor(service.origin);
    await signIn(visitor);
    nowMs += 13 * 24 * 60 * minuteMs;
    expect((await visitor.open('/settings')).url).toBe('/settings/account');
    nowMs += 15 * 24 * 60 * minuteMs;
    expect((await visitor.open('/settings')).url).toContain('/sign-in');
  });
});

describe('a change of how a person signs in', () => {
  it('asks for the password again after two hours, then continues', async () => {
    const visitor = createVisitor(service.origin);
    await signIn(visitor);
    const path = '/settings/security/authenticator';
    expect((await visitor.open(path)).url).toBe(path);
    nowMs += 121 * minuteMs;
    const asked = await visitor.open(path);
    expect(asked.title).toContain("Confirm that it's you");
    const wrong = await visitor.submit(asked, { password: 'wrong password' });
    expect([wrong.status, wrong.seen]).toEqual([422, expect.stringContaining('The password is wrong.')]);
    expect((await visitor.submit(wrong, { password: testPassword })).url).toBe(path);
  });
});
