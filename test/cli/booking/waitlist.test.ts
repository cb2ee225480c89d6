import { beforeEach, describe, expect, it } from 'vitest';
import { openCountingGateway } from '../../support/counting-gateway.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openPeopleSalon, retireSampleStylists } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;

/** Quinn and Ravi do Balayage in two hours, from Monday to Saturday, 9 to 18. */
beforeEach(async () => {
  salon = await openPeopleSalon();
  await retireSampleStylists(salon);
  await salon.client.salon.update({ time_zone: 'Europe/Lisbon', opening_hours: 'mon-sat 9-18' });
  await salon.client.services.create({ name: 'Balayage', duration: 120 });
  return () => salon[Symbol.asyncDispose]();
});

const run = (line: string) =>
  salon.salon(line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? []);

async function add(line: string): Promise<string> {
  const { stdout, stderr } = await run(`waitlist add ${line} --json`);
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout).id;
}

const statusOf = async (id: string) => (await salon.client.waitlist.get(id)).status;
const bookedAs = async (client_id: string) => {
  const found = [];
  for await (const { rows } of salon.client.appointments.list({ client_id })) found.push(...rows);
  return found;
};

describe('salon waitlist add', () => {
  it.each([
    ['Ana Costa for Balayage wed', '2026-11-25T00:00:00Z', '2026-11-26T00:00:00Z'],
    ['Ana Costa for Balayage next week', '2026-11-23T00:00:00Z', '2026-11-30T00:00:00Z'],
    ['Ana Costa for Balayage mon morning', '2026-11-23T00:00:00Z', '2026-11-23T12:00:00Z'],
    ['Ana Costa for Balayage mon 15:00', '2026-11-23T15:00:00Z', '2026-11-23T17:00:00Z'],
    ['Ana Costa for Balayage --from mon --to wed', '2026-11-23T00:00:00Z', '2026-11-26T00:00:00Z'],
  ])('reads words as book does: %s', async (line, from, to) => {
    const { client_id, service, stylist_id, ...entry } = await salon.client.waitlist.get(await add(line));
    expect(entry).toMatchObject({ from, to, status: 'waiting', note: null });
    expect([client_id, service, stylist_id]).toEqual([salon.ids.ana, 'Balayage', null]);
  });

  it('waits for one stylist with a note, and says for whom', async () => {
    const { exitCode, stderr, requests } = await salon.salon([
      ...['waitlist', 'add', 'Ana', 'Costa', 'with', 'Ravi', 'for', 'Balayage', 'wed', 'morning'],
      ...['--note', 'call first'],
    ]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringMatching(
        /On the waiting list: Balayage for Ana Costa, Wed 25 Nov 00:00–12:00 \(wtl_\w+\)\.\n$/,
      ),
    });
    expect(requests).toContain('POST waitlist');
    expect(await salon.client.waitlist.get(/wtl_\w+/.exec(stderr)?.[0] ?? '')).toMatchObject({
      stylist_id: salon.ravi,
      note: 'call first',
    });
  });

  it('waits for the stylist whom the key belongs to', async () => {
    const rights = { name: 'Ravi', role: 'stylist', stylist_id: salon.ravi } as const;
    const { key } = await salon.client.apiKeys.create(rights);
    const env = { SALON_API_KEY: key };
    const words = ['waitlist', 'add', salon.ids.ana, 'wed', '--service', 'Balayage', '--json'];
    const { exitCode, stdout, stderr } = await salon.salon(words, { env });
    expect(exitCode, stderr).toBe(0);
    const { id, stylist_id } = JSON.parse(stdout);
    expect(stylist_id).toBe(salon.ravi);
    await add('Ana Costa with Quinn for Balayage wed');
    const own = await salon.salon(['waitlist', 'list', '--json'], { env });
    expect(JSON.parse(own.stdout)).toMatchObject([{ id }]);
  });

  it('warns of a client who waits already, and adds her', async () => {
    const first = await add('Ana Costa for Balayage wed');
    const { exitCode, stderr } = await run('waitlist add Ana Costa for balayage next week');
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      `warning: On the waiting list already: Balayage for Ana Costa, Wed 25 Nov (${first}).`,
    );
    expect((await run('waitlist add Ana Costa for Balayage "7 dec"')).stderr).not.toContain('already');
  });

  it.each([
    ['Ana Costa for Balayage yesterday', 'That time has passed.'],
    ['Ana Costa for Balayage today --to fri', 'The time is given twice'],
    ['Ana Costa for Balayage', 'Missing: time.'],
    ['Ana Costa wed', 'Missing: service.'],
    ['for Balayage wed', 'Missing: client.'],
    ['Ana Costa for Balayage --from 2026-11-27 --to 2026-11-24', 'before'],
    ['Ana Costa for blue hair wed', 'is not a service that this salon is known to book'],
  ])('sends nothing for what it does not understand: %s', async (line, message) => {
    const ran = await run(`waitlist add ${line}`);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect(ran.requests).not.toContain('POST waitlist');
  });

  it('says where nothing keeps a waiting list, without a request', async () => {
    await using server = await openMisbehavingServer(() => json([]));
    const env = { SALON_BASE_URL: server.origin, SALON_DIALECT_PAGING: 'none' };
    const ran = await salon.salon(['waitlist', 'list', '--json'], { env });
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toContain('This server does not support GET /waitlist.');
    expect(server.received).toEqual([]);
  });
});

describe('the waiting list', () => {
  it('lists who still waits by time, with names and phones for people, and by status', async () => {
    const late = await add('João Silva for Balayage wed');
    const soon = await add('Ana Costa for Balayage mon');
    await run(`waitlist update ${late} --status offered`);
    const ids = async (flags = '') =>
      JSON.parse((await run(`waitlist list --json${flags}`)).stdout).map(({ id }: { id: string }) => id);
    expect(await ids()).toEqual([soon, late]);
    expect(await ids(' --status offered')).toEqual([late]);
    expect(await ids(' --from mon --to mon')).toEqual([soon]);
    expect(await ids(' --client "João Silva"')).toEqual([late]);
    const table = await salon.salon(['waitlist', 'list'], { columns: 120 });
    expect(table.stdout).toMatch(/Ana Costa +\+351912345678 +Balayage/);
  });

  it('is changed and left', async () => {
    const id = await add('Ana Costa for Balayage wed');
    expect((await run('waitlist update Ana Costa --to "thu" --stylist Ravi --note "after 3"')).exitCode).toBe(
      0,
    );
    expect(await salon.client.waitlist.get(id)).toMatchObject({
      ...{ to: '2026-11-27T00:00:00Z', stylist_id: salon.ravi, note: 'after 3' },
    });
    expect((await run(`waitlist update ${id} --stylist anyone`)).exitCode).toBe(0);
    expect(await salon.client.waitlist.get(id)).toMatchObject({ stylist_id: null });
    const left = await run('waitlist delete Ana Costa --yes');
    expect(left.stderr).toContain('Deleted Balayage for Ana Costa, Wed 25 Nov – Thu 26 Nov.');
    expect(await run('waitlist get Ana Costa')).toMatchObject({ exitCode: 6 });
  });
});

describe('salon waitlist match', () => {
  it('shows who waits for the free times of a day, whoever has waited longest first', async () => {
    await salon.book('bob', { start_time: '2026-11-23T09:00:00Z', duration: 420 });
    const second = await add('João Silva with Quinn for Balayage mon');
    const first = await add('Ana Costa for Balayage next week');
    await add('Bob Twin --json --client +351910000002 for Balayage mon morning --stylist Quinn').catch(
      () => {},
    );
    await add(`${salon.ids.otherBob} with Quinn for Balayage mon morning`);
    await add(`${salon.ids.bob} for Balayage tue`);
    const { stdout, stderr } = await run('waitlist match mon --json -c +client_name');
    expect(JSON.parse(stdout)).toMatchObject([
      {
        id: second,
        client_name: 'João Silva',
        start_time: '2026-11-23T16:00:00Z',
        stylist_name: 'Quinn S.',
        free_times: 1,
      },
      {
        id: first,
        client_name: 'Ana Costa',
        start_time: '2026-11-23T09:00:00Z',
        stylist_name: 'Ravi',
        free_times: 29,
      },
    ]);
    expect(stderr).toContain('No free time fits for 1 other entry.');
    const now = await run('waitlist match "mon 16:00" --json');
    expect(JSON.parse(now.stdout).map(({ id }: { id: string }) => id)).toEqual([second, first]);
    expect((await run('waitlist match yesterday')).exitCode).toBe(2);
  });
});

describe('salon waitlist book', () => {
  it('books the time that is given, and sets the entry to booked', async () => {
    const id = await add('Ana Costa with Ravi for Balayage wed');
    const ran = await run('waitlist book Ana Costa wed 10:00 --json');
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ...{ client_id: salon.ids.ana, stylist_id: salon.ravi, service: 'Balayage' },
      ...{ start_time: '2026-11-25T10:00:00Z', duration: 120 },
    });
    expect(await statusOf(id)).toBe('booked');
    const again = await run(`waitlist book ${id} wed 14:00`);
    expect(again).toMatchObject({ exitCode: 7 });
    expect(again.stderr).toContain(`The entry ${id} is booked.`);
    expect(await bookedAs(salon.ids.ana)).toHaveLength(1);
  });

  it('takes the only time that fits, and else wants one named', async () => {
    const only = await add('Ana Costa with Ravi for Balayage mon 10:00');
    expect(await run(`waitlist book ${only}`)).toMatchObject({ exitCode: 0 });
    expect(await bookedAs(salon.ids.ana)).toMatchObject([{ start_time: '2026-11-23T10:00:00Z' }]);
    const many = await add(`${salon.ids.bob} for Balayage tue`);
    const ran = await run(`waitlist book ${many}`);
    expect(ran).toMatchObject({ exitCode: 2 });
    expect(ran.stderr).toContain('29 free times fit, the first Tue 24 Nov 09:00.');
    expect(ran.stderr).toContain(`Name one: salon waitlist book ${many} 2026-11-24T09:00`);
    const none = await add(`${salon.ids.bob} for Balayage sun`);
    expect(await run(`waitlist book ${none}`)).toMatchObject({ exitCode: 7 });
    expect([await statusOf(many), await statusOf(none)]).toEqual(['waiting', 'waiting']);
  });

  it('asks at a terminal which of the times that fit', async () => {
    const id = await add('Ana Costa for Balayage mon morning');
    const ran = await salon.talk(`waitlist book ${id}`, ['2', '1']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('Which time?');
    expect(JSON.parse(ran.stdout)).toMatchObject({ start_time: '2026-11-23T09:15:00Z' });
    expect(await statusOf(id)).toBe('booked');
  });

  it('leaves the entry as it is where the booking fails, or is only tried', async () => {
    const id = await add('Ana Costa with Quinn for Balayage fri');
    await salon.book('bob', { start_time: '2026-11-27T15:00:00Z' });
    expect(await run(`waitlist book ${id} fri 15:30`)).toMatchObject({ exitCode: 7 });
    expect(await run(`waitlist book ${id} fri 9:00 --dry-run`)).toMatchObject({ exitCode: 0 });
    expect(await statusOf(id)).toBe('waiting');
    expect(await bookedAs(salon.ids.ana)).toEqual([]);
  });

  it('says so where somebody else has booked the entry meanwhile', async () => {
    const id = await add('Ana Costa with Ravi for Balayage wed');
    await using gateway = await openCountingGateway(salon.env.SALON_BASE_URL, {
      async fateOf(method) {
        if (method === 'PATCH') await salon.client.waitlist.update(id, { status: 'booked' });
        return 'passed' as const;
      },
    });
    const env = { SALON_BASE_URL: gateway.origin };
    const ran = await salon.salon(['waitlist', 'book', id, 'wed 10:00', '--json'], { env });
    expect(ran).toMatchObject({ exitCode: 3 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ start_time: '2026-11-25T10:00:00Z' });
    expect(ran.stderr).toContain(
      'Somebody else has changed the entry meanwhile, and may have booked it, too.',
    );
    expect(await bookedAs(salon.ids.ana)).toHaveLength(1);
  });
});

describe('who waits for time that becomes free', () => {
  const line = /Waiting for this time:\n {2}Ana Costa {2}\+351912345678 {2}Balayage {2}Fri 27 Nov {2}wtl_/;

  it.each([
    ['cancel', (id: string) => `cancel ${id}`],
    ['move', (id: string) => `move ${id} wed 10:00`],
    ['another stylist', (id: string) => `appointments update ${id} --stylist Ravi`],
    ['a status', (id: string) => `appointments update ${id} --status cancelled`],
    ['a bulk cancellation', () => 'appointments cancel --where-date 2026-11-27 --yes'],
  ])('is said after %s, also beside data', async (_, command) => {
    const id = await salon.book('bob');
    const entry = await add('Ana Costa with Quinn for Balayage fri');
    await add('João Silva with Ravi for Balayage fri');
    await add(`${salon.ids.otherBob} for Balayage wed`);
    const ran = await run(`${command(id)} --yes --json`);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toMatch(line);
    expect(ran.stderr).toContain(`To book one: salon waitlist book ${entry}`);
    expect(ran.stderr).not.toContain('João');
    expect(ran.stdout).not.toContain('Waiting');
    expect(ran.requests.filter((request) => request === 'GET waitlist')).toHaveLength(1);
  });

  it('is said after unblock, and nothing where nobody waits', async () => {
    await run('block Quinn fri holiday');
    expect((await run('unblock Quinn fri --yes')).stderr).not.toContain('Waiting');
    await add('Ana Costa for Balayage fri');
    await run('close fri');
    expect((await run('unblock fri --yes')).stderr).toMatch(line);
  });

  it('is not asked where no time becomes free', async () => {
    const id = await salon.book('bob');
    await add('Ana Costa for Balayage fri');
    for (const command of [`appointments update ${id} --notes x`, `cancel ${id} --dry-run`]) {
      expect((await run(command)).requests).not.toContain('GET waitlist');
    }
  });

  it('is how many in today', async () => {
    const today = async () => (await salon.salon(['today'], { columns: 80 })).stdout;
    expect(await today()).not.toContain('wait');
    await add('Ana Costa for Balayage today');
    expect(await today()).toContain('1 client waits for a time today: salon waitlist match');
    await add('João Silva with Ravi for Balayage today');
    expect(await today()).toContain('2 clients wait for a time today');
  });
});
