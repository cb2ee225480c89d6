import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessByRole } from '../../../src/contract/roles.ts';
import { pageList, settingsPages } from '../../../src/service/web/page-list.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { signInVisitor } from '../../support/signed-in-visitor.ts';
import { createVisitor, type Visitor } from '../../support/visitor.ts';

let service: TestService;
let viewer: Visitor;
let owner: Visitor;
beforeAll(async () => {
  service = await openTestService();
  await service.addPerson({ email: 'olga@salon.example', role: 'owner' });
  owner = await signInVisitor(service.origin, 'olga@salon.example');
  await service.addPerson({ role: 'viewer' });
  viewer = await signInVisitor(service.origin);
});
afterAll(() => service[Symbol.asyncDispose]());

/** The path of a page, with something in the place of its parameters. */
function fill(path: string): string {
  return path.replace(/:\w+|\*/, 'some');
}

const privatePaths = pageList.filter(({ isPublic }) => !isPublic).map(({ path }) => fill(path));
const forbiddenPaths = settingsPages
  .filter(({ action }) => action !== 'none' && accessByRole[action].viewer === 'none')
  .map(({ path }) => fill(path));

/** Linked to only for people with an authenticator app. */
const onlyWithFactor = '/settings/security/recovery-codes';
const childPages = settingsPages.flatMap(({ path, parent }) =>
  parent === undefined || /[:*]/.test(path) || path === onlyWithFactor ? [] : [{ path, parent }],
);

describe('the list of pages', () => {
  it('names as a parent only pages of the navigation', () => {
    const inNavigation = settingsPages.filter(({ group }) => group !== undefined).map(({ path }) => path);
    const parents = settingsPages.flatMap(({ parent }) => parent ?? []);
    expect(inNavigation).toEqual(expect.arrayContaining(parents));
  });

  it.each(childPages)('links to $path from $parent', async ({ path, parent }) => {
    expect((await owner.open(parent)).text).toContain(`href="${path}"`);
  });

  it('opens to people without a session only what leads to one', () => {
    const open = pageList.filter(({ isPublic }) => isPublic).map(({ path }) => path);
    const lead = ['/sign-in', '/sign-in/code', '/sign-in/passkey-options', '/sign-out', '/reset'];
    expect(open.sort()).toEqual([...lead, '/reset/:token', '/invitation/:token'].sort());
  });

  it('asks for the password again for all but these, which show no secret and give no access', () => {
    const others = settingsPages.filter(({ isSensitive }) => !isSensitive).map(({ path }) => path);
    const ending = [
      'api-keys/:id/revoke',
      'apps/:id/disconnect',
      'oauth-clients/:id/delete',
      'webhooks/:id/delete',
    ];
    const lists = ['account', 'team', 'api-keys', 'apps', 'oauth-clients', 'webhooks', 'webhooks/:id'];
    // The form of a new password asks for the present one.
    const rest = ['security', 'security/password', 'audit-log'];
    expect(others.sort()).toEqual([...lists, ...ending, ...rest].map((path) => `/settings/${path}`).sort());
  });

  it('opens to every role only what is about the person or names the account', () => {
    const open = pageList.filter(({ action, isPublic }) => action === 'none' && !isPublic);
    const own = [
      'account',
      'apps',
      'apps/:id/disconnect',
      'security',
      'security/password',
      'security/passkeys/new',
    ];
    const factors = ['security/passkeys/*', 'security/authenticator', 'security/recovery-codes', '*'];
    const settings = [...own, ...factors].map((path) => `/settings/${path}`);
    expect(open.map(({ path }) => path).sort()).toEqual(
      [...settings, '/settings', '/sign-in/confirm', '/account-switch'].sort(),
    );
  });

  it.each(privatePaths)('leads from %s to the sign-in without a session', async (path) => {
    const { status, headers } = await createVisitor(service.origin).send(path);
    expect([status, headers['location']]).toEqual([
      303,
      `/sign-in?${new URLSearchParams({ return_to: path })}`,
    ]);
  });

  it.each(forbiddenPaths)('opens %s only to people with its right', async (path) => {
    expect((await viewer.send(path)).status).toBe(403);
  });
});

describe('the address of a page', () => {
  it('has no slash at its end', async () => {
    const { status, headers } = await viewer.send('/settings/account/?a=1');
    expect([status, headers['location']]).toEqual([308, '/settings/account?a=1']);
  });

  it('may contain the ID of a passkey, however long it is', async () => {
    const page = await viewer.open(`/settings/security/passkeys/${'a'.repeat(1364)}`);
    expect([page.status, page.seen]).toEqual([200, expect.stringContaining('Remove passkey')]);
    expect((await viewer.open(`/settings/team/${'a'.repeat(1364)}`)).status).toBe(404);
  });
});

describe('a form', () => {
  it('is shown again with everything that is wrong, and with what was typed except passwords', async () => {
    const visitor = createVisitor(service.origin);
    const page = await visitor.open('/sign-in');
    const empty = await visitor.submit(page, { email: ' ', password: '' });
    expect(empty.status).toBe(422);
    expect(empty.title).toMatch(/^Error: /);
    expect(empty.text).toContain('<a href="#email">Enter your email address.</a>');
    expect(empty.text).toContain('<a href="#password">Enter your password.</a>');
    const wrong = await visitor.submit(empty, { email: 'ana@salon.example', password: 'not the password' });
    expect(wrong.text).toContain('value="ana@salon.example"');
    expect(wrong.text).not.toContain('not the password');
  });

  it('is refused for a page that has none', async () => {
    const { values } = (await viewer.open('/settings/account')).forms[0] ?? {};
    expect((await viewer.send('/settings/apps', { form: { ...values, form: 'add' } })).status).toBe(400);
    expect((await viewer.send('/sign-in/passkey-options', { form: { ...values } })).status).toBe(405);
  });
});
