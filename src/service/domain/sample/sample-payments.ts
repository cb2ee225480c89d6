import type { Appointment } from '../../../contract/appointment.ts';
import type { Payment } from '../../../contract/payment.ts';
import { dayMs } from '../../../time/time.ts';
import { toTimeRange } from '../records.ts';
import { createSeededRandom, type SeededRandom, toRecordTimes } from './sample-random.ts';
import sample from './sample-salon.json' with { type: 'json' };

/** A completed visit and when it was paid. Kept small, because there may be millions. */
export interface PaidVisit {
  readonly appointmentId: string;
  readonly clientId: string;
  readonly stylistId: string;
  readonly service: string;
  readonly paidMs: number;
  /** Cents that were paid in any case, not tried and perhaps refunded. */
  readonly settled?: number;
}

/** Only recent visits have payments; years of them would double the time to create a salon. */
const paymentDays = 90;

const maxCheckoutMs = 10 * 60_000;
const maxRefundDays = 6;

const unpaidDays = 2;
const unpaidEvery = 8;
const retryMs = 2 * 60_000;

const prices = new Map(sample.services.map(({ name, price }) => [name, price]));

function toPrice(service: string): number {
  return prices.get(service) ?? 0;
}

/** Pays everything but a few visits of the last two days; the first of these is paid in part. */
export function createCheckout(nowMs: number) {
  let recent = 0;
  return (visit: PaidVisit): readonly PaidVisit[] => {
    const price = toPrice(visit.service);
    const isUnpaid = visit.paidMs >= nowMs - unpaidDays * dayMs && recent++ % unpaidEvery === 0;
    if (isUnpaid) return recent === 1 ? [{ ...visit, settled: Math.round(price / 2) }] : [];
    const { status } = toSamplePayment(visit, nowMs);
    if (status === 'completed') return [visit];
    const paid = { ...visit, settled: price, paidMs: Math.min(visit.paidMs + retryMs, nowMs) };
    return status === 'failed' ? [visit, paid] : [paid];
  };
}

/** The price of an appointment. Those from before there were payments have none, or they would be due. */
export function toSamplePrice(appointment: Appointment, payments: readonly Payment[], nowMs: number) {
  if (toTimeRange(appointment).endMs < nowMs - paymentDays * dayMs) return null;
  // What was given back was too much.
  const isRefunded = payments.some(({ refunded_amount }) => refunded_amount > 0);
  return isRefunded ? appointment.paid_amount : toPrice(appointment.service);
}

/** The paid visit of an appointment; undefined when it was not completed or is too old. */
export function toPaidVisit(
  random: SeededRandom,
  appointment: Appointment,
  nowMs: number,
): PaidVisit | undefined {
  const { id, client_id, stylist_id, service, status } = appointment;
  const { endMs } = toTimeRange(appointment);
  if (status !== 'completed' || endMs < nowMs - paymentDays * dayMs) return undefined;
  const paidMs = Math.min(Math.floor(endMs + random.fraction() * maxCheckoutMs), nowMs);
  return { appointmentId: id, clientId: client_id, stylistId: stylist_id, service, paidMs };
}

/** The payment of a visit, always the same one. A few are pending, failed or refunded. */
export function toSamplePayment(visit: PaidVisit, nowMs: number): Payment {
  const { appointmentId, clientId, service, paidMs, settled } = visit;
  const random = createSeededRandom(settled === undefined ? appointmentId : `${appointmentId} settled`);
  const amount = settled ?? toPrice(service);
  const method = pickMethod(random);
  // 5% to 14% of the price, in steps of 50 cents.
  const hasTip = method !== 'gift_card' && random.chance(0.35);
  const tip = hasTip && Math.max(1, Math.round((amount * (0.05 + random.fraction() * 0.09)) / 50)) * 50;
  // A card payment may fail; others may be pending.
  const isCompleted = settled !== undefined || random.chance(0.98);
  const isRefunded = settled === undefined && isCompleted && random.chance(0.015);
  const refundedMs = Math.floor(paidMs + random.fraction() * maxRefundDays * dayMs);
  return {
    id: random.id('payment', paidMs),
    client_id: clientId,
    appointment_id: appointmentId,
    amount,
    currency: sample.settings.currency,
    tip_amount: tip || 0,
    method,
    status: isCompleted ? 'completed' : method === 'card' ? 'failed' : 'pending',
    refunded_amount: isRefunded ? random.pick([amount, Math.round(amount / 2)]) : 0,
    reference: method === 'card' ? `T-${100_000 + random.below(900_000)}` : null,
    ...toRecordTimes(paidMs, isRefunded ? Math.min(refundedMs, nowMs) : paidMs),
  };
}

function pickMethod(random: SeededRandom): Payment['method'] {
  const chance = random.fraction();
  if (chance < 0.7) return 'card';
  return chance < 0.92 ? 'cash' : chance < 0.98 ? 'gift_card' : 'other';
}
