import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyDemo } from '../support/demo.ts';
import { createHome, finish, type Home, launcher, runSalon, startSalon } from '../support/salon-process.ts';
import { until } from '../support/until.ts';

let home: Home;
let server: Server;
let env: Readonly<Record<string, string>>;
const slow: ServerResponse[] = [];

/** 2,000 clients in pages of 200, far more than a pipe holds. Requests below /slow wait. */
beforeAll(async () => {
  home = createHome();
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    if (url.pathname.startsWith('/slow')) return void slow.push(response);
    const page = Number(url.searchParams.get('page') ?? 1);
    const data = Array.from({ length: page <= 10 ? 200 : 0 }, (_, index) => ({
      id: `cli_${page}_${index}`,
      first_name: 'Ana',
      notes: 'n'.repeat(400),
    }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data, pagination: { page, per_page: 200, total: 2000 } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  env = { SALON_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, SALON_API_KEY: 'k' };
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  home[Symbol.dispose]();
});

describe('the built program', () => {
  /** With the sample salon. */
  let own: Home;
  beforeAll(async () => {
    own = createHome();
    await copyDemo(own.folder);
  });
  afterAll(() => own[Symbol.dispose]());

  it('writes everything into a pipe, however slowly it is read', async () => {
    const child = startSalon(['clients', 'list', '-f', 'json'], { home, env });
    child.stdout?.pause();
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.stdout?.resume();
    const { exitCode, stdout } = await finish(child);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(2000);
  });

  it('succeeds when the reader closes the pipe early', async () => {
    const line = `"${process.execPath}" "${launcher}" clients list | head -1; echo "exit \${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await runShell(line);
    expect(stdout).toMatch(/^id\t.*\nexit 0\n$/);
    expect(stderr).toBe('');
  });

  it('notices a closed pipe and a full disk when the service runs in the same process', async () => {
    const list = `unset SALON_BASE_URL SALON_API_KEY; HOME='${own.folder}' "${process.execPath}" "${launcher}" clients list`;
    const closed = await runShell(`${list} -q | head -1; echo "exit \${PIPESTATUS[0]}"`);
    expect(closed).toMatchObject({ stdout: expect.stringMatching(/^id\t.*\nexit 0\n$/), stderr: '' });
    const full = await runShell(`${list} > /dev/full`);
    expect(full).toMatchObject({
      exitCode: 5,
      stderr: expect.stringMatching(/^error: Could not write the output: ENOSPC/),
    });
  });

  it('says so in a folder that no longer exists', async () => {
    const start = `mkdir gone && cd gone && rmdir ../gone && "${process.execPath}" "${launcher}"`;
    const { exitCode, stderr } = await runShell(`${start} clients list -o clients.csv`);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'error: The current folder no longer exists.\n  Change to another folder.\n',
    });
    expect(await runShell(`${start} profiles list`)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('reports a full disk', async () => {
    const line = `"${process.execPath}" "${launcher}" clients list > /dev/full`;
    const { exitCode, stderr } = await runShell(line);
    expect(exitCode).toBe(5);
    expect(stderr).toMatch(/^error: Could not write the output: ENOSPC/);
  });

  it.skipIf(process.platform === 'win32')(
    'keeps the profiles and aliases as they are on a full disk, which it names',
    async () => {
      await runSalon(['aliases', 'set', 'mine', 'clients list'], { home: own });
      // To the process, a file size limit is a full disk.
      const limited = `trap '' XFSZ; ulimit -f 40; HOME='${own.folder}' "${process.execPath}" "${launcher}"`;
      const long = `$(head -c 60000 /dev/zero | tr '\\0' x)`;
      for (const [file, command] of [
        ['config.json', `profiles set demo header.x-note ${long}`],
        ['aliases.json', `aliases set long "clients list --search ${long}"`],
      ]) {
        const path = join(own.folder, '.config/salon', file ?? '');
        const before = readFileSync(path, 'utf8');
        const { exitCode, stderr } = await runShell(`${limited} ${command}`);
        expect({ exitCode, stderr }).toEqual({
          exitCode: 5,
          stderr: `error: Cannot write ${path}: it would exceed the file size limit.\n  Free some space, or choose another path.\n`,
        });
        expect(readFileSync(path, 'utf8')).toBe(before);
        expect(existsSync(`${path}.tmp-new`)).toBe(false);
      }
    },
  );

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends at %s with exit code %i and nothing half written', async (signal, exitCode) => {
    const waiting = { ...env, SALON_BASE_URL: `${env['SALON_BASE_URL']}/slow` };
    const child = startSalon(['clients', 'list', '-o', 'clients.csv'], { home, env: waiting });
    const finished = finish(child);
    await until(() => child.exitCode !== null || slow.length > 0);
    child.kill(signal);
    await once(child.stderr ?? child, 'data');
    for (const response of slow.splice(0)) response.destroy();
    const ran = await finished;
    expect(ran).toMatchObject({ exitCode, stdout: '' });
    expect(ran.stderr).toContain('error: Interrupted.');
    expect(existsSync(`${home.folder}/clients.csv`)).toBe(false);
  });

  it('needs neither a home nor a profile if the environment has all settings', async () => {
    const ran = await runSalon(['clients', 'list', '--limit', '1', '-c', 'id'], {
      home,
      env: { ...env, HOME: '/nonexistent' },
    });
    expect(ran).toMatchObject({ exitCode: 0, stdout: 'id\ncli_1_0\n' });
  });

  it('prints its version without building anything', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await runSalon(['--version'], { home })).toMatchObject({
      exitCode: 0,
      stdout: `${version}\n`,
      stderr: '',
    });
  });
});

/** Runs a line in a real shell while this test's server keeps responding. */
function runShell(line: string) {
  return finish(
    spawn('bash', ['-c', line], { env: { ...env, HOME: home.folder }, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
}

const olderNode = ['/usr/bin/node', '/usr/local/bin/node'].find(isOlderNode);

describe.skipIf(olderNode === undefined)('an older Node', () => {
  it('starts the Node that the package installs', async () => {
    const ran = await runSalon(['clients', 'list', '--limit', '1', '-c', 'id'], {
      home,
      env,
      node: olderNode ?? '',
    });
    expect(ran).toMatchObject({ exitCode: 0, stdout: 'id\ncli_1_0\n' });
  });
});

function isOlderNode(path: string): boolean {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)/.exec(stdout ?? '')?.[1] ?? 99) < 24;
}
