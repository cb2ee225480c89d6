import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/service/db/database.ts';
import { copyDemo } from '../support/demo.ts';
import { createMachine, type Machine } from '../support/io.ts';

let machine: Machine;
let client: string;

beforeAll(async () => {
  machine = createMachine({ env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' } });
  await copyDemo(machine.home, { data: '.', config: 'config' });
  const made = await json(['clients', 'create', '--set', 'first_name=Zyxa', '--set', 'phone=912345678']);
  client = (made as { id: string }).id;
  await machine.salon(['clients', 'update', client, '--set', 'phone=913000000', '--set', 'notes=tea']);
});
afterAll(() => machine[Symbol.dispose]());

async function json(argv: readonly string[]): Promise<unknown> {
  const { stdout } = await machine.salon([...argv, '--json']);
  return JSON.parse(stdout);
}

const database = ['--database', 'sqlite:demo.db'];

/** Commands that do not notice how long they take together: only changes in quick succession are one line. */
const stopClock = () => ({ now: new Date() });

describe('salon audit', () => {
  it('shows who changed what about a client, newest first', async () => {
    expect(await json(['audit', '--client', 'Zyxa'])).toMatchObject([
      {
        ...{ action: 'client.updated', record_id: client, record: 'Zyxa', who: 'salon demo (API key)' },
        changes: expect.stringMatching(/^(?=.*phone: 912345678 → 913000000)(?=.*notes: – → tea)/),
      },
      { action: 'client.created', record_id: client, changes: '' },
    ]);
  });

  it('starts with the oldest entry if asked', async () => {
    const actions = (await json(['audit', '--oldest-first', '--limit', '2'])) as { action: string }[];
    expect(actions.map(({ action }) => action)).toEqual(['account.created', 'account.seeded']);
  });

  it('finds what a key did by its name, ignoring case, or by its ID', async () => {
    const byName = (await json(['audit', '--by', 'Salon DEMO', '--limit', '1'])) as {
      actor: { id: string };
    }[];
    expect(byName).toHaveLength(1);
    const id = byName[0]?.actor.id ?? '';
    expect(await json(['audit', '--by', id, '--limit', '1'])).toEqual(byName);
    expect(await json(['audit', '--by', id, '--action', 'account.created'])).toEqual([]);
    expect(await json(['audit', '--by', 'salon demo', '--action', 'account.created'])).toEqual([]);
  });

  it.each(['Salon', 'key_01jd0000000000000000000000'])('refuses %s, who never did anything', async (by) => {
    const { exitCode: code, stderr } = await machine.salon(['audit', '--by', by, '--from', '-1d']);
    expect(code).toBe(6);
    expect(stderr).toContain(`The audit log has no entries by "${by}".`);
  });

  it('shows names and words at a terminal, and field names in a pipe', async () => {
    const argv = ['audit', '--client', 'Zyxa', '--from', '-1d'];
    const { stdout: table } = await machine.salon([...argv, '-f', 'table']);
    expect(table).toMatch(/^Time +Who +Action +Record +Changes/);
    expect(table).toMatch(/salon demo .*Client updated +Zyxa +phone:/);
    expect(table).not.toMatch(/cli_|client\.updated/);
    const { stdout: piped } = await machine.salon(argv);
    expect(piped).toMatch(/^id\tseq\tcreated_at\taction\tresource\trecord_id\t/);
    expect(piped).toContain('\tclient.updated\t');
  });

  it('refuses an unknown client', async () => {
    const { exitCode: code } = await machine.salon(['audit', '--client', 'Nobody Here']);
    expect(code).toBe(6);
  });
});

describe('salon clients get --history', () => {
  it('contains the changes of the client', async () => {
    const record = await json(['clients', 'get', client, '--history']);
    expect(record).toMatchObject({
      history: { changes: [{ action: 'client.updated' }, { action: 'client.created' }], changes_total: 2 },
    });
  });

  it('shows them at a terminal', async () => {
    const { stdout } = await machine.salon(['clients', 'get', client, '--history', '-f', 'table']);
    expect(stdout).toMatch(/Changes \(2\)/);
    expect(stdout).toMatch(/salon demo \(API.* +Client updated +phone: 912345678 →/);
  });

  it('omits them if the key cannot read the audit log, without recording a refusal', async () => {
    const made = await machine.salon([
      ...['server', 'keys', 'create', '--role', 'receptionist', '--name', 'desk', '--json'],
      ...database,
    ]);
    const { key } = JSON.parse(made.stdout);
    const { stdout } = await machine.salon(['clients', 'get', client, '--history', '--json'], {
      env: { SALON_API_KEY: key },
    });
    expect(JSON.parse(stdout).history.changes).toBeNull();
    expect(await json(['audit', '--action', 'access.refused'])).toEqual([]);
  });
});

describe('salon server audit verify', () => {
  it('finds one altered byte', async () => {
    const argv = ['server', 'audit', 'verify', ...database];
    const intact = await machine.salon([...argv, '--json']);
    expect(intact.exitCode).toBe(0);
    const [{ head }] = JSON.parse(intact.stdout);
    expect(await machine.salon(argv)).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await machine.salon([...argv, '--expect', head])).exitCode).toBe(0);
    await using opened = await openDatabase(`sqlite:${machine.home}/demo.db`);
    await opened.transaction('service', async (tx) => {
      await tx.run('drop trigger audit_entries_unchanged', []);
      await tx.run("update audit_entries set actor_name = 'Salon demo' where seq = 4", []);
    });
    const { exitCode: code, stdout, stderr } = await machine.salon([...argv, '--json']);
    expect(code).toBe(1);
    expect(stderr).toContain('entry 4: The entry does not match its hash');
    expect(JSON.parse(stdout)).toMatchObject([{ status: 'changed', faults: [{ seq: 4 }] }]);
  });

  it('reports the log of a forged account on one line', async () => {
    await using opened = await openDatabase(`sqlite:${machine.home}/demo.db`);
    const account = "'acc_x' || char(10) || 'all logs are intact'";
    await opened.transaction('service', (tx) =>
      tx.run(`insert into audit_values values (${account}, 1, 'x', 'x')`, []),
    );
    const { stderr } = await machine.salon(['server', 'audit', 'verify', ...database, '--json']);
    expect(stderr).toContain('acc_x⏎all logs are intact, entry 1: Values exist without an entry.');
    await opened.transaction('service', (tx) => tx.run("delete from audit_values where salt = 'x'", []));
  });

  it('reports an expected head that is in no log', async () => {
    const head = `3:${'A'.repeat(43)}`;
    const { exitCode: code, stderr } = await machine.salon([
      'service',
      'audit',
      'verify',
      ...database,
      '--expect',
      head,
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain(`No log has the expected head ${head}`);
  });

  it('refuses an invalid head', async () => {
    const { exitCode: code, stderr } = await machine.salon([
      'service',
      'audit',
      'verify',
      ...database,
      '--expect',
      'x',
    ]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('"x" is not the head of an audit log.')]);
  });
});

describe('salon server audit retention', () => {
  it('sets how long the log is kept', async () => {
    const argv = ['server', 'audit', 'retention', ...database];
    expect(await json(argv)).toMatchObject({ kept_days: 365 });
    await machine.salon([...argv, '--days', '90']);
    expect(await json(argv)).toMatchObject({ kept_days: 90 });
    expect((await machine.salon([...argv, '--days', '5'])).exitCode).toBe(2);
  });
});

describe('salon audit for people', () => {
  it('shows people a line for a bulk edit, and everything in machine formats', async () => {
    await machine.salon(['clients', 'update', '--tag', 'vip', '--add-tag', 'x', '--yes']);
    const argv = ['audit', '--action', 'client.*', '--from', '-1d'];
    const { stdout: table, stderr } = await machine.salon([...argv, '-f', 'table'], { columns: 120 });
    // The edit of 244 clients and the one before it; a busy machine may take a break in the middle.
    const collapsed = [...table.matchAll(/ Updated (\d+) clients +\S.* fields: .*tags/g)].map(([, n]) =>
      Number(n),
    );
    const single = table.match(/Client updated/g) ?? [];
    expect(collapsed.reduce((sum, count) => sum + count, single.length)).toBe(245);
    expect(table.split('\n').length).toBeLessThan(60);
    expect(stderr).toContain(
      'Changes of one kind in quick succession are one line; -f csv lists every entry.',
    );
    const entries = (await json(argv)) as { action: string }[];
    expect(entries.filter(({ action }) => action === 'client.updated')).toHaveLength(245);
  });

  it.each([[], ['--oldest-first']])(
    'shows a deletion and its erasures as one, with the names: %j',
    async (...order) => {
      const names = ['Una', 'Duo', 'Tria', 'Quada', 'Quina', 'Sexta'];
      const at = stopClock();
      const sheet = `first_name,last_name\n${names.map((name) => `${name},Bulk${order.length}`).join('\n')}\n`;
      writeFileSync(join(machine.home, 'bulk.csv'), sheet);
      await machine.salon(['clients', 'create', '--file', 'bulk.csv', '--yes'], at);
      const argv = ['audit', '--from', at.now.toISOString(), ...order, '-f', 'table'];
      const created = await machine.salon(argv, { ...at, columns: 120 });
      expect(created.stdout).toMatch(/ Created 6 clients +\w+ Bulk\d, \w+ Bulk\d, \w+ Bulk\d and 3 more/);
      await machine.salon(['clients', 'delete', '--search', `Bulk${order.length}`, '--yes'], at);
      const deleted = await machine.salon(argv, { ...at, columns: 120 });
      expect(deleted.stdout).toMatch(/ Deleted 6 clients +erased client and 5 more/);
      expect(deleted.stdout).not.toContain('erased from');
      expect(deleted.stderr).toContain('6 erasures with a deletion not shown; -f csv lists them.');
      const erased = await machine.salon([...argv, '--action', 'audit_values.erased'], at);
      expect(erased.stdout.match(/erased from/g)).toHaveLength(6);
    },
  );

  it('counts the clients, not the changes of one', async () => {
    const at = stopClock();
    for (const notes of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await machine.salon(['clients', 'update', client, '--set', `notes=${notes}`], at);
    }
    const argv = ['audit', '--from', at.now.toISOString(), '-f', 'table'];
    const { stdout } = await machine.salon(argv, { ...at, columns: 120 });
    expect(stdout).toMatch(/ Updated 1 client +Zyxa +fields: notes/);
  });

  it('hides own reads from people unless asked, and says how many', async () => {
    await machine.salon(['clients', 'list', '--json']);
    const argv = ['audit', '--from', '-1d', '--limit', '20', '-f', 'table'];
    const hidden = await machine.salon(argv);
    expect(hidden.stdout).not.toContain('exported');
    expect(hidden.stderr).toMatch(/^\d+ reads? of your own not shown; --reads shows them\.$/m);
    const shown = await machine.salon([...argv, '--reads']);
    expect(shown.stdout).toContain('Clients exported');
    expect(shown.stderr).not.toContain('--reads');
    const asked = await machine.salon([...argv, '--action', 'client.exported']);
    expect(asked.stdout).toContain('Clients exported');
    const all = (await json(['audit', '--from', '-1d'])) as { action: string }[];
    expect(all.map(({ action }) => action)).toContain('client.exported');
  });
});
