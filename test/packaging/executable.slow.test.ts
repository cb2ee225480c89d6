import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../src/cli/io.ts';
import { findFreePort } from '../support/free-port.ts';
import { isInstalled } from '../support/gateway-process.ts';
import { connect, createCluster, findPostgresPrograms } from '../support/postgres-cluster.ts';
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
      ...['--clearenv', '--setenv', 'HOME', '/home', '--setenv', 'PATH', '/bin'],
    ];
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  type Env = Readonly<Record<string, string>>;
  const toArguments = (line: string, env: Env = {}) => [
    ...sandbox,
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['/bin/salon', ...line.split(' ')],
  ];

  function salon(line: string, env?: Env): string {
    const ran = spawnSync('bwrap', toArguments(line, env), { encoding: 'utf8' });
    expect(ran, line).toMatchObject({ status: 0 });
    return ran.stdout + ran.stderr;
  }

  /** Starts the service, and ends it as systemd does. */
  async function startService(flags: string, env?: Env) {
    const args = toArguments(`server start --port 0 ${flags}`, env);
    const service = spawn('bwrap', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(service, 'close');
    let log = '';
    service.stderr.on('data', (chunk: Buffer) => {
      log += chunk;
    });
    const [line] = (await once(service.stdout, 'data')) as [Buffer];
    const primary = findChild(service.pid ?? 0);
    return {
      origin: line.toString().trim(),
      primary,
      readLog: () => log,
      [Symbol.asyncDispose]: async () => {
        process.kill(primary, 'SIGTERM');
        expect(await ended).toEqual([0, null]);
      },
    };
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
    salon('server accounts create --name Aurora --database sqlite:/home/own.db');
    await using service = await startService('--workers 2 --database sqlite:/home/own.db');
    const { origin, primary, readLog } = service;
    const paths = [
      '/readyz',
      '/docs/swagger-ui-bundle.js',
      '/sign-in',
      '/.well-known/oauth-authorization-server',
    ];
    const statuses = await Promise.all(paths.map(async (path) => (await fetch(`${origin}${path}`)).status));
    expect(statuses).toEqual([200, 200, 200, 200]);

    process.kill(primary, 'SIGUSR2');
    await expect.poll(readLog, { timeout: 120_000, interval: 100 }).toContain('workers restarted');
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  });

  it.skipIf(findPostgresPrograms() === undefined)(
    'serves a salon on PostgreSQL, and backs it up',
    async () => {
      using cluster = createCluster();
      const port = await findFreePort();
      const server = cluster.start(port);
      const address = `postgres://salon@127.0.0.1:${port}/postgres`;
      await (await connect(address)).end();
      const env = { SALON_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
      salon(`server accounts create --name Aurora --database ${address}`, env);
      salon(`server seed --clients 120 --appointments 300 --database ${address}`, env);
      const key = /slk_\S+/.exec(
        salon(`server keys create --role owner --name office --database ${address}`, env),
      );
      {
        await using service = await startService(`--workers 2 --database ${address}`, env);
        const connection = { SALON_BASE_URL: service.origin, SALON_API_KEY: key?.[0] ?? '' };
        salon('appointments list -o postgres.csv', connection);
        expect(read('postgres.csv').trimEnd().split('\n')).toHaveLength(301);
        salon('clients create --set first_name=Ana --set last_name=Costa --yes', connection);
        expect(salon('clients list --search Costa -f csv -q', connection)).toContain('Ana,Costa');
      }
      salon(`server backup --to /home/postgres.db --database ${address}`, env);
      salon('server check --database sqlite:/home/postgres.db');
      await server.stop();
    },
  );
});

/** The process that bwrap runs. */
function findChild(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return Number(children.split(' ')[0]);
}
