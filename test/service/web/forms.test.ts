import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPassword } from '../../support/members.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import {
  createVisitor,
  type FormValues,
  type VisitedForm,
  type VisitedPage,
  type Visitor,
} from '../../support/visitor.ts';

let service: TestService;
let ana: Visitor;
beforeAll(async () => {
  service = await openTestService();
  await service.addPerson();
  ana = await signIn();
});
afterAll(() => service[Symbol.asyncDispose]());

const path = '/settings/account';

async function signIn(): Promise<Visitor> {
  const visitor = createVisitor(service.origin);
  const page = await visitor.open('/sign-in');
  await visitor.submit(page, { email: 'ana@salon.example', password: testPassword });
  return visitor;
}

function findForm(page: VisitedPage, field: string): VisitedForm {
  const form = page.forms.find(({ values }) => field in values);
  if (form === undefined) throw new Error(`${page.title} has no field ${field}.`);
  return form;
}

/** The form that changes one's name, filled in. */
async function fillIn(visitor: Visitor, name: string): Promise<FormValues> {
  return { ...findForm(await visitor.open(path), 'name').values, name };
}

async function readName(): Promise<unknown> {
  return findForm(await ana.open(path), 'name').values['name'];
}

async function readRefusals(): Promise<string[]> {
  const url = `${service.origin}/v1/audit-log?action=access.refused&per_page=200`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${service.keys.owner}` } });
  const { data } = (await response.json()) as { data: { details?: { code: string; operation: string } }[] };
  return data.map(({ details }) => `${details?.code} ${details?.operation}`);
}

describe('a form', () => {
  it('is accepted from its own page', async () => {
    const form = await fillIn(ana, 'Ana Maria Costa');
    expect((await ana.send(path, { form })).status).toBe(303);
    expect(await readName()).toBe('Ana Maria Costa');
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['another port of this machine', { origin: 'http://localhost:1' }],
    ['the same address over HTTPS', { origin: 'https://localhost' }],
    ['another site, as the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
  ])('is refused from %s', async (_name, headers) => {
    const before = await readName();
    const form = await fillIn(ana, 'Mallory');
    const { status, text } = await ana.send(path, { form, headers });
    expect(status).toBe(403);
    expect(text).toContain('not sent from a page of this service');
    expect(await readName()).toBe(before);
    expect(await readRefusals()).toContain(`foreign_form POST ${path}`);
  });

  it.each([
    ['without a token', (form: FormValues) => ({ ...form, csrf: '' })],
    [
      'with an invented token',
      (form: FormValues) => ({ ...form, csrf: `${'a'.repeat(22)}.${'b'.repeat(43)}` }),
    ],
    [
      'with a changed token',
      ({ csrf, ...form }: FormValues) => ({
        ...form,
        csrf: `${String(csrf).startsWith('b') ? 'c' : 'b'}${String(csrf).slice(1)}`,
      }),
    ],
  ])('is refused %s', async (_name, change) => {
    const before = await readName();
    const { status } = await ana.send(path, { form: change(await fillIn(ana, 'Mallory')) });
    expect(status).toBe(403);
    expect(await readName()).toBe(before);
    expect(await readRefusals()).toContain(`stale_form POST ${path}`);
  });

  it('is refused with the token of another session of the same person', async () => {
    const form = await fillIn(await signIn(), 'Mallory');
    expect((await ana.send(path, { form })).status).toBe(403);
  });

  it('is refused with a token from before signing in, as a trap set by somebody else would have', async () => {
    const stranger = createVisitor(service.origin);
    const { values } = findForm(await stranger.open('/sign-in'), 'password');
    const form = { ...values, form: 'name', name: 'Mallory' };
    expect((await ana.send(path, { form })).status).toBe(403);
  });

  it('is accepted once: a copy of it changes nothing, and another form of the same page does', async () => {
    const first = await fillIn(ana, 'Ana One');
    await ana.send(path, { form: first });
    await ana.send(path, { form: await fillIn(ana, 'Ana Two') });
    const copy = await ana.send(path, { form: first });
    expect([copy.status, await readName()]).toEqual([409, 'Ana Two']);
    expect(copy.text).toContain('nothing was done again');
    expect(await readRefusals()).toContain(`form_sent_again POST ${path}`);
    expect((await ana.send(path, { form: { ...first, name: 'Ana Three' } })).status).toBe(303);
  });

  it('is accepted once, also if both copies come at the same time', async () => {
    const form = await fillIn(ana, 'Ana Four');
    const statuses = await Promise.all([1, 2, 3].map(async () => (await ana.send(path, { form })).status));
    expect(statuses.sort()).toEqual([303, 409, 409]);
  });

  it.each([
    ['JSON', 'application/json', '{"name":"Mallory"}'],
    ['plain text, which other sites can send', 'text/plain', 'name=Mallory'],
  ])('is not %s', async (_name, type, form) => {
    const { status } = await ana.send(path, { form, headers: { 'content-type': type } });
    expect(status).toBe(415);
  });

  it('with a password of a megabyte is refused', async () => {
    const visitor = createVisitor(service.origin);
    const { values } = findForm(await visitor.open('/sign-in'), 'password');
    const form = { ...values, email: 'ana@salon.example', password: 'a'.repeat(1_000_000) };
    const { status, text } = await visitor.send('/sign-in', { form });
    expect(status).toBe(413);
    expect(text).toContain('too large');
  });

  it('without a cookie says that cookies are needed', async () => {
    const visitor = createVisitor(service.origin);
    const { values } = findForm(await visitor.open('/sign-in'), 'password');
    visitor.cookies.clear();
    const { status, text } = await visitor.send('/sign-in', { form: { ...values, password: 'x' } });
    expect(status).toBe(403);
    expect(text).toContain('Allow cookies');
  });

  it('without a session leads to the sign-in', async () => {
    const form = await fillIn(ana, 'Mallory');
    const { status, headers } = await createVisitor(service.origin).send(path, { form });
    expect([status, headers['location']]).toEqual([303, '/sign-in?return_to=%2Fsettings%2Faccount']);
  });

  it('that a page does not have is refused', async () => {
    const form = { ...(await fillIn(ana, 'x')), form: 'constructor' };
    expect((await ana.send(path, { form })).status).toBe(400);
  });
});

describe('every page', () => {
  it.each(['/sign-in', '/reset', '/invitation/none', '/settings/account', '/settings/nothing', '/sign-out'])(
    'at %s cannot be framed, stored, sniffed or given scripts',
    async (page) => {
      const { headers, text } = await ana.send(page);
      const policy = headers['content-security-policy'] ?? '';
      if (headers['location'] === undefined) {
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).toContain("form-action 'self';");
        expect(policy).toContain("require-trusted-types-for 'script'");
        expect(policy).not.toMatch(/unsafe|https?:|\*/);
        expect(text).not.toMatch(
          /<style|<script(?! src="\/assets\/pages-[0-9a-f]{16}\.js" defer>)| style="| on\w+="/,
        );
      }
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin',
        'cross-origin-opener-policy': 'same-origin',
      });
    },
  );

  it('loads files that browsers keep', async () => {
    const { text } = await ana.send('/settings/account');
    const files = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, file = '']) => file);
    expect(files).toHaveLength(3);
    for (const file of files) {
      const { status, headers } = await ana.send(file);
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
    expect((await ana.send('/assets/pages.js')).status).toBe(404);
  });

  it('of the settings needs a session, and is not there under other paths', async () => {
    expect((await createVisitor(service.origin).open('/settings/team')).url).toBe(
      '/sign-in?return_to=%2Fsettings%2Fteam',
    );
    for (const other of ['/settings/nothing', '/settings/team/a/b/c', '/settings//team']) {
      expect((await ana.open(other)).status).toBe(404);
    }
    expect((await ana.open('/settings/team/')).status).toBe(200);
  });
});
