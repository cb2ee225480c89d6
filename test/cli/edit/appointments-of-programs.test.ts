import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;
let ana = '';
let mia = '';

beforeEach(async () => {
  world = await openEditWorld({ clients: 0 });
  ana =
    (
      await world.client.clients.create({
        first_name: 'Ana',
        last_name: 'Costa',
        email: 'ana.costa@example.com',
        phone: '+491712345678',
      })
    ).id ?? '';
  await world.client.clients.create({
    first_name: 'Tom',
    last_name: 'Costa',
    phone: '+491712345678',
  });
  for await (const { rows } of world.client.stylists.list())
    mia = rows.find(({ first_name }) => first_name === 'Mia')?.id ?? mia;
  await world.client.salon.update({ currency: 'EUR', country: 'DE' });
});
afterEach(() => world[Symbol.asyncDispose]());

async function list() {
  const all: {
    id: string;
    status: string;
    start_time: string;
    duration: number;
    client_id?: string;
    price?: unknown;
  }[] = [];
  for await (const { rows } of world.client.appointments.list()) all.push(...(rows as never[]));
  return all
    .filter(({ status }) => status !== 'cancelled')
    .toSorted((one, other) => one.start_time.localeCompare(other.start_time));
}

function readFixture(name: string): string {
  return readFileSync(new URL(`../../bulk/input/fixtures/${name}`, import.meta.url), 'utf8');
}

async function create(text: string, ...flags: readonly string[]) {
  world.write('list.csv', text);
  return world.salon(['appointments', 'create', '--file', 'list.csv', '--yes', ...flags]);
}

describe('appointments of another program', () => {
  it('are read with German headings, a date and a time in two columns, and a status in its words', async () => {
    const { exitCode, stderr } = await create(readFixture('appointments-german.csv'));
    expect(exitCode, stderr).toBe(0);
    expect(await list()).toMatchObject([
      {
        client_id: ana,
        stylist_id: mia,
        service: 'Fringe trim',
        start_time: '2026-12-08T10:00:00Z',
        duration: 45,
        status: 'confirmed',
      },
    ]);
  });

  it('are read with a date and a time in two columns, whose order another row decides', async () => {
    const text = readFixture('appointments-date-and-time-columns.csv');
    const alone = await create(text);
    expect(alone).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('may be 2026-12-08 or 2026-08-12'),
    });
    const both = `${text.trimEnd()}\nana.costa@example.com,Mia,Fringe trim,14/12/2026,9am,1h 15\n`;
    const { exitCode, stderr } = await create(both);
    expect(exitCode, stderr).toBe(0);
    expect(await list()).toMatchObject([
      { start_time: '2026-12-08T10:00:00Z', duration: 45 },
      { start_time: '2026-12-14T09:00:00Z', duration: 75 },
    ]);
  });

  it('have their durations as programs write them', async () => {
    const text = readFixture('appointments-durations.csv');
    const refused = await create(text);
    expect(refused.stderr).toContain('0.75 may be minutes, hours or days: write minutes, such as 45');
    const read = text
      .replace('0.75', '45')
      .replace('T11:00:00+01:00', 'T11:00:00Z')
      .replace('14.30', '13.30');
    const { exitCode, stderr } = await create(read);
    expect(exitCode, stderr).toBe(0);
    expect(
      (await list()).map(({ start_time, duration }) => `${start_time.slice(11, 16)} ${duration}`),
    ).toEqual(['10:00 45', '11:00 45', '12:00 75', '13:30 45', '15:00 45', '16:00 45']);
  });

  const start = 'Kunde,Mitarbeiter,Leistung,Von';

  it.each([
    ['10:45', 45],
    ['11h15', 75],
    ['13.12.2026 10:20', 20],
  ])('last until %s', async (end, minutes) => {
    const { exitCode, stderr } = await create(`${start},Bis\nAna Costa,Mia,Cut,13.12.2026 10:00,${end}\n`);
    expect(exitCode, stderr).toBe(0);
    expect(await list()).toMatchObject([{ duration: minutes }]);
  });

  it.each(['09:45', '10:00', '2026-12-20 10:00', 'later'])('are refused with the end %s', async (end) => {
    const ran = await create(`${start},Bis\nAna Costa,Mia,Cut,13.12.2026 10:00,${end}\n`);
    expect(ran.stderr).toContain(`The end ${end} is not a time after the start`);
    expect(await list()).toEqual([]);
  });

  it.each([
    ['Booked', 'confirmed'],
    ['En attente', 'pending'],
    ['No-show', 'no_show'],
    ['Zrealizowana', 'completed'],
    ['Não confirmado', 'pending'],
  ])('have the status %s', async (word, status) => {
    const text = `${start},Status,Dauer\nAna Costa,Mia,Cut,13.10.2026 10:00,${word},30\n`;
    const { exitCode, stderr } = await create(text);
    expect(exitCode, stderr).toBe(0);
    expect(await list()).toMatchObject([{ status }]);
  });

  it('are refused with a status that is none, such as that of a payment', async () => {
    const ran = await create(`${start},Status,Dauer\nAna Costa,Mia,Cut,13.12.2026 10:00,Paid,30\n`);
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Must be one of pending') });
  });

  it.each([
    ['Preis', '45,00'],
    ['Preis', '45 €'],
    ['Preis (EUR)', '45'],
    ['Prix en €', '45'],
    ['Price in €', '45.00'],
    ['Cena', 'EUR 45'],
  ])('cost 45 euros: %s %s', async (heading, cell) => {
    const { exitCode, stderr } = await create(
      `${start},Dauer,${heading}\nAna Costa,Mia,Cut,13.12.2026 10:00,30,"${cell}"\n`,
    );
    expect(exitCode, stderr).toBe(0);
    expect(await list()).toMatchObject([{ price: 4500 }]);
  });

  it('are refused with a price that may be of two units, and with flags to say which', async () => {
    const text = `${start},Dauer,Preis\nAna Costa,Mia,Cut,13.12.2026 10:00,30,45\n`;
    const refused = await create(text);
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('45 may be 45.00 EUR or 0.45 EUR'),
    });
    expect(refused.stderr).toContain('--map "Preis=price_eur"');
    expect(await create(text, '--map', 'Preis=price_eur')).toMatchObject({ exitCode: 0 });
    expect(await list()).toMatchObject([{ price: 4500 }]);
  });

  it('are changed with the minor units of an export, and refused with them in another sheet', async () => {
    await create(`${start},Dauer\nAna Costa,Mia,Cut,13.12.2026 10:00,30\n`);
    const [{ id = '' } = {}] = await list();
    const text = readFixture('appointments-price.csv').replace(/apt_\w+/, id);
    world.write('prices.csv', text);
    const update = ['appointments', 'update', '--file', 'prices.csv', '--yes'];
    expect(await world.salon(update)).toMatchObject({ exitCode: 0 });
    expect(await list()).toMatchObject([{ price: 2000 }]);
  });

  const contacts = 'Client name,Client email,Client phone,Staff,Service,Start,Minutes';
  const rest = 'Mia,Cut,2026-12-13 10:00,30';

  it.each([
    ['Ana Costa,ana.costa@example.com,', 'Ana'],
    ['Ana,,0171 2345678', 'Ana'],
    ['Tom Costa,,+49 171 2345678', 'Tom'],
    [',ana.costa@example.com,', 'Ana'],
    ['Tom Costa,,', 'Tom'],
    ['Ana Costa,new@example.com,', 'Ana'],
  ])('are of the client %s', async (who, first) => {
    const { exitCode, stderr } = await create(`${contacts}\n${who},${rest}\n`);
    expect(exitCode, stderr).toBe(0);
    const [{ client_id = '' } = {}] = await list();
    expect(await world.client.clients.get(client_id)).toMatchObject({ first_name: first });
  });

  it.each([
    ['Tom Costa,ana.costa@example.com,', 'No client matches all of "ana.costa@example.com, Tom Costa".'],
    [',,0171 2345678', 'More than one client matches'],
    ['Eva Berg,,0171 2345678', 'No client matches all of "0171 2345678, Eva Berg".'],
  ])('are refused with the client %s', async (who, reason) => {
    const ran = await create(`${contacts}\n${who},${rest}\n`);
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(reason) });
  });

  describe('with services that the salon does not list', () => {
    const columns = 'Kunde,Mitarbeiter,Leistung,Von,Dauer,Preis in EUR';
    const rows = [
      'Ana Costa,Mia,Balayage deluxe,13.12.2026 10:00,90,120.00',
      'Ana Costa,Mia,Balayage deluxe,14.12.2026 10:00,90,120.00',
      'Ana Costa,Mia,Glatze,15.12.2026 10:00,10,',
    ];
    const text = [columns, ...rows, ''].join('\n');
    const named =
      'service: 2 services that the salon does not list: Balayage deluxe (2 rows), Glatze (1 row)';

    async function readServices() {
      const names = ['balayage deluxe', 'glatze'];
      const all: { name: string; duration: number; price: number | null }[] = [];
      for await (const { rows: some } of world.client.services.list()) all.push(...(some as never[]));
      const found = all.filter(({ name }) => names.includes(name.toLowerCase()));
      return found.map(({ duration, price }) => ({ duration, price }));
    }

    it('name them once, and leave the list as it is', async () => {
      const { exitCode, stderr } = await create(text);
      expect(exitCode, stderr).toBe(0);
      expect(stderr).toContain(named);
      expect(stderr).toContain('--add-services adds them');
      expect(await readServices()).toEqual([]);
    });

    it('add them if asked, with their usual duration and a price that all rows have', async () => {
      const preview = await create(text, '--add-services', '--dry-run');
      expect(preview).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(named) });
      expect(await readServices()).toEqual([]);
      const { exitCode, stderr } = await create(text, '--add-services');
      expect(exitCode, stderr).toBe(0);
      expect(stderr).toContain('2 services added.');
      expect(await readServices()).toEqual([
        { duration: 90, price: 12_000 },
        { duration: 10, price: null },
      ]);
    });

    it('need a file for --add-services', async () => {
      const ran = await world.salon(['appointments', 'create', '--add-services', '--client', 'Ana Costa']);
      expect(ran).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('--add-services needs --file'),
      });
    });
  });
});
