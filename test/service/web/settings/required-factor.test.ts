import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/service/db/database.ts';
import { updateSession } from '../../../../src/service/db/identity/sessions.ts';
import { openTestApp } from '../../../support/oauth-app.ts';
import { sendRequest } from '../../../support/send-request.ts';
import { openTestService, type TestService } from '../../../support/service.ts';
import { signInVisitor } from '../../../support/signed-in-visitor.ts';
import type { VisitedPage, Visitor } from '../../../support/visitor.ts';

const teamPath = '/settings/team';
const securityPath = '/settings/security';
const nowMs = Date.parse('2026-11-21T12:00:00Z');

let service: TestService;
let owner: Visitor;
let max: Visitor;
beforeEach(async () => {
  service = await openTestService({ now: () => new Date(nowMs) });
  await service.addPerson();
  await service.addPerson({ email: 'max@salon.example', name: 'Max Holm', role: 'manager' });
  owner = await signInVisitor(service.origin);
  max = await signInVisitor(service.origin, 'max@salon.example');
});
afterEach(() => service[Symbol.asyncDispose]());

async function addApp(visitor: Visitor): Promise<VisitedPage> {
  const page = await visitor.open(`${securityPath}/authenticator`);
  const secret = (/<dt>Key<\/dt><dd><code>([^<]+)</.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs });
  return visitor.submit(page, { code });
}

async function requireFactor(visitor = owner): Promise<VisitedPage> {
  return visitor.press(await visitor.open(teamPath), 'Require it');
}

describe('a second factor that an owner requires', () => {
  it('leads everybody without one to add it, in sessions that exist and new ones, and to nothing else', async () => {
    expect((await max.open('/settings/api-keys/new')).url).toBe('/settings/api-keys/new');
    const form = await max.open('/settings/account');
    const led = await requireFactor();
    expect([led.url, led.seen]).toEqual([
      securityPath,
      expect.stringContaining('This salon requires a second factor.'),
    ]);
    const again = await signInVisitor(service.origin, 'max@salon.example');
    for (const visitor of [max, again]) {
      for (const path of [
        '/settings',
        '/settings/account',
        '/settings/api-keys/new',
        teamPath,
        '/oauth/device',
      ]) {
        expect((await visitor.open(path)).url, path).toBe(securityPath);
      }
    }
    const sent = await max.submit(form, { name: 'Renamed' });
    expect(sent.url).toBe(securityPath);
    const added = await addApp(max);
    expect(added.seen).toContain('The authenticator app was added.');
    expect((await max.open('/settings/account')).seen).toContain('Max Holm');
    // The other session is of the same person.
    expect((await again.open('/settings/account')).url).toBe('/settings/account');
  });

  it('can be a passkey: a session that began with one needs no app', async () => {
    await requireFactor();
    expect((await max.open('/settings/account')).url).toBe(securityPath);
    await using database = await openDatabase(service.database);
    const rows = await database.reader.run<{ id: string }>('select id from sessions', []);
    await database.transaction('service', async (tx) => {
      for (const { id } of rows) await updateSession(tx, id, { has_second_factor: 1 });
    });
    expect((await max.open('/settings/account')).url).toBe('/settings/account');
  });

  it('comes before the consent to an app', async () => {
    await requireFactor();
    const app = await openTestApp(service.origin);
    const { url } = await app.begin();
    expect((await max.open(`${url.pathname}${url.search}`)).url).toBe(securityPath);
    await addApp(max);
    expect((await max.open(`${url.pathname}${url.search}`)).seen).toContain('Allow');
  });

  it('is for owners to require, and recorded', async () => {
    expect((await max.open(teamPath)).text).not.toContain('Require it');
    await requireFactor();
    await addApp(owner);
    const page = await owner.open(teamPath);
    expect(page.seen).toContain('required of everybody');
    const optional = await owner.press(page, 'Make it optional');
    expect(optional.seen).toContain('A second factor is no longer required.');
    expect((await max.open('/settings/account')).url).toBe('/settings/account');
    const log = await sendRequest(`${service.origin}/v1/audit-log?action=account.updated`, {
      key: service.keys.owner,
    });
    expect(JSON.parse(log.text).data).toMatchObject([
      { actor: { name: 'Ana Costa' }, after: { requires_second_factor: true } },
      { actor: { name: 'Ana Costa' }, after: { requires_second_factor: false } },
    ]);
  });
});
