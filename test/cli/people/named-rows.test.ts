import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { body, json, openMisbehavingServer, type Received } from '../../support/misbehaving-server.ts';

/** A salon that books its clients one after the other, from the newest to the oldest. */
interface Salon {
  readonly clients: number;
  readonly appointments: number;
  /** Clients who were deleted after their appointments. */
  readonly deleted?: readonly string[];
  readonly readsOne?: boolean;
  readonly hasStylists?: boolean;
  readonly mayReadClients?: boolean;
  readonly sendsNames?: boolean;
}

function answer({ path, query }: Received, salon: Salon) {
  const { clients, appointments, deleted = [], readsOne = true, hasStylists = true } = salon;
  const [, noun, id] = /^\/api\/v1\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
  const client = (index: number) => ({
    ...{ id: `c${index}`, first_name: 'Ana', last_name: `No. ${index}`, email: `ana${index}@example.com` },
    phone: index === 0 ? null : `+3519120000${String(index).padStart(2, '0')}`,
  });
  if (noun === 'stylists' && hasStylists) return list([{ id: 's1', display_name: 'Mia' }], query);
  if (noun === 'clients' && salon.mayReadClients === false)
    return json({ code: 'permission_denied', detail: 'Your role cannot read clients.' }, { status: 403 });
  if (noun === 'clients' && id === undefined) {
    const all = Array.from({ length: clients }, (_, index) => client(index));
    return list(
      all.filter((one) => !deleted.includes(one.id)),
      query,
    );
  }
  if (noun === 'clients' && readsOne) {
    return deleted.includes(String(id))
      ? json({ code: 'not_found', detail: 'No client with this ID.' }, { status: 404 })
      : json(client(Number(id?.slice(1))));
  }
  if (noun !== 'appointments') return json({}, { status: 404 });
  const rows = Array.from({ length: appointments }, (_, index) => ({
    ...{ id: `a${index}`, client_id: `c${clients - 1 - (index % clients)}`, stylist_id: 's1' },
    ...(salon.sendsNames
      ? { client_name: 'Named there', client_phone: '123', stylist_name: 'There too' }
      : {}),
    ...{ service: 'Cut', status: 'confirmed', start_time: '2026-11-24T09:00:00Z', duration: 30 },
  }));
  return list(rows, query);
}

function list(data: readonly unknown[], query: URLSearchParams) {
  const page = Number(query.get('page') ?? 1);
  const perPage = Number(query.get('per_page') ?? 50);
  const rows = data.slice((page - 1) * perPage, page * perPage);
  return json({ data: rows, pagination: { page, per_page: perPage, total: data.length } });
}

async function run(salon: Salon, line: string, columns?: number) {
  using machine = createMachine({ env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' } });
  await using server = await openMisbehavingServer((request) => answer(request, salon));
  const env = {
    SALON_BASE_URL: `${server.origin}/api/v1`,
    SALON_API_KEY: 'k',
    SALON_TIME_ZONE: 'UTC',
    NO_COLOR: '1',
  };
  const ran = await machine.salon(line.split(' '), { env, ...(columns && { columns }) });
  const requests = server.received.map(({ path }) => path.replace('/api/v1/', '').replace(/\/c\d+/, '/one'));
  return { ...ran, requests, lines: ran.stdout.trimEnd().split('\n') };
}

const listed = 'appointments list';

describe('a list of appointments at a terminal', () => {
  it('shows names under headings in words', async () => {
    const { lines } = await run({ clients: 2, appointments: 2 }, listed, 100);
    expect(lines).toEqual([
      'Start             Client     Phone          Stylist  Service  Duration  Status     ID',
      'UTC',
      '2026-11-24 09:00  Ana No. 1  +351912000001  Mia      Cut        30 min  confirmed  a0',
      '2026-11-24 09:00  Ana No. 0                 Mia      Cut        30 min  confirmed  a1',
    ]);
  });

  it('leaves out phones in a narrow table, and never cuts one', async () => {
    const salon = { clients: 2, appointments: 2 };
    const narrow = await run(salon, listed, 60);
    expect(narrow.lines[0]).toBe('Start             Client     Stylist  Service  Status     …');
    const wide = await run(salon, `${listed} -c client_name,client_phone,service`, 26);
    expect(wide.stdout).toMatch(/ \+351912000001$/m);
  });

  it('names people for a screen reader', async () => {
    const { stdout } = await run({ clients: 1, appointments: 1 }, `${listed} --plain`, 80);
    expect(stdout).toContain('Client: Ana No. 0\nPhone: (nothing)\nStylist: Mia\n');
  });

  it('asks for each client once, over all pages', async () => {
    const { requests, lines } = await run({ clients: 2, appointments: 900 }, listed, 100);
    expect(lines).toHaveLength(902);
    expect(requests.filter((path) => path.startsWith('clients'))).toEqual(['clients/one', 'clients/one']);
    expect(requests.filter((path) => path === 'stylists')).toHaveLength(1);
  });

  it('reads one page of the list of clients for 200 names', async () => {
    const { requests } = await run({ clients: 200, appointments: 400 }, listed, 100);
    expect(requests.filter((path) => path.startsWith('clients'))).toEqual(['clients']);
  });

  it('never asks more often than the list of clients has pages', async () => {
    const salon = { clients: 2_000, appointments: 1_000 };
    const { requests, stdout } = await run(salon, listed, 100);
    expect(requests.filter((path) => path.startsWith('clients')).length).toBeLessThanOrEqual(10);
    expect(stdout).not.toContain('(deleted)');
  });

  it('marks deleted clients, however they were looked for', async () => {
    const few = await run({ clients: 2, appointments: 2, deleted: ['c1'] }, listed, 100);
    expect(few.lines[2]).toMatch(/ \(deleted\) +Mia /);
    const many = await run({ clients: 900, appointments: 900, deleted: ['c1'] }, listed, 100);
    expect(many.lines.filter((line) => line.includes('(deleted)'))).toHaveLength(1);
  });

  it('leaves the names of deleted clients empty for programs', async () => {
    const salon = { clients: 2, appointments: 2, deleted: ['c1'] };
    const { stdout } = await run(salon, `${listed} -c id,client_name -f csv`);
    expect(stdout).toBe('id,client_name\na0,\na1,Ana No. 0\n');
  });

  it('shows IDs, and one warning, where clients cannot be read', async () => {
    const salon = { clients: 300, appointments: 900, mayReadClients: false };
    const { stderr, lines, exitCode, requests } = await run(salon, listed, 100);
    expect(exitCode).toBe(0);
    expect(stderr.match(/Clients' names and phones are not shown/g)).toHaveLength(1);
    expect(lines[0]).toMatch(/^Start +Client ID +Stylist /);
    expect(lines[2]).toMatch(/ c299 +Mia /);
    expect(requests.filter((path) => path.startsWith('clients'))).toHaveLength(1);
  });

  it('shows IDs of stylists where the server does not list them', async () => {
    const { lines } = await run({ clients: 2, appointments: 2, hasStylists: false }, listed, 100);
    expect(lines[0]).toMatch(/^Start +Client +Phone +Stylist ID /);
    expect(lines[2]).toMatch(/ Ana No\. 1 +\+351912000001 +s1 /);
  });

  it('finds names in the list where single clients cannot be read', async () => {
    const { lines } = await run({ clients: 300, appointments: 1, readsOne: false }, listed, 100);
    expect(lines[2]).toContain('Ana No. 299');
  });

  it('uses names and phones that the server sends', async () => {
    const { requests, lines } = await run({ clients: 9, appointments: 9, sendsNames: true }, listed, 100);
    expect(requests).toEqual(['appointments']);
    expect(lines[2]).toContain('Named there  123    There too');
  });
});

describe('a list of appointments in a pipe', () => {
  it('has no names and asks for none', async () => {
    const { requests, lines } = await run({ clients: 2, appointments: 2 }, listed);
    expect(lines[0]?.split('\t').slice(0, 3)).toEqual(['id', 'client_id', 'stylist_id']);
    expect(lines[0]).not.toContain('name');
    expect(requests).toEqual(['appointments']);
  });

  it.each([
    ['-f csv', 'start_time,client_name,stylist_name\n2026-11-24T09:00:00Z,Ana No. 0,Mia\n'],
    ['', 'start_time\tclient_name\tstylist_name\n2026-11-24T09:00:00Z\tAna No. 0\tMia\n'],
    [
      '--json',
      '[\n{"start_time":"2026-11-24T09:00:00Z","client_name":"Ana No. 0","stylist_name":"Mia"}\n]\n',
    ],
  ])('has names on request: %s', async (format, expected) => {
    const line = `${listed} -c start_time,client_name,stylist_name ${format}`.trim();
    expect((await run({ clients: 1, appointments: 1 }, line)).stdout).toBe(expected);
  });

  it.each([
    ['-f csv', 'c1,Ana No. 1,+351912000001,ana1@example.com\nc0,Ana No. 0,,ana0@example.com\n'],
    ['--excel', "c1,Ana No. 1,'+351912000001,ana1@example.com\r\nc0,Ana No. 0,,ana0@example.com\r\n"],
  ])('has phones and emails for the requests that names cost: %s', async (format, expected) => {
    const salon = { clients: 2, appointments: 2 };
    const named = await run(salon, `${listed} -c client_id,client_name ${format}`);
    const whole = await run(salon, `${listed} -c client_id,client_name,client_phone,client_email ${format}`);
    expect(whole.stdout.endsWith(expected)).toBe(true);
    expect(whole.requests.toSorted()).toEqual(named.requests.toSorted());
  });

  it('adds names to the fields of the API', async () => {
    const { stdout } = await run({ clients: 1, appointments: 1 }, `${listed} -c +client_name --json`);
    expect(JSON.parse(stdout)).toMatchObject([{ id: 'a0', client_id: 'c0', client_name: 'Ana No. 0' }]);
    expect(stdout).not.toContain('stylist_name');
  });

  it('leaves a name empty where clients cannot be read', async () => {
    const salon = { clients: 1, appointments: 1, mayReadClients: false };
    const { stdout } = await run(salon, `${listed} -c id,client_name -f csv`);
    expect(stdout).toBe('id,client_name\na0,\n');
  });
});

describe('an export with names', () => {
  it('has the same bytes once it is resumed', async () => {
    const salon = { clients: 40, appointments: 900 };
    let fails = false;
    using machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
    await using server = await openMisbehavingServer((request) =>
      fails && /appointments$/.test(request.path) && request.query.get('page') === '4'
        ? body('', { status: 500 })
        : answer(request, salon),
    );
    const env = { SALON_BASE_URL: `${server.origin}/api/v1`, SALON_API_KEY: 'k' };
    const salonAt = (line: string) => machine.salon(line.split(' '), { env });
    const command = `${listed} -c id,client_name,stylist_name -f csv --retries 0 -o`;
    expect((await salonAt(`${command} whole.csv`)).exitCode).toBe(0);
    fails = true;
    expect((await salonAt(`${command} out.csv`)).exitCode).not.toBe(0);
    fails = false;
    // Two jobs of the same second are listed in any order.
    const jobs: { id: string; state: string }[] = JSON.parse((await salonAt('jobs list --json')).stdout);
    const job = jobs.find(({ state }) => state !== 'done');
    expect((await salonAt(`jobs resume ${job?.id}`)).exitCode).toBe(0);
    const read = (file: string) => readFileSync(`${machine.home}/${file}`, 'utf8');
    expect(read('out.csv')).toBe(read('whole.csv'));
    expect(read('out.csv').trimEnd().split('\n').at(-1)).toMatch(/^a899,Ana No\. \d+,Mia$/);
  });
});

describe('names on another server', () => {
  it('are found by numeric IDs, in its own fields', async () => {
    using machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
    const records: Readonly<Record<string, readonly object[]>> = {
      appointments: [
        { id: 7, client_id: 1, stylist_id: 3, service: 'Cut' },
        { id: 8, client_id: 2, stylist_id: 4, service: 'Cut' },
        { id: 9, client_id: null, stylist_id: 3, service: 'Break' },
      ],
      clients: [{ id: 1, fullName: 'Ana Costa', mobile: '0301' }, { id: 2 }],
      stylists: [{ id: 3, name: 'Mia' }],
    };
    await using server = await openMisbehavingServer(({ path, query }) => {
      const [, noun = '', id] = /^\/api\/v1\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
      const all = records[noun] ?? [];
      if (id === undefined) return list(all, query);
      const one = all.find((row) => 'id' in row && String(row.id) === id);
      return one === undefined ? json({}, { status: 404 }) : json(one);
    });
    const env = { SALON_BASE_URL: `${server.origin}/api/v1`, SALON_API_KEY: 'k', NO_COLOR: '1' };
    const line = [...listed.split(' '), '-c', 'id,client_name,client_phone,stylist_name'];
    const { stdout } = await machine.salon(line, { env, columns: 100 });
    expect(stdout.split('\n').map((one) => one.split(/ {2,}/))).toEqual([
      ['ID', 'Client', 'Phone', 'Stylist'],
      ['7', 'Ana Costa', '0301', 'Mia'],
      ['8', '(no name)', '(deleted)'],
      ['9', 'Mia'],
      [''],
    ]);
    expect((await machine.salon([...line, '-f', 'csv'], { env })).stdout).toBe(
      'id,client_name,client_phone,stylist_name\n7,Ana Costa,0301,Mia\n8,,,\n9,,,Mia\n',
    );
  });
});
