import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openTestService, type TestService } from '../../support/service.ts';

const now = new Date('2026-11-24T10:05:00Z');
let machine: Machine;
let service: TestService;
let id: string;
let other: string;

beforeAll(async () => {
  machine = createMachine({ env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' } });
  service = await openTestService({ now: () => now, clients: 2 });
  [id, other] = JSON.parse((await salon('clients list --json')).stdout).map((row: { id: string }) => row.id);
  const book = async (start: string) => {
    const booking = `--client ${id} --stylist ${service.stylistIds[1]} --service Cut --start ${start} --duration 30`;
    return JSON.parse((await salon(`appointments create ${booking} --json`)).stdout).id;
  };
  for (let day = 1; day <= 12; day += 1) {
    const made = await book(`2026-10-${String(day).padStart(2, '0')}T09:00`);
    await salon(`appointments update ${made} --status ${day === 12 ? 'no_show' : 'completed'}`);
  }
  await book('2026-12-24T09:00');
  await book('2026-12-01T09:00');
  await salon(`payments record --client ${id} --amount 45 --currency EUR --method card`);
  await salon(`payments record --client ${id} --amount 10.50 --currency EUR --method cash`);
});
afterAll(async () => {
  machine[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

function salon(line: string, world: RunOptions = {}) {
  const env = {
    SALON_BASE_URL: service.origin,
    SALON_API_KEY: service.keys.owner,
    NO_COLOR: '1',
    ...world.env,
  };
  return machine.salon(line.split(' '), { now, ...world, env });
}

describe('salon clients get at a terminal', () => {
  it('shows upcoming and past appointments and payments below the record', async () => {
    const { stdout, exitCode } = await salon(`clients get ${id}`, { columns: 100 });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('14 appointments: 2 confirmed, 11 completed, 1 no-show.\n');
    expect(stdout).toContain('Paid 55.50 EUR in 2 payments.\n');
    expect(stdout).toMatch(
      /Coming up \(2\)\n.*\n.*\n2026-12-01 .* Theo .*\n2026-12-24 .*\n\nEarlier \(12\)\n/,
    );
    expect(stdout).toMatch(/Earlier \(12\)\n.*\n.*\n2026-10-12 .*no_show\n2026-10-11 /);
    expect(stdout).toContain(`2 more: salon appointments list --client ${id} --sort -start_time\n`);
  });

  it.each([80, 120])('shows whole IDs of upcoming appointments in %i columns', async (columns) => {
    const { stdout } = await salon(`clients get ${id}`, { columns });
    const [upcoming = '', earlier = ''] = stdout.split('\nEarlier');
    expect(upcoming.match(/ apt_[0-9a-z]{26}$/gm)).toHaveLength(2);
    expect(earlier).not.toContain('apt_');
  });

  it('reports that there are no appointments yet', async () => {
    expect((await salon(`clients get ${other}`, { columns: 100 })).stdout).toMatch(
      /\n\nNo appointments yet\.\n$/,
    );
  });

  it('lists a cancelled future appointment under the earlier ones', async () => {
    const someone = JSON.parse((await salon('clients create --set first_name=Mia --json')).stdout).id;
    const booking = `--client ${someone} --stylist ${service.stylistIds[1]} --service Cut --start 2026-12-15T09:00`;
    const made = JSON.parse((await salon(`appointments create ${booking} --duration 30 --json`)).stdout).id;
    await salon(`appointments cancel ${made}`);
    const { stdout } = await salon(`clients get ${someone}`, { columns: 100 });
    expect(stdout).toMatch(/\nEarlier or cancelled \(1\)\n.*\n.*\n2026-12-15 .*cancelled\n$/);
  });

  it('prints one field per line with --plain', async () => {
    const { stdout } = await salon(`clients get ${id} --plain`, { columns: 40 });
    expect(stdout).toContain('Coming up (2)\nTimes are in UTC.\n\nStart: 2026-12-01 09:00\nService: Cut\n');
  });

  it.each(['--no-history', '-c first_name'])('shows only the record with %s', async (flags) => {
    const { stdout } = await salon(`clients get ${id} ${flags}`, { columns: 100 });
    expect(stdout).toContain('First name');
    expect(stdout).not.toContain('appointments');
  });

  it('shows payments of a client without appointments', async () => {
    await salon(`payments record --client ${other} --amount 20 --currency EUR --method gift_card`);
    const { stdout } = await salon(`clients get ${other}`, { columns: 100 });
    expect(stdout).toMatch(/\n\nNo appointments yet\.\nPaid 20\.00 EUR in 1 payment\.\n$/);
  });

  it.each([
    [
      'sorts and filters',
      true,
      'Only the last 400 of 450 payments are counted',
      '450 appointments; the last 400: ',
      400,
    ],
    ['does neither', false, 'There may be more payments', 'At least 200 appointments: 200 ', 200],
  ])('says that there is more if the server %s', async (_, isObeyed, paid, came, read) => {
    const rows = Array.from({ length: 450 }, (_, index) => ({
      ...{ id: `r${index}`, client_id: 'c1', stylist_id: 's1', service: 'Cut', duration: 30 },
      ...{ start_time: '2026-11-01T09:00:00Z', created_at: '2026-11-01T10:00:00Z', status: 'completed' },
      ...{ amount: 100, tip_amount: 0, refunded_amount: 0, currency: 'EUR' },
    }));
    const all = rows.flatMap((row) =>
      isObeyed ? [row] : [row, { ...row, id: `x${row.id}`, client_id: 'c2' }],
    );
    await using server = await openMisbehavingServer(({ path, query }) => {
      if (path === '/api/v1/clients/c1') return json({ id: 'c1', first_name: 'Ana' });
      const list = /appointments|payments/.test(path) ? all : [];
      const page = Number(query.get('page') ?? 1);
      const data = list.slice((page - 1) * 200, page * 200);
      return json({ data, pagination: { page, per_page: 200, total: list.length } });
    });
    const env = {
      ...{ SALON_BASE_URL: `${server.origin}/api/v1`, SALON_API_KEY: 'k' },
      SALON_DIALECT_TOTAL_KEY: 'pagination.total',
    };
    const { stdout } = await salon('clients get c1', { columns: 100, env });
    expect(stdout).toContain(paid);
    expect(stdout).toContain(came);
    expect(stdout).toContain(`Paid ${read}.00 EUR in ${read} payments.`);
  });

  it('reads only the record, its appointments, payments and stylists', async () => {
    const { stderr } = await salon(`clients get ${id} --debug`, { columns: 100 });
    const requests = stderr.match(/→ GET \S+/g)?.map((line) => line.replace(/.*\/api\/v1|\?.*/g, ''));
    expect(requests?.toSorted()).toEqual(['/appointments', `/clients/${id}`, '/payments', '/stylists']);
  });

  it('shows the record if the history cannot be read', async () => {
    await using server = await openMisbehavingServer(({ path }) =>
      path === '/api/v1/clients/c1' ? json({ id: 'c1', first_name: 'Ana' }) : json({}, { status: 404 }),
    );
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', SALON_DIALECT_PAGING: 'none' };
    const ran = await salon('clients get c1', { columns: 100, env });
    expect(ran).toMatchObject({ exitCode: 0, stdout: 'ID          c1\nFirst name  Ana\n' });
    expect(ran.stderr).toContain('warning: Could not read the history.');
  });
});

describe('salon clients get in a pipe', () => {
  it('prints only the record', async () => {
    const record = JSON.parse((await salon(`clients get ${id} --json`)).stdout);
    expect(record).toMatchObject({ id });
    expect(record).not.toHaveProperty('history');
    expect((await salon(`clients get ${id}`)).stdout.split('\n')).toHaveLength(3);
  });

  it('adds the history with --history, newest first', async () => {
    const { history } = JSON.parse((await salon(`clients get ${id} --history --json`)).stdout);
    expect(history).toMatchObject({ total: 14, counts: { confirmed: 2, completed: 11, no_show: 1 } });
    expect(history.appointments[0]).toMatchObject({ start_time: '2026-12-24T09:00:00Z', client_id: id });
    expect(history.payments).toHaveLength(2);
    expect(history.payments_total).toBe(2);
  });

  it('refuses --history with CSV', async () => {
    const ran = await salon(`clients get ${id} --history -f csv`);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
  });
});
