import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createHome, finish, type Home, runSalon, startSalon } from '../support/salon-process.ts';

const isLong = process.env['SALON_TEST_LONG'] !== undefined;

interface LogLine {
  readonly msg: string;
  readonly worker?: number;
}

/** A service with workers, and its log so far. */
async function startWorkers(home: Home, flags: readonly string[] = []) {
  const database = `sqlite:${home.folder}/salon.db`;
  const account = ['account', 'create', '--name', 'A', '--limit', '100000000', '--database', database];
  await runSalon(['service', ...account], { home });
  const options = ['--role', 'owner', '--name', 'k', '--json', '--database', database];
  const { key } = JSON.parse((await runSalon(['service', 'key', 'create', ...options], { home })).stdout);
  const argv = ['service', 'start', '--workers', '2', '--port', '0', '--database', database, ...flags];
  const child = startSalon(argv, { home });
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  const ended = once(child, 'close');
  const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  const find = (msg: string): LogLine[] =>
    log
      .split('\n')
      .filter((text) => text.startsWith('{') && text.endsWith('}'))
      .map((text): LogLine => JSON.parse(text))
      .filter((entry) => entry.msg === msg);
  return { child, ended, key: String(key), origin: String(line).trim(), find };
}

/** Sends requests on one connection, which is opened again when the service ends it, until it is stopped. */
async function keepAsking(origin: string, key: string, signal: AbortSignal) {
  using agent = disposable(new Agent({ keepAlive: true, maxSockets: 1 }));
  const outcomes: Record<string, number> = {};
  for (let count = 0; !signal.aborted; count += 1) {
    const outcome = await ask(agent.value, origin, { key, isWrite: count % 3 === 0 });
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return outcomes;
}

function disposable(value: Agent) {
  return { value, [Symbol.dispose]: () => value.destroy() };
}

function ask(agent: Agent, origin: string, { key, isWrite }: { key: string; isWrite: boolean }) {
  return new Promise<string>((resolve) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = request(
      `${origin}/v1/clients`,
      { agent, headers, method: isWrite ? 'POST' : 'GET' },
      (response) => {
        response.resume();
        response.on('end', () => resolve(String(response.statusCode)));
      },
    );
    sent.on('error', (error) => resolve(String('code' in error ? error.code : error)));
    sent.end(isWrite ? '{"first_name":"Ana"}' : undefined);
  });
}

describe('a service with workers', () => {
  it('replaces all of them under load without a failed request', async () => {
    using home = createHome();
    const { child, ended, key, origin, find } = await startWorkers(home);
    const stop = new AbortController();
    const asking = Promise.all(Array.from({ length: 8 }, () => keepAsking(origin, key, stop.signal)));
    const restarts = isLong ? 10 : 1;
    for (let count = 1; count <= restarts; count += 1) {
      child.kill('SIGUSR2');
      await expect.poll(() => find('workers restarted').length).toBe(count);
    }
    stop.abort();
    const outcomes = await asking;
    expect(new Set(outcomes.flatMap((one) => Object.keys(one)))).toEqual(new Set(['200', '201']));
    expect(find('worker replaced')).toHaveLength(2 * restarts);
    expect(new Set(find('worker started').map(({ worker }) => worker)).size).toBe(2 + 2 * restarts);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('replaces a worker that was killed, and keeps what it had acknowledged', async () => {
    using home = createHome();
    const { child, ended, key, origin, find } = await startWorkers(home);
    const stop = new AbortController();
    const asking = Promise.all(Array.from({ length: 4 }, () => keepAsking(origin, key, stop.signal)));
    const [first] = find('worker started');
    process.kill(Number(first?.worker), 'SIGKILL');
    await expect.poll(() => find('worker started').length).toBe(3);
    stop.abort();
    const created = (await asking).reduce((sum, one) => sum + (one['201'] ?? 0), 0);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    const checked = await runSalon(['service', 'check', '--database', 'sqlite:salon.db'], { home });
    expect(checked).toMatchObject({ exitCode: 0, stderr: '' });
    // One that was killed before its answer may have been created, too.
    using raw = new DatabaseSync(`${home.folder}/salon.db`);
    const row = raw.prepare('select count(*) as count from clients').get();
    expect(created).toBeGreaterThan(0);
    expect(row?.['count']).toBeGreaterThanOrEqual(created);
    expect(Number(row?.['count']) - created).toBeLessThanOrEqual(4);
  });

  it('goes on with the old workers when new ones do not start', async () => {
    using home = createHome();
    const { child, ended, key, origin, find } = await startWorkers(home);
    // A worker refuses to open it then.
    chmodSync(join(home.folder, 'salon.db'), 0o666);
    child.kill('SIGUSR2');
    const message = 'restart stopped: a new worker did not start; the old ones go on';
    await expect.poll(() => find(message).length).toBe(1);
    using agent = disposable(new Agent({ keepAlive: true }));
    expect(await ask(agent.value, origin, { key, isWrite: true })).toBe('201');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('ends with the reason and the exit code of a worker that cannot start', async () => {
    using home = createHome();
    const argv = ['service', 'start', '--workers', '2', '--port', '0', '--database', 'sqlite:none.db'];
    expect(await runSalon(argv, { home })).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: No database sqlite:none\.db\./),
    });
    const { child, ended, origin } = await startWorkers(home);
    const taken = ['--workers', '2', '--port', new URL(origin).port, '--database', 'sqlite:salon.db'];
    const second = await finish(startSalon(['service', 'start', ...taken], { home }));
    expect(second).toMatchObject({ exitCode: 2, stdout: '' });
    expect(second.stderr.split('\n').filter((line) => line.startsWith('error:'))).toEqual([
      `error: Port ${new URL(origin).port} on 127.0.0.1 is already in use.`,
    ]);
    child.kill('SIGTERM');
    await ended;
  });

  it('leaves no worker behind when the primary process is killed', async () => {
    using home = createHome();
    const { child, ended, find } = await startWorkers(home);
    child.kill('SIGKILL');
    await ended;
    const isAlive = (pid: number) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    const pids = find('worker started').map(({ worker }) => Number(worker));
    while (pids.some(isAlive)) await delay(20);
  });
});
