import type { Appointment } from '../../../contract/appointment.ts';
import type { Payment } from '../../../contract/payment.ts';
import { toTimeRange } from '../booking.ts';
import { dayMs } from '../validation.ts';
import { createSampleId } from './people.ts';
import type { SeededRandom } from './random.ts';

/** A visit that was paid at the till. Small, for there may be millions at once. */
export interface PaidVisit {
  readonly appointmentId: string;
  readonly clientId: string;
  readonly stylistId: string;
  readonly service: string;
  readonly paidMs: number;
}

const currency = 'EUR';
/** The till is newer than the calendar; payments of years would take as long to make as all the rest. */
const tillDays = 90;

/** In cents; what is not named here costs as much as a cut. */
const prices: ReadonlyMap<string, number> = new Map([
  ['Cut and blow-dry', 5_200],
  ['Men’s cut', 3_200],
  ['Blow-dry', 3_000],
  ['Fringe trim', 1_200],
  ['Beard trim', 1_800],
  ['Root colour', 7_500],
  ['Full colour', 11_000],
  ['Half-head highlights', 13_500],
  ['Balayage', 17_500],
  ['Conditioning treatment', 2_800],
  ['Bridal up-do', 9_500],
]);
const usualPrice = 5_200;
const longestTillMs = 10 * 60_000;
const longestRegretDays = 6;

/** What was paid for an appointment; undefined for one that did not take place, or before there was a till. */
export function toPaidVisit(
  random: SeededRandom,
  appointment: Appointment,
  nowMs: number,
): PaidVisit | undefined {
  const { id, client_id, stylist_id, service, status } = appointment;
  const { endMs } = toTimeRange(appointment);
  if (status !== 'completed' || endMs < nowMs - tillDays * dayMs) return undefined;
  const paidMs = Math.min(Math.floor(endMs + random.fraction() * longestTillMs), nowMs);
  return { appointmentId: id, clientId: client_id, stylistId: stylist_id, service, paidMs };
}

/** The record of a purchase. Few are still open, failed, or were given back in the days after. */
export function toSamplePayment(random: SeededRandom, purchase: PaidVisit, nowMs: number): Payment {
  const { appointmentId, clientId, service, paidMs } = purchase;
  const amount = prices.get(service) ?? usualPrice;
  const method = pickMethod(random);
  const tip = method !== 'gift_card' && random.chance(0.35) ? toTip(random, amount) : 0;
  const status = pickStatus(random, method);
  const isRefunded = status === 'completed' && random.chance(0.015);
  const refundedMs = Math.floor(paidMs + random.fraction() * longestRegretDays * dayMs);
  const updatedMs = isRefunded ? Math.min(refundedMs, nowMs) : paidMs;
  return {
    id: createSampleId('payment', random, paidMs),
    client_id: clientId,
    appointment_id: appointmentId,
    amount,
    currency,
    tip_amount: tip,
    method,
    status,
    refunded_amount: isRefunded ? random.pick([amount, Math.round(amount / 2)]) : 0,
    reference: method === 'card' ? `T-${100_000 + random.below(900_000)}` : null,
    created_at: new Date(paidMs).toISOString(),
    updated_at: new Date(updatedMs).toISOString(),
  };
}

function pickMethod(random: SeededRandom): Payment['method'] {
  const chance = random.fraction();
  if (chance < 0.7) return 'card';
  return chance < 0.92 ? 'cash' : chance < 0.98 ? 'gift_card' : 'other';
}

/** Cards are declined; what is not paid by card may be owed. */
function pickStatus(random: SeededRandom, method: Payment['method']): Payment['status'] {
  if (random.chance(0.98)) return 'completed';
  return method === 'card' ? 'failed' : 'pending';
}

/** Between a twentieth and a seventh of the price, in steps of half a euro. */
function toTip(random: SeededRandom, amount: number): number {
  return Math.max(1, Math.round((amount * (0.05 + random.fraction() * 0.09)) / 50)) * 50;
}
