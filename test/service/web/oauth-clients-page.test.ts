import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { signInVisitor } from '../../support/signed-in-visitor.ts';
import type { FormValues, Visitor } from '../../support/visitor.ts';

let service: TestService;
let owner: Visitor;
beforeAll(async () => {
  service = await openTestService();
  await service.addPerson();
  owner = await signInVisitor(service.origin);
});
afterAll(() => service[Symbol.asyncDispose]());

async function add(values: FormValues) {
  const page = await owner.open('/settings/oauth-clients/new');
  return owner.press(page, 'Add OAuth client', values);
}

const readShown = (text: string, name: RegExp) => name.exec(text)?.[0] ?? '';

describe('the page of OAuth clients', () => {
  it('adds an app that acts on its own, shows its secret once, and deletes it', async () => {
    const added = await add({
      name: 'Bookkeeping',
      flows: ['client_credentials'],
      scopes: ['payments:read'],
      role: 'viewer',
    });
    expect(added.status, added.seen).toBe(200);
    const id = readShown(added.text, /app_[0-9a-z]{26}/);
    const secret = readShown(added.text, /sls_[\w-]{43}/);
    const config = await openid.discovery(
      new URL(service.origin),
      id,
      undefined,
      openid.ClientSecretPost(secret),
      {
        algorithm: 'oauth2',
        execute: [openid.allowInsecureRequests],
      },
    );
    const { access_token, scope } = await openid.clientCredentialsGrant(config);
    expect(scope).toBe('payments:read');
    const payments = `${service.origin}/v1/payments`;
    expect((await sendRequest(payments, { key: access_token })).status).toBe(200);

    const list = await owner.open('/settings/oauth-clients');
    expect(list.seen).toContain('Bookkeeping');
    expect(list.text).not.toContain(secret);
    const ask = await owner.open(`/settings/oauth-clients/${id}/delete`);
    const gone = await owner.press(ask, 'Delete client');
    expect(gone.seen).toContain('Deleted the OAuth client Bookkeeping.');
    expect((await sendRequest(payments, { key: access_token })).status).toBe(401);
  });

  it('replaces a secret at once', async () => {
    const added = await add({
      name: 'Shop',
      redirect_uris: 'https://shop.example/back',
      scopes: ['clients:read'],
    });
    const id = readShown(added.text, /app_[0-9a-z]{26}/);
    const former = readShown(added.text, /sls_[\w-]{43}/);
    const page = await owner.press(
      await owner.open(`/settings/oauth-clients/${id}/rotate`),
      'Create new secret',
    );
    const secret = readShown(page.text, /sls_[\w-]{43}/);
    const introspect = async (text: string) => {
      const body = new URLSearchParams({ token: 'slt_x', client_id: id, client_secret: text });
      return (await fetch(`${service.origin}/oauth/introspect`, { method: 'POST', body })).status;
    };
    expect([await introspect(former), await introspect(secret)]).toEqual([401, 200]);
  });

  it.each([
    [{ name: '', redirect_uris: 'https://a.example/b' }, 'Name is required.'],
    [{ name: 'A', redirect_uris: '' }, 'is required with authorization_code'],
    [{ name: 'A', redirect_uris: 'http://a.example/b' }, 'Use https; http is for loopback addresses only.'],
    [{ name: 'A', redirect_uris: 'https://a.example/b#c' }, 'It must not have a fragment.'],
    [{ name: 'A', redirect_uris: 'https://a.example/*' }, 'It must not contain a wildcard'],
    [{ name: 'A\u202eB', redirect_uris: 'https://a.example/b' }, 'must be visible text on one line'],
    [
      { name: 'A', redirect_uris: 'https://a.example/b', role: 'viewer' },
      'Role of the app is for client_credentials only.',
    ],
    [
      { name: 'A', redirect_uris: 'https://a.example/b', flows: [] },
      'How it gets access must have at least 1 entry.',
    ],
    [
      { name: 'A', redirect_uris: 'https://a.example/b#c' },
      'Redirect URI 1 cannot be used. It must not have a fragment.',
    ],
    [{ name: 'A', flows: ['client_credentials'] }, 'Role of the app is required with client_credentials.'],
    [
      { name: 'A', type: 'public', flows: ['client_credentials'], role: 'viewer' },
      'a public client cannot keep a secret',
    ],
  ])('explains what is wrong with %j', async (values, sentence) => {
    const page = await add({ scopes: ['clients:read'], ...values });
    expect(page.status).toBe(422);
    expect(page.seen).toContain(sentence);
  });

  it('is for owners only', async () => {
    await service.addPerson({ email: 'mia@salon.example', role: 'manager' });
    const manager = await signInVisitor(service.origin, 'mia@salon.example');
    for (const path of ['/settings/oauth-clients', '/settings/oauth-clients/new']) {
      expect((await manager.open(path)).status).toBe(403);
    }
  });
});
