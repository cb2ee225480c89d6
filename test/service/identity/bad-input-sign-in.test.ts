import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testPassword } from '../../support/members.ts';
import { minuteMs, openVisitedService, type VisitedService } from '../../support/visited-service.ts';
import type { VisitedPage } from '../../support/visitor.ts';

let salon: VisitedService;
beforeAll(async () => {
  salon = await openVisitedService();
});
afterAll(() => salon[Symbol.asyncDispose]());
// All tests come from one address, whose failed attempts are forgotten after a while.
beforeEach(() => salon.moveClock(120 * minuteMs));

/** The page without what differs from time to time, and without what the person has typed. */
function toComparable({ status, text, headers }: VisitedPage, typed: string) {
  const masked = text.replaceAll(typed, '…').replace(/name="csrf" value="[^"]*"/g, 'name="csrf"');
  return { status, text: masked, retryAfter: headers['retry-after'] };
}

describe('guessing a password', () => {
  it('is answered alike for known and unknown addresses until attempts have to wait', async () => {
    const { email, id } = await salon.addPerson();
    const unknown = 'who@salon.example';
    const password = 'not the password at all';
    for (let count = 1; count <= 12; count++) {
      const known = toComparable(await salon.signIn({ email, password }), email);
      const stranger = toComparable(await salon.signIn({ email: unknown, password }), unknown);
      expect(known).toEqual(stranger);
      expect({ count, status: known.status }).toEqual({ count, status: count <= 10 ? 422 : 429 });
    }
    const refused = await salon.signIn({ email, password: testPassword });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '900']);
    expect(refused.seen).toContain('Too many attempts. Try again in 15 minutes');
    expect(await salon.readActions(id)).toEqual(Array(10).fill('user.sign_in_failed'));
  });

  it('does not lock a person out of a browser that they have used before', async () => {
    const { person, visitor, page } = await salon.openSignedIn();
    await visitor.press(page, 'Sign out');
    for (let count = 0; count < 12; count++) await salon.signIn({ ...person, password: 'guessed' });
    expect((await salon.signIn(person)).status).toBe(429);
    expect((await salon.signIn(person, visitor)).url).toBe('/settings/account');
  });

  it('waits a little longer when the clock is set back by ten minutes, and not for a day when by a day', async () => {
    const person = await salon.addPerson();
    for (let count = 0; count < 11; count++) await salon.signIn({ ...person, password: 'guessed' });
    salon.moveClock(-10 * minuteMs);
    expect((await salon.signIn(person)).headers['retry-after']).toBe(String(25 * 60));
    salon.moveClock(-24 * 60 * minuteMs);
    expect((await salon.signIn(person)).status).toBe(200);
    salon.moveClock((24 * 60 + 10) * minuteMs);
  });
});

describe('what is typed at the sign-in', () => {
  it('is refused in one sentence when it is a megabyte', async () => {
    const person = await salon.addPerson();
    const page = await salon.signIn({ ...person, password: 'a'.repeat(1_048_576) });
    expect(page.status).toBe(413);
    expect(page.seen).not.toContain('aaaa');
    expect((await salon.signIn({ ...person, password: 'a'.repeat(50_000) })).seen).toContain('is wrong');
  });

  it('does not sign in with the first part of a long password', async () => {
    const longest = `${'a b c d e f '.repeat(85)}abcd`;
    expect(longest).toHaveLength(1024);
    const { email, password } = await salon.addPerson({ password: longest });
    expect((await salon.signIn({ email, password: `${password}e` })).status).toBe(422);
    expect((await salon.signIn({ email, password })).status).toBe(200);
  });

  it.each([
    ['a Cyrillic letter', (email: string) => email.replace('e', 'е')],
    ['full-width letters', (email: string) => email.replace('p', 'ｐ')],
    ['a full-width @', (email: string) => email.replace('@', '＠')],
    ['an invisible letter', (email: string) => email.replace('@', '\u200b@')],
    ['a zero byte', (email: string) => `${email}\0`],
    ['a point at the end', (email: string) => `${email}.`],
    ['a domain with a look-alike letter', (email: string) => email.replace('salon', 'sаlon')],
    ['two addresses', (email: string) => `${email},${email}`],
    ['a pattern', (email: string) => email.replace('person', '%')],
  ])('does not take an address with %s for the one it looks like', async (_name, change) => {
    const person = await salon.addPerson();
    const page = await salon.signIn({ ...person, email: change(person.email) });
    expect(page.status).toBe(422);
    expect(page.seen).toContain('The email address or the password is wrong.');
    expect(await salon.readActions(person.id)).toEqual([]);
  });

  it('signs in whatever the case and the spaces around the address', async () => {
    const person = await salon.addPerson();
    const page = await salon.signIn({ ...person, email: `  ${person.email.toUpperCase()} ` });
    expect(page.url).toBe('/settings/account');
  });

  it.each([
    '//evil.example/',
    '/\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
  ])('leads to no other site: %j', async (target) => {
    const person = await salon.addPerson();
    const visitor = salon.visit();
    const asked = await visitor.open(`/sign-in?return_to=${encodeURIComponent(target)}`);
    const page = await visitor.submit(asked, { email: person.email, password: person.password });
    expect(page.url).toBe('/settings/account');
  });
});
