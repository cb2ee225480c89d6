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
      ...{ ...place, ...others, ...offset },
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
});
