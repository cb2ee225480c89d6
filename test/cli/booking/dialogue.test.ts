import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPeopleSalon } from '../../support/people-salon.ts';

const hours = 'mon-sat 09:00-18:00';
let salon: Awaited<ReturnType<typeof openPeopleSalon>>;

beforeAll(async () => {
  salon = await openPeopleSalon();
  for (const id of [salon.quinn, salon.ravi]) {
    await salon.client.stylists.update(id, { services: ['Balayage'], working_hours: hours });
  }
  for (const day of ['16', '17', '18']) {
    await salon.book('joao', { start_time: `2026-11-${day}T10:00:00Z`, duration: 90 });
  }
  await salon.book('joao', { start_time: '2026-11-20T10:00:00Z', duration: 30, service: 'Cut' });
  await salon.book('bob', { start_time: '2026-11-27T15:00:00Z' });
});
afterAll(() => salon[Symbol.asyncDispose]());

const talk: typeof salon.talk = (words, answers) => salon.talk(words, answers);

const book = '1';

describe('the dialogue of salon book', () => {
  it('asks for client, service, stylist, day and time, and confirms them', async () => {
    const ran = await talk('book', ['ana costa', '1', '1', 'quinn', '1', 'mon 23', '1', '15:00', '1', book]);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      client_id: salon.ids.ana,
      stylist_id: salon.quinn,
      service: 'Balayage',
      start_time: '2026-11-23T15:00:00Z',
      duration: 90,
    });
    const asked = [...ran.stderr.matchAll(/^(Client|Service|Stylist|Day|Time on [^.]*?) Type/gm)];
    expect(asked.map(([, question]) => question)).toEqual([
      ...['Client', 'Client', 'Service', 'Stylist', 'Stylist', 'Day', 'Day'],
      ...['Time on Mon 23 Nov', 'Time on Mon 23 Nov'],
    ]);
    // The most frequent service comes first, with its usual duration.
    expect(ran.stderr).toContain('1: Balayage, 1 h 30 min\n2: Cut, 30 min\n');
    expect(ran.stderr).toContain(
      [
        'Client: Ana Costa',
        'Service: Balayage (1 h 30 min, as usual)',
        'Stylist: Quinn S.',
        'Time: Mon 23 Nov 15:00–16:30',
      ].join('\n'),
    );
  });

  it('goes back a question at a time, and keeps the answers before', async () => {
    const answers = [
      ...['bob', '1', '1', '0', '2', 'ravi', '0', '1', 'quinn', '1', 'mon 23', '1'],
      // From the times to the days, the stylists, and forth again; then from the summary to the times.
      ...['0', '0', 'quinn', '1', 'tue 24', '1', '9:00', '1', '0', '10:00', '1'],
      // The time is changed, or not.
      ...['2', '0', book],
    ];
    const ran = await talk('book', answers);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      client_id: salon.ids.bob,
      service: 'Balayage',
      start_time: '2026-11-24T10:00:00Z',
    });
  });

  it('goes back to a question about what the command line gives', async () => {
    const answers = ['ana costa', '1', '0', 'bob twin', '1', '1', book];
    const ran = await talk('book an with Quinn for Cut mon 23', answers);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ client_id: salon.ids.bob });
    const left = await talk('book an with Quinn for Cut mon 23', ['0']);
    expect(left).toMatchObject({ exitCode: 130, stdout: '' });
    expect(left.stderr).toContain('0: Cancel\n');
  });

  it.each([
    ['at the first question', ['0']],
    ['back from the second one', ['bob', '1', '0', '0']],
    ['back from a new client', ['zoe new', '1', '\u001b', '0']],
    [
      'from the summary to the start',
      ['bob', '1', '1', 'quinn', '1', 'mon 23', '1', '11:00', '1', '0', '0', '0', '0', '0', '0'],
    ],
  ])('books nothing and adds nobody at Esc %s', async (_where, answers) => {
    const ran = await talk('book', answers);
    expect(ran).toMatchObject({ exitCode: 130, stdout: '' });
    expect(JSON.parse(ran.stderr.slice(ran.stderr.indexOf('{"')))).toMatchObject({
      message: 'Cancelled. Nothing was changed.',
    });
    expect(ran.requests.filter((request) => !/^GET|dry-run$/.test(request))).toEqual([]);
  });

  it('is what appointments create without flags starts', async () => {
    const answers = ['joao', '1', 'cut', '1', 'ravi', '1', 'tue 24', '1', '9:00', '1', book];
    const ran = await talk('appointments create', answers);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      client_id: salon.ids.joao,
      stylist_id: salon.ravi,
      start_time: '2026-11-24T09:00:00Z',
      duration: 30,
    });
  });

  it('asks only for the confirmation where everything is given', async () => {
    const ran = await talk('book Ana Costa with Ravi for Balayage tue 11:00', [book]);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr.match(/then Enter: /g)).toHaveLength(1);
  });

  it('asks nothing with --yes', async () => {
    const ran = await talk('book Ana Costa with Ravi for Balayage tue 13:00 --yes', []);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).not.toContain('then Enter: ');
  });

  it('takes a service that the salon has never booked, and asks for its duration until it is one', async () => {
    const answers = ['henna', '1', 'soon', '50m', book];
    const ran = await talk('book Ana Costa with Ravi thu 10:00', answers);
    expect(JSON.parse(ran.stdout)).toMatchObject({ service: 'henna', duration: 50 });
    expect(ran.stderr).toContain('Type a number of minutes, or a time such as 1h30m.');
  });

  it('understands words of the name of a service', async () => {
    const ran = await talk('book Ana Costa with Ravi for bala thu 13:00', [book]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ service: 'Balayage', duration: 90 });
  });

  it('offers names that are similar to what was typed', async () => {
    const ran = await talk('book Anna Kosta with Quin for Balyage thu 14:00', [
      'ana costa',
      '1',
      '1',
      '1',
      book,
    ]);
    expect(ran.stderr).toContain('No service matches "Balyage". Did you mean Balayage?');
    const asked = await talk('book Ana Costa thu 15:00', ['balyage', '1', 'rawi', '1', book]);
    expect(JSON.parse(asked.stdout)).toMatchObject({ service: 'Balayage', stylist_id: salon.ravi });
  });

  it('asks again for a day that does not exist', async () => {
    const ran = await talk('book Ana Costa with Ravi for Cut', ['31 feb', 'wed 25', '1', '9:07', '1', book]);
    expect(ran.stderr).toContain('31 feb');
    expect(ran.stderr).toContain('1: 09:07\n');
    expect(JSON.parse(ran.stdout)).toMatchObject({ start_time: '2026-11-25T09:07:00Z' });
  });

  it('names the next free time within the hours of the stylist', async () => {
    await salon.book('bob', { start_time: '2026-11-28T17:00:00Z' });
    const ran = await talk('book Ana Costa with Quinn for Cut 28 nov 17:30', ['1', '9:00', '1', book]);
    expect(ran.stderr).toContain('(Bob Twin). Next free for 30 min: Mon 30 Nov 09:00.');
    const script = await salon.salon([...'book Ana Costa with Quinn for Cut 28/11/2026 17:30'.split(' ')]);
    expect(script).toMatchObject({ exitCode: 7, stdout: '' });
    expect(script.stderr).toContain('Next free for 30 min: ');
  });

  it('offers only free times, and accepts another one that somebody types', async () => {
    const ran = await talk('book Ana Costa with Quinn for Balayage fri', ['15:00', '1', '2', '1', '1']);
    expect(ran.stderr).toMatch(/^\d+: 13:30$/m);
    expect(ran.stderr).not.toMatch(/^\d+: 1[45]:\d\d$/m);
    expect(ran.stderr).toContain('1: 15:00, not free');
    expect(ran.stderr).toContain('Quinn S. is booked Fri 27 Nov 15:00–16:00 (Bob Twin). Free from 16:00.');
  });

  it('returns to the question of a refused answer and keeps the others', async () => {
    // Another time, then a note.
    const steps = ['1', '16:30', '1', '8', 'Rinse first', book];
    const ran = await talk('book Ana Costa with Quinn for Balayage fri 15:30', steps);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      client_id: salon.ids.ana,
      start_time: '2026-11-27T16:30:00Z',
      notes: 'Rinse first',
    });
  });

  it('books over somebody else only when told to', async () => {
    const ran = await talk('book Ana Costa with Quinn for Cut fri 15:00', ['3', book]);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('Allow overlap: yes');
  });

  it('says what is wrong with an answer given beforehand, and asks for it', async () => {
    const answers = ['quinn', '1', 'mon 30', '1', '10:00', '1', book];
    const ran = await talk('book Ana Costa with Xaver for Balayage', answers);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toMatch(/^No stylist matches "Xaver"\.$/m);
  });

  it('asks before it books outside the working hours or in the past', async () => {
    const late = await talk(
      'appointments create --client Ana --stylist Ravi --service Cut --start 2026-11-23T20:00',
      ['1', '9'],
    );
    expect(late).toMatchObject({ exitCode: 8, stdout: '' });
    expect(late.stderr).toContain("! 20:00–20:30 is outside Ravi's hours on Mondays (09:00–18:00).");
    const past = await talk('book Ana Costa with Ravi for Cut 2026-11-20T10:00', ['1']);
    expect(past).toMatchObject({ exitCode: 0 });
    expect(past.stderr).toContain('! Fri 20 Nov 10:00 is in the past.\n1: Book anyway\n');
  });
});

describe('a new client in the dialogue', () => {
  it('is added once the booking is confirmed', async () => {
    const answers = ['Rosa Reis', '1', '', '12', '+351 910 000 077', book];
    const ran = await talk('book with Ravi for Cut wed 10:00', answers);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('Name of the new client (Enter for Rosa Reis): ');
    expect(ran.stderr).toContain('A phone number is an optional + and 7 to 15 digits.');
    expect(ran.stderr).toContain('Client: Rosa Reis (new client, +351 910 000 077)');
    const { client_id } = JSON.parse(ran.stdout);
    expect(await salon.client.clients.get(client_id)).toMatchObject({
      first_name: 'Rosa',
      last_name: 'Reis',
    });
  });

  it('has the name that was typed and that nobody has', async () => {
    const ran = await talk('book Zelda Quist with Ravi for Cut wed 15:00', ['1', '', '', '9']);
    expect(ran.stderr).toContain('1: New client "Zelda Quist"\n');
    expect(ran.stderr).toContain('Name of the new client (Enter for Zelda Quist): ');
    expect(ran.stderr).toContain('Client: Zelda Quist (new client)');
  });

  it('is not added if the booking is cancelled', async () => {
    const ran = await talk('book with Ravi for Cut wed 11:00', ['Gone Girl', '1', '', '', '9']);
    expect(ran).toMatchObject({ exitCode: 8, stdout: '' });
    expect(ran.requests.filter((request) => request === 'POST clients')).toEqual([]);
    expect(ran.stderr).toContain('salon book --new-client \\"Gone Girl\\" --service Cut');
  });

  it('may be somebody known who has the same phone number', async () => {
    const answers = ['Anna Kosta', '1', '', '912345678', '1', book];
    const ran = await talk('book with Ravi for Cut wed 12:00', answers);
    expect(ran.stderr).toContain('Ana Costa has the same phone number: +351912345678, ana@costa.example,');
    expect(ran.stderr).toContain('1: Book for Ana Costa\n2: Add Anna Kosta anyway\n3: Cancel\n');
    expect(JSON.parse(ran.stdout)).toMatchObject({ client_id: salon.ids.ana });
  });

  it('is asked about where the command line gives somebody known, too', async () => {
    const line = ['book', '--new-client', 'ana costa', ...'with Ravi for Cut wed 13:00 --plain'.split(' ')];
    const ran = await salon.salon(line, { columns: 80, stdin: '3\n' });
    expect(ran).toMatchObject({ exitCode: 8, stdout: '' });
    expect(ran.stderr).toContain('Ana Costa has the same name: +351912345678,');
    expect(ran.stderr).toContain('1: Book for Ana Costa\n2: Add ana costa anyway\n3: Cancel\n');
    expect(ran.requests).not.toContain('POST clients');
  });
});

describe('an interrupted dialogue', () => {
  it('asks for a day of the week that was named, and continues without it', async () => {
    const ran = await salon.salon(
      ['book', 'Ana', 'Costa', 'with', 'Quinn', 'for', 'Cut', 'KW', '49', '--plain', '--duration', '30m'],
      { columns: 80, stdin: '2\n' },
    );
    expect(ran.stderr).toMatch(/^1: Mon 30 Nov, \d+ free times$/m);
    expect(ran.stderr).toContain('Time on Tue 1 Dec');
    expect(ran.stderr).not.toMatch(/^\d: (?:Tomorrow|Mon 7 Dec)/m);
  });

  it('prints the command that goes on, which then asks only for the rest', async () => {
    const ran = await salon.salon(['book', '--plain'], {
      columns: 80,
      stdin: 'ana costa\n1\n1\nquinn\n1\n',
    });
    expect(ran.exitCode).toBe(130);
    const [, line = ''] = /To continue: salon (.+)/.exec(ran.stderr) ?? [];
    expect(line).toBe(`book ${salon.ids.ana} --service Balayage --stylist ${salon.quinn}`);
    const rest = await talk(line, ['mon 30', '1', '13:00', '1', book]);
    expect(JSON.parse(rest.stdout)).toMatchObject({ start_time: '2026-11-30T13:00:00Z', duration: 90 });
  });

  it('prints it after a network failure too', async () => {
    const env = { SALON_BASE_URL: 'http://127.0.0.1:9' };
    const ran = await salon.salon(['book', 'Ana', 'fri', '15:00', '--retries', '0'], { columns: 80, env });
    expect(ran.exitCode).toBe(5);
    expect(ran.stderr).toContain('To continue: salon book Ana 2026-11-27T15:00');
  });

  it('asks whether words that no service has are a new one; if not, asks for the service and the day', async () => {
    const line = 'book Ana Costa with quinn for Balayage in two weeks 17:00 --duration 45m';
    const added = await talk(line, ['y', book]);
    expect(added.stderr).toContain('Book a new service called "Balayage in two weeks"?');
    expect(JSON.parse(added.stdout)).toMatchObject({ service: 'Balayage in two weeks' });
    const asked = await talk(line, ['n', 'bala', '1', '2026-12-05', '1', '15:00', '1', book]);
    expect(asked.stderr).toContain('"in two weeks" is not understood in "Balayage in two weeks".');
    expect(JSON.parse(asked.stdout)).toMatchObject({
      service: 'Balayage',
      start_time: '2026-12-05T15:00:00Z',
      duration: 45,
    });
  });
});
