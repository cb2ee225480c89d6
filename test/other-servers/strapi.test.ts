import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../support/io.ts';
import {
  json,
  type MisbehavingServer,
  openMisbehavingServer,
  type Received,
  body as text,
} from '../support/misbehaving-server.ts';
import { writeProfile } from './machine.ts';

type Row = Readonly<Record<string, unknown>>;

let rows: Map<string, Row>;
let server: MisbehavingServer;
let machine: Machine;

/** Members that Strapi refuses in the data of a request. */
const refused = ['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt'];

function toRow(number: number, fields: Row): Row {
  const at = { createdAt: '2026-01-01', updatedAt: '2026-01-01', publishedAt: '2026-01-01' };
  return { id: number, documentId: `doc${number}abcdefghijklmnopqrs`, ...fields, ...at };
}

/**
 * The REST API of Strapi 5: https://docs.strapi.io/cms/api/rest. A record is found by its `documentId`; its numeric `id`
 * is that of a row, and another one after each publication.
 */
function answer({ method, path, query, body }: Received) {
  const [, api, noun, id] = path.split('/');
  const row = id === undefined ? undefined : rows.get(id);
  const notFound = json({ data: null, error: { status: 404, name: 'NotFoundError' } }, { status: 404 });
  if (api !== 'api' || noun !== 'clients' || (id !== undefined && row === undefined)) return notFound;
  if (method === 'GET' && row !== undefined) return json({ data: row, meta: {} });
  if (method === 'GET') {
    const [page, pageSize] = ['page', 'pageSize'].map((name) => Number(query.get(`pagination[${name}]`)));
    const size = Math.min(pageSize || 25, 100);
    const start = ((page || 1) - 1) * size;
    const data = [...rows.values()].slice(start, start + size);
    const pagination = { page: page || 1, pageSize: size, total: rows.size };
    return json({ data, meta: { pagination } });
  }
  if (method === 'DELETE') {
    rows.delete(id ?? '');
    return text('', { status: 204 });
  }
  const data: Row = JSON.parse(body).data ?? {};
  const invalid = refused.find((name) => name in data);
  if (invalid !== undefined) return json({ error: { message: `Invalid key ${invalid}` } }, { status: 400 });
  const number = 100 + rows.size + server.received.length;
  const changed = row === undefined ? toRow(number, data) : { ...row, ...data, id: number };
  rows.set(String(changed['documentId']), changed);
  return json({ data: changed, meta: {} }, { status: row === undefined ? 201 : 200 });
}

beforeEach(async () => {
  const people = ['Ana Costa', 'Bo Lee', 'Mia Sato'].map((name) => name.split(' '));
  rows = new Map(
    people.map(([first_name, last_name], index) => {
      const row = toRow(index + 1, { first_name, last_name, notes: null });
      return [String(row['documentId']), row];
    }),
  );
  server = await openMisbehavingServer(answer);
  machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
  writeProfile(machine, `${server.origin}/api`, {
    prefix: '',
    idKey: 'documentId',
    bodyKeys: { clients: 'data' },
    partialUpdates: true,
    readOnlyFields: refused,
    pageParameter: 'pagination[page]',
    perPageParameter: 'pagination[pageSize]',
    perPage: 2,
    totalKey: 'meta.pagination.total',
  });
});
afterEach(async () => {
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

const salon = (...argv: string[]) => machine.salon([...argv, '--json']);
const ids = () => [...rows.keys()];
const notes = () => [...rows.values()].map((row) => row['notes']);

describe('the dialect of Strapi in the guide', () => {
  it('signs in as printed, and reads, changes and adds clients', async () => {
    const guide = readFileSync(new URL('../../docs/other-servers.md', import.meta.url), 'utf8');
    const dialect = /^Strapi 5 finds[^`]*(?:`[^`]+`[^`]*)*?```json\n(.*?)```/ms.exec(guide)?.[1] ?? '';
    expect(JSON.parse(dialect)).toMatchObject({ id_key: 'documentId' });
    using shop = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
    writeFileSync(join(shop.home, 'strapi.json'), dialect);
    const login = ['auth', 'login', '--base-url', server.origin, '--dialect', 'strapi.json', '--no-keyring'];
    const ran = await shop.salon(login, { stdin: 'key-of-strapi' });
    expect(ran.exitCode, ran.stderr).toBe(0);
    const listed = await shop.salon(['clients', 'list', '--json']);
    expect(JSON.parse(listed.stdout).map(({ id }: Row) => id)).toEqual(ids());
    const updated = await shop.salon(['clients', 'update', ids()[1] ?? '', '--set', 'notes=new']);
    expect([updated.exitCode, notes()], updated.stderr).toEqual([0, [null, 'new', null]]);
    const created = await shop.salon(['clients', 'create', '--set', 'first_name=Zoe']);
    expect([created.exitCode, rows.size], created.stderr).toEqual([0, 4]);
  });

  it('takes none for no prefix, too', async () => {
    using shop = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
    const login = ['auth', 'login', '--base-url', `${server.origin}/api`, '--set', 'prefix=none'];
    const ran = await shop.salon([...login, '--no-keyring'], { stdin: 'key-of-strapi' });
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(server.received.at(-1)?.path).toBe('/api/clients');
  });
});

describe('Strapi 5, whose records have a documentId and a numeric id', () => {
  it('lists and shows clients by their documentId', async () => {
    const listed = JSON.parse((await salon('clients', 'list')).stdout);
    expect(listed.map(({ id }: Row) => id)).toEqual(ids());
    const shown = await salon('clients', 'get', ids()[1] ?? '');
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: ids()[1], first_name: 'Bo' });
  });

  it('changes and deletes the client with a name', async () => {
    expect(await salon('clients', 'update', 'Bo Lee', '--set', 'notes=new')).toMatchObject({ exitCode: 0 });
    expect(notes()).toEqual([null, 'new', null]);
    const [first] = ids();
    expect(await salon('clients', 'delete', 'Ana Costa', '--yes')).toMatchObject({ exitCode: 0 });
    expect(ids()).not.toContain(first);
    expect(server.received.some(({ path }) => /clients\/\d+$/.test(path))).toBe(false);
  });

  it('changes clients from a sheet, and undoes it', async () => {
    const lines = ['id,notes', `${ids()[0]},one`, `${ids()[2]},three`];
    writeFileSync(join(machine.home, 'sheet.csv'), `${lines.join('\n')}\n`);
    const ran = await salon('clients', 'update', '--file', 'sheet.csv', '--yes');
    expect([ran.exitCode, notes()], ran.stderr).toEqual([0, ['one', null, 'three']]);
    const { job } = JSON.parse(ran.stdout);
    const undone = await salon('jobs', 'undo', job, '--yes');
    expect([undone.exitCode, notes()], undone.stderr).toEqual([0, [null, null, null]]);
  });

  it('adds deleted clients again', async () => {
    const ran = await salon('clients', 'delete', '--all', '--yes', '--max-changes', '3');
    expect([ran.exitCode, rows.size], ran.stderr).toEqual([0, 0]);
    const undone = await salon('jobs', 'undo', JSON.parse(ran.stdout).job, '--yes');
    expect([undone.exitCode, undone.stderr]).toEqual([0, expect.any(String)]);
    expect([...rows.values()].map((row) => row['first_name'])).toEqual(['Ana', 'Bo', 'Mia']);
  });
});
