import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntryRow } from '../../../src/service/db/audit/entries.ts';
import { openDatabase } from '../../../src/service/db/database.ts';
import { openTestApp, type TestApp } from '../../support/oauth-app.ts';
import { sendRequest } from '../../support/send-request.ts';
import { allow } from '../../support/signed-in-visitor.ts';
import { minuteMs, openVisitedService, type VisitedService } from '../../support/visited-service.ts';
import type { Visitor } from '../../support/visitor.ts';

let salon: VisitedService;
let visitor: Visitor;
let app: TestApp;
beforeAll(async () => {
  salon = await openVisitedService();
  ({ visitor } = await salon.openSignedIn());
  app = await openTestApp(salon.service.origin);
});
afterAll(() => salon[Symbol.asyncDispose]());

/** What the act adds to the audit log: where, who, what, and why. */
async function listNewEntries(act: () => Promise<unknown>): Promise<string[]> {
  await using database = await openDatabase(salon.service.database);
  const read = () =>
    database.reader.run<AuditEntryRow>('select * from audit_entries order by account_id, seq', []);
  const before = new Set((await read()).map(({ id }) => id));
  await act();
  const readNew = async () => (await read()).filter(({ id }) => !before.has(id));
  // A body that is too large is answered before it is recorded.
  await expect.poll(async () => (await readNew()).length).toBeGreaterThan(0);
  return (await readNew()).map(({ account_id, actor_type, action, changes }) => {
    const { details } = JSON.parse(changes ?? '{}');
    const place = account_id === salon.service.id ? 'account' : account_id;
    return [place, actor_type, action, details?.code ?? details?.reason ?? details?.method].join(' ');
  });
}

async function findToken(): Promise<string> {
  const page = await visitor.open('/settings/security');
  return String(page.forms.find(({ values }) => 'csrf' in values)?.values['csrf']);
}

const readMe = (key: string) => sendRequest(`${salon.service.origin}/v1/me`, { key });

/** A used code, and the tokens that it gave. */
async function connect() {
  const { url, checks } = await app.begin();
  const answer = await allow(visitor, url);
  const tokens = await openid.authorizationCodeGrant(app.config, answer, checks);
  const again = () => openid.authorizationCodeGrant(app.config, answer, checks).catch(() => {});
  return { url, tokens, again };
}

describe('the audit log has an entry for', () => {
  it('a link that is used again, and one that never was', async () => {
    const form = await visitor.open('/settings/team/invite');
    const page = await visitor.submit(form, { email: 'guest@salon.example', role: 'viewer' });
    const path = /\/invitation\/[\w-]+/.exec(page.text)?.[0] ?? '';
    const guest = salon.visit();
    const values = { name: 'Bo Lind', password: 'nobody else has these words' };
    await guest.submit(await guest.open(path), values);
    expect(await listNewEntries(() => salon.visit().open(path))).toEqual([
      'account anonymous access.refused link_used',
    ]);
    expect(await listNewEntries(() => salon.visit().open(`/reset/${'A'.repeat(43)}`))).toEqual([
      'service anonymous access.refused link_unknown',
    ]);
  });

  it('a form that is sent again, one of another site, and one of another session', async () => {
    const form = { csrf: await findToken(), account: salon.service.id };
    await visitor.send('/account-switch', { form });
    expect(await listNewEntries(() => visitor.send('/account-switch', { form }))).toEqual([
      'account user access.refused form_sent_again',
    ]);
    const headers = { origin: 'https://evil.example' };
    expect(await listNewEntries(() => visitor.send('/sign-out', { form, headers }))).toEqual([
      'account user access.refused foreign_form',
    ]);
    const other = { csrf: 'AAAA.AAAA' };
    expect(await listNewEntries(() => visitor.send('/sign-out', { form: other }))).toEqual([
      'account user access.refused stale_form',
    ]);
  });

  it('the cookie of another host, a megabyte of password, and an address that imitates one', async () => {
    const stranger = salon.visit();
    for (const name of visitor.cookies.keys()) stranger.cookies.set(name, 'A'.repeat(43));
    expect(await listNewEntries(() => stranger.open('/settings/security'))).toEqual([
      'service anonymous access.refused session_unknown',
    ]);
    const long = { email: 'ana@salon.example', password: 'a'.repeat(1_048_576) };
    expect(await listNewEntries(() => salon.signIn(long))).toEqual([
      'service anonymous access.refused payload_too_large',
    ]);
    const imitated = { email: 'pеrson-1@salon.example', password: 'guessed' };
    expect(await listNewEntries(() => salon.signIn(imitated))).toEqual([
      'service anonymous user.sign_in_failed password',
    ]);
  });

  it('an authorization code that is used again, and the token that it gave', async () => {
    const { tokens, again } = await connect();
    expect(await listNewEntries(again)).toEqual([
      'account app oauth_grant.revoked token_reused',
      'service app access.refused invalid_grant',
    ]);
    expect(await listNewEntries(() => readMe(tokens.access_token))).toEqual([
      'account user access.refused invalid_token',
    ]);
  });

  it('a redirect URI that is off by one character', async () => {
    const { url } = await app.begin();
    url.searchParams.set('redirect_uri', 'http://127.0.0.1:51234/callbacc');
    let page: { status: number; seen: string } | undefined;
    const entries = await listNewEntries(async () => {
      page = await visitor.open(`${url.pathname}${url.search}`);
    });
    expect(page?.seen).toContain('redirect URI is not registered');
    expect(entries).toEqual(['service app access.refused invalid_redirect_uri']);
  });

  it('a wrong secret of an app, and a wrong code of a device', async () => {
    const body = { name: 'Shop', flows: ['client_credentials'], redirect_uris: [], role: 'viewer' };
    const key = salon.service.keys.owner;
    const made = await sendRequest(`${salon.service.origin}/v1/oauth-clients`, { method: 'POST', key, body });
    const { id } = JSON.parse(made.text);
    const ask = () =>
      sendRequest(`${salon.service.origin}/oauth/token`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from(`${id}:wrong`).toString('base64')}`,
        },
        body: 'grant_type=client_credentials',
      });
    expect(await listNewEntries(ask)).toEqual(['account app access.refused invalid_client']);
    const type = async () => visitor.submit(await visitor.open('/oauth/device'), { user_code: 'BBBB-BBBB' });
    expect(await listNewEntries(type)).toEqual(['account user access.refused not_found']);
  });

  it('a token that has expired, on a clock that was ten minutes off in between', async () => {
    const { tokens } = await connect();
    for (const minutes of [-10, 60]) {
      salon.moveClock(minutes * minuteMs);
      expect((await readMe(tokens.access_token)).status).toBe(200);
    }
    salon.moveClock(11 * minuteMs);
    expect(await listNewEntries(() => readMe(tokens.access_token))).toEqual([
      'account user access.refused invalid_token',
    ]);
  });
});
