import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';

const module = new URL('../../../src/service/db/sqlite/publish-file.ts', import.meta.url).href;

it.skipIf(process.platform !== 'linux')(
  'removes the file of a killed process without its passwords',
  async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'salon-watched-')), 'draft');
    writeFileSync(file, 'personal data');
    const script = `
    const { readFileSync } = await import('node:fs');
    const { removeIfKilled } = await import('${module}');
    removeIfKilled(['${file}']);
    const [watcher] = readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim().split(' ');
    // The program of the child has started once its own environment is there.
    let environment = '';
    while (!environment.includes('NODE_CHANNEL_FD')) environment = readFileSync('/proc/' + watcher + '/environ', 'utf8');
    process.stdout.write(environment.replaceAll('\\0', ' '));
    process.kill(process.pid, 'SIGKILL');`;
    const env = { PATH: process.env['PATH'], PGPASSWORD: 'p', SALON_SECRETS_KEY: 's' };
    const killed = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env,
      encoding: 'utf8',
    });
    expect(killed).toMatchObject({ signal: 'SIGKILL' });
    expect(killed.stdout).toContain('NODE_CHANNEL_FD');
    expect(killed.stdout).not.toMatch(/PGPASSWORD|SALON_/);
    await vi.waitUntil(() => !existsSync(file), { timeout: 150_000 });
  },
);
