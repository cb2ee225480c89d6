import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPeopleSalon, retireSampleStylists } from '../../support/people-salon.ts';

let world: Awaited<ReturnType<typeof openPeopleSalon>>;
let theo: string;
const day = '2026-11-27';
const at = (time: string) => `${day}T${time}:00Z`;

/** Quinn, Ravi and Theo work on Friday; only Ravi and Theo do Cut, and Ravi has an appointment more. */
beforeEach(async () => {
  world = await openPeopleSalon();
  await retireSampleStylists(world);
  const { client, quinn, ravi } = world;
  await client.salon.update({ time_zone: 'Europe/Lisbon', opening_hours: 'mon-sat 9-18' });
  theo = (await client.stylists.create({ display_name: 'Theo', services: ['Cut', 'Balayage'] })).id ?? '';
  await client.stylists.update(ravi, { services: ['Cut', 'Balayage'], working_hours: 'fri 9-15' });
  await client.stylists.update(quinn, { services: ['Balayage', 'Perm'] });
});
afterEach(() => world[Symbol.asyncDispose]());

const salon = (line: string) =>
  world.salon(line.match(/[^\s"]+|"[^"]*"/g)?.map((word) => word.replace(/"/g, '')) ?? []);
const read = (id: string) => world.client.appointments.get(id);

describe('a day that goes to anyone', () => {
  const line = `appointments update --where-stylist Quinn --where-date ${day} --stylist anyone`;

  it('is spread over who is free, each at its own time, and what fits nobody is named and left', async () => {
    for (const time of ['11:00', '17:00'])
      await world.book('bob', { start_time: at(time), stylist_id: theo });
    const ids = [
      await world.book('ana', { start_time: at('10:00') }),
      await world.book('joao', { start_time: at('11:00'), service: 'Cut' }),
      await world.book('bob', { start_time: at('16:00') }),
      await world.book('anaMaria', { start_time: at('17:00') }),
      await world.book('otherBob', { start_time: at('12:00'), service: 'Perm' }),
    ];
    await world.client.blockedTimes.create({
      ...{ stylist_id: world.quinn, reason: 'sick' },
      ...{ start_time: at('00:00'), end_time: '2026-11-28T00:00:00Z' },
    });
    const planned = await salon(`${line} --dry-run --json`);
    expect(planned.exitCode, planned.stderr).toBe(3);
    const changes: { id: string; new: string | null }[] = JSON.parse(planned.stdout);
    const wanted = [theo, world.ravi, theo, undefined, undefined];
    const plannedFor = new Map(changes.map(({ id, new: next }) => [id, next ?? undefined]));
    expect(ids.map((id) => plannedFor.get(id))).toEqual(wanted);
    const ran = await salon(`${line} --yes --json`);
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(ran.stderr).toContain('Ana Costa, Fri 27 Nov 10:00: stylist "Quinn S." → "Theo"');
    expect(ran.stderr).toContain('Fri 27 Nov 17:00: Nobody else who does Balayage is free Fri 27 Nov 17:00.');
    expect(ran.stderr).toContain('Nobody else who does Perm is free Fri 27 Nov 12:00.');
    const after = await Promise.all(ids.map(read));
    const kept = wanted.map((id) => id ?? world.quinn);
    expect(after.map(({ stylist_id: id }) => id)).toEqual(kept);
    expect(after.map(({ start_time: start }) => start.slice(11, 16))).toEqual([
      ...['10:00', '11:00', '16:00', '17:00', '12:00'],
    ]);
    const { job } = JSON.parse(ran.stdout);
    expect(ran.stderr).toContain(`To call them: salon call-list --job ${job}`);
    const calls = JSON.parse((await salon(`call-list --job ${job} --json`)).stdout) as { id: string }[];
    expect(calls.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    const blocked = await salon(`jobs undo ${job} --yes`);
    expect(blocked).toMatchObject({ exitCode: 7 });
    expect(blocked.stderr).toContain('3 appointments cannot go back: Quinn S. is away at that time (sick).');
    expect(blocked.stderr).toContain('Undo it anyway with --allow-blocked.');
    const undone = await salon(`jobs undo ${job} --allow-blocked --yes`);
    expect(undone.exitCode, undone.stderr).toBe(0);
    const restored = await Promise.all(ids.map(read));
    expect(new Set(restored.map(({ stylist_id: id }) => id))).toEqual(new Set([world.quinn]));
  });

  it('asks the service once for each service', async () => {
    for (const [hour, service] of Object.entries({ 9: 'Cut', 11: 'Balayage', 13: 'Cut' }))
      await world.book('ana', { start_time: at(hour.padStart(2, '0').concat(':00')), service });
    const ran = await salon(`${line} --dry-run --json`);
    expect(ran.requests.filter((sent) => sent === 'GET availability')).toHaveLength(2);
  });
});

describe('a day that is shifted', () => {
  it('keeps the local time over a change of the clocks, and undo brings it back', async () => {
    const id = await world.book('ana', { start_time: '2027-03-24T10:30:00Z' });
    const ran = await salon('appointments update --where-date 2027-03-24 --start +1w --yes --json');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(await read(id)).toMatchObject({ start_time: '2027-03-31T09:30:00Z', stylist_id: world.quinn });
    await salon(`jobs undo ${JSON.parse(ran.stdout).job} --yes`);
    expect(await read(id)).toMatchObject({ start_time: '2027-03-24T10:30:00Z' });
  });

  it.each(['+1w', '-1w'])(
    'may move by %s to where the next one has been, and undo brings all back',
    async (shift) => {
      const days = ['12-04', '12-11', '12-18', '12-25', '2027-01-01'].map((text) =>
        text.length > 5 ? text : `2026-${text}`,
      );
      const ids: string[] = [];
      for (const date of days)
        ids.push(await world.book('ana', { start_time: `${date}T10:00:00Z`, service: 'Perm' }));
      const readDays = async () =>
        (await Promise.all(ids.map(read))).map(({ start_time: start }) => start.slice(0, 10));
      const week = shift === '+1w' ? 7 : -7;
      const moved = days.map((date) =>
        new Date(Date.parse(date) + week * 86_400_000).toISOString().slice(0, 10),
      );
      const ran = await salon(`appointments update --where-client "Ana Costa" --start ${shift} --yes --json`);
      expect(ran.exitCode, ran.stderr).toBe(0);
      expect(await readDays()).toEqual(moved);
      const undone = await salon(`jobs undo ${JSON.parse(ran.stdout).job} --yes`);
      expect(undone.exitCode, undone.stderr).toBe(0);
      expect(await readDays()).toEqual(days);
    },
  );

  it('stays with its own stylist where they are free, and goes to anyone else only where not', async () => {
    const ids = [
      await world.book('ana', { start_time: at('10:00') }),
      await world.book('joao', { start_time: at('11:00'), service: 'Cut' }),
      await world.book('bob', { start_time: at('12:00') }),
      await world.book('anaMaria', { start_time: at('14:00') }),
      await world.book('otherBob', { start_time: at('15:00'), service: 'Perm' }),
    ];
    await world.book('ana', { start_time: '2026-12-04T12:30:00Z' });
    await world.client.blockedTimes.create({
      ...{ stylist_id: world.quinn, reason: 'holiday' },
      ...{ start_time: '2026-12-04T14:00:00Z', end_time: '2026-12-04T18:00:00Z' },
    });
    const ran = await salon(
      `appointments update --where-stylist Quinn --where-date ${day} --start +1w --stylist anyone --yes`,
    );
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(ran.stderr).toContain('Nobody who does Perm is free Fri 4 Dec 15:00.');
    const after = await Promise.all(ids.map(read));
    expect(after.map(({ stylist_id: id }) => id)).toEqual([
      ...[world.quinn, world.quinn, theo, theo, world.quinn],
    ]);
    expect(after.map(({ start_time: start }) => start.slice(5, 10))).toEqual([
      ...['12-04', '12-04', '12-04', '12-04', '11-27'],
    ]);
  });

  it('goes to who is free at a new time that all of them get, too', async () => {
    const ids = [await world.book('ana', { start_time: at('10:00') })];
    ids.push(await world.book('joao', { start_time: at('11:00') }));
    const ran = await salon(
      `appointments update --where-stylist Quinn --where-date ${day} --start 2026-12-04T16:00 --stylist anyone --yes`,
    );
    expect(ran.exitCode, ran.stderr).toBe(0);
    const after = await Promise.all(ids.map(read));
    expect(after.map(({ stylist_id: id }) => id)).toEqual([world.quinn, theo]);
    expect(new Set(after.map(({ start_time: start }) => start))).toEqual(new Set(['2026-12-04T16:00:00Z']));
  });

  it('leaves what is busy, closed, skipped by the clocks or past, and says so in the plan', async () => {
    await world.book('ana', { start_time: at('10:00') });
    await world.book('joao', { start_time: at('12:00') });
    await world.book('bob', { start_time: '2026-11-30T10:30:00Z' });
    await world.client.blockedTimes.create({
      ...{ stylist_id: null, start_time: '2026-11-30T12:30:00Z', end_time: '2026-11-30T14:00:00Z' },
    });
    const ran = await salon(`appointments update --where-date ${day} --start +3d --dry-run`);
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(ran.stdout).toContain('Quinn S. is booked Mon 30 Nov 10:30–11:30 (Bob Twin).');
    expect(ran.stdout).toContain('The salon is closed Mon 30 Nov 12:30–Mon 30 Nov 14:00.');
    const past = await salon(`appointments update --where-date ${day} --start -1w --dry-run`);
    expect(past.stdout).toContain('Fri 20 Nov 10:00 is in the past.');
    await world.book('ana', { start_time: '2027-03-27T01:30:00Z' });
    const skipped = await salon('appointments update --where-date 2027-03-27 --start +1d --dry-run');
    expect(skipped.stdout).toContain('The clocks skip its time that day');
  });

  it('warns of what lands on a day off or outside the hours, names the first few, and moves it', async () => {
    const { client, quinn, ravi } = world;
    await client.stylists.update(quinn, { working_hours: 'fri 9-18' });
    await client.stylists.update(ravi, { working_hours: 'mon-fri 9-15' });
    const ids = [await world.book('ana', { start_time: at('10:00') })];
    await world.book('bob', { start_time: at('11:00'), stylist_id: ravi });
    await world.book('joao', { start_time: at('14:00'), stylist_id: ravi, duration: 30 });
    ids.push(await world.book('otherBob', { start_time: at('14:30'), stylist_id: ravi, duration: 60 }));
    for (const hour of ['12', '13', '14', '15'])
      ids.push(await world.book('anaMaria', { start_time: at(`${hour}:00`), duration: 30 }));
    const line = `appointments update --where-date ${day} --start +3d`;
    const doubts = [
      "warning: 6 appointments will be outside the stylist's hours (5 shown).",
      'warning: Ana Costa, Mon 30 Nov 10:00: Quinn S. does not work on Mondays.',
      /Mon 30 Nov 14:30: 14:30–15:30 is outside Ravi\S*(?: \S+)?'s hours on Mondays \(09:00–15:00\)\./,
    ];
    for (const flags of ['--dry-run', '--yes --json']) {
      const ran = await salon(`${line} ${flags}`);
      expect(ran.exitCode, ran.stderr).toBe(0);
      for (const doubt of doubts) expect(ran.stderr).toMatch(doubt);
      expect(ran.stderr.match(/Mon 30 Nov \d\d:\d\d: .* (?:work|hours) on Mondays/g)).toHaveLength(5);
    }
    const moved = await Promise.all(ids.map(read));
    expect(moved.every(({ start_time: start }) => start.startsWith('2026-11-30'))).toBe(true);
  });

  it('is compared with hours that somebody has set, not with those of past appointments', async () => {
    await world.client.salon.update({ opening_hours: null });
    await world.book('ana', { start_time: at('10:00') });
    const ran = await salon(`appointments update --where-date ${day} --start +2d --dry-run`);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).not.toMatch(/hours|work/);
  });

  it('is warned of when it goes to a stylist who is off, too', async () => {
    await world.book('ana', { start_time: '2026-11-26T10:00:00Z' });
    const ran = await salon('appointments update --where-date 2026-11-26 --stylist Ravi --dry-run');
    expect(ran.stderr).toMatch(/Ana Costa, Thu 26 Nov 10:00: Ravi.* does not work on Thursdays\./);
  });

  it.each(['now', '+3h', '+20m', 'in 20 minutes'])('is not given one time for all by %s', async (start) => {
    const id = await world.book('ana', { start_time: at('10:00') });
    for (const flag of [`--start "${start}"`, `--set "start_time=${start}"`]) {
      const ran = await salon(`appointments update --where-date ${day} ${flag} --yes`);
      expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
      expect(ran.stderr).toMatch(/counts from now.*\n.*\+3d or \+1w.*"fri 15:00"/);
    }
    expect(await read(id)).toMatchObject({ start_time: at('10:00') });
  });
});
