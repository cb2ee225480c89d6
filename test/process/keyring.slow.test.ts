import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OidcServer, type OidcServerOptions, openOidcServer } from '../support/oidc-server.ts';
import { createHome, finish, type Home, program } from '../support/salon-process.ts';
import { enterCode } from '../support/sign-in-elsewhere.ts';

const isMissing = ['dbus-run-session', 'gnome-keyring-daemon'].some((program) =>
  (process.env['PATH'] ?? '').split(delimiter).every((folder) => !existsSync(join(folder, program))),
);
const reason =
  'There is no gnome-keyring or dbus on this machine, so the keyring is not tested: install them.';

let server: OidcServer;
let home: Home;
let intercept: OidcServerOptions['intercept'];
beforeEach(async () => {
  intercept = undefined;
  server = await openOidcServer({ intercept: (...request) => intercept?.(...request) ?? false });
  home = createHome();
});
afterEach(async () => {
  home[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

/** Counts what the keyring has of this program. */
const count = `import { findCredentials } from ${JSON.stringify(import.meta.resolve('@napi-rs/keyring'))};
console.log('stored', findCredentials('salon').length);`;

/** Runs commands in a session of their own with an unlocked keyring. The first signs in, and a person enters its code. */
async function runInSession(...commands: readonly string[]): Promise<string> {
  const script = [
    'printf test | gnome-keyring-daemon --unlock --components=secrets > /dev/null',
    ...commands.map((command) =>
      command === 'count' ? '"$0" --input-type=module -e "$1"' : `"\${@:2}" ${command}`,
    ),
  ].join('\n');
  const child = spawn(
    'dbus-run-session',
    ['--', 'bash', '-ec', script, process.execPath, count, ...program],
    {
      cwd: home.folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: home.folder, TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let printed = '';
  let visit: Promise<unknown> | undefined;
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk;
    const code = /^ {2}([A-Z]{4}-[A-Z]{4})$/m.exec(printed)?.[1];
    if (code !== undefined) visit ??= enterCode(server.origin, '/device', code);
  });
  const { exitCode, stdout, stderr } = await finish(child);
  await visit;
  if (exitCode !== 0) throw new Error(stderr);
  return stdout + stderr;
}

const login = () => `auth login --device --client-id studio-app --base-url ${server.origin}`;
const readConfig = () => readFileSync(join(home.folder, '.config/salon/config.json'), 'utf8');

beforeEach(({ skip }) => skip(isMissing && process.env['CI'] === undefined, reason));

describe('a sign-in on a machine with a keyring', () => {
  it('is kept there and nowhere else, and removed from there', async () => {
    const output = await runInSession(login(), 'count', 'auth status', 'auth logout', 'count');
    expect(output).toContain('Your sign-in is stored in the system keyring (Secret Service).');
    expect(output).toContain('as the app studio-app, stored in the system keyring (Secret Service).');
    expect(output.match(/stored \d/g)).toEqual(['stored 1', 'stored 0']);
    expect(readConfig()).not.toContain('token');
  });

  it('is renewed there', async () => {
    let isRefused = false;
    intercept = ({ url = '' }, response) => {
      if (isRefused || !url.includes('/clients') || !server.grants.includes('device_code')) return false;
      isRefused = server.accepted.length > 0;
      if (isRefused) response.writeHead(401).end();
      return isRefused;
    };
    await runInSession(login(), 'clients list', 'clients list');
    expect(server.grants.filter((grant) => !grant.startsWith('!'))).toEqual(['device_code', 'refresh_token']);
    expect(new Set(server.accepted).size).toBe(2);
    expect(readConfig()).not.toContain('token');
  });

  it('moves to the profile file with --no-keyring', async () => {
    const output = await runInSession(`${login()} --no-keyring`, 'count');
    expect(output).toContain('stored 0');
    expect(readConfig()).toContain('access_token');
  });
});
