import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHome, type Home, launcher } from '../support/salon-process.ts';
import { sendRequest } from '../support/send-request.ts';

const hook = new URL('../support/print-modules.ts', import.meta.url).href;

/** What only signing in, mails, OAuth and metrics need, by a text that only its bundled code contains. */
const costly = {
  '@simplewebauthn/server': 'Unexpected registration response type',
  nodemailer: 'Mail command failed',
  'oidc-provider': 'oidc-provider NOTICE',
  'openid-client': 'OAUTH_INVALID_RESPONSE',
  otpauth: 'otpauth://',
  'prom-client': 'A metric with the name',
};

let home: Home;
let database: string;
let key: string;
let count = 0;
beforeAll(async () => {
  home = createHome();
  database = `sqlite:${home.folder}/salon.db`;
  const create = ['--name', 'Salon', '--database', database, '--json'];
  await run(['server', 'accounts', 'create', ...create]);
  const { printed } = await run(['server', 'keys', 'create', '--role', 'owner', ...create]);
  key = JSON.parse(printed).key;
});
afterAll(() => home[Symbol.dispose]());

/** Starts the built program, which writes what it loads to a file. */
function start(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  count += 1;
  const loaded = join(home.folder, `loaded-${count}`);
  const file = openSync(loaded, 'w');
  const child = spawn(process.execPath, ['--import', hook, launcher, ...argv], {
    cwd: home.folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: home.folder, ...env },
    stdio: ['ignore', 'pipe', 'ignore', file],
  });
  closeSync(file);
  const listLoaded = () => readFileSync(loaded, 'utf8').split('\n');
  const listCostly = () => {
    const texts = listLoaded()
      .filter((url) => url.startsWith('file:'))
      .map((url) => readFileSync(new URL(url), 'utf8'));
    return Object.entries(costly).flatMap(([name, mark]) =>
      texts.some((text) => text.includes(mark)) ? [name] : [],
    );
  };
  return { child, stdout: child.stdio[1] as Readable, listCostly, listLoaded };
}

async function run(argv: readonly string[], env?: Readonly<Record<string, string>>) {
  const { child, stdout, listCostly, listLoaded } = start(argv, env);
  const [printed, [exitCode]] = await Promise.all([text(stdout), once(child, 'close')]);
  return { exitCode, printed, costly: listCostly(), loaded: listLoaded() };
}

/** Starts a service and waits until it listens. */
async function startService() {
  const argv = ['server', 'start', '--port', '0', '--log-level', 'error', '--database', database];
  const { child, stdout, listCostly } = start(argv);
  const [line] = (await once(stdout, 'data')) as [Buffer];
  const close = async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  return { origin: line.toString().trim(), listCostly, [Symbol.asyncDispose]: close };
}

describe('the packages of signing in', () => {
  it('are not loaded by a service until somebody signs in with them', async () => {
    await using service = await startService();
    const { origin, listCostly } = service;
    const { port } = new URL(origin);
    const answers = [
      await sendRequest(`${origin}/api/v1/me`, { key }),
      await sendRequest(`${origin}/sign-in`, { headers: { host: `localhost:${port}` } }),
      await sendRequest(`${origin}/.well-known/oauth-authorization-server`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(listCostly()).toEqual([]);
    // The list would have shown them.
    await sendRequest(`${origin}/oauth/token`, { method: 'POST' });
    expect(listCostly()).toEqual(['oidc-provider']);
  });

  it('are not loaded by commands with a key', async () => {
    await using service = await startService();
    const env = { SALON_API_KEY: key, SALON_BASE_URL: service.origin };
    for (const line of ['clients list --limit 1', 'auth status']) {
      const { exitCode, costly } = await run(line.split(' '), env);
      expect({ line, exitCode, costly }).toEqual({ line, exitCode: 0, costly: [] });
    }
  });
});
