import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/service/db/database.ts';
import { testPassword } from '../../support/members.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { createVisitor, type VisitedPage, type Visitor } from '../../support/visitor.ts';

const minuteMs = 60_000;
let nowMs = Date.parse('2026-11-23T09:00:00Z');
let service: TestService;
beforeAll(async () => {
  service = await openTestService({ now: () => new Date(nowMs) });
});
afterAll(() => service[Symbol.asyncDispose]());
// All tests come from one address, whose failed attempts are forgotten after a while.
beforeEach(() => {
  nowMs += 120 * minuteMs;
});

let people = 0;

/** Adds a person. Returns what they type to sign in. */
async function addPerson() {
  people += 1;
  const email = `person-${people}@salon.example`;
  return { id: await service.addPerson({ email }), email, password: testPassword };
}

type Person = Awaited<ReturnType<typeof addPerson>>;

async function signIn(
  { email, password }: Pick<Person, 'email' | 'password'>,
  visitor = createVisitor(service.origin),
): Promise<VisitedPage> {
  return visitor.submit(await visitor.open('/sign-in'), { email, password });
}

async function openSignedIn(): Promise<{ person: Person; visitor: Visitor; page: VisitedPage }> {
  const person = await addPerson();
  const visitor = createVisitor(service.origin);
  const page = await signIn(person, visitor);
  expect([page.status, page.url]).toEqual([200, '/settings/account']);
  return { person, visitor, page };
}

/** Whether a browser is signed in. */
async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.open('/settings/security')).url.startsWith('/settings/');
}

/** The page without what differs from time to time, and without what the person has typed. */
function toComparable({ status, text, headers }: VisitedPage, typed: string) {
  const masked = text.replaceAll(typed, '…').replace(/name="csrf" value="[^"]*"/g, 'name="csrf"');
  return { status, text: masked, retryAfter: headers['retry-after'] };
}

/** The actions in the audit log about a person, oldest first. */
async function readActions(userId: string): Promise<string[]> {
  await using database = await openDatabase(service.database);
  const entries = database.reader.selectFrom('audit_entries').select('action');
  const rows = await entries.where('record_id', '=', userId).orderBy('seq').execute();
  return rows.map(({ action }) => action);
}

describe('guessing a password', () => {
  it('is answered alike for known and unknown addresses until attempts have to wait', async () => {
    const { email, id } = await addPerson();
    const unknown = 'who@salon.example';
    const password = 'not the password at all';
    for (let count = 1; count <= 12; count++) {
      const known = toComparable(await signIn({ email, password }), email);
      const stranger = toComparable(await signIn({ email: unknown, password }), unknown);
      expect(known).toEqual(stranger);
      expect({ count, status: known.status }).toEqual({ count, status: count <= 10 ? 422 : 429 });
    }
    const refused = await signIn({ email, password: testPassword });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '900']);
    expect(refused.seen).toContain('Too many attempts. Try again in 15 minutes');
    expect(await readActions(id)).toEqual(Array(10).fill('user.sign_in_failed'));
  });

  it('does not lock a person out of a browser that they have used before', async () => {
    const { person, visitor, page } = await openSignedIn();
    await visitor.press(page, 'Sign out');
    for (let count = 0; count < 12; count++) await signIn({ ...person, password: 'guessed' });
    expect((await signIn(person)).status).toBe(429);
    expect((await signIn(person, visitor)).url).toBe('/settings/account');
  });

  it('waits a little longer when the clock is set back by ten minutes, and not for a day when by a day', async () => {
    const person = await addPerson();
    for (let count = 0; count < 11; count++) await signIn({ ...person, password: 'guessed' });
    const lockedMs = nowMs;
    nowMs = lockedMs - 10 * minuteMs;
    expect((await signIn(person)).headers['retry-after']).toBe(String(25 * 60));
    nowMs = lockedMs - 24 * 60 * minuteMs;
    expect((await signIn(person)).status).toBe(200);
    nowMs = lockedMs;
  });
});

describe('what is typed at the sign-in', () => {
  it('is refused in one sentence when it is a megabyte', async () => {
    const person = await addPerson();
    const page = await signIn({ ...person, password: 'a'.repeat(1_048_576) });
    expect(page.status).toBe(413);
    expect(page.seen).not.toContain('aaaa');
    expect((await signIn({ ...person, password: 'a'.repeat(50_000) })).seen).toContain('is wrong');
  });

  it('does not sign in with the first part of a long password', async () => {
    people += 1;
    const email = `person-${people}@salon.example`;
    const password = `${'a b c d e f '.repeat(85)}abcd`;
    expect(password).toHaveLength(1024);
    await service.addPerson({ email, password });
    expect((await signIn({ email, password: `${password}e` })).status).toBe(422);
    expect((await signIn({ email, password })).status).toBe(200);
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
    const person = await addPerson();
    const page = await signIn({ ...person, email: change(person.email) });
    expect(page.status).toBe(422);
    expect(page.seen).toContain('The email address or the password is wrong.');
    expect(await readActions(person.id)).toEqual([]);
  });

  it('signs in whatever the case and the spaces around the address', async () => {
    const person = await addPerson();
    const page = await signIn({ ...person, email: `  ${person.email.toUpperCase()} ` });
    expect(page.url).toBe('/settings/account');
  });

  it.each([
    '//evil.example/',
    '/\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
  ])('leads to no other site: %j', async (target) => {
    const person = await addPerson();
    const visitor = createVisitor(service.origin);
    const asked = await visitor.open(`/sign-in?return_to=${encodeURIComponent(target)}`);
    const page = await visitor.submit(asked, { email: person.email, password: person.password });
    expect(page.url).toBe('/settings/account');
  });
});

describe('a form', () => {
  const signOut = '/sign-out';

  async function findToken(visitor: Visitor, path: string): Promise<string> {
    const page = await visitor.open(path);
    return String(page.forms.find(({ values }) => 'csrf' in values)?.values['csrf']);
  }

  it.each([
    ['without its token', {}, {}],
    ['with a made-up token', { csrf: 'AAAA.AAAA' }, {}],
    ['from another site', undefined, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['from another port', undefined, { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' }],
    ['from a page without an origin', undefined, { origin: 'null' }],
    ['as plain text', undefined, { 'content-type': 'text/plain' }],
    ['as JSON', undefined, { 'content-type': 'application/json' }],
  ])('is refused %s', async (_name, values, headers) => {
    const { visitor } = await openSignedIn();
    const form = values ?? { csrf: await findToken(visitor, '/settings/security') };
    const refused = await visitor.send(signOut, { form, headers });
    expect([403, 415]).toContain(refused.status);
    expect(await isSignedIn(visitor)).toBe(true);
  });

  it('is refused with the token of another person', async () => {
    const [own, other] = [await openSignedIn(), await openSignedIn()];
    const csrf = await findToken(other.visitor, '/settings/security');
    expect((await own.visitor.send(signOut, { form: { csrf } })).status).toBe(403);
    expect(await isSignedIn(own.visitor)).toBe(true);
  });

  it('is refused with the token from before signing in and from a session that has ended', async () => {
    const person = await addPerson();
    const visitor = createVisitor(service.origin);
    const before = await findToken(visitor, '/sign-in');
    await signIn(person, visitor);
    expect((await visitor.send(signOut, { form: { csrf: before } })).status).toBe(403);
    const during = await findToken(visitor, '/settings/security');
    expect((await visitor.send(signOut, { form: { csrf: during } })).status).toBe(303);
    await signIn(person, visitor);
    expect((await visitor.send(signOut, { form: { csrf: during } })).status).toBe(403);
    expect(await isSignedIn(visitor)).toBe(true);
  });

  it('does nothing when it is sent a second time', async () => {
    const { visitor } = await openSignedIn();
    const form = { csrf: await findToken(visitor, '/settings/security'), account: service.id };
    expect((await visitor.send('/account-switch', { form })).status).toBe(303);
    const again = await visitor.send('/account-switch', { form });
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('sent before')]);
  });

  it('cannot sign a browser in from another site', async () => {
    const person = await addPerson();
    const visitor = createVisitor(service.origin);
    const csrf = await findToken(createVisitor(service.origin), '/sign-in');
    const form = { csrf, email: person.email, password: person.password };
    expect((await visitor.send('/sign-in', { form })).status).toBe(403);
    expect(visitor.cookies.has('session')).toBe(false);
    expect(await isSignedIn(visitor)).toBe(false);
  });
});

describe('a session', () => {
  const nameOf = (visitor: Visitor, kind: string) =>
    [...visitor.cookies.keys()].find((name) => name.includes(kind)) ?? '';

  it('is not accepted by another service, nor under another name', async () => {
    const { visitor } = await openSignedIn();
    const name = nameOf(visitor, 'session');
    const token = visitor.cookies.get(name) ?? '';
    await using other = await openTestService({ now: () => new Date(nowMs) });
    const stranger = createVisitor(other.origin);
    stranger.cookies.set(name.replace(/\d+$/, new URL(other.origin).port), token);
    expect(await isSignedIn(stranger)).toBe(false);
    const renamed = createVisitor(service.origin);
    for (const wrong of ['session', 'salon-session', '__Host-salon-session'])
      renamed.cookies.set(wrong, token);
    expect(await isSignedIn(renamed)).toBe(false);
  });

  it.each([
    ['empty', () => ''],
    ['cut', (token: string) => token.slice(0, -1)],
    ['extended', (token: string) => `${token}A`],
    ['of 10,000 characters', () => 'A'.repeat(10_000)],
    ['of odd characters', () => "' or 1=1 --"],
    ['the API key of an owner', () => service.keys.owner],
  ])('does not exist for a cookie that is %s', async (_name, change) => {
    const { visitor } = await openSignedIn();
    const name = nameOf(visitor, 'session');
    visitor.cookies.set(name, change(visitor.cookies.get(name) ?? ''));
    expect(await isSignedIn(visitor)).toBe(false);
  });

  it('is no credential for the API', async () => {
    const { visitor } = await openSignedIn();
    const token = visitor.cookies.get(nameOf(visitor, 'session')) ?? '';
    for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
      expect((await visitor.send('/api/v1/me', { headers })).status).toBe(401);
    }
  });

  it('ends for every copy of the cookie when the person signs out', async () => {
    const { visitor, page } = await openSignedIn();
    const thief = createVisitor(service.origin);
    for (const [name, value] of visitor.cookies) thief.cookies.set(name, value);
    expect(await isSignedIn(thief)).toBe(true);
    await visitor.press(page, 'Sign out');
    expect(await isSignedIn(thief)).toBe(false);
  });

  it('is replaced at the next sign-in, so that nobody can plant one', async () => {
    const { visitor } = await openSignedIn();
    const name = nameOf(visitor, 'session');
    const planted = visitor.cookies.get(name) ?? '';
    const victim = createVisitor(service.origin);
    const person = await addPerson();
    await signIn(person, victim);
    expect(victim.cookies.get(name)).not.toBe(planted);
  });

  it('lasts over a clock that is set back and forth by ten minutes', async () => {
    const { visitor } = await openSignedIn();
    for (const byMinutes of [-10, 20, -10]) {
      nowMs += byMinutes * minuteMs;
      expect(await isSignedIn(visitor)).toBe(true);
    }
  });

  it('is not served under a name that is not of this machine', async () => {
    const { visitor } = await openSignedIn();
    const foreign = await visitor.send('/settings/security', { headers: { host: 'salon.example' } });
    expect([foreign.status, foreign.text]).toEqual([403, expect.stringContaining('Signing in needs HTTPS')]);
  });
});
