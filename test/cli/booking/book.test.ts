import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPeopleSalon, retireSampleStylists } from '../../support/people-salon.ts';

const hours = 'mon-sat 09:00-18:00';
let salon: Awaited<ReturnType<typeof openPeopleSalon>>;

beforeAll(async () => {
  salon = await openPeopleSalon();
  await retireSampleStylists(salon);
  for (const id of [salon.quinn, salon.ravi]) {
    await salon.client.stylists.update(id, { services: ['Balayage'], working_hours: hours });
  }
  for (const day of ['16', '17', '18']) {
    await salon.book('joao', { start_time: `2026-11-${day}T10:00:00Z`, duration: 90 });
  }
  await salon.book('joao', { start_time: '2026-11-27T15:00:00Z' });
});
afterAll(() => salon[Symbol.asyncDispose]());

const book = (line: string) => salon.salon(['book', ...line.split(' ')]);

describe('salon book in a script', () => {
  it('books what is given without a question, for the usual duration', async () => {
    const ran = await book('Ana Costa with Quinn S. for balayage mon 15:00 --json');
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      client_id: salon.ids.ana,
      stylist_id: salon.quinn,
      service: 'Balayage',
      start_time: '2026-11-23T15:00:00Z',
      duration: 90,
    });
    expect(ran.stderr).toContain('Duration: 1 h 30 min, as usual for Balayage.');
    expect(ran.stderr).toMatch(
      /^Booked Balayage for Ana Costa with Quinn S\., Mon 23 Nov 15:00–16:30 \(apt_\w+\)\.$/m,
    );
  });

  it('sends one request per booking where everything is an ID', async () => {
    const people = ['--client', salon.ids.ana, '--stylist', salon.ravi];
    const what = ['--service', 'Cut', '--duration', '30m', '--start', '2026-11-24T09:00'];
    const ran = await salon.salon(['appointments', 'create', ...people, ...what]);
    // What a local time is depends on the clock rules of the salon, which no profile knows here.
    expect(ran).toMatchObject({ exitCode: 0, requests: ['GET salon', 'POST appointments'] });
    const exact = await salon.salon([
      ...['appointments', 'create', ...people, ...what.slice(0, -1), '2026-11-24T10:00Z'],
    ]);
    expect(exact).toMatchObject({ exitCode: 0, requests: ['POST appointments'] });
  });

  it.each([
    ['', 'client, service, stylist, time'],
    ['Ana Costa', 'service, stylist, time'],
    ['Ana Costa for Balayage with Quinn fri', 'time'],
    ['Ana Costa --service Waxing with Quinn fri 15:00', 'duration'],
  ])('names what is missing: salon book %s', async (line, missing) => {
    const ran = await salon.salon(['book', ...line.split(' ').filter(Boolean)]);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain(`Missing: ${missing}.`);
    expect(ran.requests).not.toContain('POST appointments');
  });

  it.each([
    ['book Ana Costa with Quinn for Balayage tue 10:00 every 4 weeks', '"every 4 weeks" needs an end'],
    ['book Ana Costa tomorrow 15:00 with Quinn for Balayage tue 10:00', 'The time is given twice'],
    ['book Ana Costa with Quinn for Balayage please tue 10:00 sharp', '"sharp" is not understood'],
    ['move João Silva thu 11:00 every week', '"every week" needs an end'],
    ['move João Silva thu 11:00 or later', '"or later" is not understood'],
    ['move João Silva thu 11:00 every week 3 times', 'This command does not repeat.'],
    ['book Ana Costa with Quinn for Balayage jeden Dienstag 10:00', '"jeden Dienstag" needs an end'],
    ['free tomorrow 15:00 every week', '"every week" needs an end'],
    ['free quinn tomorrow 15:00 or later', '"or later" is not understood'],
    ['free quinn with ravi fri', 'The stylist is given twice'],
  ])('changes nothing where it does not understand a word about time: salon %s', async (line, message) => {
    for (const more of [[], ['--yes', '--duration', '45m']].slice(0, line.startsWith('book') ? 2 : 1)) {
      const ran = await salon.salon([...line.split(' '), ...more]);
      expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] });
      expect(ran.stderr).toContain(`error: ${message}`);
    }
  });

  it.each([
    ...['in two weeks', 'second', 'a week', 'end of month', 'Christmas Eve', 'Weihnachten'],
    ...['the 2nd', 'next available', 'soon', 'repeating', 'vormittags', 'nächstens'],
  ])('never takes words for a part of a service: %s', async (words) => {
    for (const time of ['21:00', 'tue 21:00']) {
      const ran = await book(`Ana Costa with Quinn for Balayage ${words} ${time} --duration 45m --yes`);
      expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
      expect(ran.stderr).toContain(`error: "${words}" is not understood in "Balayage ${words}".`);
      expect(ran.stderr).toContain('a new service in quotes, or with --service.');
      expect(ran.requests).not.toContain('POST appointments');
    }
  });

  it.each([
    ['for please Balayage soon tue 21:00', '"please … soon" is not understood in "please Balayage soon".'],
    ['for Full head foils tue 21:00', '"Full head foils" is not a service that this salon is known to book.'],
    ['for Haarspange 21:00', '"Haarspange" is not a service that this salon is known to book.'],
    ['for Dienstag 21:00', 'Missing: service.'],
  ])('refuses a service it does not know, without a flag: %s', async (words, message) => {
    const ran = await book(`Ana Costa with Quinn ${words} --duration 45m --yes`);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
  });

  it('books the day after tomorrow, and a new service in a flag or in quotes', async () => {
    const ran = await book(
      'Ana Costa with Ravi for Balayage the day after tomorrow 17:00 --duration 45m --json',
    );
    expect(JSON.parse(ran.stdout)).toMatchObject({ service: 'Balayage', start_time: '2026-11-23T17:00:00Z' });
    const when = ['tue', '16:00', '--duration', '30m', '--json'];
    const quoted = await salon.salon([
      'book',
      'Ana Costa',
      'with',
      'Ravi',
      'for',
      'Full head foils',
      ...when,
    ]);
    expect(JSON.parse(quoted.stdout)).toMatchObject({ service: 'Full head foils' });
    const flag = ['--service', 'Two word', 'wed', ...when.slice(1)];
    const flagged = await salon.salon(['book', 'Ana Costa', 'with', 'Ravi', ...flag]);
    expect(JSON.parse(flagged.stdout)).toMatchObject({ service: 'Two word' });
  });

  it('books a quoted service whose name has a weekday', async () => {
    const words = ['book', 'Ana Costa', 'with', 'Quinn', 'for', 'Super Saturday', 'wed', '9:00'];
    const ran = await salon.salon([...words, '--duration', '30m', '--json']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      service: 'Super Saturday',
      start_time: '2026-11-25T09:00:00Z',
    });
  });

  it('names the services that have a usual duration and a similar name', async () => {
    const ran = await book('Ana Costa --service bala with Quinn fri 15:00');
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('Add --duration, or name a service of yours: Balayage.');
  });

  it('never asks with --no-input', async () => {
    const ran = await salon.salon(['book', 'Ana Costa', '--no-input'], { columns: 80, stdin: '1\n1\n1\n' });
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toMatch(/^error: Missing: service, stylist, time\./);
  });

  it('exits 7 naming who is booked', async () => {
    const ran = await book('Ana Costa with Quinn for Balayage fri 15:30');
    expect(ran).toMatchObject({ exitCode: 7, stdout: '' });
    expect(ran.stderr).toContain(
      'error: Quinn S. is booked Fri 27 Nov 15:00–16:00 (João Silva). Free from 16:00.',
    );
  });

  it('picks somebody who is free for "anyone", at any minute', async () => {
    const ran = await book('Ana Costa with anyone for Balayage fri 15:10 --json');
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      stylist_id: salon.ravi,
      start_time: '2026-11-27T15:10:00Z',
    });
    expect(ran.stderr).toContain('Free then: Ravi.');
  });

  it('picks the one with the emptier day', async () => {
    await salon.book('joao', { start_time: '2026-12-01T16:00:00Z' });
    const ran = await book('Ana Costa with anyone for Balayage tue 1 dec 10:00 --json');
    expect(JSON.parse(ran.stdout)).toMatchObject({ stylist_id: salon.ravi });
  });

  it('picks only among those who do the service', async () => {
    const { id } = await salon.client.stylists.create({
      first_name: 'Uma',
      services: ['Henna'],
      working_hours: hours,
    });
    const argv = 'Ana Costa with anyone for henna mon 11:00 --duration 30 --json';
    expect(JSON.parse((await book(argv)).stdout)).toMatchObject({ stylist_id: id, service: 'henna' });
    const again = await book(argv);
    expect(again).toMatchObject({ exitCode: 7, stdout: '' });
    expect(again.stderr).toContain('Nobody who does henna is free Mon 23 Nov 11:00.');
  });

  it('warns of a time in the past', async () => {
    const ran = await book('Ana Costa with Ravi for Balayage 2026-11-20T15:00');
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('warning: Fri 20 Nov 15:00 is in the past.');
  });

  it('changes nothing with --dry-run, new clients included', async () => {
    const argv = [
      '--new-client',
      'Nobody New',
      'wed',
      '15:00',
      '--stylist',
      'Quinn',
      '--service',
      'Balayage',
    ];
    const ran = await salon.salon(['book', ...argv, '-n', '--json']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.requests.filter((request) => !request.startsWith('GET'))).toEqual(
      Array(2).fill('POST dry-run'),
    );
    expect(ran.stderr).toContain('Dry run: the server would accept this.');
    expect(ran.stderr).not.toContain('Not checked');
  });

  it('warns of a client who is booked already, at that time or for that service', async () => {
    await salon.book('ana', { start_time: '2026-12-02T15:00:00Z', service: 'Cut' });
    await salon.book('ana', { start_time: '2026-12-02T09:00:00Z' });
    const line = 'Ana Costa with Ravi for Balayage 2026-12-02T15:30';
    const ran = await book(line);
    expect(ran.exitCode, ran.stderr).toBe(0);
    const at = ['Balayage with Quinn S., Wed 2 Dec 09:00–10:00', 'Cut with Quinn S., Wed 2 Dec 15:00–16:00'];
    for (const visit of at) expect(ran.stderr).toContain(`warning: Ana Costa is booked already: ${visit}.`);
    const other = await book('João Silva with Ravi for Balayage 2026-12-02T09:00');
    expect(other.stderr).not.toContain('booked already');
  });

  it.each([
    ['Bob Twin with Quinn for Cut fri 15:00', 2, '2 clients match "Bob Twin".'],
    ['Xaver with Quinn for Cut fri 15:00', 6, 'No client matches "Xaver".'],
    ['Ana Costa with Xaver for Cut fri 15:00', 6, 'No stylist matches "Xaver".'],
    ['Ana Costa with Quinn for Cut 2026-02-30T15:00', 2, ''],
    ['Ana Costa with Quinn for Cut 31.2. 15:00', 2, 'does not exist'],
    ['Ana Costa with Quinn for Cut fri 15:00 --duration soon', 2, 'duration in whole minutes'],
    ['Ana Costa with Quinn for Cut fri 15:00 --client João', 2, 'The client is given twice'],
    ['Ana Costa with Quinn for Cut fri 15:00 --start sat', 2, 'The time is given twice'],
    ['with Quinn for Cut fri 15:00 --client=', 2, '--client is empty.'],
    ['Ana Costa with Quinn for Cut fri 15:00 --phone 123', 2, '--phone belongs to --new-client.'],
    ['--new-client Rosa --phone 123 with Quinn for Cut fri 15:00', 2, '7 to 15 digits'],
    ['Ana Costa --new-client Rosa with Quinn for Cut fri 15:00', 2, '--new-client adds another one'],
  ])('books nothing for %s', async (line, exitCode, message) => {
    const ran = await book(line);
    expect(ran).toMatchObject({ exitCode, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect(ran.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });
});
