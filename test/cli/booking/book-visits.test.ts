import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openVisitSalon } from '../../support/visit-salon.ts';

let salon: Awaited<ReturnType<typeof openVisitSalon>>;

beforeAll(async () => {
  salon = await openVisitSalon();
});
afterAll(() => salon[Symbol.asyncDispose]());

const book = (line: string) => salon.salon(['book', ...line.split(' ')]);

describe('a repeat', () => {
  it('is booked at the same local time across clock changes, as one job that can be undone', async () => {
    const ran = await book('Ana Costa with Quinn for Colour tue 15:00 every 4 weeks until june --json');
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(await salon.readBooked(ran.stdout)).toEqual(
      [
        ...[
          '2026-11-24T15:00',
          '2026-12-22T15:00',
          '2027-01-19T15:00',
          '2027-02-16T15:00',
          '2027-03-16T15:00',
        ],
        ...['2027-04-13T14:00', '2027-05-11T14:00', '2027-06-08T14:00'],
      ].map((start) => `${start} ana Colour 90 Quinn`),
    );
    expect(
      (await book('Ana Costa with Quinn for Colour tue 15:00 every 4 weeks until june --dry-run')).exitCode,
    ).toBe(0);
  });

  const fridays = 'Ana Costa with Quinn for Colour fri 15:00 every 4 weeks 3 times';

  it('is refused with every date and the nearest free ones, before anything is sent', async () => {
    const ran = await book(fridays);
    expect(ran).toMatchObject({ exitCode: 7, stdout: '' });
    expect(ran.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
    expect(ran.stderr.split('\n')).toEqual([
      'error: 2 of 3 dates are not free. Nothing was booked.',
      '  Fri 27 Nov 15:00  Quinn S. is booked Fri 27 Nov 15:00–16:00 (João Silva).',
      '    nearest: Fri 27 Nov 16:00–17:30',
      '  Fri 25 Dec 15:00  The salon is closed Thu 24 Dec 00:00–Sun 27 Dec 00:00.',
      '    nearest: Wed 23 Dec 16:30–18:00',
      '  Fri 22 Jan 2027 15:00–16:30  free',
      '  To take the nearest: --on-conflict nearest',
      '  To leave out what is not: --on-conflict skip',
      '',
    ]);
  });

  it.each([
    ['skip', ['2027-01-22T15:00'], ['warning: 2 of 3 dates are left out.']],
    ['nearest', ['2026-11-27T16:00', '2026-12-23T16:30', '2027-01-22T15:00'], []],
  ])('is booked with --on-conflict %s, and each date is named', async (how, starts, warnings) => {
    const ran = await book(`${fridays} --on-conflict ${how} --json`);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain(
      'Fri 25 Dec 15:00  The salon is closed Thu 24 Dec 00:00–Sun 27 Dec 00:00.\n',
    );
    expect(ran.stderr.match(/^warning: .*left out.*/gm) ?? []).toEqual(warnings);
    expect(await salon.readBooked(ran.stdout)).toEqual(starts.map((start) => `${start} ana Colour 90 Quinn`));
  });

  it('is shown by a dry run without an ID for a client who is added with it', async () => {
    const words = 'with Ravi for Blow-dry mon 10:00 every week 2 times --dry-run --json'.split(' ');
    const ran = await salon.salon(['book', '--new-client', 'Zoe Dry', ...words]);
    expect(JSON.parse(ran.stdout)).toMatchObject([{ client_id: null }, { client_id: null }]);
  });

  it('is refused by a dry run where the server would refuse it, with every row', async () => {
    const words =
      'Ana Costa with Ravi for Blow-dry mon 10:00 every week 2 times --status completed --dry-run';
    const ran = await book(`${words} --json`);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 7 });
    const row = { service: 'Blow-dry', problem: expect.stringContaining('more than a day ahead') };
    expect(JSON.parse(ran.stdout)).toMatchObject([
      { ...row, start_time: '2026-11-23T10:00:00Z' },
      { ...row, start_time: '2026-11-30T10:00:00Z' },
    ]);
  });

  it('may be a single appointment, with --on-conflict', async () => {
    const ran = await book('Ana Costa with Quinn for Colour fri 15:00 --on-conflict nearest --json');
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    const { id, start_time } = JSON.parse(ran.stdout);
    expect(start_time).toBe('2026-11-27T16:00:00Z');
    await salon.client.appointments.cancel(id);
    expect(await book('Ana Costa with Quinn for Colour fri 15:00 --on-conflict skip')).toMatchObject({
      exitCode: 7,
    });
  });

  it('says what the client has already, and that the stylist does not do the service', async () => {
    const ran = await book('João Silva with Ravi for Colour fri 15:00 every week 3 times --dry-run');
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr.match(/^warning: .*/gm)).toEqual([
      'warning: Ravi does not do Colour (who does: Quinn S.).',
      'warning: João Silva is booked already: Colour with Quinn S., Fri 27 Nov 15:00–16:00.',
    ]);
  });

  it('may be booked where the stylist is busy or away, if that is allowed', async () => {
    const ran = await book(`${fridays} --allow-overlap --allow-blocked --price 10 --notes Tall --json`);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(await salon.readBooked(ran.stdout)).toHaveLength(3);
  });

  it.each([
    [
      'fri 15:00 every month 3 times',
      'The repeat is on Fridays, not on Sunday 27 December 2026: repeat by weeks',
    ],
    ['mon 15:00 every other friday 2 times', 'The repeat is on Fridays, not on Monday 23 November 2026'],
    ['sun 12:00 every week 2 times', 'Quinn S. does not work on Sundays.'],
    ['mon 17:00 every week 2 times', "17:00–18:30 is outside Quinn S.'s hours on Mondays (09:00–18:00)."],
    ['30 jan 2027 15:00 every year', 'How often, and until when, is not understood'],
    [
      '28 feb 2027 01:30 every 4 weeks 2 times --allow-blocked',
      'Sun 28 Mar 2027 01:30  The clocks skip 01:30 on that day.',
    ],
  ])('is not free: %s', async (when, reason) => {
    const ran = await book(`Ana Costa with Quinn for Colour ${when}`);
    expect(ran.exitCode).not.toBe(0);
    expect(ran.stderr).toContain(reason);
  });

  it('is not booked, and adds nobody, if the server refuses one of its dates', async () => {
    const words = 'with Ravi for Blow-dry mon 10:00 every week 2 times --status completed'.split(' ');
    const ran = await salon.salon(['book', '--new-client', 'Zoe Refused', ...words]);
    expect(ran).toMatchObject({ exitCode: 7, stdout: '' });
    expect(ran.stderr).toMatch(/^warning: .*cannot be completed more than a day ahead\.$/m);
    expect(ran.stderr).toContain('error: Nothing was booked.');
    const found = await salon.salon(['clients', 'list', '--search', 'Zoe Refused', '--json']);
    expect(found.stdout.trim()).toBe('[]');
    const visits = await salon.salon('appointments list --from mon --to mon --json'.split(' '));
    expect(visits.stdout.trim()).toBe('[]');
  });

  it('adds a new client with the bookings, and nobody where they are refused', async () => {
    const who = ['book', '--new-client', 'Zoe Late', '--phone', '+351910000077'];
    const what = ['with', 'Ravi', 'for', 'Blow-dry', 'mon', '10:00', 'every', 'week', '2', 'times', '--json'];
    const ran = await salon.salon([...who, ...what]);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toMatch(/^Added client Zoe Late/m);
    expect(await salon.readBooked(ran.stdout)).toEqual(
      ['2026-11-23T10:00', '2026-11-30T10:00'].map((start) => `${start} new Blow-dry 45 Ravi`),
    );
    const dry = await salon.salon([...who.with(2, 'Zoe Never'), ...what, '--dry-run']);
    expect(dry, dry.stderr).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(dry.stdout)).toMatchObject([{ service: 'Blow-dry', problem: null }, {}]);
    expect((await salon.salon(['clients', 'list', '--search', 'Zoe Never', '--json'])).stdout.trim()).toBe(
      '[]',
    );
  });
});

describe('several appointments', () => {
  it.each([
    [
      'Ana Costa and João Silva for Cut and style thu 10:00',
      ['2026-11-26T10:00 ana Cut and style 60 *', '2026-11-26T10:00 joao Cut and style 60 *'],
    ],
    [
      'Ana Costa: Colour, then in 30m Blow-dry with Ravi, thu 10:00',
      ['2026-11-26T10:00 ana Colour 90 Quinn', '2026-11-26T12:00 ana Blow-dry 45 Ravi'],
    ],
    [
      'Ana Costa then João Silva then Ana María Núñez for Blow-dry with Quinn and Ravi thu 10:00',
      [
        '2026-11-26T10:00 ana Blow-dry 45 Quinn',
        '2026-11-26T10:45 joao Blow-dry 45 Ravi',
        '2026-11-26T11:30 anaMaria Blow-dry 45 Quinn',
      ],
    ],
    [
      'Ana Costa: Colour and João Silva: Blow-dry, thu 10:00',
      ['2026-11-26T10:00 ana Colour 90 Quinn', '2026-11-26T10:00 joao Blow-dry 45 Ravi'],
    ],
    [
      'Ana Costa: Colour, then Blow-dry, thu 10:00 every week 2 times',
      [
        ...['2026-11-26T10:00 ana Colour 90 Quinn', '2026-11-26T11:30 ana Blow-dry 45 *'],
        ...['2026-12-03T10:00 ana Colour 90 Quinn', '2026-12-03T11:30 ana Blow-dry 45 *'],
      ],
    ],
  ])('%s', async (line, expected) => {
    const ran = await book(`${line} --json`);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    const booked = await salon.readBooked(ran.stdout);
    expect(booked.map((one, at) => (expected[at]?.endsWith('*') ? one.replace(/\w+$/, '*') : one))).toEqual(
      expected,
    );
    // Nobody serves two people at once.
    expect(new Set(booked.map((one) => `${one.slice(0, 16)} ${one.split(' ').at(-1)}`)).size).toBe(
      booked.length,
    );
  });

  it.each([
    ['Ana Costa and Ana Costa for Blow-dry thu 10:00', 2, 'Ana Costa cannot have two appointments at once.'],
    ['Bob Twin and Ana Costa for Blow-dry thu 10:00', 2, '2 clients match "Bob Twin".'],
    [
      'Ana Costa and João Silva for Blow-dry with Ravi thu 10:00',
      2,
      'Ravi cannot have two appointments at once.',
    ],
    [
      'Ana Costa for Colour and João Silva for Blow-dry thu 10:00',
      2,
      'write each as Ana: Cut and Ben: Colour.',
    ],
    ['Ana Costa then for Blow-dry thu 10:00', 2, 'A name is missing before or after'],
    ['Ana Costa: Blow-dry with Nobody thu 10:00', 6, 'No stylist matches "Nobody".'],
    ['Ana Costa: Colour, then in 24h Blow-dry, thu 10:00', 2, 'A pause is shorter than a day, not "24h".'],
    [
      'Ana Costa and João Silva for Blow-dry thu 10:00 every week 31 times',
      2,
      'These are 62 bookings; at most 60',
    ],
    ['Ana Costa and João Silva for Blow-dry', 2, 'Missing: time.'],
    ['Ana Costa and João Silva thu 10:00', 2, 'Missing: service.'],
    ['Ana Costa: Colour thu 10:00, then Blow-dry fri 10:00', 2, 'The time is given twice.'],
    [
      'Ana Costa: Colour, then Blow-dry, thu 10:00 --price 50',
      2,
      '--price is that of one service, and these are 2.',
    ],
    ['Ana Costa and João Silva for Colour thu 10:00', 7, 'Too few who do Colour are free Thu 26 Nov 10:00.'],
    ['Ana Costa with Quinn for Colour tue 12:00 every week 53 times', 2, 'A repeat has at most 52 dates.'],
    ['Ana Costa with Quinn for Colour tue 12:00 every week 0 times', 2, 'A repeat has at least 1 date.'],
    [
      'Ana Costa with Quinn for Colour tue 12:00 every week until 1/1/2026',
      2,
      'The last day is before the first',
    ],
    [
      'Ana Costa with Quinn for Colour tue 12:00 every week until tue',
      2,
      'the repeat has only its first date.',
    ],
    ['Ana Costa with Quinn for Colour tue 12:00 --data {}', 2, '--data is the whole appointment'],
    [
      'Ana Costa with Quinn for Colour tue 12:00 every 4 until june',
      2,
      'How often, and until when, is not understood',
    ],
  ])('are refused, and nothing is booked: %s', async (line, exitCode, message) => {
    const ran = await book(line);
    expect(ran, ran.stderr).toMatchObject({ exitCode, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect(ran.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });

  it('knows a client whose name has an "and"', async () => {
    await salon.client.clients.create({ first_name: 'Smith', last_name: 'and Sons' });
    const ran = await book('Smith and Sons with Ravi for Blow-dry thu 16:00 --json');
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ service: 'Blow-dry', start_time: '2026-11-26T16:00:00Z' });
  });
});
