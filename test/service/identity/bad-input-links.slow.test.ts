import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testPassword } from '../../support/members.ts';
import { readStored } from '../../support/stored-text.ts';
import { minuteMs, openVisitedService, type VisitedService } from '../../support/visited-service.ts';
import type { VisitedPage, Visitor } from '../../support/visitor.ts';

const dayMs = 24 * 60 * minuteMs;

let salon: VisitedService;
beforeAll(async () => {
  salon = await openVisitedService({ config: { logLevel: 'info' } });
});
afterAll(() => salon[Symbol.asyncDispose]());
// All tests come from one address, whose failed attempts are forgotten after a while.
beforeEach(() => salon.moveClock(120 * minuteMs));

let guests = 0;

function toPath(page: VisitedPage, kind: 'invitation' | 'reset'): string {
  return new RegExp(`/${kind}/[\\w-]+`).exec(page.text)?.[0] ?? '';
}

/** Invites somebody by the page. Returns the path of the link. */
async function invite(owner: Visitor, values: { email?: string; role?: string } = {}): Promise<VisitedPage> {
  guests += 1;
  const form = await owner.open('/settings/team/invite');
  return owner.submit(form, { email: `guest-${guests}@salon.example`, role: 'receptionist', ...values });
}

async function openInvitation(): Promise<{ owner: Visitor; path: string }> {
  const { visitor } = await salon.openSignedIn();
  const page = await invite(visitor);
  const path = toPath(page, 'invitation');
  expect(path, page.seen).not.toBe('');
  return { owner: visitor, path };
}

/** A link for a new password, made by an owner. */
async function openReset() {
  const { visitor: owner } = await salon.openSignedIn();
  const person = await salon.addPerson({ role: 'viewer' });
  const page = await owner.press(await owner.open(`/settings/team/${person.id}`), 'Create link');
  const path = toPath(page, 'reset');
  expect(path, page.seen).not.toBe('');
  return { person, path };
}

const newPerson = { name: 'Bo Lind', password: 'a few words of my own' };

describe('an invitation', () => {
  it('is used up by its form alone, and once', async () => {
    const { path } = await openInvitation();
    for (let count = 0; count < 3; count++) expect((await salon.visit().open(path)).status).toBe(200);
    const [first, second] = [salon.visit(), salon.visit()];
    const forms = [await first.open(path), await second.open(path)] as const;
    expect((await first.submit(forms[0], newPerson)).url).toBe('/settings/account');
    const again = await second.submit(forms[1], newPerson);
    expect([again.status, again.seen]).toEqual([
      404,
      expect.stringContaining('This link has already been used.'),
    ]);
    expect(await salon.isSignedIn(second)).toBe(false);
  });

  it('admits one of two who send its form at the same time', async () => {
    const { path } = await openInvitation();
    const visitors = [salon.visit(), salon.visit(), salon.visit()];
    const forms = await Promise.all(visitors.map((visitor) => visitor.open(path)));
    const pages = await Promise.all(
      visitors.map((visitor, index) => visitor.submit(forms[index] as VisitedPage, newPerson)),
    );
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });

  it('works over a clock that is off by ten minutes, and not after seven days', async () => {
    const { path } = await openInvitation();
    salon.moveClock(-10 * minuteMs);
    expect((await salon.visit().open(path)).status).toBe(200);
    salon.moveClock(7 * dayMs);
    expect((await salon.visit().open(path)).status).toBe(200);
    salon.moveClock(11 * minuteMs);
    const expired = await salon.visit().open(path);
    expect([expired.status, expired.seen]).toEqual([404, expect.stringContaining('This link has expired.')]);
  });

  it.each([
    ['with one letter changed', (path: string) => path.slice(0, -1) + (path.endsWith('A') ? 'B' : 'A')],
    ['used as a reset', (path: string) => path.replace('invitation', 'reset')],
    ['without a token', () => '/invitation/%00'],
    ['with a token of 5,000 letters', () => `/invitation/${'A'.repeat(5000)}`],
  ])('is not valid %s', async (_name, change) => {
    const { path } = await openInvitation();
    const page = await salon.visit().open(change(path));
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(page.status).toBeLessThan(500);
    expect(page.seen).not.toContain('invited');
  });

  it('is not made for an address that imitates another', async () => {
    const { visitor } = await salon.openSignedIn();
    const refused = await invite(visitor, { email: 'аna@salon.example' });
    expect(refused.status).toBe(422);
    expect(refused.seen).toContain('other letters could imitate an address');
  });

  it.each(['manager', 'owner'])('of a manager gives no role above their own: %s', async (role) => {
    const { visitor } = await salon.openSignedIn({ role: 'manager' });
    const form = await visitor.open('/settings/team/invite');
    const page = await visitor.submit(form, { email: `for-${role}@salon.example`, role });
    expect([page.status, toPath(page, 'invitation') !== '']).toEqual(
      role === 'manager' ? [200, true] : [expect.toSatisfy((status: number) => status >= 400), false],
    );
  });
});

describe('a link for a new password', () => {
  it('works once, signs out everybody else, and ends after a day', async () => {
    const { person, path } = await openReset();
    const former = salon.visit();
    await salon.signIn(person, former);
    const visitor = salon.visit();
    const form = await visitor.open(path);
    const password = 'another row of words';
    expect((await visitor.submit(form, { password })).url).toBe('/settings/account');
    expect(await salon.isSignedIn(former)).toBe(false);
    expect((await salon.signIn(person)).status).toBe(422);
    const late = salon.visit();
    expect((await late.open(path)).seen).toContain('This link has already been used.');

    const { path: next } = await openReset();
    salon.moveClock(dayMs + minuteMs);
    expect((await salon.visit().open(next)).seen).toContain('This link has expired.');
  });

  it('takes no password that is easy to guess, and then still works', async () => {
    const { path, person } = await openReset();
    const visitor = salon.visit();
    for (const password of ['short', 'password1234', 'aaaaaaaaaaaaaaaa', person.email]) {
      const page = await visitor.submit(await visitor.open(path), { password });
      expect({ password, status: page.status }).toEqual({ password, status: 422 });
    }
    const page = await visitor.submit(await visitor.open(path), { password: newPerson.password });
    expect(page.url).toBe('/settings/account');
  });
});

describe('a code of an authenticator app', () => {
  const path = '/settings/security/authenticator';

  async function addAuthenticator() {
    const { person, visitor } = await salon.openSignedIn();
    const form = await visitor.open(path);
    const key = /<dt>Key<\/dt><dd><code>([^<]+)</.exec(form.text)?.[1] ?? '';
    const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) });
    const generate = (offMs = 0) => totp.generate({ timestamp: salon.now() + offMs });
    /** Codes of two times are the same now and then: a code of that time that is not right now. */
    const generateWrong = (offMs: number): string => {
      const right = [-30_000, 0, 30_000].map(generate);
      const code = generate(offMs);
      return right.includes(code) ? generateWrong(offMs + Math.sign(offMs) * 30_000) : code;
    };
    const wrong = await visitor.submit(form, { code: generateWrong(10 * minuteMs) });
    expect(wrong.status).toBe(422);
    const added = await visitor.submit(wrong, { code: generate() });
    expect(added.seen).toContain('The authenticator app was added.');
    const codes = [...added.text.matchAll(/>((?:[0-9a-z]{4}-){3}[0-9a-z]{4})</g)].map(([, one]) => one);
    return { person, generate, generateWrong, codes };
  }

  async function giveCode(person: { email: string; password: string }, code: string) {
    const visitor = salon.visit();
    const asked = await salon.signIn(person, visitor);
    expect(asked.url).toContain('/sign-in/code');
    return { visitor, page: await visitor.submit(asked, { code }) };
  }

  it('works once', async () => {
    const { person, generate } = await addAuthenticator();
    salon.moveClock(minuteMs);
    const code = generate();
    expect((await giveCode(person, code)).page.url).toBe('/settings/account');
    const again = await giveCode(person, code);
    expect([again.page.status, again.page.seen]).toEqual([422, expect.stringContaining('was used before')]);
    expect(await salon.isSignedIn(again.visitor)).toBe(false);
  });

  it.each([-10, 10])(
    'is refused from a clock that is off by %i minutes, with the reason',
    async (minutes) => {
      const { person, generateWrong } = await addAuthenticator();
      salon.moveClock(20 * minuteMs);
      const { page } = await giveCode(person, generateWrong(minutes * minuteMs));
      expect([page.status, page.seen]).toEqual([
        422,
        expect.stringContaining("Check that your phone's clock is right."),
      ]);
    },
  );

  it('cannot be guessed: attempts have to wait', async () => {
    const { person, generate, generateWrong } = await addAuthenticator();
    salon.moveClock(5 * minuteMs);
    const code = generateWrong(-2 * minuteMs);
    const statuses = [];
    for (let count = 0; count < 12; count++) statuses.push((await giveCode(person, code)).page.status);
    expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);
    expect((await giveCode(person, generate())).page.status).toBe(429);
  });

  it('can be replaced by a recovery code, which works once', async () => {
    const { person, codes } = await addAuthenticator();
    const [code = ''] = codes;
    expect((await giveCode(person, code)).page.url).toBe('/settings/account');
    expect((await giveCode(person, code)).page.status).toBe(422);
  });
});

describe('no secret', () => {
  it('is in the log, the audit log, or readable in the database', async () => {
    const { path } = await openInvitation();
    const visitor = salon.visit();
    await visitor.submit(await visitor.open(path), newPerson);
    const { path: reset } = await openReset();
    const resetting = salon.visit();
    await resetting.submit(await resetting.open(reset), { password: 'another row of words' });
    const cookies = [...visitor.cookies.values(), ...resetting.cookies.values()];
    const tokens = [path, reset].map((link) => link.slice(link.lastIndexOf('/') + 1));
    const secrets = [...tokens, ...cookies, newPerson.password, testPassword, 'another row of words'];
    const stored = await readStored(salon.service.database);
    const logged = salon.service.logged.join('\n');
    expect(logged).toContain('/invitation/:token');
    expect(secrets.filter((secret) => stored.includes(secret) || logged.includes(secret))).toEqual([]);
  });
});
