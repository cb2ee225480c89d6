import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../support/io.ts';
import { type Row, toPerson } from '../support/servers/client-store.ts';
import { isLong } from '../support/speed.ts';
import { writeProfile } from './machine.ts';
import { openRealServer, type RealServer } from './real-server.ts';
import { compareList, compareStore, parseLines, parseRecord } from './records.ts';

/** 60 clients with text and numbers that JavaScript holds: json-server itself is written in it. */
const people = Array.from({ length: 60 }, (_, index) => ({
  id: index + 1,
  ...toPerson(index + 1),
  loyalty_number: index,
  balance: 12.5,
}));

const versions = [
  {
    pack: 'json-server@0.17.4',
    program: 'json-server/lib/cli/bin.js',
    ready: /Home/,
    dialect: { prefix: '', pageParameter: '_page', perPageParameter: '_limit', rowsKey: null },
  },
  {
    pack: 'json-server@1.0.0-beta.15',
    program: 'json-server/lib/bin.js',
    ready: /Endpoints/,
    dialect: { prefix: '', pageParameter: '_page', perPageParameter: '_per_page', totalKey: 'items' },
  },
];

/** Each from the registry, as a process; see "Servers tried" in docs/other-servers.md. */
describe.runIf(isLong).each(versions)('$pack', ({ pack, program, ready, dialect }) => {
  let server: RealServer;
  let machine: Machine;

  beforeAll(async () => {
    server = await openRealServer({
      pack,
      program,
      ready,
      files: { 'db.json': JSON.stringify({ clients: people }) },
      argv: (port) => ['--port', String(port), '--host', '127.0.0.1', 'db.json'],
    });
  }, 300_000);
  afterAll(() => server?.[Symbol.asyncDispose]());
  beforeEach(() => {
    machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
    return () => machine[Symbol.dispose]();
  });

  const readStore = (): readonly Row[] =>
    (parseRecord(readFileSync(join(server.folder, 'db.json'), 'utf8'))['clients'] as Row[]).map((row) => ({
      ...row,
      id: String(row['id']),
    }));

  const salon = async (...argv: string[]) => {
    const ran = await machine.salon(argv);
    expect(ran, argv.join(' ')).toMatchObject({ exitCode: 0 });
    return ran.stdout;
  };

  it.each([
    ['with nothing but its address', { prefix: '' }],
    ['with its parameters', dialect],
  ])('lists every client %s', async (_how, parts) => {
    writeProfile(machine, server.origin, parts);
    const rows = parseLines(await salon('clients', 'list', '-f', 'ndjson'));
    expect(compareList(rows, readStore())).toBeUndefined();
  });

  it('reads, adds, changes and deletes a client', async () => {
    writeProfile(machine, server.origin, dialect);
    const before = readStore();
    expect(parseRecord(await salon('clients', 'get', '7', '--json'))).toMatchObject({
      email: 'client7@example.com',
    });
    const added = parseRecord(await salon('clients', 'create', '--set', 'first_name=Nova', '--json'));
    const id = String(added['id']);
    await salon('clients', 'update', id, '--set', 'notes=“new”');
    await salon('clients', 'update', '7', '--set', 'notes=“new”');
    const changed = before.map((row) => (row['id'] === '7' ? { ...row, notes: '“new”' } : row));
    const nova: Row = { id, first_name: 'Nova', notes: '“new”' };
    expect(compareStore(readStore(), [...changed, nova])).toBeUndefined();
    await salon('clients', 'delete', id, '--yes');
    expect(compareStore(readStore(), changed)).toBeUndefined();
    const gone = await machine.salon(['clients', 'get', id, '--json']);
    expect(gone).toMatchObject({ exitCode: 6, stdout: '' });
  });

  it('changes clients from a sheet, and undoes it', async () => {
    writeProfile(machine, server.origin, dialect);
    const before = readStore();
    const lines = before.slice(0, 40).map((row) => `${row['id']},Note ${row['id']}`);
    writeFileSync(join(machine.home, 'sheet.csv'), `id,notes\n${lines.join('\n')}\n`);
    const report = await salon('clients', 'update', '--file', 'sheet.csv', '--yes', '--json');
    const changed = before.map((row, index) => (index < 40 ? { ...row, notes: `Note ${row['id']}` } : row));
    expect(compareStore(readStore(), changed)).toBeUndefined();
    await salon('jobs', 'undo', JSON.parse(report).job, '--yes');
    expect(compareStore(readStore(), before)).toBeUndefined();
  });
});
