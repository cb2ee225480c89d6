import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import {
  paidAppointments as appointments,
  openReportServer,
  payment,
  stylists,
} from '../../support/report-server.ts';
import { isLong } from '../../support/speed.ts';

const timeZone = 'Europe/Berlin';

describe('the totals of salon report revenue', () => {
  it('equal a recomputation to the cent, whatever the payments', async () => {
    using machine = createMachine({ now: new Date('2026-11-21T12:00:00Z'), timeZone });
    await using server = await openReportServer();
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyPayment, { maxLength: 60 }),
        anyGrouping,
        anyPeriod,
        async (made, by, span) => {
          const payments = made.map((one, index) => payment({ ...one, id: `pay_${index}` }));
          Object.assign(server.lists, { payments, appointments, stylists });
          const line = `report revenue --from ${span.from} --to ${span.to} --by ${by} --json`;
          const ran = await machine.salon(line.split(' '), { env });
          expect(ran.exitCode, ran.stderr).toBe(0);
          const shown = (JSON.parse(ran.stdout) as Figures[]).filter(({ payments: count }) => count > 0);
          expect(new Map(shown.map((row) => [keyOf(row, by), pickFigures(row)]))).toEqual(
            recompute(payments, by, span),
          );
        },
      ),
      { numRuns: isLong ? 1500 : 25 },
    );
  });
});

interface Figures {
  readonly payments: number;
  readonly sales: number;
  readonly refunds: number;
  readonly revenue: number;
  readonly tips: number;
  readonly [name: string]: unknown;
}

const anyPayment = fc.record({
  amount: fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.constant(1_000_000_000_001)),
  tip_amount: fc.integer({ min: 0, max: 900 }),
  refunded_amount: fc.integer({ min: 0, max: 21_000 }),
  currency: fc.constantFrom('EUR', 'USD', 'JPY'),
  status: fc.constantFrom('completed', 'completed', 'completed', 'pending', 'failed'),
  appointment_id: fc.constantFrom('apt_1', 'apt_2', 'apt_3', 'apt_9', null),
  // Around both changes of the clocks in Berlin, and the ends of months.
  created_at: fc
    .integer({ min: Date.parse('2026-03-20T00:00:00Z'), max: Date.parse('2026-11-05T00:00:00Z') })
    .chain((ms) => fc.constantFrom(ms, ms - (ms % 3_600_000), ms - (ms % 3_600_000) - 1))
    .map((ms) => new Date(ms).toISOString()),
});
const anyGrouping = fc.constantFrom('stylist', 'service', 'day', 'week', 'month');
const anyPeriod = fc.constantFrom(
  { from: '2026-03-25', to: '2026-04-02' },
  { from: '2026-10-01', to: '2026-10-31' },
  { from: '2026-04-01', to: '2026-11-30' },
);
const localDate = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });

/** The same figures, found another way: by the local date of each payment. */
function recompute(
  payments: readonly ReturnType<typeof payment>[],
  by: string,
  span: { from: string; to: string },
) {
  const found = new Map<string, ReturnType<typeof pickFigures>>();
  for (const {
    amount,
    tip_amount,
    refunded_amount,
    currency,
    status,
    appointment_id,
    created_at,
  } of payments) {
    const date = localDate.format(Date.parse(created_at));
    if (status !== 'completed' || date < span.from || date > span.to) continue;
    const appointment = appointments.find(({ id }) => id === appointment_id);
    const monday = new Date(Date.parse(date) - ((new Date(date).getUTCDay() + 6) % 7) * 86_400_000);
    const week = monday.toISOString().slice(0, 10);
    const keys: Readonly<Record<string, string | null>> = {
      ...{ stylist: appointment?.stylist_id ?? null, service: appointment?.service ?? null, day: date },
      ...{ week: [week, span.from].toSorted().at(-1) ?? '', month: date.slice(0, 7) },
    };
    const key = `${keys[by]} ${currency}`;
    const sum = found.get(key) ?? { payments: 0, sales: 0, refunds: 0, revenue: 0, tips: 0 };
    const refunds = Math.min(refunded_amount, amount);
    found.set(key, {
      payments: sum.payments + 1,
      sales: sum.sales + amount,
      refunds: sum.refunds + refunds,
      revenue: sum.revenue + amount - refunds,
      tips: sum.tips + tip_amount - (refunded_amount - refunds),
    });
  }
  return found;
}

function keyOf(row: Figures, by: string): string {
  return `${row[by === 'stylist' ? 'stylist_id' : by]} ${row['currency']}`;
}

function pickFigures({ payments, sales, refunds, revenue, tips }: Figures) {
  return { payments, sales, refunds, revenue, tips };
}
