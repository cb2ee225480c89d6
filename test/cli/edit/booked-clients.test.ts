import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { json, openMisbehavingServer, type Reply } from '../../support/misbehaving-server.ts';

const people = ['Ana Costa', 'Mia Weber', 'Lea Braun'].map((name, index) => {
  const [first_name, last_name] = name.split(' ');
  return { id: `c${index + 1}`, first_name, last_name, tags: ['gone'] };
});
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const visit = (client_id: string, days: number, status = 'confirmed') => ({
  ...{ id: `a-${client_id}-${days}`, client_id, stylist_id: 's1', service: 'Cut', status },
  ...{ start_time: day(days), duration: 60 },
});
/** Ana comes twice, Mia once; the others are over or cancelled, one with a status that nobody knows. */
const appointments = [
  ...[visit('c1', -9, 'completed'), visit('c1', 2), visit('c1', 9, 'pending')],
  ...[visit('c2', 3), visit('c2', -400, 'rebooked'), visit('c3', 4, 'cancelled'), visit('c3', -2)],
];
const page = (rows: readonly object[]) =>
  json({ data: rows, pagination: { page: 1, per_page: 200, total: rows.length } });

/** Another server, which deletes appointments along with their client. */
async function openSalon(listed: Reply = page(appointments)) {
  const records = new Map<string, object>(people.map((one) => [one.id, one]));
  let added = 0;
  const server = await openMisbehavingServer(({ method, path, body }) => {
    if (path.endsWith('/appointments')) return listed;
    const id = /\/clients\/([^/]+)$/.exec(path)?.[1];
    if (method === 'POST') {
      added += 1;
      const record = { ...JSON.parse(body), id: `n${added}` };
      records.set(record.id, record);
      return json(record, { status: 201 });
    }
    if (path.endsWith('/clients')) return page([...records.values()]);
    const found = records.get(id ?? '');
    if (found === undefined) return json({ error: 'no' }, { status: 404 });
    if (method === 'DELETE') records.delete(id ?? '');
    return json(method === 'DELETE' ? {} : found);
  });
  const machine = createMachine({
    env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', SALON_DATA_DIR: 'data' },
  });
  writeFileSync(join(machine.home, 'gone.csv'), 'id\nc1\nc2\nc3\n');
  writeFileSync(join(machine.home, 'new.csv'), 'first_name\nZoe\nYara\n');
  return {
    salon: (line: string) => machine.salon(line.split(' ')),
    left: () => [...records.keys()],
    /** Requests for the list of appointments. */
    lists: () => server.received.filter(({ path }) => path.endsWith('/appointments')),
    async [Symbol.asyncDispose]() {
      machine[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const notLookedAt =
  'Whether they have upcoming appointments was not looked at: the server has no list of them.';

describe('clients with upcoming appointments on a server that may delete them along', () => {
  it.each(['clients delete --file gone.csv', 'clients delete --tag gone'])(
    'are refused as rows, and the list is read once: %s',
    async (command) => {
      await using world = await openSalon();
      const ran = await world.salon(`${command} --yes`);
      expect(ran.exitCode, ran.stderr).toBe(3);
      expect(ran.stderr).toContain('The client has 2 upcoming appointments.');
      expect(ran.stderr).toContain('The client has 1 upcoming appointment.');
      expect(world.left()).toEqual(['c1', 'c2']);
      expect(world.lists()).toHaveLength(1);
    },
  );

  it('is refused alone, before a question and in a dry run', async () => {
    await using world = await openSalon();
    for (const flag of ['--yes', '--dry-run', '--json']) {
      const ran = await world.salon(`clients delete c1 ${flag}`);
      expect(ran.exitCode, ran.stderr).toBe(7);
      expect(ran.stderr).toMatch(/Ana Costa \(c1\) has 2 upcoming appointments\..*--force/s);
    }
    expect(await world.salon('clients delete c3 --yes')).toMatchObject({ exitCode: 0 });
    expect(await world.salon('clients delete c1 --yes --force')).toMatchObject({ exitCode: 0 });
    expect(world.left()).toEqual(['c2']);
  });

  it('are refused where a start without a zone may still be to come', async () => {
    const start = day(-0.4).slice(0, -1);
    await using world = await openSalon(page([{ ...visit('c1', 0), start_time: start }, visit('c2', -0.4)]));
    await world.salon('clients delete --tag gone --yes');
    expect(world.left()).toEqual(['c1']);
  });

  it('are refused when a saved plan is applied, if they have booked meanwhile', async () => {
    let listed: Reply = page([]);
    await using world = await openSalon((response) => listed(response));
    await world.salon('clients delete --tag gone --plan-file plan.json');
    listed = page(appointments);
    const ran = await world.salon('jobs apply plan.json --yes');
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(world.left()).toEqual(['c1', 'c2']);
  });

  it('are refused when the import that added them is undone', async () => {
    let listed: Reply = page([]);
    await using world = await openSalon((response) => listed(response));
    const added = await world.salon('clients create --file new.csv --yes --json');
    expect(world.left(), added.stderr).toEqual(['c1', 'c2', 'c3', 'n1', 'n2']);
    listed = page([visit('n2', 5)]);
    const undone = await world.salon(`jobs undo ${JSON.parse(added.stdout).job} --yes`);
    expect(undone.exitCode, undone.stderr).toBe(3);
    expect(undone.stderr).toContain('has 1 upcoming appointment');
    expect(world.left()).toEqual(['c1', 'c2', 'c3', 'n2']);
  });

  it('are deleted with --force, and an undo names whose appointments do not come back', async () => {
    await using world = await openSalon();
    const ran = await world.salon('clients delete --file gone.csv --yes --force --json');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(world.left()).toEqual([]);
    const undone = await world.salon(`jobs undo ${JSON.parse(ran.stdout).job} --yes`);
    expect(undone.exitCode, undone.stderr).toBe(0);
    expect(undone.stderr).toContain(
      'Upcoming appointments (Ana Costa 2, Mia Weber 1) that were cancelled or deleted with them do not come back.',
    );
    expect(world.left()).toEqual(['n1', 'n2', 'n3']);
  });

  it.each([
    ['500', json({ error: 'Oh no' }, { status: 500 }), 5],
    ['403', json({ error: 'No' }, { status: 403 }), 10],
    ['appointments of nobody', page([{ id: 'a1', start_time: day(3), status: 'confirmed' }]), 1],
  ] as const)(
    'are not deleted where the list cannot be read (%s), unless forced',
    async (_, listed, code) => {
      await using world = await openSalon(listed);
      for (const command of ['clients delete --file gone.csv --yes', 'clients delete c1 --yes']) {
        const ran = await world.salon(`${command} --retries 0`);
        expect(ran.exitCode, ran.stderr).toBe(code);
        expect(ran.stderr).toContain('error: Whether they have upcoming appointments was not looked at: ');
      }
      expect(world.left()).toHaveLength(3);
      const forced = await world.salon('clients delete --file gone.csv --yes --force --retries 0');
      expect(forced.exitCode, forced.stderr).toBe(0);
      expect(forced.stderr).toContain('warning: Whether they have upcoming appointments was not looked at: ');
    },
  );

  it('are deleted with a notice where there is no list of appointments', async () => {
    await using world = await openSalon(json({ error: 'no' }, { status: 404 }));
    for (const command of ['clients delete c1 --yes', 'clients delete --tag gone --yes']) {
      const ran = await world.salon(command);
      expect(ran.exitCode, ran.stderr).toBe(0);
      expect(ran.stderr).toContain(notLookedAt);
    }
    expect(world.left()).toEqual([]);
  });
});
