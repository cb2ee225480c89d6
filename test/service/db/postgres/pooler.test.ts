import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/service/db/database.ts';
import { openTestDatabase } from '../../../support/database.ts';
import { findFreePort, isListening } from '../../../support/free-port.ts';
import { findUser } from '../../../support/postgres-cluster.ts';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find((path) =>
  existsSync(path),
);

/** PgBouncer in front of a database. */
async function openPgBouncer(location: string, mode: 'session' | 'transaction') {
  // Not in the folder of the run, which its user may not enter.
  const folder = mkdtempSync('/tmp/salon-pgbouncer-');
  const { hostname, port, username, password, pathname } = new URL(location);
  const ownPort = await findFreePort();
  const file = join(folder, 'pgbouncer.ini');
  const settings = {
    ...{ listen_addr: '127.0.0.1', listen_port: ownPort, unix_socket_dir: '', auth_type: 'any' },
    ...{ pool_mode: mode, default_pool_size: 10 },
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  // It refuses an empty password.
  const secret = password === '' ? '' : ` password=${password}`;
  const target = `host=${hostname} port=${port} user=${username}${secret}`;
  writeFileSync(file, `[databases]\n* = ${target}\n[pgbouncer]\n${lines.join('\n')}\n`);
  const user = findUser();
  if (user !== undefined) {
    chmodSync(folder, 0o755);
    for (const path of [folder, file]) chownSync(path, user.uid, user.gid);
  }
  const child = spawn(program ?? '', [file], { stdio: 'ignore', ...user, cwd: '/' });
  await expect.poll(() => isListening(ownPort)).toBe(true);
  return {
    location: `postgres://${username}@127.0.0.1:${ownPort}${pathname}`,
    [Symbol.asyncDispose]: async () => {
      await end(child);
      rmSync(folder, { recursive: true });
    },
  };
}

describe.skipIf(program === undefined && process.env['CI'] === undefined)('behind PgBouncer', () => {
  it('is recognised when transactions lose prepared statements', async () => {
    await using store = await openTestDatabase();
    await using pooler = await openPgBouncer(store.location, 'transaction');
    await expect(openDatabase(pooler.location)).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('loses the prepared statements'),
      hint: expect.stringContaining('1.21'),
    });
  });

  it('works in session mode', async () => {
    await using store = await openTestDatabase();
    await using pooler = await openPgBouncer(store.location, 'session');
    await using database = await openDatabase(pooler.location);
    for (let times = 0; times < 3; times += 1) {
      await database.transaction('service', (tx) =>
        tx.run('select id from accounts where id = ?', ['acc_1']),
      );
    }
  });
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGQUIT');
  await once(child, 'exit');
}
