import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Finished, finish, type Home, launcher } from '../support/salon-process.ts';
import { openTestService, type TestService } from '../support/service.ts';

const id = '54321';

/** Commands that run another one as a user whom the system does not know, such as in a container. */
const asUnknownUser: readonly ((folder: string) => readonly string[])[] = [
  () => ['setpriv', '--reuid', id, '--regid', id, '--clear-groups'],
  (folder) => [
    ...['bwrap', '--unshare-user', '--uid', id, '--gid', id, '--ro-bind', '/', '/', '--proc', '/proc'],
    ...['--dev', '/dev', '--bind', folder, folder, '--ro-bind', `${folder}/secrets`, `${folder}/secrets`],
  ],
];

function createUnknownHome(): Home {
  // The folder of the test run is its owner's alone.
  const folder = mkdtempSync('/tmp/salon-unknown-user-');
  mkdirSync(join(folder, 'secrets'));
  chmodSync(folder, 0o777);
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function findWay() {
  using home = createUnknownHome();
  return asUnknownUser.find((toCommand) => {
    const [command = '', ...args] = toCommand(home.folder);
    const { status } = spawnSync(command, [...args, process.execPath, launcher, '--version']);
    return status === 0;
  });
}

const way = findWay();

describe.skipIf(way === undefined)('a user without a name', () => {
  let service: TestService;
  let home: Home;
  beforeEach(async () => {
    service = await openTestService({ clients: 3 });
    home = createUnknownHome();
  });
  afterEach(async () => {
    home[Symbol.dispose]();
    await service[Symbol.asyncDispose]();
  });

  /** As in a container: without HOME, and with a key that everybody in the container may read. */
  function salon(line: string, env: Readonly<Record<string, string | undefined>> = {}): Promise<Finished> {
    const key = join(home.folder, 'secrets/key');
    writeFileSync(key, service.keys.owner);
    chmodSync(key, 0o444);
    const [command = '', ...args] = way?.(home.folder) ?? [];
    const child = spawn(command, [...args, process.execPath, launcher, ...line.split(' ')], {
      cwd: home.folder,
      env: {
        PATH: process.env['PATH'],
        SALON_BASE_URL: service.origin,
        SALON_API_KEY_FILE: key,
        SALON_NO_KEYRING: '1',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return finish(child);
  }

  const folders = () => ({
    SALON_CONFIG_DIR: join(home.folder, 'config'),
    SALON_DATA_DIR: join(home.folder, 'data'),
  });

  it('lists and exports with a mounted key and no home folder', async () => {
    const listed = await salon('clients list -f ndjson');
    expect(listed).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('HOME is not set') });
    expect(listed.stdout.trim().split('\n')).toHaveLength(3);
    expect(await salon('clients list -q -o clients.csv')).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(home.folder, 'clients.csv'), 'utf8').trim().split('\n')).toHaveLength(4);
  });

  it('is told by doctor what a missing home folder prevents', async () => {
    const { exitCode, stdout } = await salon('doctor');
    expect(exitCode).toBe(2);
    expect(stdout).toContain('Set HOME, or set SALON_CONFIG_DIR to a folder.');
    expect(await salon('doctor', folders())).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('saves profiles in a folder that the environment names', async () => {
    const env = { ...folders(), SALON_BASE_URL: undefined, SALON_API_KEY_FILE: undefined };
    const demo = await salon('demo', env);
    expect(demo, demo.stderr).toMatchObject({ exitCode: 0 });
    expect(await salon('profiles list -f ndjson', env)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('"demo"'),
      stderr: '',
    });
  });

  it.each(['auth login', 'profiles list', 'jobs list'])('is refused without a folder: %s', async (line) => {
    expect(await salon(line)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('There is no home folder to store anything in: HOME is not set.'),
    });
  });
});
