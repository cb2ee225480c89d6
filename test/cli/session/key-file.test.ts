import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readKeyFile } from '../../../src/cli/session/session.ts';
import { refusal } from '../../support/open-client.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'salon-key-'));
  writeFileSync(join(cwd, 'key'), 'k-secret\n');
});
afterEach(() => rmSync(cwd, { recursive: true }));

const read = (file = 'key', platform: NodeJS.Platform = 'linux') =>
  readKeyFile(file, '--key-file', { cwd, platform, userId: process.geteuid?.() });

describe('a key file', () => {
  it.each([0o600, 0o400, 0o640])('is read with mode %o', async (mode) => {
    chmodSync(join(cwd, 'key'), mode);
    expect(await read()).toBe('k-secret\n');
  });

  it.each([0o644, 0o604, 0o666])('is refused with mode %o, without its content', async (mode) => {
    chmodSync(join(cwd, 'key'), mode);
    const error = await refusal(read());
    expect(error).toMatchObject({
      code: 'usage',
      message: `Other users can read the API key in key (mode ${mode.toString(8)}).`,
      hint: 'Run: chmod 600 key',
    });
    expect(JSON.stringify(error)).not.toContain('k-secret');
  });

  it('is read on Windows, which has no such modes', async () => {
    chmodSync(join(cwd, 'key'), 0o644);
    expect(await read('key', 'win32')).toBe('k-secret\n');
  });

  it('may be a device, whose mode is not the choice of its user', async () => {
    expect(await read('/dev/null')).toBe('');
  });

  it('is refused when it is missing', async () => {
    expect(await refusal(read('none'))).toMatchObject({ code: 'usage' });
  });
});
