import { beforeEach, describe, expect, it } from 'vitest';
import { openPeopleSalon, retireSampleStylists } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;
let appointment: string;

/** Ana is booked on Friday at 15:00 with Quinn. */
beforeEach(async () => {
  salon = await openPeopleSalon();
  await salon.client.stylists.update(salon.quinn, { working_hours: 'mon-sat 09:00-18:00' });
  appointment = await salon.book('ana');
  return () => salon[Symbol.asyncDispose]();
});

const run = (line: string) => salon.salon(line.split(' '));

describe('salon stylists update', () => {
  it('says what changed, and whom to call of the appointments outside new working hours', async () => {
    const { exitCode, stderr } = await salon.salon([
      ...['stylists', 'update', 'Quinn', '--set', 'working_hours=mon-thu 9-18'],
    ]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('working hours mon-sat 09:00-18:00 → mon-thu 09:00-18:00.\n');
    expect(stderr).toContain(
      'An appointment outside these hours stays booked:\n  Fri 27 Nov 15:00  Ana Costa',
    );
    expect(stderr).toContain(`To move one: salon move ${appointment} fri 11:00\n`);
    const same = await salon.salon(['stylists', 'update', 'Quinn', '--set', 'working_hours=mon-fri 9-18']);
    expect(same.stderr).not.toContain('booked');
  });
});

describe('salon block', () => {
  it('lists the appointments that stay booked, with phone numbers', async () => {
    const { exitCode, stderr } = await run('block Quinn fri sick');
    expect(exitCode).toBe(0);
    expect(stderr).toContain('cannot be booked on Friday 27 November 2026 (sick).');
    expect(stderr).toMatch(new RegExp(`Fri 27 Nov 15:00 {2}Ana Costa {2}\\S.* ${appointment}\n`));
    expect(await salon.client.appointments.get(appointment)).toMatchObject({ status: 'confirmed' });
  });

  it('names the commands that move, shift and cancel them, which do so as they are', async () => {
    await salon.client.stylists.update(salon.ravi, { working_hours: 'mon-sat 09:00-18:00' });
    const { stderr } = await run('block Quinn fri sick');
    const commands = stderr.split('\n').flatMap((line) => /^To .* them.*: salon (.*)$/.exec(line)?.[1] ?? []);
    const where = '--where-stylist "Quinn S." --where-date 2026-11-27 --where-overlapping';
    expect(commands).toEqual([
      `appointments update ${where} --stylist anyone`,
      `appointments update ${where} --start +1w`,
      `appointments cancel ${where}`,
      'call-list --stylist "Quinn S." 2026-11-27',
    ]);
    const paste = (command = '') =>
      salon.salon([
        ...(command.match(/[^\s"]+|"[^"]*"/g) ?? []).map((word) => word.replaceAll('"', '')),
        '--yes',
      ]);
    expect((await paste(commands[1])).exitCode).toBe(0);
    expect(await salon.client.appointments.get(appointment)).toMatchObject({
      start_time: '2026-12-04T15:00:00Z',
    });
    const part = await run('block Quinn 4 dec 15:30-17:00 sick');
    expect(part.stderr).toContain(
      'To give them to anyone free: salon appointments update --where-stylist "Quinn S." ' +
        '--where-from 2026-12-04T15:30 --where-to 2026-12-04T17:00 --where-overlapping --stylist anyone\n',
    );
    const closed = await run('close 4 dec');
    expect(closed.stderr).not.toContain('anyone');
    const cancelled = await paste('appointments cancel --where-date "4 dec"');
    expect(cancelled.stderr).toContain('To call:\n  Fri 4 Dec 15:00  Ana Costa  +351912345678  Balayage');
    expect(cancelled.stderr).toContain(
      'To book one again: salon book "Ana Costa" --service Balayage --stylist anyone',
    );
  });

  it('lists what is still to come or under way, with the stylist if there are several', async () => {
    const today = (time: string) => ({ start_time: `2026-11-21T${time}:00Z` });
    const done = await salon.book('bob', today('09:00'));
    await salon.client.appointments.update(done, { status: 'completed' });
    await salon.book('otherBob', today('10:30'));
    const underWay = await salon.book('joao', today('11:45'));
    await salon.client.appointments.update(underWay, { status: 'in_service' });
    await salon.book('anaMaria', { ...today('15:00'), stylist_id: salon.ravi });
    const early = await salon.book('ana', today('16:00'));
    await salon.client.appointments.update(early, { status: 'completed', allow_early: true });
    const closed = await run('close today --dry-run');
    expect(closed.stderr).toMatch(
      /2 appointments in this time stay booked:\n.* 11:45 {2}João .* {2}Quinn S\. {2}apt_.*\n.* 15:00 {2}Ana María .* {2}Ravi {2}apt_.*\nTo /,
    );
    const { stderr } = await run('block Quinn today sick');
    expect(stderr).toMatch(/An appointment in this time stays booked:\n.* 11:45 {2}João .* Balayage {2}apt_/);
    const line = 'call-list --stylist "Quinn S." --from 2026-11-21T12:00 --to 2026-11-22T00:00';
    expect(stderr).toContain(`To call them: salon ${line}\n`);
    const words = line.match(/[^\s"]+|"[^"]*"/g)?.map((word) => word.replaceAll('"', '')) ?? [];
    const calls: { id: string }[] = JSON.parse((await salon.salon([...words, '--json'])).stdout);
    expect(calls.map(({ id }) => id)).toEqual([underWay]);
  });

  it('names in a dry run who would be affected, and blocks nothing', async () => {
    const { exitCode, stderr } = await run('block Quinn fri sick --dry-run');
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      'An appointment in this time stays booked:\n  Fri 27 Nov 15:00  Ana Costa  +351',
    );
    expect((await run('blocks list --json')).stdout).toBe('[]\n');
  });

  it('of a whole day ends that day in the list, not the next', async () => {
    await run('block Quinn mon sick');
    expect((await run('blocks list -f table')).stdout).toMatch(
      /2026-11-23 00:00 +2026-11-23 24:00 +Quinn S\./,
    );
    expect(JSON.parse((await run('blocks list --json')).stdout)).toMatchObject([
      { start_time: '2026-11-23T00:00:00Z', end_time: '2026-11-24T00:00:00Z' },
    ]);
  });

  it('says which of two times a repeated hour is', async () => {
    const { stderr } = await run('block Quinn 31 oct 2027 1:30-3:00 training');
    expect(stderr).toContain('"31 oct 2027 1:30" is taken as 2027-10-31T01:30+01:00. For the second time');
  });

  it.each(['public holiday', 'bank holiday'])('takes %s as the reason', async (reason) => {
    const { stderr } = await run(`close 18 dec ${reason}`);
    expect(stderr).toContain('The salon is closed on Friday 18 December 2026 (holiday).');
  });

  it('keeps whoever is ill from being booked by "anyone"', async () => {
    await retireSampleStylists(salon);
    await salon.client.stylists.update(salon.ravi, { working_hours: 'mon-fri 15-18' });
    await run('block Quinn thu sick');
    const line = 'book Ana Costa with anyone --service Cut --duration 30 thu';
    expect(await run(`${line} 11:00 --yes`)).toMatchObject({ exitCode: 7 });
    const booked = await run(`${line} 15:00 --yes --json`);
    expect(JSON.parse(booked.stdout)).toMatchObject({ stylist_id: salon.ravi });
  });

  it('is said of the stylist in the question whom to book', async () => {
    await retireSampleStylists(salon);
    await salon.client.stylists.update(salon.ravi, { working_hours: 'mon-fri 9-18' });
    const { id: theo = '' } = await salon.client.stylists.create({ display_name: 'Theo' });
    await salon.client.stylists.update(theo, { working_hours: 'mon-fri 9-18' });
    await salon.book('bob', { stylist_id: theo, start_time: '2026-11-26T10:30:00Z', duration: 30 });
    await run('block Quinn thu sick');
    const words = 'book Ana Costa --service Cut --duration 30 thu 10:30 --plain'.split(' ');
    const { stderr } = await salon.salon(words, { columns: 80, stdin: '\u001b\n' });
    expect(stderr).toContain('1: Anyone free\n2: Ravi, free\n3: Theo, busy until 11:00\n4: Quinn S., away\n');
  });

  it('keeps the time free of offers and bookings until it is unblocked', async () => {
    expect(await run('block Quinn thu 10-12 lunch')).toMatchObject({ exitCode: 0 });
    const starts = async () => {
      const { stdout } = await run('free Quinn thu --duration 60m -f csv -c start_time');
      return stdout.split(/\r?\n/).filter((line) => /T1[01]:/.test(line));
    };
    expect(await starts()).toEqual([]);
    const refused = await run('book Ana Costa with Quinn --service Cut --duration 30 thu 11:00 --yes');
    expect(refused).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('--allow-blocked') });
    expect(await run('unblock Quinn thu --yes')).toMatchObject({ exitCode: 0 });
    expect(await starts()).not.toEqual([]);
  });

  it('of the whole salon is closing it', async () => {
    expect(await run('close 2026-12-25')).toMatchObject({ exitCode: 0 });
    const { stdout } = await run('blocks list --json');
    expect(JSON.parse(stdout)).toMatchObject([{ stylist_name: 'everybody', reason: 'closed' }]);
  });

  it('of the same time is refused, and copies of other programs are taken back together', async () => {
    await run('block Quinn thu 10-12 lunch');
    const again = await run('block Quinn thu 10:00-12:00 holiday');
    expect(again).toMatchObject({ exitCode: 7, stdout: '' });
    const blocks = async () => JSON.parse((await run('blocks list --json')).stdout);
    const [{ id, start_time, end_time }, ...others] = await blocks();
    expect(others).toEqual([]);
    expect(again.stderr).toMatch(
      new RegExp(
        `is blocked already on Thursday 26 November 2026 10:00–12:00 \\(break\\)\\.\n.*unblock ${id}`,
      ),
    );
    expect(await run('block Quinn thu 10-12 --dry-run')).toMatchObject({ exitCode: 7 });
    const block = { stylist_id: salon.quinn, start_time, end_time };
    const { id: copy } = await salon.client.blockedTimes.create({ ...block, reason: 'break' });
    const { id: other } = await salon.client.blockedTimes.create({ ...block, reason: 'sick' });
    expect(await run('unblock Quinn thu --yes')).toMatchObject({ exitCode: 2 });
    const undone = await run('unblock Quinn thu lunch --yes');
    expect(undone).toMatchObject({ exitCode: 0 });
    expect(undone.stderr).toContain(`It was blocked 2 times: ${id}, ${copy}.`);
    expect(await blocks()).toMatchObject([{ id: other }]);
  });

  it('is not taken back without a yes', async () => {
    await run('block Quinn thu holiday');
    expect((await run('unblock Quinn thu')).exitCode).not.toBe(0);
    expect(JSON.parse((await run('blocks list --json')).stdout)).toHaveLength(1);
  });

  it.each([
    ['block Quinn', 2, 'does not say when'],
    ['block 25 dec', 2, 'Whose time?'],
    ['block Quinn sunny thu', 6, 'No stylist matches "Quinn sunny"'],
    ['close Quinn thu', 2, 'Closing is for the whole salon'],
    ['block Quinn thu 12-11', 2, 'ends before it starts'],
    ['block Quinn 1 jan 2027 to 1 feb 2028', 1, 'at most 366 days'],
    ['block Quinn 28 mar 2027 1:30-3:00', 2, 'clocks go forward'],
    ['block Quinn 32 jan', 2, 'does not exist'],
    ['close soonish', 2, '"soonish" does not say when'],
    ['close thu public party', 2, 'does not say when, or more than that and why'],
    ['close 0001-01-01', 2, '"0001-01-01" is not in the years 1000 to 9999.'],
    ['unblock Quinn thu --yes', 6, 'Nothing is blocked'],
    ['unblock blk_01jd0000000000000000000000 --yes', 6, 'No blocked time'],
  ])('%s is refused', async (line, exitCode, message) => {
    const ran = await run(line);
    expect(ran.stderr).toContain(message);
    expect(ran.exitCode).toBe(exitCode);
    expect(JSON.parse((await run('blocks list --json')).stdout)).toEqual([]);
  });
});
