import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';
import { openExportSalon } from '../../support/export-salon.ts';

describe('clients list by condition', () => {
  let world: EditWorld;
  beforeEach(async () => {
    world = await openEditWorld({ clients: 0 });
    await world.client.clients.create({ first_name: 'Ana', tags: ['vip'], email: 'ana@x.test' });
    await world.client.clients.create({ first_name: 'Bo', tags: ['VIP', 'new'] });
    await world.client.clients.create({ first_name: 'Cy', birthday: '1990-11-25' });
    await world.client.clients.create({ first_name: 'Di', birthday: '--02-29', phone: '+4930123456' });
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const now = new Date('2026-11-22T10:00:00Z');
  const names = async (line: string) => {
    const { stdout, stderr, exitCode } = await world.salon(
      [...line.split(' '), '-f', 'csv', '-c', 'first_name'],
      { now },
    );
    expect(exitCode, stderr).toBe(0);
    return stdout.trim().split('\n').slice(1);
  };

  it.each([
    ['--tag vip', ['Ana', 'Bo']],
    ['--tag vip --tag new', ['Bo']],
    ['--tag vip --without-tag new', ['Ana']],
    ['--no-email --tag vip', ['Bo']],
    ['--search ana --tag vip', ['Ana']],
    ['--birthday-within 7d', ['Cy']],
    ['--not-seen-since 6mo --sort -created_at', ['Di', 'Cy', 'Bo', 'Ana']],
    ['--not-seen-since 6mo --limit 2', ['Ana', 'Bo']],
    ['--birthday 2026-11-25', ['Cy']],
    ['--birthday 7d', ['Cy']],
    ['--birthday november', ['Cy']],
    ['--birthday 2027-02-28', ['Di']],
    ['--birthday 2028-02-28', []],
    ['--birthday 2028-02-29', ['Di']],
    ['--birthday-within 100d', ['Cy', 'Di']],
    ['--never-visited', ['Ana', 'Bo', 'Cy', 'Di']],
    ['--upcoming', []],
    ['--min-visits 1', []],
    ['--no-email --no-phone', ['Bo', 'Cy']],
    ['--no-email --email ana@x.test', []],
    ['--email ana@x.test --no-phone', ['Ana']],
  ])('clients list %s', async (flags, expected) => {
    expect(await names(`clients list ${flags}`)).toEqual(expected);
  });

  it('refuses a birthday without a year that is no day', async () => {
    const ran = await world.salon(['clients', 'create', '--set', 'birthday=--02-30', '--set', 'last_name=A']);
    expect(ran.stderr).toContain('birthday must be an existing date as YYYY-MM-DD, or as --MM-DD');
    expect(ran.exitCode).toBe(1);
  });

  it('says that more clients match than the limit shows, and nothing where all are shown', async () => {
    const list = (limit: number) =>
      world.salon(`clients list --never-visited --limit ${limit} -f csv`.split(' '), { now });
    expect((await list(2)).stderr).toContain('The first 2 clients; more match.');
    expect((await list(4)).stderr).not.toContain('more match');
  });

  it('does not take the appointments of one stylist for all', async () => {
    const env = { SALON_API_KEY: world.service.keys.stylist };
    const { exitCode, stdout, stderr } = await world.salon(['clients', 'list', '--not-seen-since', '6mo'], {
      env: { ...env, SALON_BASE_URL: world.service.origin },
    });
    expect([exitCode, stdout]).toEqual([10, '']);
    expect(stderr).toContain("A stylist's key shows only that stylist's appointments");
  });

  it('leaves out who is booked where those not seen are wanted, and says so', async () => {
    const [ana] = JSON.parse((await world.salon(['clients', 'list', '--search', 'ana', '--json'])).stdout);
    const [stylist] = JSON.parse((await world.salon(['stylists', 'list', '--json'])).stdout);
    const book = (start_time: string) =>
      world.client.appointments.create({
        client_id: ana.id,
        stylist_id: stylist.id,
        service: 'Cut',
        start_time,
        duration: 30,
      });
    await book('2026-11-24T10:00:00Z');
    const argv = ['clients', 'list', '--not-seen-since', '6mo', '-f', 'csv', '-c', 'first_name'];
    const { stdout, stderr } = await world.salon(argv, { now });
    expect(stdout.trim().split('\n')).toEqual(['first_name', 'Bo', 'Cy', 'Di']);
    expect(stderr).toContain('1 other client is left out: booked already. Show them with --upcoming.');
    expect(await names('clients list --upcoming')).toEqual(['Ana']);
    expect(await names('clients list --not-seen-since 6mo --upcoming')).toEqual(['Ana']);
  });

  it('says which tag nobody has', async () => {
    const { stdout, stderr, exitCode } = await world.salon(['clients', 'list', '--tag', 'vpi', '-f', 'json']);
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, []]);
    expect(stderr).toMatch(/^No client has the tag vpi. Did you mean vip\?/im);
  });

  it.each([
    ['--tag='],
    ['--search='],
    ['--email='],
    ['--seen-since', 'tomorrow'],
    ['--not-seen-since', '6'],
    ['--birthday-within', '2y'],
    ['--birthday', 'tomorrow', '--birthday-within', '2w'],
    ['--birthday', 'soon'],
    ['--upcoming', '--no-upcoming'],
    ['--min-visits', '0'],
    ['--first-visit-from', '2026-11-02', '--first-visit-to', '2026-11-01'],
    ['--tag', 'vip', '--since-last', '--state', 's.json'],
  ])('refuses %s %s %s %s', async (...flags) => {
    const { stdout, exitCode } = await world.salon(['clients', 'list', ...flags]);
    expect([exitCode, stdout]).toEqual([2, '']);
  });
});

describe('an interrupted export by condition', () => {
  it('resumes with the same condition', async () => {
    await using world = await openExportSalon({ rows: 200 });
    const tagged = world.server.rows.map((row, index) => ({ ...row, tags: index % 2 === 0 ? ['vip'] : [] }));
    world.server.rows = tagged;
    const job = await world.exportUpTo(5, 'clients list --tag vip -o out.json');
    const { exitCode, stderr } = await world.salon(`jobs resume ${job}`);
    expect(exitCode, stderr).toBe(0);
    expect(JSON.parse(world.read('out.json'))).toEqual(tagged.filter(({ tags }) => tags.length > 0));
  });
});
