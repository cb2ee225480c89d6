import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';
import { createMachine } from '../../support/io.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';

let world: EditWorld;
beforeEach(async () => {
  world = await openEditWorld({ clients: 0 });
  await world.client.clients.create({ first_name: 'Ana', last_name: 'Costa', tags: ['vip'] });
  await world.client.clients.create({ first_name: 'Bo', tags: ['VIP', 'new'], email: 'bo@x.test' });
  await world.client.clients.create({ first_name: 'Cy' });
});
afterEach(() => world[Symbol.asyncDispose]());

const tags = async () =>
  Object.fromEntries((await world.clients()).map(({ first_name, tags: own }) => [first_name, own]));
const salon = (...argv: string[]) => world.salon(argv);

describe('clients update of a selection', () => {
  it('shows who matches, asks, and is undone', async () => {
    const asked = await salon('clients', 'update', '--tag', 'vip', '--add-tag', 'winback');
    expect(asked.exitCode).toBe(8);
    expect(asked.stderr).toContain('2 clients match --tag vip. Both will change (tags).');
    expect(asked.stderr).toContain('Ana Costa: tags "vip" → "vip;winback"');
    const ran = await salon('clients', 'update', '--tag', 'vip', '--add-tag', 'winback', '--yes', '--json');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(await tags()).toEqual({ Ana: ['vip', 'winback'], Bo: ['VIP', 'new', 'winback'], Cy: [] });
    const { job } = JSON.parse(ran.stdout);
    const listed = await world.read<{ id: string; source: string }[]>(['jobs', 'list']);
    expect(listed.map(({ source }) => source)).toEqual(['--tag vip']);
    await salon('jobs', 'undo', job, '--yes');
    expect(await tags()).toEqual({ Ana: ['vip'], Bo: ['VIP', 'new'], Cy: [] });
  });

  it('restores blank values in an undo without a warning that fields are cleared', async () => {
    const ran = await salon('clients', 'update', '--all', '--set', 'notes=hello', '--yes', '--json');
    const { job } = JSON.parse(ran.stdout);
    const asked = await salon('jobs', 'undo', job, '--max-clears', '0');
    expect(asked.exitCode).toBe(8);
    expect(asked.stderr).toContain('3 clients will be restored (notes).');
    expect(asked.stderr).toMatch(/error: Restore 3 clients at \S+\? Confirmation is required\./);
    expect(asked.stderr).not.toMatch(/clear/i);
    expect((await salon('jobs', 'undo', job, '--max-clears', '0', '--yes')).exitCode).toBe(0);
    expect((await world.clients()).map(({ notes }) => notes)).toEqual([null, null, null]);
    const cleared = await salon('clients', 'update', '--all', '--set', 'email:=null', '--max-clears', '0');
    expect(cleared).toMatchObject({ exitCode: 8, stderr: expect.stringContaining('would be cleared') });
  });

  it('names whom an undo leaves because somebody has changed them since', async () => {
    const ran = await salon('clients', 'update', '--tag', 'vip', '--add-tag', 'winback', '--yes', '--json');
    const [ana] = await world.clients();
    await world.client.clients.update(ana?.id ?? '', { tags: ['other'] });
    const undone = await salon('jobs', 'undo', JSON.parse(ran.stdout).job, '--yes');
    expect(undone.exitCode).toBe(3);
    expect(undone.stderr).toContain('Ana Costa: tags is now ["other"]; the job set ["vip","winback"].');
    expect(await tags()).toEqual({ Ana: ['other'], Bo: ['VIP', 'new'], Cy: [] });
  });

  it('combines flags with and', async () => {
    await salon('clients', 'update', '--tag', 'vip', '--no-email', '--remove-tag', 'VIP', '--yes');
    expect(await tags()).toEqual({ Ana: [], Bo: ['VIP', 'new'], Cy: [] });
  });

  it('sets fields of every client with --all', async () => {
    await salon('clients', 'update', '--all', '--set', 'notes=Moved', '--yes');
    expect((await world.clients()).map(({ notes }) => notes)).toEqual(['Moved', 'Moved', 'Moved']);
  });

  it('refuses, of a saved plan, who has come since it was made', async () => {
    const [ana] = await world.clients();
    const plan = ['clients', 'delete', '--tag', 'vip', '--not-seen-since', '6mo'];
    await salon(...plan, '--plan-file', 'plan.json');
    const [stylist_id = ''] = world.service.stylistIds;
    const visit = { client_id: ana?.id ?? '', stylist_id, service: 'Cut', duration: 30 };
    const start_time = new Date(Date.now() - 3_600_000).toISOString();
    await world.client.appointments.create({ ...visit, start_time, status: 'completed' });
    const ran = await salon('jobs', 'apply', 'plan.json', '--yes');
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(ran.stderr).toContain('Has come since the plan was made.');
    expect(Object.keys(await tags())).toEqual(['Ana', 'Cy']);
  });

  it('saves a plan that names the selection, and applies it', async () => {
    await salon('clients', 'update', '--tag', 'new', '--add-tag', 'x', '--plan-file', 'plan.json');
    const ran = await salon('jobs', 'apply', 'plan.json', '--yes');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('1 client matches --tag new');
    expect((await tags())['Bo']).toEqual(['VIP', 'new', 'x']);
  });

  it('has the server check every row in a dry run', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `t${index}`);
    await world.client.clients.create({ first_name: 'Dee', tags: many });
    const ran = await salon('clients', 'update', '--all', '--add-tag', 'x', '--dry-run', '--json');
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).toContain('There are 4 clients. 3 of them will change (tags), 1 refused.');
    expect(ran.stderr).toMatch(/Dee: .*at most 20/);
    expect((await tags())['Ana']).toEqual(['vip']);
  });

  it('adds and removes tags of one client by name', async () => {
    const ran = await salon('clients', 'update', 'Ana', 'Costa', '--add-tag', 'new', '--remove-tag', 'vip');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect((await tags())['Ana']).toEqual(['new']);
  });

  it.each([
    [['--add-tag', 'x']],
    [['--tag=', '--add-tag', 'x']],
    [['--tag', 'vip', '--search=', '--add-tag', 'x']],
    [['--search', ' ', '--add-tag', 'x']],
    [['--tag', 'vip']],
    [['--tag', 'vip', '--add-tag', '']],
    [['--all', '--tag', 'vip', '--add-tag', 'x']],
    [['--tag', 'vip', '--file', 'x.csv']],
    [['--tag', 'vip', '--match', 'email', '--add-tag', 'x']],
    [['--file', 'x.csv', '--add-tag', 'x']],
    [['Ana', 'Costa', '--tag', 'vip', '--add-tag', 'x']],
    [['Ana', 'Costa', '--add-tag', 'x', '--max-changes', '5']],
    [['Ana', 'Costa', '--add-tag', 'x', '--set', 'tags:=[]']],
    [['--tag', 'vip', '--set', 'birthday=soon']],
    [['--tag', 'vip', '--set', 'emial=x']],
    [['--not-seen-since', '2y2', '--add-tag', 'x']],
  ])('clients update %j exits 2, and nothing changes', async (flags) => {
    const before = await world.clients();
    const ran = await salon('clients', 'update', ...flags, '--yes');
    expect(ran.exitCode, ran.stderr).toBe(2);
    expect(ran.stdout).toBe('');
    expect(await world.clients()).toEqual(before);
  });

  it('says that nobody matches, and which tag nobody has', async () => {
    const ran = await salon('clients', 'update', '--tag', 'vpi', '--add-tag', 'x', '--yes');
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toMatch(/No client has the tag vpi. Did you mean vip\?/i);
    expect(ran.stderr).toContain('Nothing to change.');
  });
});

describe('clients delete of a selection', () => {
  it('deletes who matches, after confirmation', async () => {
    const asked = await salon('clients', 'delete', '--tag', 'new');
    expect(asked.exitCode).toBe(8);
    expect(asked.stderr).toContain('Delete 1 client at ');
    await salon('clients', 'delete', '--tag', 'new', '--yes');
    expect(Object.keys(await tags())).toEqual(['Ana', 'Cy']);
  });

  it.each([[[]], [['--all', '--no-phone']], [['--no-email', '--ignore-missing']], [['--tag=']]])(
    'clients delete %j exits 2, and nobody is deleted',
    async (flags) => {
      const ran = await salon('clients', 'delete', ...flags, '--yes');
      expect([ran.exitCode, ran.stdout]).toEqual([2, '']);
      expect(await world.clients()).toHaveLength(3);
    },
  );
});

describe('conditions on a server of another kind', () => {
  async function runOn(row: object, line: string) {
    await using server = await openMisbehavingServer(({ path }) => {
      if (!path.endsWith('/clients')) return json({ error: 'no' }, { status: 404 });
      return json({ data: [row], pagination: { page: 1, per_page: 200, total: 1 } });
    });
    using machine = createMachine({
      env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', SALON_DATA_DIR: 'data' },
    });
    const ran = await machine.salon([...line.split(' '), '--yes']);
    return { ...ran, writes: server.received.filter(({ method }) => method !== 'GET') };
  }

  it.each([
    ['clients update --tag vip --set name=Bo', 'Clients on this server have no tags'],
    ['clients update --no-email --set name=Bo', 'Clients on this server have no email'],
    ['clients delete --email ana@x.test', 'Nothing shows that the clients match email'],
    ['clients update --all --add-tag vip', 'Clients on this server have no tags'],
  ])('%s sends nothing where records do not show it', async (line, reason) => {
    const { writes, exitCode, stdout, stderr } = await runOn({ id: '1', name: 'Ana' }, line);
    expect(writes).toEqual([]);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain(reason);
  });

  it('sends nothing where the server has no appointments', async () => {
    const { writes, exitCode } = await runOn({ id: '1' }, 'clients delete --not-seen-since 6mo');
    expect([writes, exitCode]).toEqual([[], 1]);
  });
});
