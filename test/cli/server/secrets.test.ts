import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createWebhook } from '../../../src/service/domain/webhooks.ts';
import { openSecrets } from '../../../src/service/secrets/secrets.ts';
import { createMachine } from '../../support/io.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

let salon: TestSalon;
let file: string;
beforeEach(async () => {
  salon = await openTestSalon();
  file = salon.store.file;
  await createWebhook(salon.as(), { url: 'https://shop.example/hook' });
  return () => salon[Symbol.asyncDispose]();
});

async function run(command: string, env: Record<string, string> = {}) {
  using machine = createMachine();
  return machine.salon(`${command} --database ${file}`.split(' '), { env });
}

describe('the secrets of a database', () => {
  it('can be read with the key file beside it', async () => {
    const { exitCode, stdout, stderr } = await run('server secrets status --json');
    expect(JSON.parse(stdout)).toEqual({
      source: `${file}.key`,
      key: expect.stringMatching(/^[0-9a-f]{8}$/),
      secrets: 1,
      unreadable: 0,
      missing_keys: [],
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it('are encrypted with a new key once that is confirmed', async () => {
    const [before] = openSecrets({ location: file, environment: salon.environment }).listIds();
    expect((await run('server secrets rotate')).exitCode).toBe(8);
    const { stdout } = await run('server secrets rotate --yes --json');
    expect(JSON.parse(stdout)).toMatchObject({ resealed: 1, unreadable: 0 });
    expect(JSON.parse(stdout).key).not.toBe(before);
  });

  it('move to a key of the environment', async () => {
    const key = randomBytes(32).toString('base64');
    const { stdout, stderr } = await run('server secrets rotate --yes', { SALON_SECRETS_KEY: key });
    expect(existsSync(`${file}.key`)).toBe(false);
    expect(`${stdout}${stderr}`).toContain('SALON_SECRETS_KEY');
    expect(`${stdout}${stderr}`).not.toContain(key);
    const status = await run('server secrets status --json', { SALON_SECRETS_KEY: key });
    expect(JSON.parse(status.stdout)).toMatchObject({ source: 'SALON_SECRETS_KEY', unreadable: 0 });
  });

  it('are counted and named with their key when it is lost', async () => {
    rmSync(`${file}.key`);
    const { exitCode, stdout, stderr } = await run('server secrets status --json');
    const { missing_keys: missing } = JSON.parse(stdout);
    expect(JSON.parse(stdout)).toMatchObject({ key: null, secrets: 1, unreadable: 1 });
    expect(stderr).toContain(`1 secret cannot be read without the key ${missing[0]}.`);
    expect(exitCode).toBe(0);
  });

  it('need a key of 32 bytes', async () => {
    const { exitCode, stderr } = await run('server secrets status', { SALON_SECRETS_KEY: 'hunter2' });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('SALON_SECRETS_KEY does not contain keys of 32 bytes in base64.');
    expect(stderr).not.toContain('hunter2');
  });
});

describe('a backup', () => {
  it('does not contain the key, and says so', async () => {
    const copy = join(file, '../copy.db');
    const { stdout } = await run(`server backup --json --to ${copy}`);
    expect(JSON.parse(stdout)).toEqual({ file: copy, secrets_key: `${file}.key` });
    expect(existsSync(`${copy}.key`)).toBe(false);
    const { stdout: text, stderr } = await run(`server backup --to ${copy}2`, {});
    expect(`${text}${stderr}`).toContain(`${file}.key`);
  });
});
