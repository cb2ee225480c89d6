import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createTestFolder } from '../../../support/database.ts';

const module = pathToFileURL(join(import.meta.dirname, '../../../../src/service/db/sqlite/publish-file.ts'));

/** Publishes a file, and then blocks its event loop as SQLite does while it copies. */
const script = `
import { writeFileSync } from 'node:fs';
import { publishFile } from ${JSON.stringify(module.href)};
const write = async (draft) => {
  writeFileSync(draft + '-journal', 'x');
  writeFileSync(1, 'writing');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
await publishFile(process.argv[1], write, { isLarge: true });`;

describe('a large file that is being written', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('leaves nothing behind after %s', async (signal) => {
    using folder = createTestFolder();
    const file = join(folder.path, 'copy.db');
    const writer = spawn(process.execPath, ['--input-type=module', '--eval', script, '--', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(writer.stdout, 'data');
    expect(readdirSync(folder.path)).toHaveLength(2);
    writer.kill(signal);
    expect(await once(writer, 'exit')).toEqual([null, signal]);
    await expect.poll(() => readdirSync(folder.path)).toEqual([]);
  });
});
