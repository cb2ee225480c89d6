import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../src/cli/io.ts';
import { isInstalled } from '../support/gateway-process.ts';
import { findReleasedExecutable } from '../support/released-executable.ts';
import { isLong } from '../support/speed.ts';

describe.skipIf(!isLong || !isInstalled('bwrap'))('the executable on a machine without Node', () => {
  let home: string;
  let sandbox: readonly string[];
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'salon-executable-'));
    const readOnly = ['/lib', '/lib64', '/usr/lib'].filter((path) => existsSync(path));
    sandbox = [
      ...['--ro-bind', findReleasedExecutable(), '/bin/salon', '--bind', home, '/home', '--chdir', '/home'],
      ...readOnly.flatMap((path) => ['--ro-bind', path, path]),
      ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--die-with-parent'],
      ...['--clearenv', '--setenv', 'HOME', '/home', '--setenv', 'PATH', '/bin', '/bin/salon'],
    ];
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  function salon(line: string): string {
    const ran = spawnSync('bwrap', [...sandbox, ...line.split(' ')], { encoding: 'utf8' });
    expect(ran, line).toMatchObject({ status: 0 });
    return ran.stdout + ran.stderr;
  }
  const read = (name: string) => readFileSync(join(home, name), 'utf8');

  it('knows its version', () => {
    expect(salon('--version')).toBe(`${version}\n`);
  });

  it('lists, exports and prints the sample salon', () => {
    expect(salon('demo')).toContain('20,000 appointments');
    expect(salon('clients list --limit 3 -f csv').split('\n')).toHaveLength(6);
    salon('appointments list -o appointments.csv --manifest');
    expect(read('appointments.csv').split('\n')).toHaveLength(20_002);
    expect(JSON.parse(read('appointments.csv.manifest.json'))).toMatchObject({ rows: 20_000 });
    salon('clients list -o clients.xlsx');
    expect(readFileSync(join(home, 'clients.xlsx')).subarray(0, 2).toString()).toBe('PK');
    salon('calendar tomorrow -o day.html');
    expect(read('day.html')).toContain('</html>');
    expect(salon('completion bash')).toContain('_salon()');
  });

  it('changes clients from a sheet and undoes it', () => {
    const [row] = JSON.parse(salon('clients list --limit 1 --json -q')) as { id: string; notes: string }[];
    writeFileSync(join(home, 'edit.csv'), `id,notes\n${row?.id},From a machine without Node\n`);
    salon('clients update --file edit.csv --yes');
    expect(salon(`clients get ${row?.id} --json`)).toContain('From a machine without Node');
    const [job] = JSON.parse(salon('jobs list --json -q')) as { id: string }[];
    salon(`jobs undo ${job?.id} --yes`);
    expect(salon(`clients get ${row?.id} --json`)).not.toContain('From a machine without Node');
  });

  it('serves the API and its pages with several processes, which SIGUSR2 replaces', async () => {
    salon('server account create --name Aurora --database sqlite:/home/own.db');
    const argv = 'server start --port 0 --workers 2 --database sqlite:/home/own.db'.split(' ');
    const service = spawn('bwrap', [...sandbox, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(service, 'close');
    let log = '';
    service.stderr.on('data', (chunk: Buffer) => {
      log += chunk;
    });
    const [line] = (await once(service.stdout, 'data')) as [Buffer];
    const origin = line.toString().trim();
    const paths = [
      '/readyz',
      '/docs/swagger-ui-bundle.js',
      '/sign-in',
      '/.well-known/oauth-authorization-server',
    ];
    const statuses = await Promise.all(paths.map(async (path) => (await fetch(`${origin}${path}`)).status));
    expect(statuses).toEqual([200, 200, 200, 200]);

    const primary = findChild(service.pid ?? 0);
    process.kill(primary, 'SIGUSR2');
    await expect.poll(() => log, { timeout: 120_000, interval: 100 }).toContain('workers restarted');
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    process.kill(primary, 'SIGTERM');
    await ended;
  });
});

/** The process that bwrap runs. */
function findChild(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return Number(children.split(' ')[0]);
}
