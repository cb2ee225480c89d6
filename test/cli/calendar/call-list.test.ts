import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPeopleSalon } from '../../support/people-salon.ts';

const day = '2026-11-24';
const folder = mkdtempSync(join(tmpdir(), 'salon-calls-'));
let world: Awaited<ReturnType<typeof openPeopleSalon>>;

beforeAll(async () => {
  world = await openPeopleSalon();
  const at = (time: string, more: object = {}) => ({ start_time: `${day}T${time}:00Z`, ...more });
  await world.client.clients.update(world.ids.joao, { first_name: '<script>alert(1)</script>' });
  await world.client.clients.update(world.ids.ana, { sms_marketing_consent: true });
  await world.book('joao', at('10:00', { service: 'Cut' }));
  await world.book('ana', at('09:00'));
  await world.book('ana', at('15:00', { stylist_id: world.ravi, service: 'Cut' }));
  await world.book('bob', at('12:00', { stylist_id: world.ravi }));
  const gone = await world.book('anaMaria', at('13:00'));
  await world.client.appointments.cancel(gone);
  await world.book('bob', { start_time: '2026-11-25T10:00:00Z' });
});
afterAll(() => world[Symbol.asyncDispose]());

const salon = (line: string, options = {}) => world.salon(['call-list', ...line.split(' ')], options);

async function calls(line: string) {
  const { stdout, stderr } = await salon(`${line} --json`);
  const rows: Record<string, unknown>[] = JSON.parse(stdout);
  return {
    rows,
    stderr,
    listed: rows.map((row) => `${row['call']} ${row['client_name']} ${row['service']}`),
  };
}

describe('salon call-list', () => {
  it('has whom to call by time, once for all of their appointments, without those who cancelled', async () => {
    const { listed, rows, stderr } = await calls(day);
    expect(listed).toEqual([
      '1 Ana Costa Balayage',
      '1 Ana Costa Cut',
      '2 <script>alert(1)</script> Silva Cut',
      '3 Bob Twin Balayage',
    ]);
    expect(rows[0]).toMatchObject({
      start_time: `${day}T09:00:00Z`,
      ...{ client_phone: '+351912345678', client_email: 'ana@costa.example', client_consent: 'SMS' },
    });
    expect(rows[2]).toMatchObject({ client_phone: null, client_consent: 'none' });
    expect(stderr).toContain('3 calls for 4 appointments. 1 client without a phone:');
    expect(stderr).toContain('(joao@silva.example). 1 appointment left out: over or cancelled.');
  });

  it.each([
    [`Ravi ${day} 11-14`, ['1 Bob Twin Balayage']],
    [`Ravi ${day} 15:30-16`, ['1 Ana Costa Cut']],
    [`Ravi ${day} to 25 nov holiday`, ['1 Bob Twin Balayage', '2 Ana Costa Cut']],
    [`${day} --service CUT`, ['1 <script>alert(1)</script> Silva Cut', '2 Ana Costa Cut']],
    [`${day} --status cancelled`, ['1 Ana María Núñez Balayage']],
    ['--from 25/11/2026 --client +351910000001', ['1 Bob Twin Balayage']],
    ['--stylist Ravi', ['1 Bob Twin Balayage', '2 Ana Costa Cut']],
    ['today', []],
  ])('%s has %j', async (line, expected) => {
    expect((await calls(line)).listed).toEqual(expected);
  });

  it('says "no phone" to people, and keeps phones for spreadsheets', async () => {
    const { stdout } = await salon(day, { columns: 80 });
    expect(stdout).toMatch(/ Costa +\+351912345678 +Balayage/);
    expect(stdout).toMatch(/ Silva? *… +no phone|no phone +Cut/);
    expect((await salon(`${day} --excel`)).stdout).toContain(",'+351912345678,ana@costa.example,");
  });

  it.each([
    [`${day} --from today`, 2, 'Pass the time only once'],
    [`Ravi ${day} --stylist Quinn`, 2, 'Pass the stylist only once'],
    ['nxt week', 6, 'No stylist matches "nxt week".'],
    [`${day} -o calls.html -c id`, 2, '--columns does not apply to calls.html.'],
    [`${day} -o missing/calls.html`, 2, 'No folder missing'],
  ])('refuses %s with exit code %i', async (line, exitCode, message) => {
    const ran = await salon(line);
    expect(ran).toMatchObject({ exitCode, stdout: '' });
    expect(ran.stderr).toContain(message);
  });

  it('shows IDs, and says nothing of phones, where the key may not read clients', async () => {
    const key = await world.addKey(['appointments:read']);
    const ran = await salon(day, { columns: 150, env: { SALON_API_KEY: key } });
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toContain(world.ids.ana);
    expect(ran.stdout + ran.stderr).not.toMatch(/no phone|without a phone/);
  });
});

describe('a call list of those whom a job has moved', () => {
  it('has when and with whom they were before', async () => {
    const { book, quinn, ravi, client } = world;
    const moved = await book('ana', { start_time: '2026-12-10T10:00:00Z' });
    const words = ['--where-date', '2026-12-10', '--start', '+1d', '--stylist', 'Ravi', '--yes', '--json'];
    const ran = await world.salon(['appointments', 'update', ...words]);
    const { job } = JSON.parse(ran.stdout);
    expect(await client.appointments.get(moved)).toMatchObject({ stylist_id: ravi });
    const was = 'Thu 10 Dec 10:00 with Quinn S.';
    const { rows } = await calls(`--job ${job}`);
    expect(rows).toMatchObject([{ start_time: '2026-12-11T10:00:00Z', stylist_id: ravi, was }]);
    expect((await salon(`--job ${job} -f csv`)).stdout).toMatch(new RegExp(`,was,[^]*,${was},`));
    expect((await salon(`--job ${job}`, { columns: 160 })).stdout).toContain(` ${was} `);
    const file = join(folder, 'moved.html');
    await salon(`--job ${job} -o ${file}`);
    expect(readFileSync(file, 'utf8')).toContain(
      `<td><bdi>Fri 11 Dec 10:00</bdi></td><td><bdi>${was}</bdi></td>`,
    );
    await client.appointments.update(moved, { stylist_id: quinn });
    expect((await calls(`--job ${job}`)).rows).toMatchObject([{ stylist_id: quinn, was }]);
    await client.appointments.cancel(moved);
    expect((await calls(`--job ${job}`)).rows).toEqual([]);
    expect((await calls('2026-12-11 --status cancelled')).rows[0]).not.toHaveProperty('was');
  });
});

describe('a call list to print', () => {
  it('has a box for each call, and escapes what clients are called', async () => {
    const file = join(folder, 'calls.html');
    const ran = await salon(`${day} -o ${file}`);
    expect(ran).toMatchObject({ exitCode: 0, stdout: '' });
    expect(ran.stderr).toContain(`Written to ${file}`);
    const html = readFileSync(file, 'utf8');
    expect(html).toContain('<h1><bdi>Calls for visits on Tuesday 24 November 2026</bdi></h1>');
    expect(html.match(/☐/g)).toHaveLength(3);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; Silva');
    expect(html).not.toContain('<script');
    expect(html).toContain('<td><bdi>no phone joao@silva.example</bdi></td>');
    expect(html).toContain('<bdi>Tue 24 Nov 09:00</bdi>');
  });

  it('is a page for a day without calls', async () => {
    const file = join(folder, 'none.html');
    expect((await salon(`today -o ${file}`)).exitCode).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('0 calls for 0 appointments.');
  });

  it('is not written over a folder', async () => {
    mkdirSync(join(folder, 'day.html'));
    expect((await salon(`${day} -o ${join(folder, 'day.html')}`)).exitCode).toBe(2);
  });
});
