import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../support/io.ts';
import { openSharedService, type SharedService } from '../support/service.ts';

it('signs in to a new profile at a terminal', async () => {
  const service = await openSharedService();
  using machine = createMachine();
  await machine.salon(['auth', 'login', '--base-url', service.origin], { stdin: service.keys.owner });
  const argv = ['auth', 'login', '-p', 'second', '--base-url', service.origin, '--with-key', '--plain'];
  const ran = await machine.salon(argv, { columns: 80, stdin: `${service.keys.viewer}\n` });
  expect(ran.stderr).toContain('Now using profile second.');
  expect(ran.exitCode).toBe(0);
});

it('asks for the name of a protected account until it is right', async () => {
  const service = await openSharedService();
  using machine = createMachine();
  const login = ['auth', 'login', '--base-url', service.origin, '--set', 'protected=true'];
  await machine.salon(login, { stdin: service.keys.owner });
  const argv = ['clients', 'create', '--set', 'first_name=Zoe', '--plain'];
  const ran = await machine.salon(argv, { columns: 80, stdin: 'Luna\nTest salon\n' });
  expect(ran.stderr).toContain('The account is Test salon, not Luna.');
  expect(ran.stderr).toContain('Added client Zoe (cli_');
  expect(ran.exitCode).toBe(0);
});

describe('an environment variable that wins over a stored sign-in', () => {
  let service: SharedService;
  let machine: Machine;
  beforeEach(async () => {
    service = await openSharedService();
    machine = createMachine();
  });
  afterEach(async () => {
    machine[Symbol.dispose]();
  });

  const login = (argv: readonly string[], env: Readonly<Record<string, string>>) =>
    machine.salon(['auth', 'login', ...argv], { stdin: service.keys.owner, env });

  it.each(['SALON_API_KEY', 'SALON_API_KEY_FILE'])('is named by every command: %s', async (variable) => {
    const file = join(machine.home, 'key');
    writeFileSync(file, `slk_${'0'.repeat(36)}`, { mode: 0o600 });
    const env = { [variable]: variable === 'SALON_API_KEY' ? 'bad' : file };
    const signedIn = await login(['--base-url', service.origin], env);
    expect(signedIn.exitCode).toBe(0);
    expect(signedIn.stderr).toContain(
      `warning: ${variable} is set, so commands without --profile use that key instead.`,
    );
    expect(signedIn.stderr).toContain(
      `Saved as profile default. To use it, add -p default, or unset ${variable}.`,
    );
    expect(signedIn.stderr).not.toContain('Now using');
    for (const line of ['clients list', 'auth status']) {
      const ran = await machine.salon(line.split(' '), { env });
      expect(ran).toMatchObject({
        exitCode: 4,
        stderr: expect.stringContaining(`The key comes from ${variable}, which wins over a stored sign-in.`),
      });
    }
    const checked = await machine.salon(['doctor', '--json'], { env });
    expect(checked.exitCode).toBe(4);
    const found = JSON.parse(checked.stdout).map(
      ({ check, status, hint }: Record<string, string>) => `${check} ${status} ${hint}`,
    );
    expect(found).toContainEqual(
      `settings warning ${variable} wins over the stored sign-in. To use that, unset ${variable}.`,
    );
    expect(found).toContainEqual(expect.stringContaining(`key problem The key comes from ${variable}`));
    expect((await machine.salon(['clients', 'list'])).exitCode).toBe(0);
  });

  it('is named where its key cannot be sent, and both where two are set', async () => {
    const file = join(machine.home, 'key');
    writeFileSync(file, 'c d', { mode: 0o600 });
    const both = { SALON_API_KEY: 'a b', SALON_API_KEY_FILE: file };
    const signedIn = await login(['--base-url', service.origin], both);
    const unset = 'unset SALON_API_KEY and SALON_API_KEY_FILE.';
    expect(signedIn.stderr).toContain(`Saved as profile default. To use it, add -p default, or ${unset}`);
    expect(JSON.stringify((await machine.salon(['doctor', '--json'], { env: both })).stdout)).toContain(
      unset,
    );
    for (const [env, named] of [
      [both, 'SALON_API_KEY'],
      [{ SALON_API_KEY_FILE: file }, 'SALON_API_KEY_FILE'],
    ] as const) {
      const ran = await machine.salon(['clients', 'list'], { env });
      const sentence = `error: The API key in ${named} is empty or contains invalid characters.`;
      expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(sentence) });
    }
  });

  it('is named by whoami, which leaves out the stored account, and by logout', async () => {
    await login(['--base-url', service.origin], {});
    const env = { SALON_API_KEY: 'bad' };
    const ran = await machine.salon(['whoami', '--json'], { env });
    expect(ran).toMatchObject({
      exitCode: 0,
      stderr: 'The key comes from SALON_API_KEY. To ask for its account: salon whoami --check\n',
    });
    expect(JSON.parse(ran.stdout)).toMatchObject({ profile: 'default', account: null, role: null });
    const still = 'SALON_API_KEY is still set, and commands use its key.';
    const out = await machine.salon(['auth', 'logout'], { env });
    expect(out.stderr).toBe(`Removed the API key of profile default. ${still}\n`);
    expect((await machine.salon(['auth', 'logout'])).stderr).not.toContain(still);
  });

  it('is told by status with a key that is accepted', async () => {
    const env = { SALON_API_KEY: service.keys.owner, SALON_BASE_URL: service.origin };
    const ran = await machine.salon(['auth', 'status'], { env });
    expect(ran).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('from SALON_API_KEY, which wins over a stored sign-in'),
    });
  });

  it('is named where it chooses another profile or address', async () => {
    const first = await login(['--base-url', service.origin, '-p', 'shop', '--json'], {
      SALON_PROFILE: 'other',
    });
    expect(JSON.parse(first.stdout)).toMatchObject({ profile: 'shop', overridden_by: ['SALON_PROFILE'] });
    expect(first.stderr).toContain(
      'SALON_PROFILE is set, so commands without --profile use the profile other.',
    );
    const unknown = await machine.salon(['clients', 'list'], { env: { SALON_PROFILE: 'other' } });
    expect(unknown).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('No profile named "other", which SALON_PROFILE names.'),
    });
    const elsewhere = { SALON_BASE_URL: 'https://else.example' };
    const second = await login(['--base-url', service.origin, '-p', 'shop'], elsewhere);
    expect(second.stderr).toContain(
      'SALON_BASE_URL is set, so commands without --profile connect to https://else.example.',
    );
    expect(await machine.salon(['clients', 'list'], { env: elsewhere })).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('not to https://else.example, which SALON_BASE_URL names.'),
    });
    const checked = await machine.salon(['doctor'], { env: elsewhere });
    expect(checked.stdout).toContain('base URL https://else.example from SALON_BASE_URL');
  });

  it('is not named for a key that is refused while signing in', async () => {
    const env = { SALON_API_KEY: service.keys.owner };
    const argv = ['auth', 'login', '--base-url', service.origin];
    const ran = await machine.salon(argv, { stdin: `slk_${'0'.repeat(36)}`, env });
    expect(ran.exitCode).toBe(4);
    expect(ran.stderr).not.toContain('SALON_API_KEY');
  });
});
