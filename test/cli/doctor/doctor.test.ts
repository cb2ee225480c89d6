import { chmodSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyDemo } from '../../support/demo.ts';
import { diagnose, diagnoseOn } from '../../support/diagnose.ts';
import { createMachine } from '../../support/io.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

const key = { SALON_API_KEY: 'slk_test' };

describe('the doctor', () => {
  it('finds nothing wrong with a service that works', async () => {
    const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.manager };
    const { exitCode, checks, find } = await diagnose({ env, asksForZone: true });
    expect(exitCode).toBe(0);
    expect(checks.map(({ check, status }) => `${check} ${status}`)).toEqual([
      ...['versions ok', 'config skipped', 'data skipped', 'profile ok', 'settings ok'],
      ...[
        'proxy ok',
        'dns skipped',
        'tcp ok',
        'service ok',
        'clock ok',
        'zone skipped',
        'key ok',
        'limits ok',
      ],
    ]);
    expect(find('key')?.message).toBe('Accepted as manager of Test salon (pro)');
    expect(find('settings')?.details).toEqual({ key: 'environment', format: 'flag' });
    expect(find('service')?.details).toEqual({ prefix: '/api/v1', differs_in: [] });
  });

  it('says what it did not check, and does not say that it works', async () => {
    using machine = createMachine();
    const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.manager };
    const { stdout } = await machine.salon(['doctor', '-f', 'table'], { env });
    expect(stdout).toMatch(/– config +Not checked:/);
    expect(stdout).toContain('Everything that was checked works.');
    const { SALON_API_KEY: _, ...unsigned } = env;
    const { checks } = await diagnoseOn(machine, { env: unsigned });
    expect(checks.slice(-2)).toMatchObject([
      { check: 'key', status: 'problem' },
      { check: 'service', status: 'skipped', message: 'Not checked' },
    ]);
  });

  it('changes nothing on the server', async () => {
    await using server = await openMisbehavingServer(() =>
      json({ data: [], pagination: { page: 1, per_page: 1, total: 0 } }),
    );
    await diagnose({ env: { ...key, SALON_BASE_URL: server.origin } });
    expect(new Set(server.received.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it('says what to do without a profile, and which profiles there are', async () => {
    using machine = createMachine();
    const { exitCode, checks } = await diagnoseOn(machine);
    expect({ exitCode, last: checks.at(-1) }).toMatchObject({ exitCode: 2, last: { check: 'settings' } });
    const unknown = await machine.salon(['doctor', '-p', 'shop', '--json']);
    expect(unknown.exitCode).toBe(2);
    expect(JSON.parse(unknown.stdout).at(-1)).toMatchObject({ check: 'profile', status: 'problem' });
  });

  it.each([
    [[], /^check\tstatus\tmessage\thint\nversions\tok\t/],
    [['-f', 'csv'], /^check,status,message,hint\nversions,ok,/],
    [['-f', 'ndjson'], /^\{"check":"versions","status":"ok"/],
  ])('keeps the format %j where not even the settings can be read', async (flags, start) => {
    using machine = createMachine();
    const { exitCode, stdout } = await machine.salon(['doctor', '--timeout', 'soon', ...flags]);
    expect({ exitCode, stdout: stdout.replaceAll('\r', '') }).toEqual({
      exitCode: 2,
      stdout: expect.stringMatching(start),
    });
  });

  it('says that there is no key', async () => {
    const { exitCode, find } = await diagnose({ env: { SALON_BASE_URL: service.origin } });
    expect({ exitCode, key: find('key') }).toMatchObject({ exitCode: 4, key: { status: 'problem' } });
  });

  it('warns of folders that others can read', async () => {
    using machine = createMachine();
    mkdirSync(join(machine.home, '.local/share/salon'), { recursive: true });
    chmodSync(join(machine.home, '.local/share/salon'), 0o755);
    const { find } = await diagnoseOn(machine);
    expect(find('data')).toMatchObject({
      status: 'warning',
      hint: expect.stringMatching(/^Run: chmod 700 /),
    });
  });

  it('names a data folder that cannot be created', async () => {
    using machine = createMachine();
    writeFileSync(join(machine.home, 'file'), '');
    const env = { SALON_DATA_DIR: 'file/data', SALON_BASE_URL: 'embedded:demo', SALON_API_KEY: 'slk_test' };
    const { exitCode, find } = await diagnoseOn(machine, { env });
    expect({ exitCode, database: find('database') }).toMatchObject({
      exitCode: 5,
      database: { status: 'problem', message: expect.stringContaining('part of its path is not a folder') },
    });
  });

  it('names a folder that is a file', async () => {
    using machine = createMachine();
    writeFileSync(join(machine.home, 'file'), '');
    const { exitCode, find } = await diagnoseOn(machine, { env: { SALON_DATA_DIR: 'file' } });
    expect({ exitCode, data: find('data')?.message }).toMatchObject({
      exitCode: 2,
      data: expect.stringContaining('is not a folder'),
    });
  });
});

describe('the doctor on an embedded salon', () => {
  async function openSalon() {
    const machine = createMachine();
    await copyDemo(machine.home);
    return {
      machine,
      file: join(machine.home, '.local/share/salon/demo.db'),
      [Symbol.dispose]: () => machine[Symbol.dispose](),
    };
  }

  it('checks its database', async () => {
    using salon = await openSalon();
    // A proxy that cannot be used shows that none is.
    const { exitCode, find } = await diagnoseOn(salon.machine, {
      env: { ALL_PROXY: 'socks5://127.0.0.1:1' },
    });
    expect({ exitCode, database: find('database') }).toMatchObject({
      exitCode: 0,
      database: { status: 'ok', details: { path: salon.file, mode: '600' } },
    });
    chmodSync(salon.file, 0o644);
    expect((await diagnoseOn(salon.machine)).find('database')).toMatchObject({
      status: 'warning',
      hint: `Run: chmod 600 ${salon.file}`,
    });
    const pages = readFileSync(salon.file);
    pages.fill(0x5a, 8192, 40_960);
    writeFileSync(salon.file, pages);
    const damaged = await diagnoseOn(salon.machine);
    expect({ exitCode: damaged.exitCode, database: damaged.find('database') }).toMatchObject({
      exitCode: 1,
      database: { status: 'problem', message: expect.stringContaining('is damaged: ') },
    });
    expect(damaged.find('service')?.status).toBe('skipped');
    truncateSync(salon.file, 10_000);
    expect((await diagnoseOn(salon.machine)).exitCode).toBe(1);
  });
});

describe('the doctor at a terminal', () => {
  it.each([40, 80])('fits %i columns, and shows what to do below each problem', async (columns) => {
    using machine = createMachine({ env: { ...key, SALON_BASE_URL: 'https://salon.invalid' }, columns });
    const { stdout } = await machine.salon(['doctor', '--no-color']);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(stdout).toMatch(/\n✗ dns +salon\.invalid was not\s+found\n {14}Check the host/);
    expect(stdout).toMatch(/\n1 problem\.\n$/);
  });

  it('uses words for a screen reader', async () => {
    using machine = createMachine({ env: { ...key, SALON_BASE_URL: 'https://salon.invalid' }, columns: 80 });
    const { stdout } = await machine.salon(['doctor', '--plain']);
    expect(stdout).toContain('problem: dns: salon.invalid was not found. Check the host name');
    expect(stdout).not.toMatch(/[✓✗–]/);
  });
});
