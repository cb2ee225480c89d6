import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';
import {
  body,
  json,
  type MisbehavingServer,
  openMisbehavingServer,
} from '../../support/misbehaving-server.ts';

const hostile = '\u001b[2J\u009b31m\u007f\u202ecod.exe\u2028';
const hidden = /[[\p{Cc}\p{Cf}\p{Zl}]--[\n]]/v;
const rows: readonly object[] = [
  { id: 'cli_1', notes: hostile, constructor: 'own' },
  { id: 'cli_2', notes: null },
];

let machine: Machine;
let server: MisbehavingServer;
beforeAll(async () => {
  machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
  server = await openMisbehavingServer(({ path }) => {
    if (path.endsWith('/text'))
      return body(`${hostile}\nsecond`, { headers: { 'content-type': 'text/plain' } });
    if (path.endsWith('/cli_1')) return json(rows[0]);
    return json({ data: rows, pagination: { page: 1, per_page: 200, total: 2 } });
  });
});
afterAll(async () => {
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

function salon(line: string, options: RunOptions = {}) {
  return machine.salon(line.split(' '), {
    ...options,
    env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'key' },
  });
}

const terminal = { columns: 200 };

describe('output with control and bidirectional characters', () => {
  test.each([
    'clients list -f csv',
    'clients list -f csv -c notes',
    'clients list -f json',
    'clients list -f ndjson',
    'clients list --no-color -c notes',
    'clients get cli_1 -f csv',
    'clients get cli_1 --json',
    'api GET /clients',
    'api GET /api/v1/text',
  ])('is safe on a terminal: salon %s', async (line) => {
    const ran = await salon(line, terminal);
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toContain('cod.exe');
    expect(ran.stdout).not.toMatch(hidden);
  });

  it('is escaped in JSON in a pipe, too, and the same value', async () => {
    const ran = await salon('clients get cli_1 --json');
    expect(ran.stdout).not.toMatch(hidden);
    expect(JSON.parse(ran.stdout).notes).toBe(hostile);
  });

  it('is exact as CSV in a pipe and in a file', async () => {
    const piped = await salon('clients list -f csv -c notes');
    expect(piped.stdout).toBe(`notes\n${hostile}\n""\n`);
    await salon('clients list -f csv -c notes -o notes.csv', terminal);
    expect(readFileSync(join(machine.home, 'notes.csv'), 'utf8')).toBe(piped.stdout);
    expect((await salon('api GET /api/v1/text')).stdout).toBe(`${hostile}\nsecond\n`);
  });
});

describe('a field with a name of JavaScript', () => {
  test.each([
    ['csv', 'constructor\nown\n""\n'],
    ['ndjson', '{"constructor":"own"}\n{"constructor":null}\n'],
  ])('is empty as %s where a record does not have it', async (format, text) => {
    expect((await salon(`clients list -f ${format} -c constructor`)).stdout).toBe(text);
  });

  it('is empty in tab-separated output where a record does not have it', async () => {
    expect((await salon('clients list -c id,constructor')).stdout).toBe(
      'id\tconstructor\ncli_1\town\ncli_2\t\n',
    );
  });
});
