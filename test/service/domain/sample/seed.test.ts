import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { type Appointment, appointment } from '../../../../src/contract/appointment.ts';
import { type Client, client } from '../../../../src/contract/client.ts';
import { type Payment, payment } from '../../../../src/contract/payment.ts';
import type { Stylist } from '../../../../src/contract/stylist.ts';
import { listAppointments } from '../../../../src/service/domain/appointments.ts';
import { listClients } from '../../../../src/service/domain/clients.ts';
import { listPayments } from '../../../../src/service/domain/payments.ts';
import { type SeedOptions, seedAccount } from '../../../../src/service/domain/sample/seed.ts';
import { listStylists } from '../../../../src/service/domain/stylists.ts';
import { createZoneClock } from '../../../../src/time/time.ts';
import { readAll } from '../../../support/read-all.ts';
import { openTestSalon, type TestSalon, testNow } from '../../../support/salon.ts';

function toEnd(row: Appointment | undefined): number {
  return row === undefined ? Number.NaN : Date.parse(row.start_time) + row.duration * 60_000;
}

function toDay(row: Appointment): number {
  return Math.floor(Date.parse(row.start_time) / 86_400_000);
}

const small = { clients: 60, appointments: 900, stylists: 4, seed: 1, today: new Date(testNow) };

function seed(salon: TestSalon, change: Partial<SeedOptions> = {}) {
  return seedAccount(
    { database: salon.store.database, environment: salon.environment },
    {
      ...small,
      accountId: salon.accountId,
      ...change,
    },
  );
}

describe('a sample salon', () => {
  it('has the requested records, valid by the contract, with valid references', async () => {
    await using salon = await openTestSalon();
    const seeded = await seed(salon);
    expect(seeded).toEqual({ clients: 60, appointments: 900, stylists: 4, payments: expect.any(Number) });
    const clients = await readAll<Client>(listClients, salon.as());
    const appointments = await readAll<Appointment>(listAppointments, salon.as());
    expect([clients.length, appointments.length]).toEqual([60, 900]);
    const [clientShape, appointmentShape] = [Compile(client), Compile(appointment)];
    expect(clients.filter((row) => !clientShape.Check(row))).toEqual([]);
    expect(appointments.filter((row) => !appointmentShape.Check(row))).toEqual([]);
    const known = new Set(clients.map(({ id }) => id));
    expect(appointments.every((row) => known.has(row.client_id))).toBe(true);
    expect(new Set(appointments.map(({ id }) => id)).size).toBe(900);
  });

  it('has no overlaps, and opens from nine to seven, on Sundays from ten to four', async () => {
    await using salon = await openTestSalon();
    await seed(salon);
    const appointments = await readAll<Appointment>(listAppointments, salon.as());
    const ends = new Map<string, number>();
    for (const row of appointments.toSorted((a, b) => a.start_time.localeCompare(b.start_time))) {
      const start = new Date(row.start_time);
      const end = new Date(start.getTime() + row.duration * 60_000);
      expect(start.getTime()).toBeGreaterThanOrEqual(ends.get(row.stylist_id) ?? 0);
      ends.set(row.stylist_id, end.getTime());
      const [opens, closes] = start.getUTCDay() === 0 ? ['10:00', '16:00'] : ['09:00', '19:00'];
      expect(start.toISOString().slice(11, 16) >= opens && end.toISOString().slice(11, 16) <= closes).toBe(
        true,
      );
    }
  });

  it('opens at nine in its time zone, in summer and in winter', async () => {
    await using salon = await openTestSalon();
    await seed(salon, { timeZone: 'America/New_York' });
    const zone = createZoneClock('America/New_York');
    const starts = (await readAll<Appointment>(listAppointments, salon.as())).map((row) =>
      new Date(zone.wall(Date.parse(row.start_time))).toISOString(),
    );
    for (const month of ['-07-', '-01-']) {
      const hours = starts.filter((start) => start.includes(month)).map((start) => start.slice(11, 16));
      expect(hours.toSorted()[0]).toMatch(/^09:/);
    }
  });

  it('has bookings on every weekday of the past and the coming weeks', async () => {
    await using salon = await openTestSalon();
    await seed(salon, { clients: 200, appointments: 4_000 });
    const days = new Set((await readAll<Appointment>(listAppointments, salon.as())).map(toDay));
    const today = Math.floor(Date.parse(testNow) / 86_400_000);
    for (let day = today - 30; day <= today + 30; day++) expect(days).toContain(day);
  });

  it('has regulars, and clients who stopped coming', async () => {
    await using salon = await openTestSalon();
    await seed(salon, { clients: 200, appointments: 4_000 });
    const lastSeen = new Map<string, number>();
    const visits = new Map<string, number>();
    for (const row of await readAll<Appointment>(listAppointments, salon.as())) {
      if (row.status !== 'completed') continue;
      lastSeen.set(row.client_id, Math.max(toDay(row), lastSeen.get(row.client_id) ?? 0));
      visits.set(row.client_id, (visits.get(row.client_id) ?? 0) + 1);
    }
    const halfYearAgo = Date.parse(testNow) / 86_400_000 - 182;
    const lapsed = [...lastSeen.values()].filter((day) => day < halfYearAgo).length;
    expect(lapsed).toBeGreaterThan(10);
    expect(lapsed).toBeLessThan(80);
    expect([...visits.values()].filter((count) => count > 5).length).toBeGreaterThan(50);
  });

  it('has clients who were entered twice, under another spelling', async () => {
    await using salon = await openTestSalon();
    await seed(salon, { clients: 600, appointments: 0 });
    const clients = await readAll<Client>(listClients, salon.as());
    const annas = clients.filter(({ phone }) => phone === clients[3]?.phone);
    expect(annas.map(({ last_name }) => last_name)).toEqual(['Weber', 'Webber']);
    const phones = Map.groupBy(clients, ({ phone }) => phone ?? '');
    phones.delete('');
    const shared = [...phones.values()].filter((group) => group.length > 1).length;
    expect(shared).toBeGreaterThan(4);
    expect(shared).toBeLessThan(30);
  });

  it('leaves room for the first examples: Ana Costa has no bookings ahead, Mia is free tomorrow at three', async () => {
    await using salon = await openTestSalon();
    await seed(salon);
    const [ana] = await readAll<Client>(listClients, salon.as());
    const [mia] = await readAll<Stylist>(listStylists, salon.as());
    expect([ana?.first_name, ana?.last_name, mia?.display_name]).toEqual(['Ana', 'Costa', 'Mia']);
    const tomorrow = Math.floor(Date.parse(testNow) / 86_400_000) + 1;
    for (const row of await readAll<Appointment>(listAppointments, salon.as())) {
      if (row.start_time > testNow) expect(row.client_id).not.toBe(ana?.id);
      if (row.stylist_id === mia?.id && toDay(row) === tomorrow) {
        expect(toEnd(row)).toBeLessThanOrEqual(tomorrow * 86_400_000 + 15 * 3_600_000);
      }
    }
  });

  it('has statuses that fit the time, and bookings made before today', async () => {
    await using salon = await openTestSalon();
    await seed(salon);
    const past = new Set(['completed', 'no_show', 'cancelled']);
    const future = new Set(['confirmed', 'pending', 'cancelled', 'arrived']);
    const now = Date.parse(testNow);
    for (const row of await readAll<Appointment>(listAppointments, salon.as())) {
      const start = Date.parse(row.start_time);
      const end = start + row.duration * 60_000;
      expect(row.created_at <= testNow && row.created_at <= row.updated_at && row.updated_at <= testNow).toBe(
        true,
      );
      if (end <= now) {
        expect(past).toContain(row.status);
      } else if (start > now) {
        expect(future).toContain(row.status);
      }
    }
  });

  it('is the same for the same seed, IDs included, and different for another', async () => {
    await using salon = await openTestSalon();
    const [same, other] = [await salon.openNeighbour(), await salon.openNeighbour()];
    await seed(salon);
    await seed(same);
    await seed(other, { seed: 2 });
    const read = async (one: TestSalon) => [
      await readAll(listClients, one.as()),
      await readAll(listAppointments, one.as()),
      await readAll(listPayments, one.as()),
    ];
    expect(await read(same)).toEqual(await read(salon));
    expect(await read(other)).not.toEqual(await read(salon));
  });

  it('is completed by the same call after an interruption, as if there had been none', async () => {
    const large = { clients: 40, appointments: 5_100 };
    await using whole = await openTestSalon();
    const counts = await seed(whole, large);
    const readIds = async (salon: TestSalon) =>
      Promise.all(
        [listStylists, listClients, listAppointments, listPayments].map(async (list) => {
          const rows = await readAll<{ id: string }>(list as typeof listClients, salon.as());
          return rows.map(({ id }) => id);
        }),
      );
    const wanted = await readIds(whole);

    await using salon = await openTestSalon();
    const { database } = salon.store;
    const interrupt = new AbortController();
    let transactions = 0;
    const interrupted: typeof database = {
      ...database,
      transaction(lock, body) {
        transactions += 1;
        // After the stylists, the clients and the first of two parts of the appointments.
        if (transactions === 4) interrupt.abort();
        return database.transaction(lock, body);
      },
    };
    const options = { ...small, ...large, accountId: salon.accountId };
    await expect(
      seedAccount(
        { database: interrupted, environment: salon.environment },
        { ...options, signal: interrupt.signal },
      ),
    ).rejects.toMatchObject({
      code: 'interrupted',
      hint: 'Some sample data was added. Run the same command again to add the rest.',
    });
    expect((await readIds(salon)).map(({ length }) => length)).toEqual([4, 40, 5_000, 0]);
    await expect(seed(salon, { ...large, clients: 41 })).rejects.toMatchObject({
      code: 'usage',
      message: 'The account has an unfinished set of sample data.',
      hint: 'Finish it first: --clients 40 --appointments 5100 --seed 1',
    });
    const later = new Date(Date.parse(testNow) + 86_400_000);
    expect(await seed(salon, { ...large, today: later })).toEqual(counts);
    expect(await readIds(salon)).toEqual(wanted);
    await seed(salon);
    expect((await readIds(salon))[1]).toHaveLength(100);
  });

  it('adds to existing records, also with the same seed', async () => {
    await using salon = await openTestSalon();
    await salon.addClient();
    await seed(salon);
    await seed(salon);
    const appointments = await readAll<Appointment>(listAppointments, salon.as());
    expect(new Set(appointments.map(({ id }) => id)).size).toBe(1800);
    expect((await listClients(salon.as(), {})).total).toBe(121);
  });

  it('has a payment for each recently completed appointment, with its client and stylist', async () => {
    await using salon = await openTestSalon();
    const seeded = await seed(salon);
    const payments = await readAll<Payment>(listPayments, salon.as());
    expect(payments).toHaveLength(seeded.payments);
    const shape = Compile(payment);
    expect(payments.filter((row) => !shape.Check(row))).toEqual([]);
    const appointments = await readAll<Appointment>(listAppointments, salon.as());
    const late = appointments.filter(
      (row) => row.status === 'completed' && toEnd(row) >= Date.parse(testNow) - 90 * 86_400_000,
    );
    expect(late.length).toBeGreaterThan(50);
    expect(payments.map((row) => row.appointment_id).sort()).toEqual(late.map(({ id }) => id).sort());
    const paid = new Map(late.map((row) => [row.id, row]));
    for (const row of payments) {
      const appointment = paid.get(row.appointment_id ?? '');
      expect(row.client_id).toBe(appointment?.client_id);
      expect(Date.parse(row.created_at)).toBeGreaterThanOrEqual(toEnd(appointment));
      expect(row.created_at <= row.updated_at && row.updated_at <= testNow).toBe(true);
      expect(row.refunded_amount).toBeLessThanOrEqual(row.amount + row.tip_amount);
    }
    expect(payments.map((row) => row.created_at)).toEqual(payments.map((row) => row.created_at).sort());
    const stylistId = late[0]?.stylist_id ?? '';
    const own = await readAll<Payment>(listPayments, salon.as({ role: 'stylist', stylistId }));
    expect(own.map((row) => row.appointment_id).sort()).toEqual(
      late
        .filter((row) => row.stylist_id === stylistId)
        .map(({ id }) => id)
        .sort(),
    );
  });

  it('has names in many scripts, and clients without an email or a phone number', async () => {
    await using salon = await openTestSalon();
    await seed(salon, { clients: 400, appointments: 0 });
    const clients = await readAll<Client>(listClients, salon.as());
    for (const script of [/\p{Script=Han}/u, /\p{Script=Arabic}/u, /\p{Script=Cyrillic}/u, /[éüøłç]/]) {
      expect(clients.some(({ first_name, last_name }) => script.test(`${first_name}${last_name}`))).toBe(
        true,
      );
    }
    expect(clients.some(({ email }) => email === null)).toBe(true);
    expect(clients.some(({ phone }) => phone === null)).toBe(true);
    expect(clients.every(({ email, phone }) => email !== null || phone !== null)).toBe(true);
    expect(clients.every(({ phone }) => phone === null || /^\+\d{7,15}$/.test(phone))).toBe(true);
  });

  it('reaches further back when the calendar would overflow', async () => {
    await using salon = await openTestSalon();
    await seed(salon, { stylists: 1, appointments: 5000 });
    const { dataJson } = await listAppointments(salon.as(), { sort: 'start_time', per_page: 1 });
    expect(JSON.parse(dataJson.toString())[0].start_time < '2025-01-01').toBe(true);
  });

  it.each([
    ['appointments without clients', { clients: 0 }],
    ['appointments without stylists', { stylists: 0 }],
    ['a calendar from before computers', { stylists: 1, appointments: 150_000 }],
  ])('cannot have %s', async (_, change) => {
    await using salon = await openTestSalon();
    await expect(seed(salon, change)).rejects.toMatchObject({ code: 'usage' });
    expect((await listClients(salon.as(), {})).total).toBe(0);
  });
});
