import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openOidcServer, type OidcServer } from '../support/oidc-server.ts';
import { createHome, finish, type Home, launcher } from '../support/salon-process.ts';
import { openInBrowser } from '../support/sign-in-elsewhere.ts';

const isMissing = ['dbus-run-session', 'gnome-keyring-daemon'].some((program) =>
  (process.env['PATH'] ?? '').split(delimiter).every((folder) => !existsSync(join(folder, program))),
);
const reason = 'There is no gnome-keyring or dbus on this machine, so the keyring is not tested: install them.';

let server: OidcServer;
let home: Home;
beforeEach(async ({ skip }) => {
  skip(isMissing && process.env['CI'] === undefined, reason);
  server = await openOidcServer();
  home = createHome();
});
afterEach(async () => {
  home?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

/** Runs commands one after another in a session of their own with an unlocked keyring. Signs in for the first. */
async function runInSession(commands: readonly string[]) {
  const salon = `"${process.execPath}" "${launcher}"`;
  const script = [
    'printf test | gnome-keyring-daemon --unlock --components=secrets > /dev/null',
    ...commands.map((command) => `${salon} ${command}; echo "exit $?"`),
  ].join('\n');
  const child = spawn('dbus-run-session', ['--', 'bash', '-c', script], {
    cwd: home.folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: home.folder, TZ: 'UTC', XDG_RUNTIME_DIR: home.folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk;
  });
  return { finished: finish(child), printed: () => printed, changed: () => once(child.stderr, 'data') };
}
