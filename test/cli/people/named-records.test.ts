import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPeopleSalon } from '../../support/people-salon.ts';

let world: Awaited<ReturnType<typeof openPeopleSalon>>;
let appointment: string;

beforeAll(async () => {
  world = await openPeopleSalon();
  appointment = await world.book('ana');
});
afterAll(() => world[Symbol.asyncDispose]());

const get = (...flags: string[]) => ['appointments', 'get', appointment, '--no-color', ...flags];

describe('an appointment at a terminal', () => {
  it('has names in front of the IDs', async () => {
    const { stdout } = await world.salon(get(), { columns: 100 });
    expect(stdout).toMatch(
      /^Client +Ana Costa\nPhone +\+351912345678\nEmail +ana@costa.example\nClient ID +cli_\w{26}\nStylist +\S.*\nStylist ID +sty_\w{26}$/m,
    );
  });

  it('names people for a screen reader', async () => {
    const { stdout } = await world.salon(get('--plain'), { columns: 100 });
    expect(stdout).toMatch(/^Client: Ana Costa\nPhone: \S+\nEmail: \S+\nClient ID: cli_\w{26}$/m);
  });

  it('takes a request each for the client, the stylists and the currency', async () => {
    const { requests } = await world.salon(get(), { columns: 100 });
    expect(requests).toHaveLength(4);
  });
});

describe('an appointment for a program', () => {
  it('has the fields of the API', async () => {
    const { stdout, requests } = await world.salon(get('--json'));
    expect(JSON.parse(stdout)).not.toHaveProperty('client_name');
    expect(requests).toHaveLength(1);
  });

  it('has names on request', async () => {
    const { stdout } = await world.salon(get('--json', '-c', 'client_name'));
    expect(JSON.parse(stdout)).toEqual([{ client_name: 'Ana Costa' }]);
  });
});

describe('a dry run at a terminal', () => {
  const update = () => [
    'appointments',
    'update',
    appointment,
    '--stylist',
    world.ravi,
    '--dry-run',
    '--no-color',
  ];

  it('shows names and fields in words', async () => {
    const { stdout } = await world.salon(update(), { columns: 100 });
    expect(stdout).toMatch(/^Field +Old +New\nStylist +Quinn.* Ravi\n$/);
  });

  it('keeps fields and IDs for programs', async () => {
    const { stdout } = await world.salon(update());
    expect(stdout).toBe(`field\told\tnew\nstylist_id\t${world.quinn}\t${world.ravi}\n`);
  });

  it('names the people of a new appointment', async () => {
    const flags = ['--service', 'Cut', '--start', '2026-11-27T15:00', '--duration', '30m', '--no-color'];
    const { stdout } = await world.salon(
      [
        'appointments',
        'create',
        '--client',
        world.ids.ana,
        '--stylist',
        world.ravi,
        ...flags,
        '--dry-run',
        '--yes',
      ],
      { columns: 100 },
    );
    expect(stdout).toMatch(/^Client +Ana Costa\nPhone .*\nEmail .*\nClient ID +cli_\w+\nStylist +Ravi\n/m);
  });
});
