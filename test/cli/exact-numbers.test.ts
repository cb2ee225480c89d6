import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createMachine, type Machine, type RunOptions } from '../support/io.ts';
import { jsonText, memberName, toMembers } from '../support/json-texts.ts';
import { body, type MisbehavingServer, openMisbehavingServer } from '../support/misbehaving-server.ts';
import { countBySpeed } from '../support/speed.ts';

const members = [
  '"loyalty":9007199254740993,"balance":12345678901234567890,"limit":1e400,"rate":1234567890123456.78',
  '"price":1.50,"score":1.0,"zero":-0,"points":1E5,"nested":{"list":[1.50,{"deep":-0.0}]}',
].join(',');
const id = '9007199254740993';
const numbers = /\d[\d.eE+-]*/g;

/** Clients as JSON text, by ID. A PUT replaces the text. */
let stored: Map<string, string>;
let machine: Machine;
let server: MisbehavingServer;

beforeAll(async () => {
  machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
  const json = { headers: { 'content-type': 'application/json' } };
  server = await openMisbehavingServer(({ method, path, body: sent }) => {
    const [noun, wanted] = path.split('/').slice(3);
    if (noun !== 'clients') return body('{}', { status: 404, ...json });
    if (wanted === undefined) {
      const rows = [...stored.values()].join(',');
      return body(`{"data":[${rows}],"pagination":{"page":1,"per_page":200,"total":${stored.size}}}`, json);
    }
    const record = stored.get(wanted);
    if (record === undefined) return body('{}', { status: 404, ...json });
    if (method === 'PUT') stored.set(wanted, `{"id":${wanted},${sent.slice(1)}`);
    return body(stored.get(wanted) ?? '', json);
  });
});
afterAll(async () => {
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

function store(...texts: string[]): void {
  const big = BigInt(id);
  stored = new Map(
    texts.map((text, index) => [`${big + BigInt(index)}`, `{"id":${big + BigInt(index)},${text}}`]),
  );
}

function salon(argv: readonly string[], options: RunOptions = {}) {
  return machine.salon(argv, { ...options, env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'key' } });
}

function lastBody(): string {
  return server.received.findLast(({ method }) => method === 'PUT')?.body ?? '';
}

function compact(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
}

/** Undoes the escapes that output adds to those of JSON. */
function withoutEscapes(json: string): string {
  return json.replaceAll(/\\(?:u([0-9a-f]{4})|.)/g, (escaped, hex = '0') => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/.test(character)
      ? character
      : escaped;
  });
}

describe('numbers of a server', () => {
  it.each([
    ['clients', 'get', id, '--json'],
    ['api', 'GET', `/clients/${id}`],
  ])('are printed digit for digit by salon %s %s', async (...argv) => {
    store(`${members},"notes":null`);
    const ran = await salon(argv);
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    expect(compact(ran.stdout)).toBe(`{"id":${id},${members},"notes":null}`);
  });

  test.each([
    ['json', {}],
    ['ndjson', {}],
    ['csv', {}],
    ['table', {}],
    ['table', { columns: 400 }],
  ])('are listed digit for digit as %s %j', async (format, options) => {
    store(members, members);
    const ran = await salon(['clients', 'list', '-f', format, '-c', '+all'], options);
    expect(ran).toMatchObject({ exitCode: 0 });
    const printed = ran.stdout.match(numbers) ?? [];
    for (const number of members.match(numbers) ?? []) {
      expect(printed.filter((text) => text === number).length).toBeGreaterThanOrEqual(2);
    }
    expect(ran.stdout).toContain('9007199254740994');
  });

  it('are exported digit for digit', async () => {
    store(members, members);
    const ran = await salon(['clients', 'list', '-o', 'all.ndjson']);
    expect(ran).toMatchObject({ exitCode: 0 });
    const lines = readFileSync(join(machine.home, 'all.ndjson'), 'utf8').trim().split('\n');
    expect(lines).toEqual([...stored.values()]);
  });

  it('survive a write of another field', async () => {
    store(`${members},"notes":null`);
    const ran = await salon(['clients', 'update', id, '--set', 'notes=Called']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(lastBody()).toBe(`{${members},"notes":"Called"}`);
  });

  it('survive every write-back and are printed as sent, whatever else a record contains', async () => {
    const record = fc.uniqueArray(fc.tuple(memberName, jsonText), {
      maxLength: 6,
      minLength: 1,
      selector: ([name]) => name,
    });
    await fc.assert(
      fc.asyncProperty(record, async (others) => {
        const written = others.filter(([name]) => !['id', 'notes'].includes(name));
        fc.pre(written.length > 0);
        store(`${toMembers(written)},"notes":"x"`);
        const printed = await salon(['clients', 'get', id, '--json']);
        expect(withoutEscapes(compact(printed.stdout))).toBe(
          `{"id":${id},${toMembers(written)},"notes":"x"}`,
        );
        await salon(['clients', 'update', id, '--set', 'notes=y']);
        expect(lastBody()).toBe(`{${toMembers(written)},"notes":"y"}`);
      }),
      { numRuns: countBySpeed(40) },
    );
  });
});

describe('numbers in a bulk edit', () => {
  test.each(['csv', 'ndjson', 'json'])(
    'do not change in an export as %s that nobody edited',
    async (format) => {
      store(`${members},"notes":"a"`, `${members},"notes":"b"`);
      await salon(['clients', 'list', ...(format === 'csv' ? ['-c', '+all'] : []), '-o', `back.${format}`]);
      const ran = await salon([
        'clients',
        'update',
        '--file',
        `back.${format}`,
        '--yes',
        '--allow-new-fields',
      ]);
      expect(ran.stderr).toContain('Nothing to change');
      expect(ran).toMatchObject({ exitCode: 0 });
    },
  );

  it('do not change where a sheet writes the same number differently', async () => {
    store('"price":1.50,"points":1E5');
    writeFileSync(join(machine.home, 'same.csv'), `id,price,points\n${id},1.5,100000\n`);
    const ran = await salon(['clients', 'update', '--file', 'same.csv', '--yes', '--allow-new-fields']);
    expect(ran.stderr).toContain('Nothing to change');
  });

  it('are sent, kept in the journal and undone digit for digit', async () => {
    store(members);
    const changed = { loyalty: '9007199254740995', limit: '1e401', price: '1.60', points: '+7' };
    writeFileSync(
      join(machine.home, 'edit.csv'),
      `id,${Object.keys(changed).join()}\n${id},${Object.values(changed).join()}\n`,
    );
    const ran = await salon(['clients', 'update', '--file', 'edit.csv', '--yes', '--allow-new-fields']);
    expect(ran).toMatchObject({ exitCode: 0 });
    const others = '"rate":1234567890123456.78,"price":1.60,"score":1.0,"zero":-0,"points":7';
    expect(lastBody()).toBe(
      `{"loyalty":9007199254740995,"balance":12345678901234567890,"limit":1e401,${others},"nested":{"list":[1.50,{"deep":-0.0}]}}`,
    );
    const undone = await salon(['jobs', 'undo', /jobs undo (\S+)/.exec(ran.stderr)?.[1] ?? '', '--yes']);
    expect(undone).toMatchObject({ exitCode: 0 });
    expect(lastBody()).toBe(`{${members}}`);
  });
});

describe('numbers of a person', () => {
  it.each([
    ['--set', 'credit:=12345678901234567890'],
    ['--data', '{"credit":12345678901234567890}'],
  ])('are sent digit for digit with %s %s', async (...flags) => {
    store('"notes":null');
    const ran = await salon(['clients', 'update', id, ...flags]);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(lastBody()).toBe('{"notes":null,"credit":12345678901234567890}');
  });

  it('are sent digit for digit with salon api', async () => {
    store('"notes":null');
    await salon(['api', 'PUT', `/clients/${id}`, '--data', `{${members}}`]);
    expect(lastBody()).toBe(`{${members}}`);
  });
});
