import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { updateAppointment } from '../../../../src/service/domain/appointments.ts';
import { deleteClient } from '../../../../src/service/domain/clients.ts';
import { createPayment } from '../../../../src/service/domain/payments.ts';
import { createWebhook } from '../../../../src/service/domain/webhooks.ts';
import { backupDatabase, restoreDatabase } from '../../../../src/service/maintenance/backup.ts';
import { checkDatabase } from '../../../../src/service/maintenance/check.ts';
import { createTestFolder } from '../../../support/database.ts';
import { openTestSalon, type TestSalon } from '../../../support/salon.ts';

let salon: TestSalon;
beforeEach(async () => {
  salon = await openTestSalon();
  const context = salon.as();
  await createWebhook(context, { url: 'https://shop.example/hook' });
  const appointment = await salon.addAppointment();
  await updateAppointment(context, appointment, { change: { notes: 'Window seat' } });
  await createPayment(context, { appointment_id: appointment, amount: 500, currency: 'EUR', method: 'cash' });
  for (let count = 0; count < 40; count += 1) await salon.addClient({ first_name: `Ana ${count}` });
  await deleteClient(context, await salon.addClient(), { force: false });
  return () => salon[Symbol.asyncDispose]();
});

async function findProblems(): Promise<string[]> {
  const results = await checkDatabase(salon.store.file);
  return results.flatMap(({ check, problems }) => problems.map((problem) => `${check}: ${problem}`));
}

/** Changes the database as nothing but a bug or a person would. */
function damage(text: string): void {
  using raw = new DatabaseSync(salon.store.file, { enableForeignKeyConstraints: false });
  raw.exec(text);
}

function zeroEnd(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0, bytes.length / 2));
}

describe('a check', () => {
  it('passes for a salon in use', async () => {
    const results = await checkDatabase(salon.store.file);
    expect(results).toEqual(
      ['storage', 'counters', 'stored bytes', 'records', 'paid amounts', 'references', 'audit log'].map(
        (check) => ({
          ...{ check, status: 'passed', problems: [] },
        }),
      ),
    );
  });

  it.each([
    [
      "update collections set total = total + 1 where name = 'clients'",
      /counters: acc_\w+: the total of clients is \d+, but there are \d+\./,
    ],
    [
      "update collections set last_seq = 1 where name = 'clients'",
      /counters: .* the last position of clients is 1, but/,
    ],
    ["delete from collections where name = 'payments'", /counters: acc_\w+ has no counters for payments\./],
    [
      "update appointments set status = 'completed'",
      /records: acc_\w+, apt_\w+: status differ from the record\./,
    ],
    ["update clients set record = '{' where seq = 3", /records: .* the record is not a JSON object/],
    ["update clients set search = 'zoe' where seq = 3", /records: acc_\w+, cli_\w+: search differ/],
    [
      "update payments set appointment_id = 'apt_gone'",
      /references: 1 row of payments refer to appointments that do not exist/,
    ],
    ['delete from stylists', /references: 1 row of appointments refer to stylists that do not exist/],
    [
      'delete from events',
      /references: 1 row of deliveries refer to events|references: \d+ rows of deliveries refer to events/,
    ],
    ['delete from accounts', /storage: \d+ rows of \w+ refer to missing accounts/],
    ["update audit_entries set hash = 'x' where seq = 2", /./],
    [
      "insert into client_search (client_search, rowid, search) select 'delete', row, search from clients where seq = 3",
      /storage: The search index lacks 1 of the clients/,
    ],
  ])('finds what this has damaged: %s', async (text, expected) => {
    damage(`drop trigger if exists audit_entries_unchanged; ${text}`);
    expect((await findProblems()).join('\n')).toMatch(expected);
  });

  it('reads a database in which others write, and changes nothing', async () => {
    const before = statSync(salon.store.file).mtimeMs;
    const checking = checkDatabase(salon.store.file);
    const adding = Array.from({ length: 20 }, () => salon.addClient());
    expect((await checking).every(({ status }) => status === 'passed')).toBe(true);
    await Promise.all(adding);
    expect(statSync(salon.store.file).mtimeMs).toBeGreaterThanOrEqual(before);
  });

  it.each([
    ['is truncated', (file: string) => truncateSync(file, statSync(file).size - 40_960)],
    ['ends in zeros', zeroEnd],
  ])('finds damage in a file that %s, and a backup of it names the file', async (_, ruin) => {
    const { file, database } = salon.store;
    await database.close();
    ruin(file);
    const [storage, ...others] = await checkDatabase(file);
    expect(storage).toMatchObject({ check: 'storage', status: 'failed' });
    expect(others.map(({ status }) => status)).toEqual(Array(6).fill('skipped'));
    await expect(backupDatabase(file, `${file}.copy`, {})).rejects.toMatchObject({
      message: expect.stringContaining(`${file} is damaged`),
    });
    expect(existsSync(`${file}.copy`)).toBe(false);
  });

  it.each([
    ['a missing file', () => {}],
    ['an empty file', (file: string) => writeFileSync(file, '')],
    ['a text', (file: string) => writeFileSync(file, 'x'.repeat(5000))],
    ['a folder', (file: string) => mkdirSync(file)],
  ])('refuses %s', async (_, prepare) => {
    using folder = createTestFolder();
    const file = join(folder.path, 'salon.db');
    prepare(file);
    await expect(checkDatabase(file)).rejects.toMatchObject({
      code: expect.stringMatching(/usage|service_unavailable/),
    });
    rmSync(file, { force: true, recursive: true });
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe('a restore', () => {
  it('refuses a backup with wrong counters, and creates nothing', async () => {
    damage("update collections set total = 0 where name = 'clients'");
    using folder = createTestFolder();
    const restoring = restoreDatabase(salon.store.file, join(folder.path, 'salon.db'), {
      ...salon.environment,
      env: {},
    });
    await expect(restoring).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('the total of clients is 0'),
    });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('counts the secrets whose key is missing', async () => {
    using folder = createTestFolder();
    const location = join(folder.path, 'salon.db');
    const options = { ...salon.environment, env: {} };
    const restored = await restoreDatabase(salon.store.file, location, options);
    expect(restored).toEqual({
      database: location,
      accounts: 1,
      unreadable: 1,
      missingKeys: [expect.stringMatching(/^[0-9a-f]{8}$/)],
    });
    expect(await checkDatabase(location)).toEqual(await checkDatabase(salon.store.file));
    await expect(restoreDatabase(salon.store.file, location, options)).rejects.toMatchObject({
      code: 'usage',
      message: `${location} already exists.`,
    });
  });
});
