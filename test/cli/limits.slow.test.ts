import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyDemo } from '../support/demo.ts';
import { createMachine, type Machine } from '../support/io.ts';
import { clients, listing } from '../support/list-server.ts';
import { json, openMisbehavingServer } from '../support/misbehaving-server.ts';

let machine: Machine;
beforeEach(() => {
  machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
});
afterEach(() => machine[Symbol.dispose]());

/** A list of 450 clients on a server that sends these headers. */
function openListServer(headers: Readonly<Record<string, string>>) {
  return openMisbehavingServer(
    listing(({ rows, page, perPage, total }) =>
      json({ data: rows, pagination: { page, per_page: perPage, total } }, { headers }),
    ),
  );
}

const toLimitHeaders = (remaining: number, resetSeconds: number) => ({
  'ratelimit-policy': '"hourly";q=5000;w=3600',
  ratelimit: `"hourly";r=${remaining};t=${resetSeconds}`,
});

function list(origin: string, ...flags: string[]) {
  const env = { SALON_BASE_URL: origin, SALON_API_KEY: 'slk_test' };
  return machine.salon(['clients', 'list', '-f', 'json', ...flags], { env });
}

describe('a rate limit that outlasts --max-wait', () => {
  it('ends the command with exit code 5 and the time to continue', async () => {
    await using server = await openListServer(toLimitHeaders(0, 1_379));
    const ran = await list(server.origin, '--max-wait', '1m');
    expect(ran.exitCode).toBe(5);
    const error = JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '');
    expect(error).toMatchObject({ code: 'rate_limited', retryable: true });
    expect(error.message).toMatch(/Try again in 23 min, at \d\d:\d\d:\d\d UTC/);
    expect(error.retry_after_ms).toBeGreaterThan(1_300_000);
    expect(server.received).toHaveLength(1);
  });

  it('keeps the next command from sending anything', async () => {
    await using server = await openListServer(toLimitHeaders(0, 1_379));
    await list(server.origin, '--max-wait', '1m');
    const ran = await list(server.origin, '--max-wait', '1m');
    expect(ran.exitCode).toBe(5);
    expect(server.received).toHaveLength(1);
  });
});

describe('--rate', () => {
  it('limits several commands together on a server without rate limit headers', async () => {
    await using server = await openListServer({});
    expect((await list(server.origin, '--rate', '4/h')).exitCode).toBe(0);
    const ran = await list(server.origin, '--rate', '4/h', '--max-wait', '10s');
    expect(ran.exitCode).toBe(5);
    expect(server.received).toHaveLength(4);
  });

  it('is refused without a unit', async () => {
    const ran = await machine.salon(['clients', 'list', '--rate', '5000'], {
      env: { SALON_BASE_URL: 'http://salon.test', SALON_API_KEY: 'k' },
    });
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('5000/h') });
  });
});

describe('--concurrency', () => {
  it('1 sends one request at a time', async () => {
    await using server = await openListServer({});
    expect(JSON.parse((await list(server.origin, '--concurrency', '1')).stdout)).toHaveLength(clients.length);
    expect(server.mostAtOnce()).toBe(1);
  });
});

describe('the cost of a list', () => {
  it('is shown with -v even when it is small', async () => {
    await using server = await openListServer(toLimitHeaders(4_000, 1_000));
    expect((await list(server.origin)).stderr).toBe('');
    const { stderr } = await list(server.origin, '-v');
    expect(stderr).toContain("3 requests, less than 1% of this hour's limit\n");
  });

  it('is shown on standard error when it exceeds a tenth of the hour', async () => {
    await using server = await openListServer({});
    const ran = await list(server.origin, '--rate', '20/h');
    expect(ran.stderr).toBe('3 requests, 15% of the hourly budget (--rate)\n');
    expect(JSON.parse(ran.stdout)).toHaveLength(clients.length);
  });
});

describe('rate and concurrency of a profile', () => {
  it('are validated and shown with their source', async () => {
    await copyDemo(machine.home, { data: 'data', config: 'config' });
    expect((await machine.salon(['profiles', 'set', 'demo', 'rate', '3000/h'])).exitCode).toBe(0);
    expect((await machine.salon(['profiles', 'set', 'demo', 'concurrency', '4'])).exitCode).toBe(0);
    expect((await machine.salon(['profiles', 'set', 'demo', 'rate', 'fast'])).exitCode).toBe(2);
    expect((await machine.salon(['profiles', 'set', 'demo', 'concurrency', '0'])).exitCode).toBe(2);
    const shown = JSON.parse((await machine.salon(['profiles', 'show', 'demo', '--json'])).stdout);
    expect(shown).toContainEqual({ setting: 'rate', value: '3000/h', from: 'profile' });
    expect(shown).toContainEqual({ setting: 'concurrency', value: '4', from: 'profile' });
  });

  it('need no rate ledger for an embedded salon', async () => {
    await copyDemo(machine.home, { data: 'data', config: 'config' });
    expect((await machine.salon(['clients', 'list', '--limit', '1'])).exitCode).toBe(0);
    expect(globSync('data/.state.db', { cwd: machine.home })).toEqual([]);
  });
});

describe('a state file that cannot be used', () => {
  it.each([
    ['is damaged', 'data/.state.db'],
    ['cannot be created', 'data'],
  ])('costs one warning when it %s', async (_why, path) => {
    if (path !== 'data') mkdirSync(join(machine.home, 'data'));
    writeFileSync(join(machine.home, path), 'not a database '.repeat(100));
    await using server = await openListServer(toLimitHeaders(4_000, 1_379));
    const ran = await list(server.origin);
    expect(ran.exitCode).toBe(0);
    expect(JSON.parse(ran.stdout)).toHaveLength(450);
    expect(ran.stderr).toMatch(
      /^warning: The rate limit is not shared with other processes: (?:Cannot use [^\n]+|[^\n]+ is damaged: [^\n]+)\n$/,
    );
  });
});
