import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';
import { clients } from '../../support/list-server.ts';
import { json, openMisbehavingServer, type Received } from '../../support/misbehaving-server.ts';

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine[Symbol.dispose]());

const file = () => join(machine.home, '.config/salon/config.json');
const saved = () => JSON.parse(readFileSync(file(), 'utf8')).profiles.default;

/** A server with its clients at `path`, paged by `offset` and `limit`. */
function openOffsetServer(path: string) {
  return openMisbehavingServer((request) =>
    request.path === path ? json(toPage(request)) : json({}, { status: 404 }),
  );
}

function toPage({ query }: Received) {
  const start = Number(query.get('offset') ?? 0);
  return clients.slice(0, 45).slice(start, start + Math.min(Number(query.get('limit') ?? 10), 25));
}

/** Detects with a profile that has a dialect, and returns the one that it has then. */
async function detect(baseUrl: string, dialect: object) {
  await machine.salon(['auth', 'login', '--base-url', baseUrl, '--no-verify'], { stdin: 'sk_test' });
  const config = JSON.parse(readFileSync(file(), 'utf8'));
  config.profiles.default.dialect = dialect;
  writeFileSync(file(), JSON.stringify(config));
  const { exitCode, stderr } = await machine.salon(['profiles', 'detect']);
  expect(exitCode, stderr).toBe(0);
  return saved().dialect;
}

const offset = { paging: 'offset', pageParameter: 'offset', perPageParameter: 'limit' };

describe('profiles detect', () => {
  it('replaces how lists are paged, and keeps what else the profile declares', async () => {
    await using server = await openOffsetServer('/people');
    const others = { updateMethod: 'PATCH', partialUpdates: true, filterNames: { q: null } };
    const place = { prefix: '', resources: { clients: 'people' } };
    const lists = { appointments: { paging: 'none', filterNames: { status: 'state' } } };
    const former = { ...place, ...others, paging: 'page', firstPage: 0, perPage: 20, lists };
    expect(await detect(server.origin, former)).toEqual({
      ...{ ...place, ...others, ...offset, rowsKey: null },
      lists: { appointments: { filterNames: { status: 'state' } } },
    });
  });

  it('says how lists are paged in full where they are not as the ready-made dialect says', async () => {
    await using server = await openOffsetServer('/clients/');
    const dialect = await detect(server.origin, { extends: 'django' });
    expect(dialect).toMatchObject({ extends: 'django', ...offset, firstPage: 1, perPage: 200 });
    const { stdout } = await machine.salon(['clients', 'list', '--json']);
    expect(JSON.parse(stdout)).toHaveLength(45);
  });

  it('leaves only the place of a server that speaks the documented API', async () => {
    const pagination = { page: 1, per_page: 200, total: 3 };
    await using server = await openMisbehavingServer(({ path }) =>
      path === '/v1/clients' ? json({ data: clients.slice(0, 3), pagination }) : json({}, { status: 404 }),
    );
    const former = { prefix: '/v1', headers: { 'x-shop': '7' }, resources: { clients: 'people' }, ...offset };
    const dialect = await detect(server.origin, former);
    expect(dialect).toEqual({ prefix: '/v1', headers: { 'x-shop': '7' } });
  });

  it.each([
    ['clients', '/api/clients', {}],
    ['customers', '/api/customers', { resources: { clients: 'customers' } }],
  ])('finds %s below the prefix, and keeps the headers', async (_name, path, resources) => {
    await using server = await openMisbehavingServer((request) =>
      request.path === path && request.headers['x-shop'] === '7'
        ? json(toPage(request))
        : json({}, { status: 404 }),
    );
    const former = { prefix: '/api', headers: { 'x-shop': '7' } };
    expect(await detect(server.origin, former)).toEqual({
      ...former,
      ...resources,
      ...offset,
      rowsKey: null,
    });
  });

  it('keeps headers that a sign-in was given', async () => {
    await using server = await openMisbehavingServer((request) =>
      request.path === '/clients' && request.headers['x-shop'] === '7'
        ? json(toPage(request))
        : json({}, { status: 404 }),
    );
    const given = ['--set', 'dialect.headers.x-shop=7'];
    const argv = ['auth', 'login', '--base-url', server.origin, ...given];
    const { exitCode, stderr } = await machine.salon(argv, { stdin: 'sk_test' });
    expect(exitCode, stderr).toBe(0);
    expect(saved().dialect).toMatchObject({ ...offset, prefix: '', headers: { 'x-shop': '7' } });
  });

  it.each([403, 429])('asks nothing more after %i, and saves nothing', async (status) => {
    await using server = await openMisbehavingServer(({ path, query }) =>
      path !== '/clients'
        ? json({}, { status: 404 })
        : query.size === 0
          ? json(clients.slice(0, 10))
          : json({ error: 'no' }, { status }),
    );
    await machine.salon(['auth', 'login', '--base-url', server.origin, '--no-verify'], { stdin: 'sk_test' });
    await machine.salon(['profiles', 'set', 'default', 'paging', 'cursor']);
    const { exitCode } = await machine.salon(['profiles', 'detect']);
    expect(exitCode).toBe(status === 403 ? 10 : 5);
    expect(server.received.filter(({ path }) => path === '/clients')).toHaveLength(2);
    expect(saved().dialect).toEqual({ paging: 'cursor' });
  });
});

describe('the sign-in with the name of a list alone', () => {
  it.each([
    ['below the base URL', '/people', ''],
    ['below a usual prefix', '/v2/people', '/v2'],
  ])('finds out where it is and how it is paged: %s', async (_where, path, prefix) => {
    await using server = await openOffsetServer(path);
    const argv = ['auth', 'login', '--base-url', server.origin, '--set', 'resources.clients=people'];
    const { exitCode, stderr } = await machine.salon(argv, { stdin: 'sk_test' });
    expect(exitCode, stderr).toBe(0);
    expect(saved().dialect).toEqual({ prefix, resources: { clients: 'people' }, ...offset, rowsKey: null });
  });

  it('finds out how it is paged where the prefix is given, too', async () => {
    await using server = await openOffsetServer('/crm/people');
    const set = ['--set', 'prefix=/crm', '--set', 'resources.clients=people'];
    const argv = ['auth', 'login', '--base-url', server.origin, ...set];
    expect((await machine.salon(argv, { stdin: 'sk_test' })).exitCode).toBe(0);
    expect(saved().dialect).toEqual({
      prefix: '/crm',
      resources: { clients: 'people' },
      ...offset,
      rowsKey: null,
    });
  });
});
