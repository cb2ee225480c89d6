import { describe, expect, it } from 'vitest';
import type { Appointment } from '../../../../src/contract/appointment.ts';
import type { BlockedTime } from '../../../../src/contract/blocked-time.ts';
import { type Payment, toPaidAmount, toPaymentState } from '../../../../src/contract/payment.ts';
import type { SalonService } from '../../../../src/contract/salon-service.ts';
import type { Stylist } from '../../../../src/contract/stylist.ts';
import { listAppointments } from '../../../../src/service/domain/appointments.ts';
import { listBlockedTimes } from '../../../../src/service/domain/blocked-times.ts';
import { listPayments } from '../../../../src/service/domain/payments.ts';
import { listServices } from '../../../../src/service/domain/salon-services.ts';
import { getSalon } from '../../../../src/service/domain/salon-settings.ts';
import { type SeedOptions, seedAccount } from '../../../../src/service/domain/sample/seed.ts';
import { listStylists } from '../../../../src/service/domain/stylists.ts';
import { parseWeekHours } from '../../../../src/time/week-hours.ts';
import { readAll } from '../../../support/read-all.ts';
import { openTestSalon, type TestSalon, testNow } from '../../../support/salon.ts';

const days = ['2026-11-23', '2026-11-26', '2026-11-28', '2026-11-29'].map(
  (day) => new Date(`${day}T13:20:00Z`),
);
const whole = {
  seed: 1,
  today: new Date(testNow),
  clients: 300,
  appointments: 8_000,
  stylists: 6,
  extras: true,
};

function seed(salon: TestSalon, change: Partial<SeedOptions> = {}) {
  const { database } = salon.store;
  const options = { ...whole, ...change, accountId: salon.accountId };
  return seedAccount({ database, environment: salon.environment }, options);
}

function toEnd(row: Appointment): number {
  return Date.parse(row.start_time) + row.duration * 60_000;
}

describe('a sample salon with extras', () => {
  it('has settings of its own, and services whose prices its appointments have', async () => {
    await using salon = await openTestSalon();
    await seed(salon, { timeZone: 'Europe/Paris' });
    expect(await getSalon(salon.as())).toMatchObject({
      currency: 'EUR',
      country: 'FR',
      time_zone: 'Europe/Paris',
      opening_hours: 'mon-sat 09:00-19:00, sun 10:00-16:00',
    });
    const services = await readAll<SalonService>(listServices, salon.as());
    const known = new Map(services.map((row) => [row.name, row]));
    expect(known.size).toBe(11);
    const appointments = await readAll<Appointment>(listAppointments, salon.as());
    for (const { service, duration, price, status, start_time } of appointments) {
      expect(known.get(service)?.duration).toBe(duration);
      if (status !== 'completed' && start_time > '2026-09-01') expect(price).toBe(known.get(service)?.price);
    }
    for (const { services: offered } of await readAll<Stylist>(listStylists, salon.as()))
      expect(offered.filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(days)(
    'made at %j owes a few visits, and has a day closed, one ill and one on holiday',
    async (today) => {
      await using salon = await openTestSalon();
      await seed(salon, { today });
      const payments = Map.groupBy(
        await readAll<Payment>(listPayments, salon.as()),
        (row) => row.appointment_id,
      );
      const appointments = await readAll<Appointment>(listAppointments, salon.as());
      const completed = appointments.filter(({ status }) => status === 'completed');
      for (const row of completed)
        expect(row.paid_amount).toBe(toPaidAmount(payments.get(row.id) ?? [], 'EUR'));
      const due = completed.filter((row) => toPaymentState(row) === 'due');
      expect(due.length).toBeGreaterThan(1);
      expect(due.length).toBeLessThan(10);
      expect(due.filter(({ paid_amount }) => paid_amount !== 0)).toHaveLength(1);
      for (const row of due) expect(toEnd(row)).toBeGreaterThan(today.getTime() - 2 * 86_400_000 - 600_000);

      const blocks = await readAll<BlockedTime>(listBlockedTimes, salon.as());
      const affected = blocks.map(({ reason, stylist_id, start_time, end_time }) => [
        reason,
        (Date.parse(end_time) - Date.parse(start_time)) / 86_400_000,
        appointments.filter(
          (row) =>
            row.status !== 'cancelled' &&
            (stylist_id === null || stylist_id === row.stylist_id) &&
            Date.parse(row.start_time) < Date.parse(end_time) &&
            toEnd(row) > Date.parse(start_time),
        ).length,
      ]);
      expect(affected).toEqual([
        ['sick', 1, expect.any(Number)],
        ['holiday', 7, 0],
        ['closed', 1, 0],
      ]);
      expect(affected[0]?.[2]).toBeGreaterThan(0);
      const ill = blocks[0];
      expect(toDayOf(ill?.start_time) - Math.floor(today.getTime() / 86_400_000)).toBe(1);
    },
  );

  it('has no visits outside of working hours, so that everybody has lunch', async () => {
    await using salon = await openTestSalon();
    await seed(salon);
    const hours = new Map(
      (await readAll<Stylist>(listStylists, salon.as())).map(({ id, working_hours }) => [
        id,
        parseWeekHours(working_hours ?? ''),
      ]),
    );
    for (const row of await readAll<Appointment>(listAppointments, salon.as())) {
      const start = new Date(row.start_time);
      const startMs = start.getTime() % 86_400_000;
      const spans = hours.get(row.stylist_id)?.[start.getUTCDay()] ?? [];
      expect(
        spans.some((span) => startMs >= span.startMs && startMs + row.duration * 60_000 <= span.endMs),
      ).toBe(true);
    }
    expect([...hours.values()].map((week) => week?.[2]?.length).filter((spans) => spans === 1)).toEqual([]);
  });
});

function toDayOf(time: string | undefined): number {
  return Math.floor(Date.parse(time ?? '') / 86_400_000);
}
