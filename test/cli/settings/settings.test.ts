import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

async function salon(argv: string, key = service.keys.owner) {
  using machine = createMachine({ env: { SALON_BASE_URL: service.origin, SALON_API_KEY: key } });
  return await machine.salon(argv.split(' '));
}

describe('salon settings', () => {
  it('are set one at a time, in words without quotes, and shown', async () => {
    expect(await salon('settings set opening_hours tue-fri 9-18, sat 9-14')).toMatchObject({ exitCode: 0 });
    const { stdout } = await salon('settings show --json');
    expect(JSON.parse(stdout)).toMatchObject({ opening_hours: 'tue-fri 09:00-18:00, sat 09:00-14:00' });
    expect(await salon('settings set opening_hours none')).toMatchObject({ exitCode: 0 });
    expect(JSON.parse((await salon('settings show --json')).stdout)).toMatchObject({ opening_hours: null });
  });

  it('stay as they are after a dry run, an unknown setting and one without the right', async () => {
    const before = (await salon('settings show --json')).stdout;
    const dryRun = await salon('settings set currency EUR --dry-run --json');
    expect(JSON.parse(dryRun.stdout)).toEqual([{ field: 'currency', old: null, new: 'EUR' }]);
    expect(await salon('settings set currency euros -n')).toMatchObject({ exitCode: 1 });
    expect(await salon('settings set currency EUR', service.keys.receptionist)).toMatchObject({
      exitCode: 10,
    });
    const unknown = await salon('settings set curency EUR');
    expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Did you mean currency?') });
    expect((await salon('settings show --json')).stdout).toBe(before);
  });
});

describe('commands of a profile', () => {
  it('use the time zone and hours of the salon, unless the profile has its own', async () => {
    using machine = createMachine({ env: { SALON_NO_KEYRING: '1' }, timeZone: 'UTC' });
    const run = async (argv: string) => {
      const result = await machine.salon(argv.split(' '));
      expect(result.exitCode, result.stderr).toBe(0);
      return result.stdout;
    };
    const read = async (setting: string) => {
      const rows: { setting: string }[] = JSON.parse(await run('profiles show --json'));
      return rows.find((row) => row.setting === setting);
    };
    await salon('settings set time_zone Asia/Tokyo');
    const login = ['auth', 'login', '--base-url', service.origin, '--with-key'];
    await machine.salon(login, { stdin: service.keys.owner });
    expect(await read('time_zone')).toMatchObject({ value: 'Asia/Tokyo', from: 'salon' });
    await run('settings set time_zone Europe/Rome');
    await run('settings set opening_hours mon-fri 9-18');
    expect(await read('time_zone')).toMatchObject({ value: 'Europe/Rome', from: 'salon' });
    expect(await read('opening_hours')).toMatchObject({ value: 'mon-fri 09:00-18:00', from: 'salon' });
    await salon('settings set time_zone Asia/Tokyo');
    await run('settings show');
    expect(await read('time_zone')).toMatchObject({ value: 'Asia/Tokyo', from: 'salon' });
    await run('profiles set default time_zone Europe/Berlin');
    expect(await read('time_zone')).toMatchObject({ value: 'Europe/Berlin', from: 'profile' });
  });
});
