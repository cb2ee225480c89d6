import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestService } from '../../support/service.ts';
import { minuteMs, openVisitedService, type VisitedService } from '../../support/visited-service.ts';
import { createVisitor, type Visitor } from '../../support/visitor.ts';

let salon: VisitedService;
beforeAll(async () => {
  salon = await openVisitedService();
});
afterAll(() => salon[Symbol.asyncDispose]());

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
    const { visitor } = await salon.openSignedIn();
    const form = values ?? { csrf: await findToken(visitor, '/settings/security') };
    const refused = await visitor.send(signOut, { form, headers });
    expect([403, 415]).toContain(refused.status);
    expect(await salon.isSignedIn(visitor)).toBe(true);
  });

  it('is refused with the token of another person', async () => {
    const [own, other] = [await salon.openSignedIn(), await salon.openSignedIn()];
    const csrf = await findToken(other.visitor, '/settings/security');
    expect((await own.visitor.send(signOut, { form: { csrf } })).status).toBe(403);
    expect(await salon.isSignedIn(own.visitor)).toBe(true);
  });

  it('is refused with the token from before signing in and from a session that has ended', async () => {
    const person = await salon.addPerson();
    const visitor = salon.visit();
    const before = await findToken(visitor, '/sign-in');
    await salon.signIn(person, visitor);
    expect((await visitor.send(signOut, { form: { csrf: before } })).status).toBe(403);
    const during = await findToken(visitor, '/settings/security');
    expect((await visitor.send(signOut, { form: { form: 'sign-out', csrf: during } })).status).toBe(303);
    await salon.signIn(person, visitor);
    expect((await visitor.send(signOut, { form: { form: 'sign-out', csrf: during } })).status).toBe(403);
    expect(await salon.isSignedIn(visitor)).toBe(true);
  });

  it('does nothing when it is sent a second time', async () => {
    const { visitor } = await salon.openSignedIn();
    const csrf = await findToken(visitor, '/settings/security');
    const form = { form: 'switch', csrf, account: salon.service.id };
    expect((await visitor.send('/account-switch', { form })).status).toBe(303);
    const again = await visitor.send('/account-switch', { form });
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('sent before')]);
  });

  it('cannot sign a browser in from another site', async () => {
    const person = await salon.addPerson();
    const visitor = salon.visit();
    const csrf = await findToken(salon.visit(), '/sign-in');
    const form = { csrf, email: person.email, password: person.password };
    expect((await visitor.send('/sign-in', { form })).status).toBe(403);
    expect(visitor.cookies.has('session')).toBe(false);
    expect(await salon.isSignedIn(visitor)).toBe(false);
  });
});

describe('a session', () => {
  const nameOf = (visitor: Visitor, kind: string) =>
    [...visitor.cookies.keys()].find((name) => name.includes(kind)) ?? '';

  it('is not accepted by another service, nor under another name', async () => {
    const { visitor } = await salon.openSignedIn();
    const name = nameOf(visitor, 'session');
    const token = visitor.cookies.get(name) ?? '';
    await using other = await openTestService();
    const stranger = createVisitor(other.origin);
    stranger.cookies.set(name.replace(/\d+$/, new URL(other.origin).port), token);
    expect(await salon.isSignedIn(stranger)).toBe(false);
    const renamed = salon.visit();
    for (const wrong of ['session', 'salon-session', '__Host-salon-session'])
      renamed.cookies.set(wrong, token);
    expect(await salon.isSignedIn(renamed)).toBe(false);
  });

  it.each([
    ['empty', () => ''],
    ['cut', (token: string) => token.slice(0, -1)],
    ['extended', (token: string) => `${token}A`],
    ['of 10,000 characters', () => 'A'.repeat(10_000)],
    ['of odd characters', () => "' or 1=1 --"],
    ['the API key of an owner', () => salon.service.keys.owner],
  ])('does not exist for a cookie that is %s', async (_name, change) => {
    const { visitor } = await salon.openSignedIn();
    const name = nameOf(visitor, 'session');
    visitor.cookies.set(name, change(visitor.cookies.get(name) ?? ''));
    expect(await salon.isSignedIn(visitor)).toBe(false);
  });

  it('is no credential for the API', async () => {
    const { visitor } = await salon.openSignedIn();
    const token = visitor.cookies.get(nameOf(visitor, 'session')) ?? '';
    for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
      expect((await visitor.send('/api/v1/me', { headers })).status).toBe(401);
    }
  });

  it('ends for every copy of the cookie when the person signs out', async () => {
    const { visitor, page } = await salon.openSignedIn();
    const thief = salon.visit();
    for (const [name, value] of visitor.cookies) thief.cookies.set(name, value);
    expect(await salon.isSignedIn(thief)).toBe(true);
    await visitor.press(page, 'Sign out');
    expect(await salon.isSignedIn(thief)).toBe(false);
  });

  it('is replaced at the next sign-in, so that nobody can plant one', async () => {
    const { visitor } = await salon.openSignedIn();
    const name = nameOf(visitor, 'session');
    const planted = visitor.cookies.get(name) ?? '';
    const victim = salon.visit();
    const person = await salon.addPerson();
    await salon.signIn(person, victim);
    expect(victim.cookies.get(name)).not.toBe(planted);
  });

  it('lasts over a clock that is set back and forth by ten minutes', async () => {
    const { visitor } = await salon.openSignedIn();
    for (const byMinutes of [-10, 20, -10]) {
      salon.moveClock(byMinutes * minuteMs);
      expect(await salon.isSignedIn(visitor)).toBe(true);
    }
  });

  it('is not served under a name that is not of this machine', async () => {
    const { visitor } = await salon.openSignedIn();
    const foreign = await visitor.send('/settings/security', { headers: { host: 'salon.example' } });
    expect([foreign.status, foreign.text]).toEqual([403, expect.stringContaining('Signing in needs HTTPS')]);
  });
});
