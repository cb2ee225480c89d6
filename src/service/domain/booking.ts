import { type Appointment, attendanceStatuses } from '../../contract/appointment.ts';
import { maxListedConflicts } from '../../contract/blocked-time.ts';
import type { Client } from '../../contract/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { foldText } from '../../text/search-text.ts';
import { parseInstant } from '../../time/time.ts';
import type { Reader, Writer } from '../db/engine.ts';
import type { NewRow } from '../db/record-rows.ts';
import { readBookingFacts } from '../db/records/appointments.ts';
import { readRecord } from '../db/records/records.ts';
import { mayUse } from './authorization.ts';
import { blocksTime, toClientName, toStylistName } from './booking-conflicts.ts';
import type { Caller, Context } from './context.ts';
import { recordBookingChange } from './events.ts';
import { earlyAttendanceMs } from './limits.ts';
import { type Replacement, replaceRecords, toTimeRange } from './records.ts';
import { checkStylist } from './stylists.ts';
import { assertValidBody, findUnstorable } from './validation.ts';

/**
 * Checks what a schema cannot. Returns the booking with its start in UTC, and whether the stylist has another
 * appointment or is away at that time; for this, a duration in minutes is needed. The price is that of the service.
 * Throws `validation_failed`.
 */
export async function validateBooking<
  Fields extends Partial<Pick<Appointment, 'client_id' | 'stylist_id' | 'start_time' | 'service'>>,
>(tx: Writer, accountId: string, booking: Fields, duration?: number) {
  const violations = findUnstorable(booking);
  const { client_id: clientId, stylist_id: stylistId, start_time: startTime, service } = booking;
  const start = startTime === undefined ? undefined : parseInstant(startTime);
  const slot =
    start === undefined || duration === undefined
      ? undefined
      : toTimeRange({ start_time: start.utc, duration });
  const serviceKey = service === undefined ? undefined : foldText(service);
  const facts = await readBookingFacts(tx, accountId, { clientId, stylistId, slot, serviceKey });
  if (clientId !== undefined && !facts.isClient) {
    const detail = '/client_id is not the ID of a client.';
    violations.push({ pointer: '/client_id', code: 'not_found', detail });
  }
  if (stylistId !== undefined) violations.push(...checkStylist('/stylist_id', facts.stylist));
  if (startTime !== undefined && start === undefined) {
    const detail = '/start_time must be an RFC 3339 time with a time zone.';
    violations.push({ pointer: '/start_time', code: 'invalid_format', detail });
  }
  assertValidBody(violations);
  const fields = start === undefined ? booking : { ...booking, start_time: start.utc };
  return { ...facts, fields };
}

/** Whether a change makes an appointment block time of a stylist that it did not block before. */
export function needsNewTime(before: Appointment, after: Appointment): boolean {
  const [former, wanted] = [toTimeRange(before), toTimeRange(after)];
  const isWithin = wanted.startMs >= former.startMs && wanted.endMs <= former.endMs;
  return !blocksTime(before) || before.stylist_id !== after.stylist_id || !isWithin;
}

/** Throws `appointment_not_started` for an appointment that is over or under way, but starts more than a day ahead. */
export function assertNotEarly({ status, start_time: start }: Appointment, now: Date): void {
  if (!attendanceStatuses.some((attended) => attended === status)) return;
  if (Date.parse(start) - now.getTime() <= earlyAttendanceMs) return;
  const detail = `The appointment starts at ${start} and cannot be ${status} more than a day ahead.`;
  throw new SalonError('appointment_not_started', detail);
}

/** The appointment after its cancellation. */
export function toCancelled(appointment: Appointment, reason: string | null): Appointment {
  return { ...appointment, status: 'cancelled', cancellation_reason: reason };
}

/** Replaces appointments, and writes their events. */
export async function replaceBookings(
  tx: Writer,
  context: Context,
  changes: readonly Replacement<Appointment>[],
): Promise<void> {
  const replaced = await replaceRecords(tx, context, { collection: 'appointments', changes });
  for (const change of replaced) await recordBookingChange(tx, context, change);
}

/** How many upcoming appointments an error describes. */
const maxUpcoming = 10;

/** Throws `client_has_upcoming_appointments`, with their times as far as the caller may know them. */
export async function refuseDeletion(
  tx: Reader,
  caller: Caller,
  { client, upcoming }: { readonly client: Client; readonly upcoming: readonly NewRow<'appointments'>[] },
): Promise<never> {
  const name = mayUse(caller, 'getClient') ? toClientName(client) : null;
  const count =
    upcoming.length === 1 ? 'an upcoming appointment' : `${upcoming.length} upcoming appointments`;
  const shown = mayUse(caller, 'getAppointment') ? upcoming.slice(0, maxUpcoming) : [];
  const appointments = await Array.fromAsync(shown, async ({ id, stylist_id, record }) => {
    const { start_time, service }: Appointment = JSON.parse(record);
    const key = { accountId: caller.account.id, id: stylist_id };
    const stylist = mayUse(caller, 'getStylist') ? await readRecord(tx, 'stylists', key) : undefined;
    const stylist_name = stylist === undefined ? null : toStylistName(JSON.parse(stylist.record));
    return { id, start_time, service, stylist_name };
  });
  throw new SalonError('client_has_upcoming_appointments', `${name ?? 'The client'} has ${count}.`, {
    members: {
      appointment_ids: upcoming.slice(0, maxListedConflicts).map(({ id }) => id),
      client_name: name,
      appointments,
    },
  });
}
