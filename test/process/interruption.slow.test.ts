import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { makeRows } from '../support/export-server.ts';
import {
  json,
  type MisbehavingServer,
  openMisbehavingServer,
  type Received,
} from '../support/misbehaving-server.ts';
import { createHome, finish, type Home, runSalon, startSalon } from '../support/salon-process.ts';
import { until } from '../support/until.ts';

interface HoldingServer extends MisbehavingServer {
  /** Sends the held responses, and responds at once from now on. */
  release(): void;
}

const rows = makeRows(100);

/** A list of clients in pages of 20, and single clients. Responses can be held back. */
async function openHoldingServer(isHeld: (request: Received) => boolean): Promise<HoldingServer> {
  const held: (() => void)[] = [];
  let isReleased = false;
  const server = await openMisbehavingServer((request) => (response) => {
    const send = () => answer(request, response);
    if (isReleased || !isHeld(request)) send();
    else held.push(send);
  });
  return Object.assign(server, {
    release() {
      isReleased = true;
      for (const send of held.splice(0)) send();
    },
  });
}

function answer({ path, query, method, body }: Received, response: ServerResponse): void {
  const [id] = /cli_\w+$/.exec(path) ?? [];
  const record = { id, ...(method === 'PUT' ? JSON.parse(body) : {}) };
  const page = Number(query.get('page') ?? 1);
  const data = rows.slice((page - 1) * 20, page * 20);
  const list = { data, pagination: { page, per_page: 20, total: rows.length } };
  json(id === undefined ? list : record)(response);
}

function start(argv: readonly string[], server: MisbehavingServer, home: Home) {
  const child = startSalon(argv, { home, env: envOf(server) });
  return { child, finished: finish(child) };
}

function envOf(server: MisbehavingServer) {
  return { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', SALON_DATA_DIR: 'data' };
}

/** Sends Ctrl-C after this many requests; resolves when the program has printed its message. */
async function interrupt(child: ChildProcess, server: MisbehavingServer, requests: number): Promise<void> {
  await until(() => child.exitCode !== null || server.received.length >= requests);
  const said = new Promise<void>((resolve) => {
    child.stderr?.on(
      'data',
      (chunk: Buffer) => chunk.includes('Finishing the requests in progress') && resolve(),
    );
  });
  child.kill('SIGINT');
  await said;
}

describe('the first Ctrl-C', () => {
  it('lets pages in flight finish, keeps them, and prints how to resume', async () => {
    await using server = await openHoldingServer(({ query }) => Number(query.get('page')) > 1);
    using home = createHome();
    const argv = ['clients', 'list', '-o', 'clients.csv', '--concurrency', '2'];
    const { child, finished } = start(argv, server, home);
    await interrupt(child, server, 3);
    server.release();
    const { exitCode, stderr } = await finished;
    expect(exitCode, stderr).toBe(130);
    expect(server.received).toHaveLength(3);
    expect(stderr).toContain('60 clients are in clients.csv.partial.');
    const [, command = ''] = /Resume with: salon (jobs resume \S+)\n/.exec(stderr) ?? [];
    const resumed = await runSalon(command.split(' '), { home, env: envOf(server) });
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    await runSalon(['clients', 'list', '-o', 'again.csv'], { home, env: envOf(server) });
    expect(readFileSync(`${home.folder}/clients.csv`)).toEqual(readFileSync(`${home.folder}/again.csv`));
  });

  it('ends a printed list with the pages in flight', async () => {
    await using server = await openHoldingServer(({ query }) => Number(query.get('page')) > 1);
    using home = createHome();
    const { child, finished } = start(['clients', 'list', '-c', 'id', '--concurrency', '1'], server, home);
    await interrupt(child, server, 2);
    server.release();
    const { exitCode, stdout, stderr } = await finished;
    expect({ exitCode, lines: stdout.trimEnd().split('\n').length }).toEqual({ exitCode: 130, lines: 41 });
    expect(stderr).toMatch(/error: Interrupted\.\n$/);
  });

  it('lets a change in flight finish and reports it', async () => {
    await using server = await openHoldingServer(({ method }) => method === 'PUT');
    using home = createHome();
    const argv = ['clients', 'update', 'cli_1', '--set', 'notes=tea', '--json'];
    const { child, finished } = start(argv, server, home);
    await interrupt(child, server, 2);
    server.release();
    const { exitCode, stdout } = await finished;
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ id: 'cli_1', notes: 'tea' });
  });

  it('does not send a change that has not started', async () => {
    await using server = await openHoldingServer(({ method }) => method === 'GET');
    using home = createHome();
    const { child, finished } = start(['clients', 'update', 'cli_1', '--set', 'notes=tea'], server, home);
    await interrupt(child, server, 1);
    server.release();
    expect(await finished).toMatchObject({ exitCode: 130, stdout: '' });
    expect(server.received.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('a second Ctrl-C', () => {
  it('quits at once', async () => {
    await using server = await openHoldingServer(() => true);
    using home = createHome();
    const { child, finished } = start(['clients', 'list'], server, home);
    await interrupt(child, server, 1);
    while (child.exitCode === null) {
      child.kill('SIGINT');
      await wait(20);
    }
    expect(await finished).toMatchObject({ exitCode: 130, stdout: '' });
  });
});
