import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../../src/service/db/database.ts';
import { settingsPages } from '../../../../src/service/web/page-list.ts';
import { type OauthScene, openOauthScene } from '../../../support/oauth-scene.ts';
import { sendRequest } from '../../../support/send-request.ts';
import { signInVisitor } from '../../../support/signed-in-visitor.ts';
import type { FormValues, Visitor } from '../../../support/visitor.ts';

let scene: OauthScene;
let database: Database;
let visitor: Visitor;
/** The page of a record of the right kind, by the path of its route. */
let paths: ReadonlyMap<string, string>;

beforeAll(async () => {
  scene = await openOauthScene({ config: { logLevel: 'error' } });
  const { service } = scene;
  visitor = scene.visitor;
  const memberId = await service.addPerson({ email: 'bo@salon.example', name: 'Bo Lima', role: 'viewer' });
  await scene.app.connect(visitor);
  const [, appId = ''] = /apps\/(\w+)\/disconnect/.exec((await visitor.open('/settings/apps')).text) ?? [];
  const { text: webhook } = await sendRequest(`${service.origin}/v1/webhooks`, {
    method: 'POST',
    key: service.keys.owner,
    body: { url: 'http://127.0.0.1:9/hook', events: ['booking.created'] },
  });
  const client = await scene.addClient({
    name: 'Till',
    redirect_uris: ['https://till.example/'],
    scopes: ['clients:read'],
  });
  const ids: Readonly<Record<string, string>> = {
    team: memberId,
    'api-keys': (await service.addKey({})).id,
    apps: appId,
    'oauth-clients': client.id,
    webhooks: JSON.parse(webhook).id,
  };
  paths = new Map(
    settingsPages.map(({ path }) => [
      path,
      path.replace(':id', ids[path.split('/')[2] ?? ''] ?? 'no ID in hostile-forms.test.ts'),
    ]),
  );
  database = await openDatabase(service.database);
  await watchTables();
});
afterAll(async () => {
  await database.close();
  await scene[Symbol.asyncDispose]();
});

/** Tables that change without an entry: the log itself, sessions, tickets and limits, and the service's own work. */
const unrecorded =
  /^(?:audit_|sqlite_|salon_|service_lock|database_|sessions|used_tickets|attempt_limits|rate_windows|request_counts|collections|client_search|events|deliver)/;

/** Notes the table of every change of a row. */
async function watchTables(): Promise<void> {
  await database.transaction('service', async (tx) => {
    const tables = await tx.run<{ name: string }>("select name from sqlite_master where type = 'table'", []);
    await tx.run('create table changed (name text)', []);
    for (const { name } of tables.filter((table) => !unrecorded.test(table.name))) {
      for (const act of ['insert', 'update', 'delete']) {
        const note = `insert into changed values ('${name}')`;
        // The service notes from time to time when a key was used last.
        const isUse = name === 'api_keys' && act === 'update';
        const when = isUse ? 'when old.last_used_ms is new.last_used_ms' : '';
        await tx.run(`create trigger ${act}_${name} after ${act} on ${name} ${when} begin ${note}; end`, []);
      }
    }
  });
}

/** The tables that changed since the last call, and how long the audit log is. */
async function takeChanges(): Promise<{ tables: readonly string[]; entries: number }> {
  const changed = await database.transaction('service', (tx) =>
    tx.run<{ name: string }>('delete from changed returning name', []),
  );
  const [log] = await database.reader.run<{ count: number }>(
    'select count(*) as count from audit_entries',
    [],
  );
  return { tables: [...new Set(changed.map(({ name }) => name))], entries: log?.count ?? 0 };
}

const script = '"><script>alert(1)</script>';
const values = [
  '',
  ' ',
  '\u0000',
  '\u202Eevil\u200B',
  '\uD83D',
  '-1',
  '99999999999999999999',
  '__proto__',
  `${script}'`,
  'a'.repeat(10_000),
];

/** Forms that would end the session that sends them. */
const leaving = ['/sign-out', '/account-switch'];

/** The form after which a person without a second factor sees no other page. */
const demanding = 'second-factor';

/** Every form of the page as it is, and with one field after another replaced. */
async function* replaceFields(
  path: string,
): AsyncGenerator<{ action: string; form: FormValues; field: string }> {
  const { forms, url, status } = await visitor.open(path);
  expect([url, status]).toEqual([path, 200]);
  for (const { method, action, values: own } of forms) {
    if (method !== 'post' || leaving.includes(action)) continue;
    for (const field of Object.keys(own).filter((name) => name !== 'csrf')) {
      for (const value of values) yield { action, field, form: { ...own, [field]: value } };
      const { [field]: _missing, ...rest } = own;
      yield { action, field, form: rest };
      yield { action, field, form: { ...own, [field]: ['a', 'b', script] } };
    }
    if (own['form'] !== demanding) yield { action, field: 'nothing', form: own };
  }
}

it('a viewer changes nothing but their own sign-in, whatever form they send', async () => {
  const viewer = await signInVisitor(scene.service.origin, 'bo@salon.example');
  const { csrf = '' } =
    (await viewer.open('/settings/account')).forms.find(({ values }) => 'name' in values)?.values ?? {};
  for (const path of paths.values()) {
    for (const { method, action, values: own } of (await visitor.open(path)).forms) {
      if (method !== 'post' || leaving.includes(action)) continue;
      await takeChanges();
      // With an empty field that is required, a form would be refused before the right is checked.
      const filled = Object.entries(own).map(([name, value]) => [name, value === '' ? 'a' : value]);
      await viewer.send(action === '' ? path : action, { form: { ...Object.fromEntries(filled), csrf } });
      const { tables } = await takeChanges();
      expect(
        tables.filter((table) => table !== 'users'),
        `${action} of ${path}`,
      ).toEqual([]);
    }
  }
});

it.each([...settingsPages.map(({ path }) => path)])(
  '%s refuses hostile values in its forms with a page, shows none of them as HTML, and records what it changes',
  async (pattern) => {
    const { service } = scene;
    const loggedBefore = service.logged.length;
    const path = paths.get(pattern) ?? '';
    let before = await takeChanges();
    for await (const { action, field, form } of replaceFields(path)) {
      const sent = `${field} of ${path}: ${JSON.stringify(form).slice(0, 300)}`;
      const { status, text, headers } = await visitor.send(action === '' ? path : action, { form });
      expect(status, sent).toBeLessThan(500);
      // A form without a handler.
      if (field !== 'form') expect(status, sent).not.toBe(400);
      expect(text, sent).not.toContain('<script>alert');
      expect(`${headers['location']}`, sent).not.toMatch(/^(?!\/|undefined)|^\/\//);
      const after = await takeChanges();
      if (after.tables.length > 0)
        expect(after.entries, `audit log of ${after.tables} after ${sent}`).toBeGreaterThan(before.entries);
      before = after;
    }
    expect(service.logged.slice(loggedBefore)).toEqual([]);
  },
);
