import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/service/db/database.ts';
import { type OauthScene, openOauthScene } from '../../support/oauth-scene.ts';
import { sendRequest, toJson } from '../../support/send-request.ts';
import type { TestAccount } from '../../support/service.ts';
import { signInVisitor } from '../../support/signed-in-visitor.ts';

let scene: OauthScene;
let other: TestAccount;
beforeAll(async () => {
  scene = await openOauthScene();
  other = await scene.service.addAccount();
  await scene.service.addPerson({ accountId: other.id, role: 'viewer' });
});
afterAll(() => scene[Symbol.asyncDispose]());

async function choose(account: string): Promise<string> {
  const { url, checks } = await scene.app.begin();
  const page = await scene.visitor.open(`${url.pathname}${url.search}`);
  expect(page.seen).toContain('one of your accounts');
  const { url: answer } = await scene.visitor.press(page, 'Allow', { decision: 'allow', account });
  return scene.app.exchange(new URL(answer), checks).then(({ access }) => access);
}

async function readMe(token: string) {
  return toJson(await sendRequest(`${scene.service.origin}/v1/me`, { key: token }));
}

describe('a person in two accounts', () => {
  it('chooses the account that the app works in, with the role there', async () => {
    const { id } = scene.service;
    expect(await readMe(await choose(id))).toMatchObject({ account: { id }, role: 'owner' });
    expect(await readMe(await choose(other.id))).toMatchObject({ account: { id: other.id }, role: 'viewer' });
  });

  it('reaches no record of the other account with a token', async () => {
    const token = await choose(other.id);
    const own = toJson(
      await sendRequest(`${scene.service.origin}/v1/clients`, { key: scene.service.keys.owner }),
    );
    const [record] = own['data'] as { id: string }[];
    const response = await sendRequest(`${scene.service.origin}/v1/clients/${record?.id}`, { key: token });
    expect(response.status).toBe(404);
  });

  it('cannot choose an account of others', async () => {
    const foreign = await scene.service.addAccount();
    const { url } = await scene.app.begin();
    const page = await scene.visitor.open(`${url.pathname}${url.search}`);
    const refused = await scene.visitor.press(page, 'Allow', { decision: 'allow', account: foreign.id });
    expect([refused.status, refused.title]).toEqual([400, 'No account chosen · Salon']);
  });

  it('has each connection in the list of its account', async () => {
    await choose(other.id);
    const visitor = await signInVisitor(scene.service.origin);
    const before = (await visitor.open('/settings/apps')).text.match(/\/disconnect/g)?.length;
    await choose(scene.service.id);
    expect((await visitor.open('/settings/apps')).text.match(/\/disconnect/g)?.length).toBe(
      (before ?? 0) + 1,
    );
  });
});

describe('a person who has left', () => {
  it('loses the access of their apps', async () => {
    await scene.service.addPerson({ email: 'bo@salon.example', name: 'Bo' });
    const visitor = await signInVisitor(scene.service.origin, 'bo@salon.example');
    const { access, refresh } = await scene.app.connect(visitor);
    expect(await readMe(access)).toMatchObject({ role: 'owner' });
    const setEnd = async (ended_at: string | null) => {
      await using database = await openDatabase(scene.service.database);
      const text = `update memberships set ended_at = ?
        where user_id = (select id from users where email = 'bo@salon.example')`;
      await database.transaction('service', (tx) => tx.run(text, [ended_at]));
    };
    await setEnd('2026-11-22T10:00:00.000Z');
    // On PostgreSQL the service hears of another process's write a moment later.
    await expect.poll(() => readMe(access)).toMatchObject({ status: 401, code: 'invalid_token' });
    await expect(scene.app.refresh(refresh)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});
