import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';
import { openMisbehavingServer, problem } from '../../support/misbehaving-server.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

const people = 'first_name,email,phone\nZoraida,zoraida@people.test,+34911222333\n';

/** A machine that has keys, personal data and secrets wherever there is a place for them. */
async function useMachine(machine: Machine) {
  const key = service.keys.owner;
  const login = ['auth', 'login', '--base-url', service.origin, '--header', 'X-Gateway: gw-secret-1'];
  expect((await machine.salon(login, { stdin: key })).exitCode).toBe(0);
  writeFileSync(join(machine.home, 'Zoraida.csv'), people);
  await machine.salon(['clients', 'create', '--file', 'Zoraida.csv', '--yes']);
  return {
    key,
    env: {
      SALON_HEADERS: 'X-Other: other-secret-2',
      HTTPS_PROXY: 'http://ana:pr0xy-s3cret@proxy.test:3128',
      AWS_SECRET: 'never-collected',
    },
  };
}

function readZip(path: string): Readonly<Record<string, string>> {
  const files = unzipSync(readFileSync(path));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

it('a bundle has the checks, settings and jobs, and no secrets and personal data', async () => {
  using machine = createMachine();
  const { key, env } = await useMachine(machine);
  const { exitCode, stderr } = await machine.salon(['doctor', '--bundle', 'support.zip'], { env });
  const path = join(machine.home, 'support.zip');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: `Wrote ${path}.\n` });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const files = readZip(path);
  expect(Object.keys(files).sort()).toEqual(['README.txt', 'checks.json', 'jobs.json', 'settings.json']);
  const all = Object.values(files).join('\n');
  for (const secret of [
    ...[key, key.slice(4, 20), 'gw-secret-1', 'other-secret-2', 'pr0xy-s3cret', 'never-collected'],
    ...['Zoraida', 'zoraida@people.test', '34911222333', 'Test salon', basename(machine.home)],
  ]) {
    expect(all).not.toContain(secret);
  }
  expect(JSON.parse(files['checks.json'] ?? '')).toContainEqual(
    expect.objectContaining({ check: 'key', status: 'ok', message: 'Accepted as owner of … (pro)' }),
  );
  expect(JSON.parse(files['jobs.json'] ?? '')).toMatchObject([{ kind: 'edit', state: 'done', rows: 1 }]);
  expect(JSON.parse(files['settings.json'] ?? '')).toMatchObject({
    profiles: { default: { base_url: service.origin, has_key: true, headers: ['x-gateway'] } },
    environment: { HTTPS_PROXY: 'http://…@proxy.test:3128', SALON_HEADERS: '…' },
  });
});

it('a bundle hides whom the server names in an error', async () => {
  const detail = 'Zoraida Núñez <zoraida@people.test> is not yours.';
  await using server = await openMisbehavingServer(() =>
    problem(403, 'permission_denied', { detail, owner: 'Zoraida' }),
  );
  using machine = createMachine({ env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'slk_test' } });
  const { stdout } = await machine.salon(['doctor', '--bundle', 'support.zip']);
  expect(stdout).toContain('Zoraida');
  const { 'checks.json': checks = '' } = readZip(join(machine.home, 'support.zip'));
  expect(checks).not.toMatch(/zoraida|Núñez/i);
  expect(JSON.parse(checks)).toContainEqual(
    expect.objectContaining({ check: 'key', status: 'problem', details: { code: 'permission_denied' } }),
  );
});

it('a bundle keeps names with --no-mask, and never keys', async () => {
  using machine = createMachine();
  const { key, env } = await useMachine(machine);
  await machine.salon(['doctor', '--bundle', 'support.zip', '--no-mask'], { env });
  const all = Object.values(readZip(join(machine.home, 'support.zip'))).join('\n');
  expect(all).toContain('Test salon');
  expect(all).toContain(machine.home);
  for (const secret of [key, 'gw-secret-1', 'other-secret-2', 'pr0xy-s3cret'])
    expect(all).not.toContain(secret);
});

it('a bundle that cannot be written leaves nothing behind', async () => {
  using machine = createMachine();
  const path = join(machine.home, 'support.zip');
  await using server = await openMisbehavingServer(() => {
    mkdirSync(path, { recursive: true });
    return problem(403, 'permission_denied', {});
  });
  const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'slk_test' };
  const { stderr } = await machine.salon(['doctor', '--bundle', 'support.zip'], { env });
  expect(stderr).toContain(`Cannot write ${path}`);
  expect(readdirSync(machine.home).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('a bundle is written even if nothing else works', async () => {
  using machine = createMachine({
    env: { SALON_CONFIG_DIR: 'config', SALON_BASE_URL: 'https://salon.invalid' },
  });
  writeFileSync(join(machine.home, 'config'), 'not a folder');
  const { exitCode } = await machine.salon(['doctor', '--bundle', 'support.zip']);
  expect(exitCode).not.toBe(70);
  expect(Object.keys(readZip(join(machine.home, 'support.zip')))).toContain('checks.json');
});

it.each([
  ['support.txt', 2],
  ['missing/support.zip', 5],
])('a bundle is not written to %s', async (file, code) => {
  using machine = createMachine({
    env: { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner },
  });
  const { exitCode, stderr } = await machine.salon(['doctor', '--bundle', file]);
  expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringContaining(file) });
});
