import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 0 });
});
afterEach(() => world[Symbol.asyncDispose]());

const yes = '--yes';

describe('appointments import', () => {
  it('adds what is new and leaves alone what has the same client, stylist and start', async () => {
    const { record: ana } = await world.client.clients.create({
      first_name: 'Ana',
      email: 'ana@costa.example',
    });
    const [stylist] = JSON.parse((await world.salon(['stylists', 'list', '--json'])).stdout);
    const rows = ['2031-01-06T10:00:00Z,,confirmed', '2031-01-07T10:00:00Z,tea,confirmed'];
    const write = (notes = '') =>
      world.write(
        'visits.csv',
        `client_id,stylist_id,service,duration,start_time,notes,status\n${rows
          .map((row) => `ana@costa.example,${stylist.id},Cut,30,${row.replace(',,', `,${notes},`)}`)
          .join('\n')}\n`,
      );
    write();
    const argv = ['appointments', 'import', 'visits.csv', yes, '--json'];
    const first = await world.salon(argv);
    expect(first, first.stderr).toMatchObject({ exitCode: 0 });
    expect(first.stderr).toContain('2 rows: 2 appointments new.');
    const again = await world.salon(argv);
    expect(again, again.stderr).toMatchObject({ exitCode: 0 });
    expect(again.stderr).toContain('2 rows: 2 the same.');
    write('milk');
    const completed = await world.salon(argv);
    expect(completed.stderr).toContain('2 rows: 1 appointment completed (notes), 1 the same.');
    const listed = async () =>
      JSON.parse((await world.salon(['appointments', 'list', '--client', String(ana?.id), '--json'])).stdout);
    expect((await listed()).map(({ notes }: { notes: string }) => notes).toSorted()).toEqual(['milk', 'tea']);
    const undone = await world.salon(['jobs', 'undo', JSON.parse(first.stdout).job, yes, '--json']);
    expect(undone.exitCode, undone.stderr).toBe(3);
    const cancelled = await world.salon(argv);
    expect(cancelled.exitCode, cancelled.stderr).toBe(3);
    expect(cancelled.stderr).toContain('which was cancelled.');
    const booked = await world.salon([...argv, '--yes-likely']);
    expect(booked, booked.stderr).toMatchObject({ exitCode: 0 });
    expect(await listed()).toHaveLength(3);
  });

  it('leaves out rows whose client is unknown or not certain, and lists them', async () => {
    for (const first_name of ['Ana', 'Eva', 'Eva'])
      await world.client.clients.create({ first_name, last_name: 'Costa' });
    const [stylist] = JSON.parse((await world.salon(['stylists', 'list', '--json'])).stdout);
    const rows = ['Ana Costa', 'Nobody Here', 'Eva Costa'].map(
      (client, at) => `${client},${stylist.id},Cut,30,2031-01-06T1${at}:00:00Z`,
    );
    world.write('list.csv', `client,stylist_id,service,duration,start_time\n${rows.join('\n')}\n`);
    const ran = await world.salon(['appointments', 'import', 'list.csv', yes, '--json']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 3 });
    expect(ran.stderr).toContain('3 rows: 1 appointment new, 2 refused.');
    expect(ran.stderr).toContain('line 3: No client matches "Nobody Here".');
    expect(ran.stderr).toContain('line 4: More than one client matches "Eva Costa"');
    expect(world.readText(JSON.parse(ran.stdout).failed_rows)).toContain('Nobody Here');
  });

  it.each([
    [
      'beside a name',
      'Kunden-Nr,Kunde',
      ['00042,Nora Quist', '00043,Nora Quist', '00099,Nora Quist', '00042,Eva'],
    ],
    ['alone', 'Customer number', ['00042', '00043', '42']],
    ['as IDs', 'Client ID', ['00042', '00043', '42']],
  ])('finds clients by the number of another program, %s', async (_, headings, numbers) => {
    for (const external_id of ['00042', '00043'])
      await world.client.clients.create({ first_name: 'Nora', last_name: 'Quist', external_id });
    const [stylist] = JSON.parse((await world.salon(['stylists', 'list', '--json'])).stdout);
    const rows = numbers.map((number, at) => `${number},${stylist.id},Cut,30,2031-01-06T1${at}:00:00Z`);
    world.write('list.csv', `${headings},stylist_id,service,duration,start_time\n${rows.join('\n')}\n`);
    const ran = await world.salon(['appointments', 'import', 'list.csv', yes, '--json']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 3 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ done: 2, refused: numbers.length - 2 });
    const found = await Promise.all(
      (
        await world.read<readonly { client_id: string }[]>(['appointments', 'list', '--sort', 'start_time'])
      ).map(({ client_id }) => world.client.clients.get(client_id)),
    );
    expect(found.map(({ external_id }) => external_id)).toEqual(['00042', '00043']);
  });

  describe('--add-services', () => {
    const listServices = () => world.read<readonly object[]>(['services', 'list']);
    let argv: readonly string[];

    beforeEach(async () => {
      await world.client.clients.create({ first_name: 'Ana', last_name: 'Costa' });
      await world.salon(['settings', 'set', 'currency', 'EUR', yes]);
      const [stylist] = await world.read<readonly { id: string }[]>(['stylists', 'list']);
      const rows = ['Glätten,60,45.00', 'glatten,90,45.00', 'GLÄTTEN,60,45.00', 'Glow,30,'].map(
        (booking, at) => `Ana Costa,${stylist?.id},2031-01-06T${10 + 2 * at}:00:00Z,${booking}`,
      );
      const head = 'client,stylist_id,start_time,service,duration,price_eur';
      world.write('list.csv', `${head}\n${rows.join('\n')}\n`);
      argv = ['appointments', 'import', 'list.csv', '--add-services', '--json'];
    });

    it('adds each once, with its usual duration and price; an undo leaves them', async () => {
      const listed = await listServices();
      const preview = await world.salon([...argv, '--dry-run']);
      expect(preview, preview.stderr).toMatchObject({ exitCode: 0 });
      expect(await listServices()).toEqual(listed);
      const ran = await world.salon([...argv, yes]);
      expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
      const added = (await listServices()).slice(listed.length);
      expect(added).toMatchObject([
        { duration: 60, price: 4500 },
        { name: 'Glow', duration: 30, price: null },
      ]);
      const again = await world.salon([...argv, yes]);
      expect(again.stderr).toContain('4 the same');
      await world.salon(['jobs', 'undo', JSON.parse(ran.stdout).job, yes]);
      expect((await listServices()).slice(listed.length)).toEqual(added);
    });

    it.each([['--yes'], ['--dry-run']])(
      'is refused with %s, before anything is sent, where the key may not add services',
      async (flag) => {
        const env = { SALON_API_KEY: world.service.keys.receptionist };
        const ran = await world.salon([...argv, flag], { env });
        expect(ran, ran.stderr).toMatchObject({ exitCode: 10, stdout: '' });
        expect(await world.read(['appointments', 'list'])).toEqual([]);
      },
    );
  });

  it('leaves out events that cannot be read, and imports the others', async () => {
    await world.client.clients.create({ first_name: 'Nia', last_name: 'Costa' });
    const [stylist] = await world.read<readonly { id: string }[]>(['stylists', 'list']);
    const day = `${new Date().getUTCFullYear() + 1}0601T`;
    const events = [
      `DTSTART;TZID=Nowhere/Land:${day}090000`,
      'UID:2',
      `DTSTART:${day}090000Z\nRRULE:FREQ=YEARLY;BYWEEKNO=20`,
      `DTSTART:${day}090000Z\nDTEND:${day}093000Z`,
    ].map((text) => `BEGIN:VEVENT\n${text}\nSUMMARY:Nia Costa - Cut\nEND:VEVENT\n`);
    world.write('mia.ics', `BEGIN:VCALENDAR\n${events.join('')}END:VCALENDAR\n`);
    const ran = await world.salon([
      'appointments',
      'import',
      'mia.ics',
      '--stylist',
      stylist?.id ?? '',
      yes,
      '--json',
    ]);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 3 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ done: 1, refused: 3 });
    expect(ran.stderr).toContain('line 2: Zone "Nowhere/Land" is not known');
  });

  it('reads a calendar that names nobody as that of --stylist', async () => {
    const first = await world.client.stylists.create({
      ...{ first_name: 'Zora', last_name: 'Roth', display_name: 'Zora' },
    });
    await world.client.clients.create({ first_name: 'Nia', last_name: 'Costa' });
    const day = `${new Date().getUTCFullYear() + 1}0601T`;
    const event = `DTSTART:${day}090000Z\nDTEND:${day}093000Z\nSUMMARY:Nia Costa - Cut\nUID:1`;
    world.write('mia.ics', `BEGIN:VCALENDAR\nBEGIN:VEVENT\n${event}\nEND:VEVENT\nEND:VCALENDAR\n`);
    const argv = ['appointments', 'import', 'mia.ics', '--yes', '--json'];
    const unnamed = await world.salon(argv);
    expect(unnamed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Add --stylist <name>.') });
    const ran = await world.salon([...argv, '--stylist', 'Zora']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    const booked = await world.read<readonly object[]>(['appointments', 'list', '--stylist', first.id ?? '']);
    expect(booked).toMatchObject([{ duration: 30, stylist_id: first.id }]);
  });

  it('leaves out the events of a calendar that cannot be booked, and names each', async () => {
    await world.client.stylists.create({ first_name: 'Zora', last_name: 'Roth', display_name: 'Zora' });
    await world.client.clients.create({ first_name: 'Nia', last_name: 'Costa' });
    const [year, day] = [new Date().getUTCFullYear() + 1, `DTSTART:${new Date().getUTCFullYear() + 1}0601T`];
    const events = [
      `${day}090000Z\nDURATION:PT30M\nSUMMARY:Nia Costa - Cut`,
      `${day}100000Z\nDURATION:PT30M`,
      `${day}110000Z\nDURATION:PT30M\nSUMMARY:Ida Berg - Cut`,
      `DTSTART;VALUE=DATE:${year}0601\nSUMMARY:Holiday`,
      'SUMMARY:Nia Costa - Cut',
    ];
    const lines = events.map((event) => `BEGIN:VEVENT\n${event}\nEND:VEVENT\n`).join('');
    const argv = ['appointments', 'import', 'mia.ics', '--yes', '--json', '--stylist', 'Zora'];
    world.write('mia.ics', `BEGIN:VCALENDAR\n${lines}`);
    const cut = await world.salon(argv);
    expect(cut).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('END:VCALENDAR is missing') });
    world.write('mia.ics', `BEGIN:VCALENDAR\n${lines}END:VCALENDAR\n`);
    const ran = await world.salon(argv);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 3 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ done: 1, refused: 3 });
    for (const text of [
      '1 all-day event left out: Holiday',
      'line 7: No client named.',
      'line 11: No client matches "Ida Berg".',
      'The event that begins on line 20 has no start: DTSTART.',
    ])
      expect(ran.stderr).toContain(text);
    expect(world.readText(JSON.parse(ran.stdout).failed_rows)).toContain('Ida Berg');
  });
});
