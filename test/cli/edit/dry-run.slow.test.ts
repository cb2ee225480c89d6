import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';
import { createMachine } from '../../support/io.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';

let world: EditWorld;
let client: string;
let stylists: readonly string[];
beforeEach(async () => {
  world = await openEditWorld({ clients: 4 });
  client = (await world.clients())[0]?.id ?? '';
  stylists = world.service.stylistIds;
});
afterEach(() => world[Symbol.asyncDispose]());

const start = '2031-01-07T10:00:00Z';

function book(change: Readonly<Record<string, string>> = {}, ...flags: readonly string[]) {
  const fields = {
    client_id: client,
    stylist_id: stylists[0] ?? '',
    service: 'Cut',
    start_time: start,
    ...change,
  };
  const sets = Object.entries(fields).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  return world.salon(['appointments', 'create', ...sets, '--set', 'duration:=30', ...flags]);
}

async function countAppointments(): Promise<number> {
  return (await world.read<readonly object[]>(['appointments', 'list'])).length;
}

describe('a dry run of one write', () => {
  it('accepts what the real run accepts, and changes nothing', async () => {
    const ran = await book({}, '--dry-run', '--json');
    expect(ran).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('the server would accept this'),
    });
    expect(JSON.parse(ran.stdout)).toMatchObject({ client_id: client, start_time: start });
    expect(await countAppointments()).toBe(0);
  });

  it.each<[string, () => Promise<unknown>, Readonly<Record<string, string>>]>([
    ['a taken slot', () => book(), {}],
    ['an unknown stylist', async () => {}, { stylist_id: 'sty_none' }],
    ['a stylist nobody is called', async () => {}, { stylist_id: 'Nobody' }],
    ['an inactive stylist', () => world.client.stylists.update(stylists[0] ?? '', { active: false }), {}],
    ['a local date', async () => {}, { start_time: '7/1/2031 10:00' }],
  ])('has the exit code and error of the real run for %s', async (_title, prepare, change) => {
    await prepare();
    const before = await countAppointments();
    const [dry, real] = [await book(change, '--dry-run'), await book(change)];
    expect(dry.exitCode).toBeGreaterThan(0);
    const [withoutId, other] = [dry, real].map(({ stderr }) => stderr.replace(/request id: \S+/, ''));
    expect({ ...dry, stderr: withoutId }).toEqual({ ...real, stderr: other });
    expect(await countAppointments()).toBe(before);
  });

  it('of a deletion is refused for upcoming appointments, and accepted with --force', async () => {
    await book();
    const argv = ['clients', 'delete', client, '--dry-run'];
    expect(await world.salon(argv)).toMatchObject({ exitCode: 7, stdout: '' });
    expect(await world.salon([...argv, '--force'])).toMatchObject({ exitCode: 0 });
    expect(await world.clients()).toHaveLength(4);
  });

  it('has the rights of the key', async () => {
    const env = { SALON_API_KEY: world.service.keys.viewer };
    const argv = ['clients', 'create', '--set', 'first_name=Ada', '--dry-run'];
    expect(await world.salon(argv, { env })).toMatchObject({ exitCode: 10, stdout: '' });
  });
});

describe('a dry run of a sheet', () => {
  const sheet = (rows: readonly object[]) => {
    const full = rows.map((row) => ({
      client_id: client,
      stylist_id: stylists[0],
      service: 'Cut',
      start_time: start,
      duration: 30,
      ...row,
    }));
    world.writeSheet('new.csv', full);
    return world.salon(['appointments', 'create', '--file', 'new.csv', '--dry-run', '--json']);
  };

  it('refuses rows that the server would refuse, and two rows for the same time', async () => {
    await book();
    const ran = await sheet([
      {},
      { start_time: '2031-01-07T11:00:00Z' },
      { start_time: '2031-01-07T11:15:00Z' },
      { start_time: '2031-01-07T11:15:00Z', stylist_id: stylists[1] },
      { start_time: '2031-01-07T12:00:00Z', stylist_id: 'sty_none' },
      { start_time: '2031-01-07T11:30:00Z' },
    ]);
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(ran.stderr).toContain('6 rows: 3 appointments will be booked, 3 refused.');
    const refused = (JSON.parse(ran.stdout) as { line: number; act: string; reason: string }[]).filter(
      ({ act }) => act === 'refused',
    );
    expect(refused.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      expect.stringMatching(/^2 Mia is booked .*\(Ana Costa\)/),
      '4 Line 3 books the same stylist at that time.',
      expect.stringMatching(/^6 .*stylist_id/),
    ]);
    expect(await countAppointments()).toBe(1);
  });

  it('refuses deletions of clients with upcoming appointments, which --force accepts', async () => {
    await book();
    world.writeSheet(
      'gone.csv',
      (await world.clients()).map(({ id }) => ({ id })),
    );
    const argv = ['clients', 'delete', '--file', 'gone.csv', '--dry-run'];
    const ran = await world.salon(argv);
    expect(ran).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('3 clients will be deleted, 1 refused'),
    });
    expect(await world.salon([...argv, '--force'])).toMatchObject({ exitCode: 0 });
    expect(await world.clients()).toHaveLength(4);
  });

  it('agrees with the real run on what is left', async () => {
    const rows = [{}, { start_time: '2031-01-07T10:15:00Z' }, { start_time: '2031-01-07T13:00:00Z' }];
    const dry = await sheet(rows);
    const real = await world.read<{ done: number; failed: number }>([
      'appointments',
      'create',
      '--file',
      'new.csv',
      '--yes',
      '--concurrency',
      '1',
    ]);
    expect(dry.stderr).toContain(`${real.done} appointments will be booked, ${real.failed} refused`);
  });

  it('checks more rows than fit into one request', async () => {
    world.writeSheet(
      'many.csv',
      Array.from({ length: 450 }, (_, index) => ({ first_name: `N${index}`, notes: 'x'.repeat(4_000) })),
    );
    const ran = await world.salon(['clients', 'create', '--file', 'many.csv', '--dry-run', '--json']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('450 clients will be added.');
    expect(await world.clients()).toHaveLength(4);
  });
});

describe('a dry run on another server', () => {
  it('sends no write, and says what was not checked', async () => {
    await using server = await openMisbehavingServer(({ path }) =>
      path.endsWith('/clients/c1')
        ? json({ id: 'c1', first_name: 'Ana' })
        : json({ error: 'no' }, { status: 404 }),
    );
    using machine = createMachine({
      env: {
        ...{ SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', SALON_DATA_DIR: 'data' },
        SALON_DIALECT_PAGING: 'none',
      },
    });
    for (const line of [
      'clients create --set first_name=Ada',
      'clients update c1 --set first_name=Ada',
      'clients delete c1',
    ]) {
      const ran = await machine.salon([...line.split(' '), '--dry-run']);
      expect(ran).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining(
          'Dry run: nothing was sent. Not checked: rules that only the server knows',
        ),
      });
    }
    expect(server.received.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
