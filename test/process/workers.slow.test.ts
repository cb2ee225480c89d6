import { chmodSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hang, openMisbehavingServer } from '../support/misbehaving-server.ts';
import { createHome, runHere, runSalon } from '../support/salon-process.ts';
import { ask, disposable, keepAsking, startWorkers } from '../support/worker-service.ts';

describe('a service with workers', () => {
  it('replaces a worker that was killed, and keeps what it had acknowledged', async () => {
    using home = createHome();
    const { child, ended, key, origin, find } = await startWorkers(home, 'sqlite:salon.db');
    const stop = new AbortController();
    const asking = Promise.all(Array.from({ length: 4 }, () => keepAsking(origin, key, stop.signal)));
    const [first] = find('worker started');
    process.kill(Number(first?.worker), 'SIGKILL');
    await expect.poll(() => find('worker started').length).toBe(3);
    stop.abort();
    const created = (await asking).reduce((sum, one) => sum + (one['201'] ?? 0), 0);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    const checked = await runSalon(['server', 'check', '--database', 'sqlite:salon.db'], { home });
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
    const { child, ended, key, origin, find } = await startWorkers(home, 'sqlite:salon.db');
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
    const argv = ['server', 'start', '--workers', '2', '--port', '0', '--database', 'sqlite:none.db'];
    expect(await runSalon(argv, { home })).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: No database sqlite:none\.db\./),
    });
    const database = ['--database', 'sqlite:salon.db'];
    await runHere(['server', 'accounts', 'create', '--name', 'A', ...database], { home });
    await using other = await openMisbehavingServer(() => hang);
    const { port } = new URL(other.origin);
    const taken = await runSalon(['server', 'start', '--workers', '2', '--port', port, ...database], {
      home,
    });
    expect(taken).toMatchObject({ exitCode: 2, stdout: '' });
    expect(taken.stderr.split('\n').filter((line) => line.startsWith('error:'))).toEqual([
      `error: Port ${port} on 127.0.0.1 is already in use.`,
    ]);
  });

  it('leaves no worker behind when the primary process is killed', async () => {
    using home = createHome();
    const { child, ended, find } = await startWorkers(home, 'sqlite:salon.db');
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
