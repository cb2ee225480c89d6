import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';
import { sendRequest } from '../../support/send-request.ts';
import { openTestService } from '../../support/service.ts';

const lines = [
  { level: 30, time: 1795600000000, msg: 'service started' },
  {
    level: 30,
    time: 1795600001000,
    request_id: 'req_1',
    msg: 'request',
    status: 200,
    account: 'acc_1',
    key: 'key_1',
  },
  { level: 50, time: 1795600002000, request_id: 'req_2', msg: 'request failed', err: { message: 'Full.' } },
  {
    level: 30,
    time: 1795600002001,
    request_id: 'req_2',
    msg: 'request',
    status: 503,
    account: 'acc_2',
    key: 'key_2',
  },
];
const text = `node:internal: a line of another program\n${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
  writeFileSync(join(machine.home, 'salon.log'), text);
});
afterEach(() => machine[Symbol.dispose]());

async function search(argv: string, options = {}) {
  const ran = await machine.salon(`server logs ${argv} --json`.split(' '), options);
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  return JSON.parse(ran.stdout) as Record<string, unknown>[];
}

describe('salon server logs', () => {
  it('shows all lines of a request, with times and levels in words', async () => {
    expect(await search('salon.log --request req_2')).toEqual([
      {
        ...{ time: '2026-11-25T09:46:42.000Z', level: 'error', request_id: 'req_2', msg: 'request failed' },
        ...{ error: 'Full.', err: { message: 'Full.' } },
      },
      expect.objectContaining({ level: 'info', msg: 'request', status: 503 }),
    ]);
  });

  it.each([
    ['salon.log', 4],
    ['salon.log --status 5xx', 1],
    ['salon.log --status 200', 1],
    ['salon.log --account acc_1', 1],
    ['salon.log --key key_2', 1],
    ['salon.log --key key_2 --status 2xx', 0],
    ['salon.log --message started', 1],
    ['salon.log salon.log', 8],
  ])('%s finds %i lines', async (argv, count) => {
    expect(await search(argv)).toHaveLength(count);
  });

  it('reads standard input, compressed files, and the file in SALON_LOG_FILE', async () => {
    writeFileSync(join(machine.home, 'salon.log.1.gz'), gzipSync(text));
    expect(await search('- --request req_1', { stdin: text })).toHaveLength(1);
    expect(await search('salon.log.1.gz --request req_1')).toHaveLength(1);
    expect(await search('--request req_1', { env: { SALON_LOG_FILE: 'salon.log' } })).toHaveLength(1);
  });

  it('finds a request of a service by the ID in its response', async () => {
    await using service = await openTestService({ config: { logLevel: 'info' } });
    const { headers } = await sendRequest(`${service.origin}/v1/clients`, { key: service.keys.viewer });
    await service.close();
    writeFileSync(join(machine.home, 'service.log'), service.logged.join(''));
    expect(await search(`service.log --request ${headers['x-request-id']}`)).toMatchObject([
      { msg: 'request', method: 'GET', path: '/v1/clients', status: 200, account: service.id, rows: 3 },
    ]);
  });

  it.each([
    'salon.log --request req_9',
    'salon.log --request req_9 --json',
    'salon.log salon.log --request REQ_1',
  ])('%s exits with 6', async (argv) => {
    const ran = await machine.salon(`server logs ${argv}`.split(' '));
    expect(ran.exitCode).toBe(6);
    expect(ran.stderr).toMatch(/No request (?:req_9|REQ_1) in the logs?\./);
  });

  it('shows nothing of a request whose lines do not match the other filters', async () => {
    expect(await search('salon.log --request req_1 --status 5xx')).toEqual([]);
  });

  it.each([
    ['', 'No log given.'],
    ['missing.log', 'Cannot read the log '],
    ['salon.log --status maybe', '--status needs a status'],
  ])('%s is refused', async (argv, message) => {
    const ran = await machine.salon(`server logs ${argv}`.trim().split(' '));
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toContain(`error: ${message}`);
  });

  it('reports a compressed file that is damaged', async () => {
    writeFileSync(join(machine.home, 'salon.log.gz'), 'not compressed');
    const ran = await machine.salon(['server', 'logs', 'salon.log.gz']);
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toMatch(/^error: Cannot read the log \S+salon\.log\.gz \(Z_DATA_ERROR\)\.\n/);
  });
});

describe('a key that the command does not use', () => {
  it('need not be readable', async () => {
    const env = { SALON_API_KEY_FILE: join(machine.home, 'missing.key') };
    expect(await search('salon.log --request req_1', { env })).toHaveLength(1);
  });
});
