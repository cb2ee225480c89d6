import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mia, openCopyServer, toClient } from '../../support/copy-server.ts';
import { createMachine, type Machine, type RunOptions, type RunResult } from '../../support/io.ts';
import { json, problem, type Reply } from '../../support/misbehaving-server.ts';
import { openTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

let machine: Machine;
beforeEach(() => {
  machine = createMachine({ asksForZone: true });
});
afterEach(() => machine[Symbol.dispose]());

function ask(query: string): Record<string, unknown>[] {
  using database = new DatabaseSync(join(machine.home, 'salon.db'), { readOnly: true });
  return database
    .prepare(query)
    .all()
    .map((row) => ({ ...row }));
}

const filesBeside = () => readdirSync(machine.home).filter((name) => name.startsWith('salon.db'));

/** Starts a sync that follows, and waits for what it prints. */
function follow(options: RunOptions, ...flags: string[]) {
  const interrupt = new AbortController();
  const written = { stdout: '', stderr: '' };
  const ran: Promise<RunResult> = machine.salon(['sync', 'salon.db', '--follow', ...flags], {
    ...options,
    signal: interrupt.signal,
    watch(text) {
      Object.assign(written, text);
      options.watch?.(text);
    },
  });
  const rows = () =>
    written.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return {
    written,
    /** The line of this number, counted from 0. */
    async line(index: number): Promise<unknown> {
      const ended = ran.then(({ stderr }) => Promise.reject(new Error(`It has ended: ${stderr}`)));
      await Promise.race([until(() => rows().length > index), ended]);
      return rows()[index];
    },
    stop(): Promise<RunResult> {
      interrupt.abort('SIGINT');
      return ran;
    },
    ran,
  };
}

describe('salon sync --follow', () => {
  it('applies each change as it comes, and ends with an interrupt while it waits', async () => {
    await using service = await openTestService({ clients: 5, appointments: 5 });
    const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner };
    const following = follow({ env });
    expect(await following.line(0)).toMatchObject({ left_out: [], deleted: 0 });
    const body = ['--set', 'first_name=Quenby', '--set', 'notes=Zyxwv'];
    await machine.salon(['clients', 'create', ...body], { env });
    expect(await following.line(1)).toMatchObject({ added: 1, changed: 0, deleted: 0 });
    const [{ id }] = ask("select id from clients where first_name = 'Quenby'") as [{ id: string }];
    await machine.salon(['clients', 'delete', id, '--yes'], { env });
    expect(await following.line(2)).toMatchObject({ added: 0, changed: 0, deleted: 1 });
    expect(ask("select id from clients where first_name = 'Quenby'")).toEqual([]);
    for (const name of filesBeside())
      expect(readFileSync(join(machine.home, name)).includes('Zyxwv'), name).toBe(false);
    const second = await machine.salon(['sync', 'salon.db'], { env });
    expect(second).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('is in use') });
    const { exitCode, stderr } = await following.stop();
    expect(exitCode).toBe(130);
    expect(stderr).not.toContain('Finishing');
    expect(filesBeside()).toEqual(['salon.db']);
    expect(await machine.salon(['sync', 'salon.db', '--json'], { env })).toMatchObject({ exitCode: 0 });
  });

  it('has the local times of other settings of the salon', async () => {
    await using service = await openTestService({ clients: 5, appointments: 5 });
    const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner };
    const following = follow({ env });
    await following.line(0);
    await machine.salon(['settings', 'set', 'time_zone', 'America/St_Johns', '--yes'], { env });
    // A response names the settings as of its request.
    for (const line of [1, 2]) {
      await machine.salon(['clients', 'create', '--set', 'first_name=Ada'], { env });
      await following.line(line);
    }
    await until(() => ask('select time_zone from salon_sync')[0]?.['time_zone'] === 'America/St_Johns');
    expect(await following.stop()).toMatchObject({ exitCode: 130 });
  });
});

describe('salon sync --follow of a feed', () => {
  let server: Awaited<ReturnType<typeof openCopyServer>>;
  const changes: Reply[] = [];
  let env: Record<string, string>;
  /** Sleeps as long as it takes to answer a request. */
  let nowMs: number;
  const clock = { now: () => nowMs, sleep: async () => {} };
  const toPage = (position: string, ...data: object[]) => json({ data, position, has_more: false });
  const toChange = (id: string, record?: object) => ({
    ...{ resource: 'client', id },
    ...(record === undefined ? { deleted: true } : { deleted: false, record }),
  });
  const cut: Reply = (response) => response.destroy();

  beforeEach(async () => {
    nowMs = Date.parse('2026-11-29T12:00:00Z');
    server = await openCopyServer();
    server.salon.lists['stylists'] = [mia];
    server.salon.lists['clients'] = [toClient(1), toClient(2)];
    env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
    // Holds a request when no reply is left.
    server.salon.replies['changes'] = (response) => changes.shift()?.(response);
    changes.splice(0, changes.length, toPage('p1'));
  });
  afterEach(() => server[Symbol.asyncDispose]());

  const asked = () => server.received.filter(({ path }) => path.endsWith('/changes'));

  it('survives a service that is away for a while, and says so once', async () => {
    changes.push(cut, cut, problem(503, 'service_unavailable'), cut, toPage('p2', toChange('cli_1')));
    const following = follow({ env, clock }, '--retries', '0');
    expect(await following.line(1)).toMatchObject({ deleted: 1, rows: 2 });
    await until(() => asked().length === 7);
    const { exitCode, stderr } = await following.stop();
    expect(exitCode).toBe(130);
    expect(stderr.match(/Trying again until it responds/g)).toHaveLength(1);
    expect(asked().map(({ query }) => query.get('after'))).toEqual([null, ...Array(5).fill('p1'), 'p2']);
  });

  it('waits for a program that writes the copy between two changes, and says so once', async () => {
    let other: DatabaseSync | undefined;
    let sleeps = 0;
    // What has been printed has been stored, and the next change is not yet waited for.
    const watch = ({ stdout }: { stdout: string }) => {
      if (other !== undefined || !stdout.includes('"deleted":1')) return;
      other = new DatabaseSync(join(machine.home, 'salon.db'));
      other.exec('begin immediate');
    };
    const sleep = async () => {
      sleeps += 1;
      if (sleeps === 2) other?.close();
    };
    changes.push(toPage('p2', toChange('cli_1')), toPage('p3', toChange('cli_3', toClient(3))));
    const following = follow({ env, watch, clock: { ...clock, sleep } });
    expect(await following.line(2)).toMatchObject({ added: 1, rows: 3 });
    const { exitCode, stderr } = await following.stop();
    expect(exitCode).toBe(130);
    expect(stderr.match(/is in use: .* Trying again until it ends/g)).toHaveLength(1);
  });

  it('applies nothing of pages whose rest it cannot read', async () => {
    const half = { data: [toChange('cli_1')], position: 'half', has_more: true };
    changes.push(json(half), cut);
    const following = follow({ env, clock }, '--retries', '0');
    await until(() => asked().length === 4);
    expect(ask('select position from salon_sync')).toEqual([{ position: 'p1' }]);
    expect(ask('select id from clients')).toHaveLength(2);
    await following.stop();
    expect(ask('select id from clients')).toHaveLength(2);
  });

  it('reads the lists again where the position has expired, and says so', async () => {
    changes.push(
      problem(410, 'position_expired'),
      toPage('q1'),
      toPage('q2', toChange('cli_9', toClient(9))),
    );
    server.salon.lists['clients'] = [toClient(1), toClient(2)];
    const following = follow({ env, clock });
    await following.line(0);
    server.salon.lists['clients'] = [toClient(2)];
    expect(await following.line(1)).toMatchObject({ deleted: 1, rows: 2 });
    expect(await following.line(2)).toMatchObject({ added: 1, rows: 3 });
    expect((await following.stop()).stderr).toContain(
      'The complete lists are compared: the server no longer has all changes since the last time.',
    );
  });

  it('rewrites the file every hour that it has changed', async () => {
    const toNotes = (notes: string) => toChange('cli_1', toClient(1, { notes }));
    changes.push(toPage('p2', toNotes('a')));
    const following = follow({ env, clock });
    await following.line(1);
    expect(ask('select has_remains from salon_sync')).toEqual([{ has_remains: 1 }]);
    await following.stop();
    changes.push(toPage('p3', toNotes('b')), (response) => {
      nowMs += 3_600_001;
      toPage('p4', toNotes('c'))(response);
    });
    const later = follow({ env, clock });
    await later.line(1);
    expect(ask('select has_remains from salon_sync')).toEqual([{ has_remains: 0 }]);
    await later.stop();
  });

  it('is refused where there is no feed, before it reads any list', async () => {
    server.salon.replies['changes'] = problem(404, 'nothing_here');
    const { ran } = follow({ env, clock });
    expect(await ran).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('This server does not support GET /changes.'),
    });
    expect(server.received.filter(({ path }) => path.endsWith('/clients'))).toEqual([]);
    expect(filesBeside()).toEqual([]);
  });

  it('ends where the key is no longer valid', async () => {
    changes.push(problem(401, 'invalid_token'));
    expect(await follow({ env, clock }).ran).toMatchObject({ exitCode: 4 });
    expect(filesBeside()).toEqual(['salon.db']);
  });
});
