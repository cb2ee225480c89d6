import { describe, expect, it } from 'vitest';
import { version } from '../../src/cli/io.ts';
import { findFreePort } from '../support/free-port.ts';
import { createMachine } from '../support/io.ts';
import { openReleaseServer } from '../support/release-server.ts';

describe('salon upgrade', () => {
  it('does not exist where releases are published nowhere', async () => {
    using machine = createMachine();
    expect(await machine.salon(['upgrade'])).toMatchObject({ exitCode: 2, stdout: '' });
    expect((await machine.salon(['--help'])).stdout).not.toContain('upgrade');
  });

  it('shows how to upgrade each kind of installation, and sends nothing', async () => {
    await using server = await openReleaseServer({});
    using machine = createMachine({ releaseUrl: server.url });
    const { stdout } = await machine.salon(['upgrade']);
    expect(stdout).toContain(`npm install -g ${server.url}/salon-<version>.tgz`);
    expect(stdout).toContain(`curl -fsSL ${server.url}/install.sh | sh`);
    expect(stdout).toContain(`irm ${server.url}/install.ps1 | iex`);
    expect(server.requests).toEqual([]);
  });

  it('is the only command that asks for newer versions', async () => {
    await using server = await openReleaseServer({});
    using machine = createMachine({ releaseUrl: server.url });
    for (const argv of [['--version'], ['--help'], ['help', 'upgrade'], ['doctor'], ['profiles', 'list']])
      await machine.salon(argv);
    expect(server.requests).toEqual([]);
  });
});

describe('salon upgrade --check', () => {
  it.each([
    ['99.0.0', true],
    ['99.0.0-rc.1', true],
    [version, false],
    ['0.0.9', false],
    ['0.0.9-rc.12', false],
  ])('with release %s finds a newer version: %s', async (newest, upgradable) => {
    await using server = await openReleaseServer({
      [`salon-${newest}.tgz`]: '',
      [`salon-${newest}-linux-x64`]: '',
    });
    using machine = createMachine({ releaseUrl: server.url });
    const ran = await machine.salon(['upgrade', '--check', '--json']);
    expect(JSON.parse(ran.stdout)).toEqual({ installed: version, newest, upgradable });
    expect(ran.exitCode).toBe(0);
    expect(server.requests).toEqual(['/SHA256SUMS']);
  });

  it('tells people what is there and how to get it', async () => {
    await using server = await openReleaseServer({ 'salon-99.1.0.tgz': '' });
    using machine = createMachine({ releaseUrl: server.url });
    const ran = await machine.salon(['upgrade', '--check'], { columns: 80 });
    expect(ran.stderr).toContain(`salon 99.1.0 is available; ${version} is installed. To upgrade:\n`);
  });

  it.each<[answer: string, files: Record<string, string>, error: object]>([
    ['a page of the network', { SHA256SUMS: '<html>' }, { code: 'unexpected_response' }],
    ['no release', { SHA256SUMS: '' }, { code: 'unexpected_response' }],
  ])('fails on %s', async (_answer, files, error) => {
    await using server = await openReleaseServer(files);
    using machine = createMachine({ releaseUrl: server.url });
    const ran = await machine.salon(['upgrade', '--check', '--json']);
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(JSON.parse(ran.stderr)).toMatchObject(error);
  });

  it('follows redirects, but not for ever', async () => {
    await using release = await openReleaseServer({ 'salon-99.1.0.tgz': '' });
    await using latest = await openReleaseServer({}, (path) => `${release.url}${path}`);
    await using endless = await openReleaseServer({}, (path) => `${path}/`);
    const check = async (releaseUrl: string) => {
      using machine = createMachine({ releaseUrl });
      return machine.salon(['upgrade', '--check', '--json']);
    };
    expect(JSON.parse((await check(latest.url)).stdout)).toMatchObject({ newest: '99.1.0' });
    expect(await check(endless.url)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('redirects more than'),
    });
    expect(endless.requests).toHaveLength(6);
  });

  it('sends no key', async () => {
    await using server = await openReleaseServer({ 'salon-99.1.0.tgz': '' });
    using machine = createMachine({
      releaseUrl: server.url,
      env: { SALON_API_KEY: 'slk_secret', SALON_BASE_URL: server.url },
    });
    expect(await machine.salon(['upgrade', '--check'])).toMatchObject({ exitCode: 0 });
    expect(server.sawKey()).toBe(false);
  });

  it('says that the server cannot be reached', async () => {
    const releaseUrl = `http://127.0.0.1:${await findFreePort()}`;
    using machine = createMachine({ releaseUrl });
    const ran = await machine.salon(['upgrade', '--check', '--json']);
    expect(ran.exitCode).toBe(5);
    expect(JSON.parse(ran.stderr)).toMatchObject({ code: 'connection_failed' });
  });
});
