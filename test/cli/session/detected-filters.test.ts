import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine[Symbol.dispose]());

const saved = () =>
  JSON.parse(readFileSync(join(machine.home, '.config/salon/config.json'), 'utf8')).profiles.default.dialect;

const clients = Array.from({ length: 7 }, (_, index) => ({
  id: `c${index}`,
  email: `client${index}@salon.test`,
}));
const appointments = Array.from({ length: 9 }, (_, index) => ({
  id: `a${index}`,
  client_id: `c${index % 4}`,
  status: index % 3 === 0 ? 'completed' : 'confirmed',
}));

/** A server that filters by `filter[where][<field>]` as long as it does. */
function openServer(filters = () => true) {
  return openMisbehavingServer(({ path, query }) => {
    const rows = { '/clients': clients, '/appointments': appointments }[path];
    if (rows === undefined) return json({}, { status: 404 });
    const wanted = [...query].flatMap(([name, value]) => {
      const [, field] = /^filter\[where\]\[(\w+)\]$/.exec(name) ?? [];
      return field === undefined ? [] : [[field, value] as const];
    });
    if (wanted.length > 0 && !filters()) return json(rows);
    return json(rows.filter((row) => wanted.every(([field, value]) => Reflect.get(row, field) === value)));
  });
}

async function signIn(origin: string) {
  const { exitCode, stderr } = await machine.salon(['auth', 'login', '--base-url', origin], {
    stdin: 'sk_test',
  });
  expect(exitCode, stderr).toBe(0);
  return stderr;
}

const found = {
  email: 'filter[where][email]',
  client_id: 'filter[where][client_id]',
  status: 'filter[where][status]',
};

describe('the filters of a server', () => {
  it('are found out at the sign-in, shown, stored and used', async () => {
    await using server = await openServer();
    const shown = await signIn(server.origin);
    expect(shown).toContain('It filters by email.');
    expect(shown).toContain('It filters by client_id, status.');
    expect(shown).toContain('Nothing shows whether it filters by');
    expect(saved().filterNames).toEqual(found);
    const { stdout } = await machine.salon(['profiles', 'show', '--dialect']);
    expect(JSON.parse(stdout).filterNames).toEqual(found);
    const before = server.received.length;
    const listed = await machine.salon(['appointments', 'list', '--client', 'c1', '--json']);
    expect(JSON.parse(listed.stdout).map(({ id }: { id: string }) => id)).toEqual(['a1', 'a5']);
    const sent = server.received.slice(before).filter(({ path }) => path === '/appointments');
    expect(sent.map(({ query }) => query.get(found.client_id))).toEqual(['c1']);
  });

  it('that are filters once and never again leave nothing out and let nothing in', async () => {
    let times = 0;
    await using server = await openServer(() => {
      times += 1;
      return times < 5;
    });
    await signIn(server.origin);
    expect(saved().filterNames).toMatchObject({ email: found.email });
    times = 5;
    const { stdout, stderr } = await machine.salon([
      'clients',
      'list',
      '--email',
      'client3@salon.test',
      '--json',
    ]);
    expect(JSON.parse(stdout).map(({ id }: { id: string }) => id)).toEqual(['c3']);
    expect(stderr).toContain('The server ignored the filter email; filtering the rows here.');
  });

  it('are shown by doctor, which says what differs and stores nothing', async () => {
    let isFiltering = true;
    await using server = await openServer(() => isFiltering);
    await signIn(server.origin);
    const check = async () => {
      const { stdout } = await machine.salon(['doctor', '--json']);
      return JSON.parse(stdout).find((one: { check: string }) => one.check === 'lists');
    };
    expect(await check()).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('it filters clients by email; appointments by client_id, status'),
    });
    isFiltering = false;
    expect(await check()).toMatchObject({
      status: 'warning',
      message: expect.stringContaining(
        'filter client_id of appointments is none, not filter[where][client_id]',
      ),
    });
    expect(saved().filterNames).toEqual(found);
  });

  it('are found out again by profiles detect, by the names that the profile has first', async () => {
    let isFiltering = true;
    await using server = await openServer(() => isFiltering);
    await signIn(server.origin);
    const set = (setting: string, value: string) =>
      machine.salon(['profiles', 'set', 'default', setting, value]);
    await set('filter.updated_since', 'changed_after');
    await set('filter.status', 'state');
    expect((await machine.salon(['profiles', 'detect'])).exitCode).toBe(0);
    expect(saved().filterNames).toEqual({ ...found, updated_since: 'changed_after' });
    isFiltering = false;
    expect((await machine.salon(['profiles', 'detect'])).exitCode).toBe(0);
    expect(saved().filterNames).toMatchObject({
      email: null,
      client_id: null,
      updated_since: 'changed_after',
    });
  });
});
