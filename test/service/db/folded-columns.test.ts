import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/service/db/database.ts';
import { cleanUp } from '../../../src/service/domain/clean-up.ts';
import { listClients } from '../../../src/service/domain/clients.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import { restoreDatabase } from '../../../src/service/maintenance/backup.ts';
import { checkDatabase } from '../../../src/service/maintenance/check.ts';
import {
  changeDatabase,
  createBaselineDatabase,
  createTestFolder,
  openTestDatabase,
} from '../../support/database.ts';
import { openFormer, searchFirstNames } from '../../support/former-salon.ts';
import { isPostgres } from '../../support/postgres.ts';
import { openTestSalon } from '../../support/salon.ts';

const environment = { env: {}, random: (size: number) => new Uint8Array(size) };

/** Clients as the release before has written them, with its keys. */
const formerClients = [
  ['Łukasik', 'łukasik', 'ada lukasik'],
  ['Đorđević', 'đorđevic', 'ada dordevic'],
  ['Əliyev', 'əliyev', 'ada əliyev'],
  ['Gal·la', 'gal·la', 'ada gal·la'],
  ['Zander', 'zander', 'ada zander'],
].map(([last_name = '', key, search], index) => {
  const at = '2026-11-21T12:00:00.000Z';
  const record = {
    ...{ id: `cli_${index}`, first_name: 'Ada', last_name, email: null, phone: null, birthday: null },
    ...{ notes: null, preferred_stylist_id: null, tags: [], email_marketing_consent: false },
    ...{ sms_marketing_consent: false, external_id: null, created_at: at, updated_at: at },
  };
  return `insert into clients (account_id, seq, id, created_ms, updated_ms, record, last_name_key, search)
    select account_id, ${index + 5}, 'cli_${index}', created_ms, updated_ms, '${JSON.stringify(record)}', '${key}',
      '${search}' || chr(10) || chr(10) from clients where seq = 1;`;
});
const recountClients = `update collections set total = 7, last_seq = 9,
  bytes = (select sum(octet_length(record)) from clients) where name = 'clients' and total = 2;`;

function addFormerClients(location: string): Promise<void> {
  const statements = [...formerClients, recountClients].join('\n');
  return changeDatabase(location, isPostgres ? statements : statements.replaceAll('chr(', 'char('));
}

async function createWithFormerClients(file: string) {
  const created = await createBaselineDatabase(file);
  await addFormerClients(created.location);
  return created;
}

async function listByName(context: Context): Promise<string[]> {
  const { dataJson } = await listClients(context, { sort: 'last_name' });
  return JSON.parse(String(dataJson)).map((client: { last_name: string }) => client.last_name);
}

const byName = ['Đorđević', 'Əliyev', 'Gal·la', 'Łukasik', 'O’Hara', 'Zander', 'على'];

describe('a database with names of the release before', () => {
  it('has them folded as new ones are, and a version that it has not given out', async () => {
    await using salon = await openTestSalon(await openTestDatabase(createWithFormerClients));
    const former = await openFormer(salon);
    expect(await listByName(former)).toEqual(byName);
    for (const q of ['djordjevic', 'Đorđević', 'aliyev', 'eliyev', 'galla', 'lukasik']) {
      expect([q, await searchFirstNames(former, q)]).toEqual([q, ['Ada']]);
    }
    expect((await listClients(former, {})).version).toBeGreaterThan(6);
    const rows = await salon.store.database.reader.run<{ folded_ms: number; updated_ms: number }>(
      'select folded_ms, updated_ms from clients',
      [],
    );
    expect(rows.every(({ folded_ms, updated_ms }) => folded_ms === updated_ms)).toBe(true);
    const checks = await checkDatabase(salon.store.location);
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('has them folded once more by the clean-up after a process of the release before has written', async () => {
    await using salon = await openTestSalon(await openTestDatabase(createBaselineDatabase));
    const former = await openFormer(salon);
    await addFormerClients(salon.store.location);
    const rename = `update clients set updated_ms = updated_ms + 9, last_name_key = 'þora', search = 'zoe þora',
      record = replace(replace(record, 'O’Hara', 'Þora'), '"updated_at":"2026-11-21T12:00:00.000Z"',
        '"updated_at":"2026-11-21T12:00:00.009Z"') where seq = 1;`;
    await changeDatabase(salon.store.location, rename + recountClients.replace('total = 2', 'total = 7'));
    const before = await checkDatabase(salon.store.location);
    expect(before.flatMap(({ problems }) => problems.filter((one) => one.includes('differ')))).toEqual([]);
    const { version } = await listClients(former, {});
    await cleanUp(salon.store.database, salon.environment, { isPruning: false });
    expect(await listByName(former)).toEqual(byName.map((name) => (name === 'O’Hara' ? 'Þora' : name)));
    expect(await searchFirstNames(former, 'thora')).toEqual(['Zoë']);
    expect((await listClients(former, {})).version).toBeGreaterThan(version ?? 0);
    await cleanUp(salon.store.database, salon.environment, { isPruning: false });
    expect((await listClients(former, {})).version).toBe((version ?? 0) + 1);
  });

  it('has what was not folded in time folded by the next process', async () => {
    await using store = await openTestDatabase(createWithFormerClients);
    await changeDatabase(store.location, "update clients set folded_ms = null, search = '' where seq > 5");
    const again = await store.openAgain();
    expect(await again.reader.run("select 1 from clients where search = ''", [])).toEqual([]);
  });

  it('can be opened with a damaged record, which keeps its keys', async () => {
    await using store = await openTestDatabase(createBaselineDatabase);
    await addFormerClients(store.location);
    await changeDatabase(store.location, "update clients set record = '{' where seq = 6");
    const { reader } = await store.openAgain();
    const rows = await reader.run<{ last_name_key: string }>(
      'select last_name_key from clients where seq > 4 order by seq',
      [],
    );
    expect(rows.map((row) => row.last_name_key)).toEqual([
      'lukasik',
      'đorđevic',
      'eliyev',
      'galla',
      'zander',
    ]);
    const problems = (await checkDatabase(store.location)).flatMap((check) => check.problems);
    expect(problems).toContainEqual(expect.stringContaining('cli_1: the record is not a JSON object.'));
  });

  it('keeps the key of a service whose name has become that of another', async () => {
    await using salon = await openTestSalon();
    const at = '2026-11-21T12:00:00.000Z';
    const names = [
      ['Peŋ', 'peŋ'],
      ['Pen', 'pen'],
      ['Ŋu', 'ŋu'],
    ];
    const services = names.map(([name, key], index) => {
      const record = {
        id: `svc_${index}`,
        name,
        duration: 30,
        price: null,
        active: true,
        created_at: at,
        updated_at: at,
      };
      return `insert into services (account_id, seq, id, created_ms, updated_ms, record, name_key, active)
        values ('${salon.accountId}', ${index + 1}, 'svc_${index}', ${Date.parse(at)}, ${Date.parse(at)}, '${JSON.stringify(record)}',
          '${key}', 1);`;
    });
    await changeDatabase(salon.store.location, services.join('\n'));
    const { reader } = await salon.store.openAgain();
    const rows = await reader.run<{ name_key: string }>('select name_key from services order by seq', []);
    expect(rows.map(({ name_key }) => name_key)).toEqual(['peŋ', 'pen', 'nu']);
    const problems = (await checkDatabase(salon.store.location)).flatMap((check) => check.problems);
    expect(problems.filter((problem) => problem.includes('differ'))).toEqual([]);
  });

  it.skipIf(isPostgres)('can be restored from its backup', async () => {
    using folder = createTestFolder();
    const [file, target] = [join(folder.path, 'backup.db'), join(folder.path, 'restored.db')];
    await createWithFormerClients(file);
    await restoreDatabase(file, target, environment);
    await using restored = await openDatabase(target);
    const rows = await restored.reader.run("select 1 from clients where last_name_key = 'lukasik'", []);
    expect(rows).toHaveLength(1);
  });
});
