import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHome, type Home, launcher, runSalon } from '../support/salon-process.ts';
import { sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';

let home: Home;
let database: string;
beforeAll(async () => {
  home = createHome();
  database = `sqlite:${home.folder}/salon.db`;
  await runSalon(['server', 'accounts', 'create', '--name', 'Salon', '--database', database], { home });
});
afterAll(() => home[Symbol.dispose]());

/** Starts a service through a command such as nohup, and waits until it listens. */
async function start(flags: readonly string[], through: readonly string[] = []) {
  const argv = ['server', 'start', '--port', '0', '--database', database, ...flags];
  const [program = '', ...rest] = [...through, process.execPath, launcher, ...argv];
  const child = spawn(program, rest, {
    cwd: home.folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: home.folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, origin: line.toString().trim() };
}

async function stop(child: ChildProcess): Promise<number | null> {
  child.kill('SIGTERM');
  const [exitCode] = await once(child, 'close');
  return exitCode;
}

function readMessages(file: string): string[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line).msg);
}

describe('the log file of a service', () => {
  it('is private, and opened again on SIGHUP after it was renamed', async () => {
    const file = join(home.folder, 'salon.log');
    const { child, origin } = await start(['--log-file', file]);
    await sendRequest(`${origin}/v1/me`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    renameSync(file, `${file}.1`);
    child.kill('SIGHUP');
    await until(() => existsSync(file));
    await sendRequest(`${origin}/v1/me`);
    expect(await stop(child)).toBe(0);
    expect(readMessages(`${file}.1`)).toEqual([expect.anything(), 'service started', 'request']);
    expect(readMessages(file)).toEqual(['request', 'service stopped']);
  });

  it('must be in a folder that exists', async () => {
    const flags = ['--port', '0', '--database', database, '--log-file', 'no/folder/salon.log'];
    const { exitCode, stderr } = await runSalon(['server', 'start', ...flags], { home });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: Cannot write the log .*no\/folder\/salon\.log \(ENOENT\)\.\n/);
  });
});

describe('a service under nohup', () => {
  it('outlives SIGHUP', async () => {
    const { child, origin } = await start(['--log-level', 'silent'], ['nohup']);
    child.kill('SIGHUP');
    expect((await sendRequest(`${origin}/healthz`)).status).toBe(200);
    expect(await stop(child)).toBe(0);
  });
});
