import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCopyServer, toClient } from '../support/copy-server.ts';
import {
  createHome,
  finish,
  type Home,
  program,
  runHere,
  runOnSmallDisk,
  runSalon,
  startSalon,
} from '../support/salon-process.ts';
import { until } from '../support/until.ts';

let home: Home;
const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';
beforeAll(async () => {
  home = createHome();
  await using server = await openCopyServer();
  server.salon.lists['clients'] = Array.from({ length: 200 }, (_, index) => toClient(index));
  const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
  expect(await runHere(['sync', 'salon.db'], { home, env })).toMatchObject({ exitCode: 0 });
});
afterAll(() => home[Symbol.dispose]());

/** The programs that a process has started, by their numbers. */
function listChildren(pid: number | undefined): readonly string[] {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return [];
  return readdirSync(tasks).flatMap((task) =>
    readFileSync(join(tasks, task, 'children'), 'utf8')
      .split(' ')
      .filter(Boolean),
  );
}

describe('salon sql as a program', () => {
  it('queries a file, in every digit', async () => {
    const query = 'select count(*) as clients, 9223372036854775807 as big from clients';
    expect(await runSalon(['sql', 'salon.db', query, '--json'], { home })).toMatchObject({
      ...{ exitCode: 0, stderr: '' },
      stdout: '[\n{"clients":200,"big":9223372036854775807}\n]\n',
    });
    const refused = await runSalon(['sql', 'salon.db', 'delete from clients'], { home });
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('Refused, because salon sql only runs one SELECT');
  });

  it('ends a query at the time limit', async () => {
    const ran = await runSalon(['sql', 'salon.db', endless, '--max-time', '200ms'], { home });
    expect(ran).toMatchObject({ exitCode: 5, stdout: '' });
  });

  it.skipIf(process.platform !== 'linux')('ends a query with the command', async () => {
    const child = startSalon(['sql', 'salon.db', endless], { home });
    const closed = once(child, 'close');
    await until(() => listChildren(child.pid).length > 0);
    const [query] = listChildren(child.pid);
    child.kill('SIGTERM');
    expect(await closed).toEqual([143, null]);
    expect(existsSync(`/proc/${query}`)).toBe(false);
  });

  it.skipIf(process.platform === 'win32')('ends with a closed pipe, and at a full disk', async () => {
    const many =
      'with recursive n(i) as (select 1 union all select i + 1 from n limit 9000000) select i from n';
    const script = `"$@" | head -2; echo "exit \${PIPESTATUS[0]}"`;
    const piped = spawn('bash', ['-c', script, 'bash', ...program, 'sql', 'salon.db', many], {
      cwd: home.folder,
      env: { ...process.env, HOME: home.folder, SALON_TIME_ZONE: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(await finish(piped)).toMatchObject({ stdout: 'i\n1\nexit 0\n', stderr: '' });

    const full = await runOnSmallDisk(['sql', 'salon.db', many, '-o', 'rows.csv'], { home });
    expect(full).toMatchObject({ exitCode: 5, stdout: '' });
    expect(full.stderr).toMatch(/^error: Cannot write \S+rows\.csv: it would exceed the file size limit\.$/m);
    expect(readdirSync(home.folder).filter((name) => name.startsWith('rows.csv'))).toEqual([]);
  });
});
