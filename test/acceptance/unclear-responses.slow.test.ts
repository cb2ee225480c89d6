import { afterAll, describe, expect, it } from 'vitest';
import { openForgetfulServer } from '../support/forgetful-server.ts';
import { createMachine } from '../support/io.ts';
import {
  body,
  halfABody,
  html,
  json,
  nothing,
  problem,
  type Reply,
  raw,
  reset,
} from '../support/misbehaving-server.ts';
import { isLong } from '../support/speed.ts';
import { createTestClock } from '../support/test-clock.ts';

const machine = createMachine();
afterAll(() => machine[Symbol.dispose]());

const old = { id: 'cli_1', first_name: 'Ana', notes: 'old' };
const commands = [
  ['clients create --set first_name=Mia', 'POST'],
  ['clients update cli_1 --set notes=new', 'PUT'],
  ['clients delete cli_1 --yes', 'DELETE'],
  ['api POST clients --data {"first_name":"Mia"}', 'POST'],
  ['api DELETE clients/cli_1', 'DELETE'],
] as const;

const bodies: readonly (readonly [string, (status: number) => Reply])[] = [
  ['nothing', (status) => body('', { status })],
  ['JSON', (status) => json({ message: 'The till is closed.' }, { status })],
  ['a problem of another server', (status) => problem(status, 'till_closed')],
  ['a page', (status) => html('Sorry', { status })],
  ['half a text', (status) => body('{"message": "The till', { status })],
];
/** Every status with one body, and every body with one status; all pairs in the long run. */
function toPairs(statuses: readonly number[]): (readonly [number, string, Reply])[] {
  return bodies.flatMap(([name, toReply], index) =>
    statuses
      .filter((_status, at) => isLong || index === 1 || at === index)
      .map((status) => [status, name, toReply(status)] as const),
  );
}

/** The server has done nothing, and says so; with the exit code. */
const rejections: readonly (readonly [number, number])[] = [
  [301, 1],
  [400, 1],
  [401, 4],
  [403, 10],
  [405, 1],
  [409, 7],
  [410, 1],
  [412, 7],
  [413, 1],
  [415, 1],
  [418, 1],
  [422, 1],
  [425, 5],
  [429, 5],
  [451, 1],
  [501, 5],
  [505, 5],
  [511, 5],
];
const unclear = [303, 408, 499, 500, 502, 503, 504, 507, 520, 521, 522, 523, 524, 525, 530, 598];

/** Runs a command, and compares what it says with what the server did. */
async function runAgainst(line: string, { answer, executes }: { answer: Reply; executes: boolean }) {
  await using server = await openForgetfulServer({ records: [old], answer: () => answer, executes });
  const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'key-of-the-salon-0123' };
  const argv = [...line.split(' '), '--json', '--retries', '0', '--max-wait', '1s', '--timeout', '60s'];
  const clock = createTestClock(Date.now());
  const { exitCode, stdout, stderr } = await machine.salon(argv, { env, clock });
  const isChanged = JSON.stringify([...server.records.values()]) !== JSON.stringify([old]);
  expect(isChanged, 'the server does what the test is about').toBe(executes);
  expect(stderr).not.toContain('key-of-the-salon');
  if (exitCode === 0) return { exitCode, inDoubt: false };
  expect(stdout).toBe('');
  const error = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
  expect(error.message, stderr).toMatch(/^[^\n]{10,}$/);
  return { exitCode, inDoubt: error.in_doubt === true };
}

describe.each(commands)('salon %s', (line, method) => {
  const exitCodes = new Map(rejections);
  const worlds = toPairs([...exitCodes.keys()]);
  it.each(worlds)('has failed after a %i with %s', async (status, _name, answer) => {
    const exitCode = exitCodes.get(status);
    expect(await runAgainst(line, { answer, executes: false })).toEqual({ exitCode, inDoubt: false });
  });

  const isLookedUp = /update|clients delete/.test(line);
  const doubts: readonly (readonly [string, Reply, number])[] = [
    ...toPairs(unclear).map(([status, name, reply]) => [`a ${status} with ${name}`, reply, 5] as const),
    ['a reset', reset, 5],
    ['a closed connection', nothing, 5],
    ['half a body', halfABody, 5],
    // “api” prints whatever a success contains.
    ...(line.startsWith('api') ? [] : [['a page', html('Welcome'), 1] as const]),
    ['half a JSON text', body('{"id": "cli', { headers: { 'content-type': 'application/json' } }), 5],
    [
      'a JSON text with rubbish',
      body('{"id": "cli_1"}}', { headers: { 'content-type': 'application/json' } }),
      1,
    ],
    ['a header that is none', raw('HTTP/1.1 200 OK\r\nno header\r\n\r\n{}'), 1],
    ['another protocol', raw('SSH-2.0-OpenSSH_9\r\n'), 1],
    ['an unknown encoding', json({}, { headers: { 'content-encoding': 'zstd' } }), 1],
  ];
  it.each(doubts)('may have succeeded after %s, and did not', async (_what, answer, exitCode) => {
    expect(await runAgainst(line, { answer, executes: false })).toEqual({ exitCode, inDoubt: true });
  });

  it.each(doubts)('may have succeeded after %s, and did', async (_what, answer, exitCode) => {
    const seen = await runAgainst(line, { answer, executes: true });
    expect(seen).toEqual(isLookedUp ? { exitCode: 0, inDoubt: false } : { exitCode, inDoubt: true });
  });

  it.each([
    ['a flag', { success: false, message: 'The till is closed.' }],
    ['an error', { error: { message: 'The till is closed.' } }],
    ['errors', { data: null, errors: [{ detail: 'The till is closed.' }] }],
  ])('has failed after a 200 with %s', async (_what, content) => {
    const answer = json(content, { status: method === 'POST' ? 201 : 200 });
    expect(await runAgainst(line, { answer, executes: false })).toEqual({ exitCode: 1, inDoubt: false });
  });
});
