import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testPassword } from '../../../support/members.ts';
import { openTestService, type TestService } from '../../../support/service.ts';
import { createVisitor, type VisitedPage, type Visitor } from '../../../support/visitor.ts';

const start = Date.parse('2026-11-21T12:00:00Z');
const path = '/settings/security';
const newPassword = 'seven green umbrellas';

let service: TestService;
let nowMs: number;
let ana: Visitor;
beforeEach(async () => {
  nowMs = start;
  service = await openTestService({ now: () => new Date(nowMs) });
  await service.addPerson();
  ana = createVisitor(service.origin);
  await signIn(ana);
});
afterEach(() => service[Symbol.asyncDispose]());

async function signIn(visitor: Visitor, password = testPassword): Promise<VisitedPage> {
  return visitor.submit(await visitor.open('/sign-in'), { email: 'ana@salon.example', password });
}

describe('the password', () => {
  it('is changed with the current one, and other browsers are signed out', async () => {
    const other = createVisitor(service.origin);
    await signIn(other);
    const page = await ana.submit(await ana.open(`${path}/password`), {
      current: testPassword,
      password: newPassword,
    });
    expect([page.url, page.seen]).toEqual([path, expect.stringContaining('Your password was changed.')]);
    expect((await other.open('/settings')).url).toContain('/sign-in');
    expect((await signIn(createVisitor(service.origin))).status).toBe(422);
    expect((await signIn(createVisitor(service.origin), newPassword)).url).toBe('/settings/account');
  });

  it.each([
    ['without the current one', { current: '', password: newPassword }, 'Enter your current password.'],
    ['with a wrong current one', { current: 'wrong', password: newPassword }, 'The password is wrong.'],
    ['to a common one', { current: testPassword, password: 'password12345' }, 'common password'],
    [
      'to one of ten thousand characters',
      { current: testPassword, password: 'ab1 '.repeat(2500) },
      'at most',
    ],
  ])('is not changed %s', async (_name, values, reason) => {
    const { status, seen, text } = await ana.submit(await ana.open(`${path}/password`), values);
    expect([status, seen]).toEqual([422, expect.stringContaining(reason)]);
    expect(text).not.toContain(values.password);
    expect((await signIn(createVisitor(service.origin))).url).toBe('/settings/account');
  });
});

describe('a session', () => {
  it('is listed with its browser, and ended by the person', async () => {
    const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0' };
    const other = createVisitor(service.origin, { headers });
    await signIn(other);
    const page = await ana.open(path);
    expect(page.seen).toContain('Firefox on Windows 127.0.0.1');
    expect(page.seen).toContain('Unknown browser This browser');
    const ended = await ana.press(page, 'End the session of Firefox on Windows at 127.0.0.1');
    expect(ended.seen).toContain('The session has ended.');
    expect((await other.open('/settings')).url).toContain('/sign-in');
  });

  it('of somebody else is not found', async () => {
    await service.addPerson({ email: 'bo@salon.example' });
    const bo = createVisitor(service.origin);
    await bo.submit(await bo.open('/sign-in'), { email: 'bo@salon.example', password: testPassword });
    await signIn(createVisitor(service.origin));
    const page = await ana.open(path);
    const own = page.forms.find(({ values }) => 'id' in values)?.values;
    const csrf = (await bo.open(path)).forms[0]?.values['csrf'] ?? '';
    const form = { ...own, csrf, form: 'end-session' };
    expect((await bo.send(path, { form })).status).toBe(404);
  });

  it('is ended with all others at once', async () => {
    const others = [createVisitor(service.origin), createVisitor(service.origin)];
    for (const other of others) await signIn(other);
    const page = await ana.press(await ana.open(path), 'End all other sessions');
    expect(page.seen).toContain('2 sessions have ended.');
    for (const other of others) expect((await other.open('/settings')).url).toContain('/sign-in');
    expect((await ana.open(path)).url).toBe(path);
  });
});

describe('the authenticator app', () => {
  /** The key that a page shows for typing. */
  function readSecret({ text }: VisitedPage): string {
    return (/<dt>Key<\/dt><dd><code>([^<]+)</.exec(text)?.[1] ?? '').replaceAll(' ', '');
  }

  /** Adds the app. Returns its codes and the recovery codes. */
  async function addApp() {
    const page = await ana.open(`${path}/authenticator`);
    const secret = readSecret(page);
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const code = () => totp.generate({ timestamp: nowMs });
    const added = await ana.submit(page, { code: code() });
    const recoveryCodes = [...added.text.matchAll(/<li class="code">([^<]+)</g)].map(([, one = '']) => one);
    return { secret, code, added, recoveryCodes };
  }

  it('is asked for after the password from then on; each code works once', async () => {
    const { code, added } = await addApp();
    expect(added.seen).toContain('The authenticator app was added.');
    nowMs += 30_000;
    const visitor = createVisitor(service.origin);
    const asked = await signIn(visitor);
    expect([asked.url, asked.title]).toEqual([
      expect.stringMatching(/^\/sign-in\/code/),
      'Two-factor authentication · Salon',
    ]);
    expect((await visitor.open('/settings')).url).toContain('/sign-in');
    const again = await visitor.open('/sign-in/code');
    const used = code();
    expect((await visitor.submit(again, { code: used })).url).toBe('/settings/account');

    const second = createVisitor(service.origin);
    const refused = await second.submit(await signIn(second), { code: used });
    expect([refused.status, refused.seen]).toEqual([422, expect.stringContaining('was used before')]);
  });

  it('shows the same key again after a wrong code, and changes nothing', async () => {
    const page = await ana.open(`${path}/authenticator`);
    const again = await ana.submit(page, { code: '000000' });
    expect([again.status, again.seen]).toEqual([422, expect.stringContaining('The code is wrong')]);
    expect(readSecret(again)).toBe(readSecret(page));
    expect(again.text).toContain(/<path d="[^"]+"/.exec(page.text)?.[0]);
    expect((await signIn(createVisitor(service.origin))).url).toBe('/settings/account');
  });

  it('is replaced by a recovery code, which works once', async () => {
    const { recoveryCodes } = await addApp();
    expect(recoveryCodes).toHaveLength(10);
    const code = recoveryCodes[0] ?? '';
    const first = createVisitor(service.origin);
    expect((await first.submit(await signIn(first), { code })).url).toBe('/settings/account');
    expect((await first.open(path)).seen).toContain('9 recovery codes left.');
    const second = createVisitor(service.origin);
    expect((await second.submit(await signIn(second), { code })).status).toBe(422);
  });

  it('gets new recovery codes, which end the former ones', async () => {
    const { recoveryCodes } = await addApp();
    const page = await ana.press(await ana.open(`${path}/recovery-codes`), 'Create new codes');
    expect(page.text).not.toContain(recoveryCodes[0]);
    const visitor = createVisitor(service.origin);
    expect((await visitor.submit(await signIn(visitor), { code: recoveryCodes[0] ?? '' })).status).toBe(422);
  });

  it('is removed after a confirmation', async () => {
    await addApp();
    const page = await ana.press(await ana.open(`${path}/authenticator`), 'Remove authenticator app');
    expect(page.seen).toContain('The authenticator app was removed.');
    expect((await signIn(createVisitor(service.origin))).url).toBe('/settings/account');
  });

  it('is not asked for without the password, nor with an invented ticket', async () => {
    const visitor = createVisitor(service.origin);
    expect((await visitor.open('/sign-in/code')).title).toBe('Sign in · Salon');
    visitor.cookies.set(`salon-ticket-${new URL(service.origin).port}`, 'sealed:1:abc');
    const page = await visitor.submit(await visitor.open('/sign-in/code'), { code: '123456' });
    expect(page.seen).toContain('This sign-in has expired.');
  });
});

it('a passkey of a browser that sends nonsense is not added, and nobody signs in with one', async () => {
  const page = await ana.open(`${path}/passkeys/new`);
  for (const response of [
    '',
    '{',
    'null',
    '[]',
    '{"id":1}',
    '{"id":"a","rawId":"a","type":"public-key","response":{}}',
  ]) {
    const refused = await ana.submit(page, { response, name: 'Key' });
    expect([refused.status, refused.seen]).toEqual([422, expect.stringContaining('could not be added')]);
    const visitor = createVisitor(service.origin);
    const asked = await visitor.open('/sign-in');
    const options = JSON.parse((await visitor.send('/sign-in/passkey-options')).text);
    const answer = await visitor.submit(asked, { ticket: options.ticket, response });
    expect([answer.status, answer.seen]).toEqual([
      422,
      expect.stringContaining('This passkey was not accepted.'),
    ]);
  }
});
