import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QueryOf } from '../../../src/contract/endpoints.ts';
import type { Payment } from '../../../src/contract/payment.ts';
import { updateAppointment } from '../../../src/service/domain/appointments.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import { createPayment, listPayments, refundPayment } from '../../../src/service/domain/payments.ts';
import { openTestSalon } from '../../support/salon.ts';
import { countBySpeed } from '../../support/speed.ts';

type Query = QueryOf<'listPayments'>;

const step = fc.record({
  /** Which of two processes acts. */
  by: fc.nat(1),
  act: fc.oneof(
    { weight: 4, arbitrary: fc.record({ pay: fc.option(fc.nat(2)), isPending: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ refund: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ move: fc.nat(2), to: fc.nat(1) }) },
    { weight: 4, arbitrary: fc.record({ read: fc.nat() }) },
  ),
});
const listing = fc.record({
  sort: fc.constantFrom(undefined, 'created_at', '-created_at', 'updated_at', '-updated_at'),
  appointment: fc.option(fc.nat(2)),
  status: fc.constantFrom(undefined, 'pending', 'pending,completed'),
  /** Minute of the hour. */
  from: fc.option(fc.nat(20)),
  /** The stylist whose key reads; null for the owner's key. */
  stylist: fc.option(fc.nat(1)),
  perPage: fc.integer({ min: 1, max: 5 }),
});

interface Model {
  payment: Payment;
  readonly appointment: number | null;
}

async function readAll(context: Context, query: Query): Promise<{ payments: Payment[]; totals: number[] }> {
  const payments: Payment[] = [];
  const totals: number[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page = await listPayments(context, after === '' ? query : { ...query, after });
    payments.push(...(JSON.parse(page.dataJson.toString()) as Payment[]));
    totals.push(page.total);
    after = page.next;
  }
  return { payments, totals };
}

function toSorted(payments: readonly Payment[], sort: Query['sort']): Payment[] {
  if (sort === undefined) return [...payments];
  const field = sort.replace('-', '') as 'created_at' | 'updated_at';
  const turn = sort.startsWith('-') ? -1 : 1;
  return payments.toSorted((a, b) => turn * (Date.parse(a[field]) - Date.parse(b[field])));
}

function toMoment(minute: number): string {
  return `2026-11-21T12:${String(minute).padStart(2, '0')}:00.000Z`;
}

describe('filtered and sorted lists of payments', () => {
  it('match filtering and sorting in memory, with two processes writing and reading', async () => {
    await using first = await openTestSalon();
    const databases = [first.store.database, await first.store.openAgain()] as const;
    const listings = fc.array(listing, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(listings, fc.array(step, { minLength: 10, maxLength: 40 }), async (queries, steps) => {
        const salon = await first.openNeighbour();
        const stylists = [await salon.addStylist(), await salon.addStylist()];
        const appointments: { id: string; stylist: number }[] = [];
        for (const day of ['01', '02', '03']) {
          const booking = { stylist_id: stylists[0] ?? '', start_time: `2026-12-${day}T09:00:00Z` };
          appointments.push({ id: await salon.addAppointment(booking), stylist: 0 });
        }
        const made: Model[] = [];
        for (const [index, { by, act }] of steps.entries()) {
          const database = databases[by] ?? databases[0];
          const owner = salon.as({ database });
          salon.environment.setTime(toMoment(Math.floor(index / 2)));
          if ('pay' in act) {
            const appointment = act.pay;
            const payment = await createPayment(owner, {
              ...{ amount: 1000, currency: 'EUR', method: 'cash' },
              appointment_id: appointment === null ? null : (appointments[appointment]?.id ?? null),
              status: act.isPending ? 'pending' : 'completed',
            });
            made.push({ payment, appointment });
          } else if ('refund' in act) {
            const chosen = made.filter(({ payment }) => payment.status === 'completed');
            const model = chosen[act.refund % chosen.length];
            if (model === undefined) continue;
            model.payment = await refundPayment(owner, model.payment.id, { amount: 1 });
          } else if ('move' in act) {
            const moved = appointments[act.move];
            if (moved === undefined) continue;
            moved.stylist = act.to;
            await updateAppointment(owner, moved.id, { change: { stylist_id: stylists[act.to] ?? '' } });
          } else {
            const { sort, appointment, status, from, stylist, perPage } = queries[
              act.read % queries.length
            ] ?? {
              ...{ sort: undefined, appointment: null, status: undefined },
              ...{ from: null, stylist: null, perPage: 1 },
            };
            const appointmentId = appointment === null ? undefined : appointments[appointment]?.id;
            const query: Query = {
              per_page: perPage,
              ...(sort === undefined ? {} : { sort }),
              ...(status === undefined ? {} : { status }),
              ...(appointmentId === undefined ? {} : { appointment_id: appointmentId }),
              ...(from === null ? {} : { created_from: toMoment(from) }),
            };
            const matching = made.filter(
              (model) =>
                (appointment === null || model.appointment === appointment) &&
                (status === undefined || status.split(',').includes(model.payment.status)) &&
                (from === null || model.payment.created_at >= toMoment(from)) &&
                (stylist === null || appointments[model.appointment ?? -1]?.stylist === stylist),
            );
            const reader =
              stylist === null
                ? owner
                : salon.as({ role: 'stylist', stylistId: stylists[stylist] ?? '', database });
            const { payments, totals } = await readAll(reader, query);
            const expected = toSorted(
              matching.map(({ payment }) => payment),
              sort,
            );
            expect(payments).toEqual(expected);
            expect(new Set(totals)).toEqual(new Set([matching.length]));
          }
        }
      }),
      { numRuns: countBySpeed(30) },
    );
  });
});
