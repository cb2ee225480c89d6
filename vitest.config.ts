import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { findFreePort } from './test/support/free-port.ts';
import { findPostgresPrograms } from './test/support/postgres-cluster.ts';
import { isLong, isQuick } from './test/support/speed.ts';

const memory = '/dev/shm';

/** Requests whose answers depend on the database. */
const httpFiles = [
  ...[
    'appointment-batch',
    'appointment-changes',
    'audit-log',
    'changes',
    'health',
    'idempotency',
    'list-etags',
    'list-pages',
  ],
  ...['lost-answers', 'overload.slow', 'payments', 'rate-limit', 'record-etags', 'records', 'stream-list'],
];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/postgres/**', ...(isQuick ? ['test/**/*.slow.test.ts'] : [])],
        },
      },
      ...(isQuick ? [] : await definePostgresProject()),
    ],
    // One more than cores: many tests wait for a process, a clock or a browser. With two more, all of them take longer.
    maxWorkers: availableParallelism() + 1,
    // Files share no state in modules, so a worker loads the code once for all of its files.
    isolate: false,
    env: createTemporaryFolder(),
    setupFiles: 'test/support/property-seed.ts',
    // Only against tests that hang: a busy machine takes minutes for what takes seconds here.
    testTimeout: isLong ? 14_400_000 : 600_000,
    hookTimeout: 600_000,
    // On a busy machine, one test of many thousands fails because a process was not served in time. What is wrong
    // fails twice.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // A second, the default, is far too short on a busy machine.
    expect: { poll: { timeout: 120_000 } },
  },
});

/** What runs on PostgreSQL, too: what can differ by the engine. Forms, paths, bodies and roles are the same on both. */
async function definePostgresProject(): Promise<TestProjectInlineConfiguration[]> {
  const given = process.env['SALON_TEST_POSTGRES'];
  if (given === undefined && findPostgresPrograms() === undefined) {
    const missing = 'PostgreSQL 15 or newer is not installed: the tests run on SQLite alone.';
    if (process.env['CI'] !== undefined) throw new Error(missing);
    process.stderr.write(`${missing}\n`);
    return [];
  }
  const env = {
    SALON_TEST_ENGINE: 'postgres',
    SALON_TEST_POSTGRES: given ?? `postgres://salon@127.0.0.1:${await findFreePort()}/postgres`,
    SALON_TEST_TEMPLATE: `salon_test_${process.pid}`,
    ...createTemporaryFolder(),
  };
  const test = {
    name: 'postgres',
    include: [
      'test/service/{db,domain,identity,maintenance,oauth,webhooks}/**/*.test.ts',
      `test/service/http/{${httpFiles.join(',')}}.test.ts`,
      'test/process/{mixed-kill,rolling-restart}.slow.test.ts',
    ],
    exclude: [
      'test/**/sqlite/**',
      'test/service/domain/sample/{seed,special-days.slow}.test.ts',
      'test/service/identity/{bad-input*,matrix.slow,mail}.test.ts',
      'test/service/oauth/{browser.slow,fuzz,webapi,redirect-attacks}.test.ts',
      'test/service/webhooks/{delivery,rebinding}.test.ts',
    ],
    globalSetup: 'test/support/postgres-cluster.ts',
    env,
  };
  return [{ extends: true, test }];
}

/**
 * A folder for what tests leave behind, in memory where Linux offers it: most tests that write wait for the disk. Kills
 * and full disks behave the same there. The long tests use the real disk.
 */
function createTemporaryFolder(): Record<string, string> {
  if (process.env['TMPDIR'] !== undefined) return {};
  const folder = mkdtempSync(join(!isLong && hasRoomInMemory() ? memory : tmpdir(), 'salon-tests-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { TMPDIR: folder };
}

function hasRoomInMemory(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= 2 ** 30;
}
