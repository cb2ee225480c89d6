import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collect } from '../../support/collect.ts';
import { openPeopleSalon } from '../../support/people-salon.ts';

let world: Awaited<ReturnType<typeof openPeopleSalon>>;
const day = '2026-11-27';

beforeEach(async () => {
  world = await openPeopleSalon();
});
afterEach(() => world[Symbol.asyncDispose]());

const all = async () => (await collect(world.client.appointments.list())).flatMap(({ rows }) => [...rows]);
const stylistOf = async (id: string) => (await all()).find((one) => one.id === id)?.stylist_id;
const salon = (line: string) =>
  world.salon(line.match(/[^\s"]+|"[^"]*"/g)?.map((word) => word.replace(/"/g, '')) ?? []);

describe('appointments update of a selection', () => {
  it("moves a sick stylist's day, names what conflicts and leaves it", async () => {
    const free = await world.book('ana', { start_time: `${day}T10:00:00Z` });
    const busy = await world.book('joao', { start_time: `${day}T12:00:00Z` });
    const next = await world.book('ana', { start_time: '2026-11-28T10:00:00Z' });
    await world.book('anaMaria', { start_time: `${day}T12:30:00Z`, stylist_id: world.ravi });
    const ran = await salon(
      `appointments update --where-stylist Quinn --where-date ${day} --stylist Ravi --yes`,
    );
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(ran.stderr).toContain(
      'Quinn S. has 2 appointments on Fri 27 Nov. 1 of them will change (stylist), 1 refused.',
    );
    expect(ran.stderr).toContain(
      'João Silva, Fri 27 Nov 12:00: Ravi is booked Fri 27 Nov 12:30–13:30 (Ana María Núñez).',
    );
    expect(ran.stderr).toContain('Ana Costa, Fri 27 Nov 10:00: stylist "Quinn S." → "Ravi"');
    expect(await Promise.all([free, busy, next].map(stylistOf))).toEqual([
      world.ravi,
      world.quinn,
      world.quinn,
    ]);
  });

  it.each([
    ['--where-date tomorrow', 'Quinn S. has 3 appointments tomorrow. All 3 will be cancelled.'],
    [
      '--where-date tomorrow --where-service Cut',
      'Quinn S. has 1 appointment for Cut tomorrow. It will be cancelled.',
    ],
    ['--where-client "Ana Costa"', 'Quinn S. has 2 appointments with Ana Costa. Both will be cancelled.'],
    ['--where-date yesterday', 'Quinn S. has no appointments yesterday.'],
    [
      '--where-from 2026-11-22 --where-status pending,confirmed',
      'Quinn S. has 3 pending or confirmed appointments from Sun 22 Nov 00:00. All 3 will be cancelled.',
    ],
  ])('says what %s selects as people say it', async (conditions, sentence) => {
    await world.book('ana', { start_time: '2026-11-22T10:00:00Z' });
    await world.book('ana', { start_time: '2026-11-22T12:00:00Z' });
    await world.book('joao', { start_time: '2026-11-22T14:00:00Z', service: 'Cut' });
    const ran = await salon(`appointments cancel --where-stylist Quinn ${conditions}`);
    expect(ran.stderr.split('\n')[0]).toBe(sentence);
  });

  it('does not book two moved appointments at one time', async () => {
    const one = await world.book('ana', { start_time: `${day}T10:00:00Z` });
    const other = await world.book('joao', { start_time: `${day}T10:30:00Z`, allow_overlap: true });
    const ran = await salon(
      `appointments update --where-stylist Quinn --where-date ${day} --stylist Ravi --yes`,
    );
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).toContain(
      'João Silva, Fri 27 Nov 10:30: Ravi is booked Fri 27 Nov 10:00–11:00 (Ana Costa).',
    );
    expect(await Promise.all([one, other].map(stylistOf))).toEqual([world.ravi, world.quinn]);
    const forced = await salon(
      `appointments update --where-stylist Quinn --where-date ${day} --stylist Ravi --allow-overlap --yes`,
    );
    expect(forced.exitCode, forced.stderr).toBe(0);
    expect(await stylistOf(other)).toBe(world.ravi);
  });

  it.each([
    ['--where-client "Ana Costa" --where-status cancelled', ['cancelled']],
    ['--where-client "Ana Costa"', ['open']],
    ['--where-service BALAYAGE --where-client ana@costa.example', ['open']],
    [`--where-from ${day} --where-to ${day} --where-service Cut`, ['cut']],
    ['--where-from 2026-11-28', ['later']],
  ])('%s selects %j', async (conditions, expected) => {
    const ids = new Map([
      [await world.book('ana', { start_time: `${day}T10:00:00Z` }), 'open'],
      [await world.book('ana', { start_time: `${day}T13:00:00Z` }), 'cancelled'],
      [await world.book('joao', { start_time: `${day}T14:00:00Z`, service: 'Cut' }), 'cut'],
      [await world.book('joao', { start_time: '2026-11-28T14:00:00Z' }), 'later'],
    ]);
    const cancelled = [...ids].find(([, name]) => name === 'cancelled')?.[0] ?? '';
    await world.client.appointments.cancel(cancelled);
    const { stdout, stderr, exitCode } = await salon(
      `appointments update ${conditions} --notes x --dry-run --json`,
    );
    expect([0, 3], stderr).toContain(exitCode);
    expect(JSON.parse(stdout).map(({ id }: { id: string }) => ids.get(id))).toEqual(expected);
  });

  it('warns of a status that an undo cannot take back', async () => {
    await world.book('ana', { start_time: '2026-11-21T11:00:00Z' });
    const ran = await salon('appointments update --where-date today --status completed --yes');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('completed is final: an undo cannot take it back.');
    expect(ran.stderr).not.toContain('Undo with');
    expect((await all())[0]?.status).toBe('completed');
  });

  it('names what can be undone instead of a cancelled status, and refuses to undo that', async () => {
    await world.book('ana', { start_time: `${day}T11:00:00Z` });
    const ran = await salon(`appointments update --where-date ${day} --status cancelled --yes --json`);
    expect(ran.stderr).toContain('"salon appointments cancel" with the same flags can be undone');
    const undone = await salon(`jobs undo ${JSON.parse(ran.stdout).job} --yes`);
    expect(undone.exitCode).toBe(3);
    expect(undone.stderr).toContain('Ana Costa, Fri 27 Nov 11:00: cancelled is final. Book it again.');
  });

  it('names those that the server refuses, with the reason', async () => {
    await world.book('ana', { start_time: '2026-11-21T13:00:00Z' });
    await world.book('joao', { start_time: `${day}T10:00:00Z` });
    const ran = await salon('appointments update --where-stylist Quinn --status arrived --yes');
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(ran.stderr).toContain('1 appointment changed, 1 failed.');
    expect(ran.stderr).toMatch(
      /^warning: João Silva, Fri 27 Nov 10:00: .* cannot be arrived more than a day ahead\.$/m,
    );
  });

  it('updates from a file', async () => {
    const id = await world.book('ana');
    const ran = await world.salon(['appointments', 'update', '--file', '-', '--yes'], {
      stdin: `id,notes\n${id},From a file\n`,
    });
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect((await all())[0]?.notes).toBe('From a file');
  });

  it.each([
    ['appointments update --stylist Ravi'],
    ['appointments update --where-stylist= --stylist Ravi'],
    ['appointments update --where-date= --stylist Ravi'],
    ['appointments update --where-date 2026-11-27T10:00 --notes x'],
    ['appointments update --where-from 2026-11-28 --where-to 2026-11-27 --notes x'],
    ['appointments update --where-date today --where-from today --notes x'],
    ['appointments update --where-date today'],
    ['appointments update --all --where-date today --notes x'],
    ['appointments update apt_01jd0000000000000000000000 --where-date today --notes x'],
    ['appointments update --where-client Bob --notes x'],
    ['appointments update --file x.csv --stylist Ravi'],
    ['appointments cancel'],
    ['appointments cancel --reason Ill'],
    ['appointments cancel --where-stylist= --reason Ill'],
    ['appointments cancel apt_01jd0000000000000000000000 --max-changes 5'],
  ])('%s exits 2, and nothing changes', async (line) => {
    await world.book('ana', { start_time: '2026-11-21T15:00:00Z' });
    const before = await all();
    const ran = await salon(`${line} --yes`);
    expect(ran.exitCode, ran.stderr).toBe(2);
    expect(ran.stdout).toBe('');
    expect(await all()).toEqual(before);
  });
});

describe('appointments cancel of a selection', () => {
  it('cancels a day after a question, and undo books it again', async () => {
    await world.book('ana', { start_time: `${day}T10:00:00Z` });
    await world.book('joao', { start_time: `${day}T12:00:00Z` });
    const line = `appointments cancel --where-stylist Quinn --where-date ${day} --reason "Quinn is ill"`;
    const asked = await salon(line);
    expect(asked.exitCode).toBe(8);
    expect(asked.stderr).toContain('Cancel 2 appointments at ');
    expect(asked.stderr).toContain('Cancellations are final: an undo books the appointments again');
    const ran = await salon(`${line} --yes --json`);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('2 appointments cancelled.');
    const { job, verb } = JSON.parse(ran.stdout);
    expect(verb).toBe('cancel');
    expect((await all()).map(({ status, cancellation_reason: why }) => [status, why])).toEqual([
      ['cancelled', 'Quinn is ill'],
      ['cancelled', 'Quinn is ill'],
    ]);
    const undone = await salon(`jobs undo ${job} --yes`);
    expect(undone.exitCode, undone.stderr).toBe(0);
    expect((await all()).map(({ status, start_time: start }) => [status, start.slice(0, 16)])).toEqual([
      ['cancelled', `${day}T10:00`],
      ['cancelled', `${day}T12:00`],
      ['confirmed', `${day}T10:00`],
      ['confirmed', `${day}T12:00`],
    ]);
  });

  it('says in the preview which ones their status keeps, and lists whom to call of the others', async () => {
    const cancelled = await world.book('ana', { start_time: '2026-11-21T11:30:00Z' });
    const kept = await world.book('joao', { start_time: '2026-11-21T13:00:00Z' });
    await world.client.appointments.update(kept, { status: 'in_service' });
    const line = 'appointments cancel --where-stylist Quinn --where-date today';
    const facts = [
      'Quinn S. has 2 appointments today. 1 of them will be cancelled, 1 refused.',
      'João Silva, Sat 21 Nov 13:00: The appointment is in_service and cannot become cancelled.',
    ];
    const asked = await salon(line);
    expect(asked.exitCode).toBe(8);
    for (const fact of facts) expect(asked.stderr).toContain(fact);
    const ran = await salon(`${line} --yes --json`);
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(ran.stderr).toMatch(
      /1 appointment cancelled\.[\s\S]*\nTo call:\n {2}Sat 21 Nov 11:30 {2}Ana Costa {2}\+351912345678 .*\nTo book one again: /,
    );
    const { job } = JSON.parse(ran.stdout);
    expect(ran.stderr).toContain(`salon call-list --job ${job}\n`);
    const calls = JSON.parse((await salon(`call-list --job ${job} --json`)).stdout);
    expect(calls).toMatchObject([{ id: cancelled, status: 'cancelled' }]);
    expect(calls).toHaveLength(1);
  });

  it('lists whom to call, too, where a status cancels them', async () => {
    await world.book('ana', { start_time: `${day}T10:00:00Z` });
    const ran = await salon(`appointments update --where-date ${day} --status cancelled --yes`);
    expect(ran.stderr).toContain('To call:\n  Fri 27 Nov 10:00  Ana Costa  +351912345678');
  });

  it('is undone from a list of the latest jobs at a terminal', async () => {
    await world.book('ana', { start_time: `${day}T10:00:00Z` });
    await salon(`appointments cancel --where-stylist Quinn --where-date ${day} --yes`);
    expect(await salon('jobs undo')).toMatchObject({ exitCode: 2, stdout: '' });
    // Esc at the confirmation shows the list again.
    const typed = 'quinn\n1\n\u001b\n1\ny\n';
    const ran = await world.salon(['jobs', 'undo', '--plain'], { columns: 80, stdin: typed });
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toMatch(/^1: .*, cancel 1 appointment, --where-stylist Quinn --where-date /m);
    expect((await all()).map(({ status }) => status)).toEqual(['cancelled', 'confirmed']);
    // What was undone is offered no more.
    const again = await world.salon(['jobs', 'undo', '--plain'], { columns: 80, stdin: 'appointment\n0\n' });
    expect(again.stderr).toMatch(/^1: .*, create 1 appointment, an undo$/m);
    expect(again.stderr).not.toContain('cancel 1 appointment');
  });

  it('keeps within --max-changes', async () => {
    await world.book('ana', { start_time: `${day}T10:00:00Z` });
    await world.book('joao', { start_time: `${day}T12:00:00Z` });
    const ran = await salon(
      `appointments cancel --where-stylist Quinn --where-date ${day} --max-changes 1 --yes`,
    );
    expect(ran.exitCode).toBe(8);
    expect((await all()).map(({ status }) => status)).toEqual(['confirmed', 'confirmed']);
  });

  it('simulates, also for a client with two stylists', async () => {
    await world.book('ana', { start_time: `${day}T10:00:00Z` });
    await world.book('ana', { start_time: `${day}T12:00:00Z`, stylist_id: world.ravi });
    const ran = await salon(`appointments cancel --where-date ${day} --simulate --json`);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ rehearsal: true, done: 2 });
    expect((await all()).map(({ status }) => status)).toEqual(['confirmed', 'confirmed']);
  });
});
