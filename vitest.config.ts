import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const isLong = process.env['SALON_TEST_LONG'] !== undefined;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // By default vitest leaves a core free, which is half of a machine with two.
    maxWorkers: '100%',
    // Files share no state in modules, so a worker loads the code once for all of its files.
    isolate: false,
    env: findMemoryFolder(),
    // Only against tests that hang: a busy machine takes a minute for what takes seconds here.
    testTimeout: isLong ? 3_600_000 : 180_000,
    hookTimeout: 120_000,
    // A second, the default, is too short on a busy machine.
    expect: { poll: { timeout: 25_000 } },
  },
});

/**
 * Keeps temporary databases in memory where Linux offers it: most tests that write wait for the disk. Kills and full
 * disks behave the same there. The long tests use the real disk.
 */
function findMemoryFolder(): Record<string, string> {
  const memory = '/dev/shm';
  if (isLong || process.env['TMPDIR'] !== undefined || !existsSync(memory)) return {};
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < 2 ** 30) return {};
  const folder = mkdtempSync(join(memory, 'salon-tests-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { TMPDIR: folder };
}
