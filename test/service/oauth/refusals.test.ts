import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntryRow } from '../../../src/service/db/audit/entries.ts';
import { openDatabase } from '../../../src/service/db/database.ts';
import { type OauthScene, openOauthScene } from '../../support/oauth-scene.ts';
import { allow } from '../../support/signed-in-visitor.ts';

let scene: OauthScene;
let shopId: string;
beforeAll(async () => {
  scene = await openOauthScene();
  shopId = scene.shop.config.clientMetadata().client_id;
});
afterAll(() => scene[Symbol.asyncDispose]());

const seen = new Set<string>();

/** The refusals in the audit log since the last call. */
async function readNew(): Promise<object[]> {
  await using database = await openDatabase(scene.service.database);
  const text = "select * from audit_entries where action = 'access.refused'";
  const rows = await database.reader.run<AuditEntryRow>(text, []);
  const added = rows.filter(({ id }) => !seen.has(id));
  for (const { id } of added) seen.add(id);
  return added.map(({ account_id, actor_id, address, changes }) => {
    return { account_id, actor_id, address, ...JSON.parse(changes ?? '{}').details };
  });
}

describe('the audit log', () => {
  it('has a wrong client secret, in the account of the app', async () => {
    await scene.post('/oauth/token', {
      ...{ grant_type: 'client_credentials', client_id: shopId, client_secret: 'sls_wrong' },
    });
    expect(await readNew()).toEqual([
      {
        account_id: scene.service.id,
        actor_id: shopId,
        address: '127.0.0.1',
        operation: 'oauth.token',
        code: 'invalid_client',
      },
    ]);
  });

  it('has a redirect URI that is not registered', async () => {
    const { url } = await scene.shop.begin({ redirect_uri: 'https://shop.example/bak' });
    await scene.visitor.open(`${url.pathname}${url.search}`);
    expect(await readNew()).toMatchObject([
      {
        account_id: scene.service.id,
        actor_id: shopId,
        operation: 'oauth.authorization',
        code: 'invalid_redirect_uri',
      },
    ]);
  });

  it('has a code that is used again', async () => {
    const { url, checks } = await scene.app.begin();
    const answer = await allow(scene.visitor, url);
    await openid.authorizationCodeGrant(scene.app.config, answer, checks);
    const again = openid.authorizationCodeGrant(scene.app.config, answer, checks);
    await expect(again).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await readNew()).toMatchObject([
      {
        actor_id: 'salon-cli',
        operation: 'oauth.token',
        code: 'invalid_grant',
      },
    ]);
  });

  it('has a wrong code of a device, in the name of the person', async () => {
    const form = await scene.visitor.open('/oauth/device');
    await scene.visitor.submit(form, { user_code: 'BBBB-BBBB' });
    expect(await readNew()).toMatchObject([
      {
        account_id: scene.service.id,
        actor_id: expect.stringMatching(/^usr_/),
        operation: 'oauth.device',
        code: 'not_found',
      },
    ]);
  });

  it('has no devices that wait and no refusals of people', async () => {
    const { device_code } = await openid.initiateDeviceAuthorization(scene.app.config, {});
    const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
    const poll = openid.genericGrantRequest(scene.app.config, grantType, { device_code });
    await expect(poll).rejects.toMatchObject({ error: 'authorization_pending' });
    expect(await readNew()).toEqual([]);
  });
});
