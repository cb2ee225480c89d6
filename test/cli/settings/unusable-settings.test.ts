import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/service/db/database.ts';
import { saveSalonSettings } from '../../../src/service/db/identity/accounts.ts';
import { createMachine, type RunOptions } from '../../support/io.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ appointments: 3 });
});
afterAll(() => service[Symbol.asyncDispose]());

/** Settings that an earlier or a later version accepted. */
async function store(settings: object): Promise<void> {
  await using database = await openDatabase(service.database);
  await database.transaction({ accountId: service.id }, (tx) =>
    saveSalonSettings(tx, service.id, JSON.stringify(settings)),
  );
}

const allUnusable = { time_zone: 'Mars/Base', currency: 'KUNA', country: 'QQ', opening_hours: 'always' };

/** A machine with a profile that keeps these settings of the salon; `isRead`: a key alone, so that they are read. */
async function openMachine({ isRead = false } = {}) {
  const { origin, keys } = service;
  if (isRead) return createMachine({ env: { SALON_BASE_URL: origin, SALON_API_KEY: keys.owner } });
  const machine = createMachine({ env: { SALON_NO_KEYRING: '1' } });
  await machine.salon(['auth', 'login', '--base-url', origin, '--with-key'], { stdin: keys.owner });
  return machine;
}

const terminal: RunOptions = { columns: 120, asksForZone: true };

describe.each([{ isRead: false }, { isRead: true }])(
  'unknown settings of a salon, read with the key: $isRead',
  (from) => {
    let machine: Awaited<ReturnType<typeof openMachine>>;
    beforeAll(async () => {
      await store(allUnusable);
      machine = await openMachine(from);
    });
    afterAll(() => machine[Symbol.dispose]());
    const salon = (argv: string) => machine.salon(argv.split(' '), terminal);

    it.each([
      'whoami',
      'whoami --check',
      'settings show',
      'settings set phone +4930123456',
      'api GET /salon',
      'doctor',
      'profiles list',
      'profiles show',
      'clients list --no-pager',
      'clients list -f csv',
      'appointments list --json',
      'appointments list -f csv',
      'stylists list --no-pager',
    ])('do not fail %s', async (argv) => {
      const { exitCode, stderr } = await salon(argv);
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    });

    const zone = /^error: The salon's time_zone needs a time zone, not "Mars\/Base"\.$/m;
    it.each([
      ['appointments list --no-pager', zone],
      ['appointments list -f csv --excel', zone],
      ['appointments list --from tomorrow', zone],
      ['free tomorrow', zone],
      [
        'services create --set name=Cut --set duration=30 --set price=20',
        /^error: The salon's currency must be .*; "KUNA" is not\.$/m,
      ],
    ])('fail %s in one sentence that says how to correct them', async (argv, sentence) => {
      const { exitCode, stderr, stdout } = await salon(argv);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(sentence);
      expect(stderr).toMatch(/To correct it: salon settings set (time_zone|currency) <value>/);
    });
  },
);

describe('an unknown country', () => {
  it.each([{ isRead: false }, { isRead: true }])(
    'fails a list with phone numbers alone: %j',
    async (from) => {
      await store({ country: 'QQ' });
      using machine = await openMachine(from);
      writeFileSync(join(machine.home, 'new.csv'), 'First name,Phone\nAna,0171 2345678\n');
      writeFileSync(join(machine.home, 'names.csv'), 'First name\nAna\n');
      const create = (file: string) => machine.salon(['clients', 'create', '--dry-run', '--file', file]);
      const { exitCode, stderr } = await create('new.csv');
      expect(exitCode).toBe(2);
      expect(stderr).toContain(
        `error: The salon's country must be an ISO 3166 code, such as DE; "QQ" is not.`,
      );
      expect(stderr).toContain('To correct it: salon settings set country <value>');
      expect(await create('names.csv')).toMatchObject({ exitCode: 0 });
    },
  );
});

describe('a salon with a withdrawn currency', () => {
  it('can be used and repaired', async () => {
    await store({ time_zone: 'Europe/Zagreb', currency: 'HRK' });
    using machine = await openMachine();
    const salon = (argv: string) => machine.salon(argv.split(' '), terminal);
    const added = await salon('services create --set name=Cut --set duration=30 --set price=20 --json');
    expect(JSON.parse(added.stdout)).toMatchObject({ price: 2000 });
    expect((await salon('services list --no-pager')).stdout).toContain('20.00 HRK');
    const fixed = await salon('settings set currency EUR');
    expect(fixed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('there are prices in HRK') });
    await store({ time_zone: 'Europe/Zagreb', currency: 'HRK' });
  });
});

describe('a currency', () => {
  it.each([
    ['HRK', 'EUR'],
    ['BGN', 'EUR'],
    ['ANG', 'XCG'],
    ['SLL', 'SLE'],
    ['CUC', 'CUP'],
    ['ZWL', 'ZWG'],
  ])('%s is refused for %s, by the command line and by the service', async (code, successor) => {
    using machine = await openMachine({ isRead: true });
    const sentence = `"${code}" was withdrawn, and ${successor} replaced it.`;
    const set = await machine.salon(['settings', 'set', 'currency', code]);
    expect(set).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(sentence) });
    const data = JSON.stringify({ currency: code });
    const sent = await machine.salon(['api', 'PATCH', '/salon', '--data', data]);
    expect(sent).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(sentence) });
    const saved = await machine.salon(['profiles', 'set', 'default', 'currency', code]);
    expect(saved).toMatchObject({ exitCode: 2 });
  });
});
