import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSecretFile } from '../../../src/cli/commands/webhooks/secrets.ts';
import { refusal } from '../../support/open-client.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'salon-secret-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

describe('a secret file', () => {
  it('is readable only by its owner and contains the secret on a line', async () => {
    {
      await using file = await openSecretFile('secret', { cwd });
      await file.keep('whsec_x');
    }
    expect(readFileSync(join(cwd, 'secret'), 'utf8')).toBe('whsec_x\n');
    expect(statSync(join(cwd, 'secret')).mode & 0o777).toBe(0o600);
  });

  it('is removed if no secret was saved', async () => {
    {
      await using _ = await openSecretFile('secret', { cwd });
      expect(readdirSync(cwd)).toEqual(['secret']);
    }
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('never overwrites a file', async () => {
    writeFileSync(join(cwd, 'secret'), 'precious');
    expect(await refusal(openSecretFile('secret', { cwd }))).toMatchObject({
      code: 'usage',
      message: '--secret-file secret already exists. Existing files are never overwritten.',
    });
    expect(readFileSync(join(cwd, 'secret'), 'utf8')).toBe('precious');
  });

  it.each(['no/secret', ''])('cannot be %j', async (file) => {
    expect(await refusal(openSecretFile(file, { cwd }))).toMatchObject({ code: 'usage' });
    expect(readdirSync(cwd)).toEqual([]);
  });
});
