import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMachine } from '../support/io.ts';
import { json, openMisbehavingServer } from '../support/misbehaving-server.ts';
import { djangoPageNumber } from '../support/servers/django.ts';
import { laravelPaginate, laravelResources } from '../support/servers/laravel.ts';
import { type ConnectedMachine, connect, writeProfile } from './machine.ts';
import { connections } from './operations.ts';

/** Each drops the fields that it does not know: ModelSerializer has `fields`, Eloquent `$fillable`. */
const kinds = [djangoPageNumber, laravelPaginate, laravelResources];

function sheet({ home }: Pick<ConnectedMachine, 'home'>, lines: readonly string[]): string {
  writeFileSync(join(home, 'sheet.csv'), `${lines.join('\n')}\n`);
  return 'sheet.csv';
}

describe.each(kinds)('a field that the server drops: $name', (kind) => {
  const open = () => connect(connections.dialect(kind), { count: 7 });

  it.each([
    ['that it does not know', 'nickname=Bob', 'nickname of client 5 did not change'],
    ['that nobody may set', 'created_at=2001-01-01T00:00:00Z', 'created_at of client 5'],
  ])('%s is not updated', async (_which, set, reason) => {
    await using machine = await open();
    const before = machine.server.store.find('5');
    const ran = await machine.salon('clients', 'update', '5', '--set', set, '--json');
    expect([ran.exitCode, ran.stdout]).toEqual([1, '']);
    expect(JSON.parse(ran.stderr)).toMatchObject({
      code: 'refused',
      message: expect.stringContaining(reason),
      not_stored: [set.split('=')[0]],
    });
    expect(machine.server.store.find('5')).toMatchObject({ created_at: before?.['created_at'] });
  });

  it('is not a tag that was added', async () => {
    await using machine = await open();
    const ran = await machine.salon('clients', 'update', '5', '--add-tag', 'vip');
    expect([ran.exitCode, ran.stdout]).toEqual([1, '']);
    expect(ran.stderr).toContain('tags of client 5 did not change');
  });

  it('is named when another one was saved, also for a new client', async () => {
    await using machine = await open();
    const sets = ['--set', 'notes=new', '--set', 'nickname=Bob'];
    const updated = await machine.salon('clients', 'update', '5', ...sets);
    expect([updated.exitCode, updated.stderr]).toEqual([1, expect.stringContaining('Saved: notes.')]);
    expect(machine.server.store.find('5')).toMatchObject({ notes: 'new' });
    const created = await machine.salon(
      ...['clients', 'create', '--set', 'first_name=Zoe', '--set', 'last_name=Ng', ...sets],
    );
    expect([created.exitCode, created.stderr]).toEqual([
      1,
      expect.stringContaining('client 8 was stored without nickname. Saved: first_name, last_name, notes.'),
    ]);
  });

  it('fails every row of a sheet, and an undo has nothing to do', async () => {
    await using machine = await open();
    const path = sheet(machine, ['id,nickname', '2,Bob', '5,Zoe']);
    const before = machine.server.store.all();
    const update = ['clients', 'update', '--file', path, '--allow-new-fields', '--yes', '--json'];
    const ran = await machine.salon(...update);
    const { job, results, ...summary } = JSON.parse(ran.stdout);
    expect([ran.exitCode, summary]).toMatchObject([3, { done: 0, failed: 2, left: 0 }]);
    expect(ran.stderr).not.toContain('jobs undo');
    expect(readFileSync(results, 'utf8')).toContain('nickname of client 2 did not');
    const shown = machine.server.store.all();
    const values = (rows: typeof before) => rows.map(({ updated_at: _at, ...row }) => row);
    expect(values(shown)).toEqual(values(before));
    const undo = await machine.salon('jobs', 'undo', job, '--yes');
    expect([undo.exitCode, machine.server.store.all()]).toEqual([0, shown]);
  });

  it('fails the row whose other fields were saved, which an undo restores', async () => {
    await using machine = await open();
    const path = sheet(machine, ['id,notes,nickname', '2,new,Bob', '5,new,']);
    const before = machine.server.store.all();
    const update = ['clients', 'update', '--file', path, '--allow-new-fields', '--yes'];
    const ran = await machine.salon(...update);
    expect([ran.exitCode, ran.stderr]).toEqual([3, expect.stringContaining('Undo with: salon jobs undo ')]);
    expect(machine.server.store.find('2')).toMatchObject({ notes: 'new' });
    const job = /jobs undo (\S+)/.exec(ran.stderr)?.[1] ?? '';
    const rows = JSON.parse((await machine.salon('jobs', 'results', job, '--json')).stdout);
    expect(rows).toMatchObject([
      { id: '2', result: 'failed', present: { notes: 'new', nickname: null }, code: 'refused' },
      { id: '5', result: 'updated', present: null },
    ]);
    expect((await machine.salon('jobs', 'undo', job, '--yes')).exitCode).toBe(0);
    const notes = machine.server.store.all().map((row) => row['notes']);
    expect(notes).toEqual(before.map((row) => row['notes']));
  });

  it('leaves a new client that an undo deletes, and that is not added again from failed.csv', async () => {
    await using machine = await open();
    const lines = ['first_name,last_name,nickname', 'Zoe,Ng,Bob', 'Ida,Ek,'];
    const create = ['clients', 'create', '--file', sheet(machine, lines), '--allow-new-fields', '--yes'];
    const ran = await machine.salon(...create, '--json');
    const { job, ...summary } = JSON.parse(ran.stdout);
    expect([ran.exitCode, summary]).toMatchObject([3, { done: 1, failed: 1, failed_rows: null }]);
    const failed = await machine.salon('jobs', 'results', job, '--failed', '--json');
    expect(JSON.parse(failed.stdout)).toMatchObject([{ id: '8', result: 'failed' }]);
    expect((await machine.salon('jobs', 'undo', job, '--yes')).exitCode).toBe(0);
    expect(machine.server.store.all()).toHaveLength(7);
  });
});

/** Records whose fields are in a member of their own; members that are empty or false may be left out. */
const shapes = [
  { name: 'HubSpot', key: 'properties', omitsEmpty: false },
  { name: 'Airtable', key: 'fields', omitsEmpty: true },
] as const;

describe.each(shapes)('a server whose records look like those of $name', ({ key, omitsEmpty }) => {
  async function open() {
    let fields: Readonly<Record<string, unknown>> = { name: 'Ana', vip: true, notes: 'old' };
    const server = await openMisbehavingServer(({ method, body }) => {
      const {
        nickname: _dropped,
        password: _hidden,
        ...sent
      } = method === 'GET' ? {} : JSON.parse(body)[key];
      fields = { ...fields, ...sent };
      const shown = Object.entries(fields).filter(([, value]) => !omitsEmpty || Boolean(value));
      return json({ id: 'rec1', [key]: Object.fromEntries(shown) });
    });
    const machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
    writeProfile(machine, server.origin, {
      prefix: '',
      fieldsKey: key,
      bodyKeys: { clients: key },
      updateMethod: 'PATCH',
      partialUpdates: true,
    });
    return {
      server,
      salon: (...argv: string[]) => machine.salon(['clients', 'update', 'rec1', ...argv, '--json']),
      async [Symbol.asyncDispose]() {
        machine[Symbol.dispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  }

  it('shows what it stored, without a further request', async () => {
    await using machine = await open();
    const ran = await machine.salon('--set', 'notes=', '--set', 'name=Eva');
    expect([ran.exitCode, JSON.parse(ran.stdout)]).toMatchObject([0, { id: 'rec1', name: 'Eva' }]);
    expect(machine.server.received.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  });

  it('has not stored a field that it drops', async () => {
    await using machine = await open();
    const ran = await machine.salon('--set', 'nickname=Bob');
    expect([ran.exitCode, ran.stdout]).toEqual([1, '']);
  });

  it('may have stored a password, which no record shows: exit code 5', async () => {
    await using machine = await open();
    const ran = await machine.salon('--set', 'password=secret-word', '--set', 'notes=new');
    expect([ran.exitCode, ran.stdout]).toEqual([5, '']);
    expect(JSON.parse(ran.stderr)).toMatchObject({ code: 'result_unknown', unconfirmed: ['password'] });
    expect(ran.stderr).not.toContain('secret-word');
  });
});
