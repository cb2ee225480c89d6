import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scopes } from '../../../src/contract/roles.ts';
import { addClient, deleteClient, updateClient } from '../../../src/service/domain/clients.ts';
import { seedAccount } from '../../../src/service/domain/sample/seed.ts';
import { type ChangedSalon, openChangedSalon } from '../../support/changed-salon.ts';

let world: ChangedSalon;
beforeEach(async () => {
  world = await openChangedSalon({ clients: 4, appointments: 40 });
});
afterEach(() => world[Symbol.asyncDispose]());

const flags = '--since-last --state state.json';
const line = `clients list -o clients.ndjson ${flags}`;
const gone = (id: unknown) => ({ id, deleted: true });

async function run(command: string, env = {}) {
  const ran = await world.salon(command, { env });
  expect(ran.exitCode, ran.stderr).toBe(0);
  return ran;
}

const add = (first_name: string) => world.account.asOperator((by) => addClient(by, { first_name }));
const remove = (id: string) => world.account.asOperator((by) => deleteClient(by, id, { force: true }));
const rename = (id: string, first_name: string) =>
  world.account.asOperator((by) => updateClient(by, id, { change: { first_name } }));
const seed = () =>
  world.account.asOperator((by) => {
    const accountId = by.caller.account.id;
    return seedAccount(by, { accountId, clients: 2, appointments: 0, seed: 3, today: new Date() });
  });

describe('--since-last where the server lists changes', () => {
  it('sends one request when nothing has changed', async () => {
    await run(line);
    expect(world.readRows('clients.ndjson')).toHaveLength(4);
    const first = world.readState();
    expect(first).toMatchObject({
      state_version: 1,
      account: world.account.id,
      position: expect.any(String),
    });
    await run(line);
    expect(world.requests()).toBe(1);
    expect(world.read('clients.ndjson')).toBe('');
    expect(world.readState()).toEqual(first);
  });

  it('exports each changed record once, and says how many are deleted', async () => {
    await run(line);
    const ada = await add('Ada');
    await rename(ada.id, 'Eve');
    const bo = await add('Bo');
    await remove(bo.id);
    const ran = await run(line);
    expect(world.readRows('clients.ndjson')).toMatchObject([{ id: ada.id, first_name: 'Eve' }]);
    expect(ran.stderr).toContain(
      'Left out: 1 client, deleted. Exports with --include-deleted have the IDs of such clients.',
    );
    expect(world.requests()).toBe(1);
  });

  it('writes deleted records with --include-deleted, in every format', async () => {
    const all = `${line} --include-deleted`;
    await run(all);
    expect(world.readRows('clients.ndjson').map((row) => row['deleted'])).toEqual([
      false,
      false,
      false,
      false,
    ]);
    const state = world.read('state.json');
    const [ada, bo] = [await add('Ada'), await add('Bo')];
    await remove(bo.id);
    await run(all);
    expect(world.readRows('clients.ndjson')).toEqual([{ ...ada, deleted: false }, gone(bo.id)]);
    world.write('state.json', state);
    await run(`clients list -o clients.csv ${flags} --include-deleted`);
    const [heading = '', ...lines] = world.read('clients.csv').trimEnd().split(/\r?\n/);
    expect(heading).toMatch(/^id,.*,deleted$/);
    expect(lines[0]).toMatch(new RegExp(`^${ada.id},Ada,.*,false$`));
    expect(lines[1]).toMatch(new RegExp(`^${bo.id},+true$`));
    world.write('state.json', state);
    const { stdout } = await run(`clients list -f csv -c id,deleted ${flags} --include-deleted`);
    expect(stdout.trimEnd().split(/\r?\n/).slice(1)).toEqual([`${ada.id},false`, `${bo.id},true`]);
  });

  it('exports a record that no longer matches the filters like a deleted one', async () => {
    const filtered = `appointments list -o apts.ndjson ${flags} --status confirmed`;
    await run(filtered);
    const [stays, leaves] = world.readRows('apts.ndjson').map(({ id }) => id);
    const state = world.read('state.json');
    await run(`appointments cancel ${leaves} --yes`);
    await run(`appointments update ${stays} --set notes=late`);
    const ran = await run(filtered);
    expect(world.readRows('apts.ndjson')).toMatchObject([{ id: stays, notes: 'late' }]);
    expect(ran.stderr).toContain('Left out: 1 appointment, deleted or changed and not matching the filters.');
    world.write('state.json', state);
    await run(`${filtered} --include-deleted`);
    expect(world.readRows('apts.ndjson')).toMatchObject([gone(leaves), { id: stays, deleted: false }]);
  });

  it('exports payments, also by when they were recorded', async () => {
    const payments = `payments list -o payments.ndjson ${flags} --from 2026-01-01 --include-deleted`;
    await run(payments);
    const { id: client } = await add('Ada');
    const { stdout } = await run(
      `payments record --client ${client} --amount 20 --currency EUR --method cash --json`,
    );
    const { id } = JSON.parse(stdout);
    await run(payments);
    expect(world.requests()).toBe(1);
    expect(world.readRows('payments.ndjson')).toMatchObject([{ id, amount: 2000, deleted: false }]);
    await run(`payments void ${id} --yes`);
    await run(payments);
    expect(world.readRows('payments.ndjson')).toMatchObject([{ id, status: 'cancelled', deleted: false }]);
  });

  it('continues from a state file of an earlier version, which then gets a position', async () => {
    await run(line);
    const { position: _position, ...scope } = world.readState();
    const ada = await add('Ada');
    world.write('state.json', JSON.stringify({ ...scope, watermark: '2026-01-01T00:00:00.000Z' }));
    const ran = await run(`${line} --include-deleted`);
    expect(ran.stderr).toContain('Deletions are known from this run on');
    expect(world.readRows('clients.ndjson')).toContainEqual({ ...ada, deleted: false });
    expect(world.readState()).toEqual({ ...scope, position: expect.any(String) });
    await remove(ada.id);
    await run(`${line} --include-deleted`);
    expect(world.readRows('clients.ndjson')).toEqual([gone(ada.id)]);
  });

  it('exports everything once the position has expired, and says what to remove', async () => {
    await run(line);
    const before = world.readState();
    await seed();
    const ran = await run(line);
    expect(ran.stderr).toContain(
      'Everything is exported: the server no longer has all changes since the last time. Remove all other clients from a copy.',
    );
    expect(world.readRows('clients.ndjson').length).toBeGreaterThan(4);
    expect(world.readState()['position']).not.toBe(before['position']);
    await run(line);
    expect([world.requests(), world.read('clients.ndjson')]).toEqual([1, '']);
  });

  it('refuses the state of another account, and one without a real position, with exit code 2', async () => {
    await run(line);
    const text = world.read('state.json');
    const { keys } = await world.account.addAccount();
    const ran = await world.salon(line, { env: { SALON_API_KEY: keys.owner } });
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is for another account') });
    expect(ran.stderr).not.toContain('Everything');
    expect(world.read('state.json')).toBe(text);
    world.write('state.json', text.replace(String(world.readState()['position']), 'damaged'));
    expect(await world.salon(line)).toMatchObject({
      ...{ exitCode: 2, stderr: expect.stringContaining('state.json is not an export state file.') },
    });
  });

  it('resumes after a part of the changes, and saves the position once all are exported', async () => {
    await run(line);
    const before = world.read('state.json');
    await world.account.asOperator(async (by) => {
      for (let count = 0; count < 450; count++) await addClient(by, { first_name: `Client ${count}` });
    });
    // The first page and the present position, then the pages: the third one is lost.
    world.losesFrom = 5;
    const stopped = await world.salon(`${line} --retries 0`);
    expect(stopped.exitCode, stopped.stderr).toBe(3);
    const [, id = ''] = /Resume with: salon jobs resume ([\w-]+)/.exec(stopped.stderr) ?? [];
    expect(world.read('state.json')).toBe(before);
    world.losesFrom = Number.POSITIVE_INFINITY;
    await rename(String(world.readRows('clients.ndjson.partial')[0]?.['id']), 'Changed meanwhile');
    await run(`jobs resume ${id}`);
    const ids = world.readRows('clients.ndjson').map((row) => row['id']);
    expect([ids.length, new Set(ids).size]).toEqual([450, 450]);
    await run(line);
    expect(world.readRows('clients.ndjson')).toMatchObject([{ first_name: 'Changed meanwhile' }]);
  });
});

describe('--since-last where changes cannot be listed', () => {
  const scopesWithout = scopes.filter((scope) => scope !== 'changes:read');
  const noChanges = 'the key may not read the feed of changes (changes:read).';

  it('reads the list with a key without the scope, and says that deleted records do not appear', async () => {
    const { key } = await world.account.addKey({ scopes: scopesWithout });
    const env = { SALON_API_KEY: key };
    for (let count = 0; count < 2; count++) {
      expect((await run(line, env)).stderr).toContain(`Deleted records do not appear: ${noChanges}`);
      expect(world.readState()).toMatchObject({ watermark: expect.any(String) });
    }
    expect(await world.salon(`${line} --include-deleted`, { env })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`--include-deleted is not possible here: ${noChanges}`),
    });
  });

  it('refuses --since-last for payments, which cannot be filtered by when they changed', async () => {
    const { key } = await world.account.addKey({ scopes: scopesWithout });
    const payments = `payments list ${flags}`;
    for (const [wrong, env] of [
      [payments, { SALON_API_KEY: key }],
      [`${payments} --sort created_at`, {}],
    ] as const) {
      const ran = await world.salon(wrong, { env });
      expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
      expect(ran.stderr).toContain('--since-last is not possible here: ');
      expect(() => world.read('state.json')).toThrow();
    }
  });

  it('exports everything when the key has lost the scope', async () => {
    await run(line);
    const { key } = await world.account.addKey({ scopes: scopesWithout });
    const ran = await run(line, { SALON_API_KEY: key });
    expect(ran.stderr).toContain(`Everything is exported: ${noChanges}`);
    expect(world.readRows('clients.ndjson')).toHaveLength(4);
    expect(world.readState()['position']).toBeUndefined();
  });

  it.each(['--search a', '--sort last_name', '--param email=a@b.example'])(
    'reads the list with %s',
    async (by) => {
      const ran = await run(`${line} ${by}`);
      expect(ran.stderr).toContain(
        'Deleted records do not appear: changes are not listed with --search, --email, --phone, --sort or --param.',
      );
      const refused = await world.salon(`${line} ${by} --include-deleted`);
      expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--include-deleted') });
    },
  );

  it.each([
    ['clients list --include-deleted', '--since-last'],
    [`${line} --include-deleted --columns id,email`, 'add it to --columns'],
  ])('is refused before a request: salon %s', async (wrong, named) => {
    expect(await world.salon(wrong)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(named) });
    expect(world.requests()).toBe(0);
  });
});
