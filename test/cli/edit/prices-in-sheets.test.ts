import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';

let world: EditWorld;
let id = '';

beforeAll(async () => {
  world = await openEditWorld({ clients: 2, appointments: 5 });
  await world.client.salon.update({ currency: 'EUR' });
  for await (const { rows } of world.client.appointments.list()) id = rows[0]?.id ?? id;
  await world.client.appointments.update(id, { price: 17_500 });
});
afterAll(() => world[Symbol.asyncDispose]());

/** The price that a sheet with a row gives the appointment, and what is said. */
async function readPrice(sheet: string, flags: readonly string[] = []) {
  world.write('prices.csv', sheet.replaceAll('APT', id));
  const argv = ['appointments', 'update', '--file', 'prices.csv', '--dry-run', '--json', ...flags];
  const { exitCode, stdout, stderr } = await world.salon(argv);
  const planned: { field: string; new: unknown }[] = stdout === '' ? [] : JSON.parse(stdout);
  return { exitCode, price: planned.find(({ field }) => field === 'price')?.new, said: stderr };
}

describe('a price in a sheet', () => {
  it.each([
    ['minor units beside our headings', 'id,price\nAPT,4500\n', 4_500],
    ['minor units beside headings of an export for people', 'id,start_time_local,price\nAPT,,4500\n', 4_500],
    ['units under a heading that names the currency', 'id,price_eur\nAPT,4500\n', 450_000],
    ['units, as people write them', 'id,Price (EUR)\nAPT,"1.234,50 EUR"\n', 123_450],
    ['units beside other headings, if it has decimals', 'ID,Price\nAPT,45.00\n', 4_500],
    ['units beside other headings, if another row has decimals', 'ID,Price\nAPT,45\nx,"30,50"\n', 4_500],
    ['nothing to change', 'id,price\nAPT,17500\n', undefined],
    ['nothing to change in units', 'id,price_eur\nAPT,175\n', undefined],
    ['nothing', 'ID,Price\nAPT,\n', undefined],
  ])('is %s', async (_title, sheet, price) => {
    expect(await readPrice(sheet)).toMatchObject({ price });
  });

  it.each([
    ['whole beside other headings', 'ID,Price\nAPT,45\n', '45 may be 45.00 EUR or 0.45 EUR.'],
    [
      'with decimals beside our headings',
      'id,price\nAPT,45.00\n',
      'whole minor units, such as 4500 for 45.00',
    ],
    [
      'in another currency than the salon',
      'id,price_usd\nAPT,45\n',
      `is in USD, but the salon's prices are in EUR.`,
    ],
    [
      'of a row in another currency',
      'id,price_eur\nAPT,45 USD\n',
      'Must be an amount in EUR, such as 45.00, not',
    ],
    [
      'in two currencies',
      'id,price_eur,price_usd\nAPT,1,2\n',
      'columns "price_eur" and "price_usd" are both price.',
    ],
  ])('is refused %s', async (_title, sheet, said) => {
    expect(await readPrice(sheet)).toEqual({
      exitCode: 2,
      price: undefined,
      said: expect.stringContaining(JSON.stringify(said).slice(1, -1)),
    });
  });

  it('is shown to people in units', async () => {
    world.write('shown.csv', `id,price\n${id},4500\n`);
    const argv = ['appointments', 'update', '--file', 'shown.csv', '--plain'];
    const { stderr } = await world.salon(argv, { columns: 200, stdin: 'n\n' });
    expect(stderr).toContain('price "175.00 EUR" → "45.00 EUR"');
  });

  it('is asked about at a terminal', async () => {
    world.write('asked.csv', `ID,Price\n${id},45\n`);
    const argv = ['appointments', 'update', '--file', 'asked.csv', '--dry-run'];
    const ran = await world.salon(argv, { columns: 100, stdin: '2\n', env: { SALON_PLAIN: '1' } });
    expect(ran.stderr).toContain('What is 45 in "Price"?');
    expect(ran.stdout + ran.stderr).toContain('0.45 EUR');
    expect(ran.exitCode, ran.stderr).toBe(0);
  });

  it('is in minor units, and said to be, where the currency is not known', async () => {
    const data = [{ id: 'apt_1', price: 4_500 }];
    await using server = await openMisbehavingServer(({ path }) =>
      path.endsWith('/appointments')
        ? json({ data, pagination: { page: 1, per_page: 50, total: 1 } })
        : json({}, { status: 404 }),
    );
    const env = { SALON_BASE_URL: server.origin };
    const argv = ['appointments', 'list', '-c', 'id,price', '--excel', '-f', 'csv'];
    const ran = await world.salon(argv, { env });
    expect(ran.stdout, ran.stderr).toBe('\uFEFFid,price\r\napt_1,4500\r\n');
    expect(ran.stderr).toContain('price is in minor units, such as 4500 for 45.00');
  });

  it('is in units in a sheet for people, in minor units in a CSV for programs', async () => {
    const flags = ['-c', 'id,price', '--limit', '1', '-o'];
    await world.salon(['appointments', 'list', '--excel', ...flags, 'people.csv']);
    await world.salon(['appointments', 'list', ...flags, 'programs.csv']);
    expect(world.readText('people.csv')).toMatch(/^\uFEFFid,price_eur\r\napt_\w+,175\.00\r\n$/);
    expect(world.readText('programs.csv')).toMatch(/^id,price\napt_\w+,17500\n$/);
  });
});

describe('the table of a dry run', () => {
  it.each([
    [
      'a sheet',
      () => ['update', '--file', 'prices.csv'],
      /^ *\d+ +update .* price +175\.00 EUR +45\.00 EUR/m,
    ],
    ['one appointment', () => ['update', id, '--set', 'price=45'], /^Price +175\.00 EUR +45\.00 EUR$/m],
  ])('shows prices as other tables do, of %s', async (_what, argv, row) => {
    world.write('prices.csv', `id,price\n${id},4500\n`);
    const ran = await world.salon(['appointments', ...argv(), '--dry-run'], { columns: 160 });
    expect(ran.stdout).toMatch(row);
  });

  it('shows the price of a new appointment as other tables do, and minor units to programs', async () => {
    const { client_id, stylist_id } = await world.client.appointments.get(id);
    const who = ['--client', String(client_id), '--stylist', String(stylist_id), '--service', 'Cut'];
    const argv = ['appointments', 'create', ...who, '--start', '2031-01-07T10:00:00Z', '--duration', '30m'];
    const made = [...argv, '--set', 'price:=4500', '--dry-run', '--yes'];
    expect((await world.salon(made, { columns: 80 })).stdout).toMatch(/Price\S* +45\.00 EUR$/m);
    expect(JSON.parse((await world.salon([...made, '--json'])).stdout)).toMatchObject({ price: 4500 });
  });
});
