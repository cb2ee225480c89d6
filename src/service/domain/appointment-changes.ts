import {
  type Appointment,
  type AppointmentStatus,
  isFinal,
  nextStatuses,
} from '../../contract/appointment.ts';
import type { BodyOf } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseInstant } from '../../contract/time.ts';
import { movePayments } from '../db/payments.ts';
import { updateRecords } from '../db/records.ts';
import { readAppointment } from './appointments.ts';
import { authorize, permissionDenied } from './authorization.ts';
import {
  assertAvailable,
  blocksTime,
  needsNewTime,
  toAppointmentRow,
  toCancelled,
  validateBooking,
} from './booking.ts';
import type { Context } from './context.ts';
import { recordBookingChange } from './events.ts';
import { assertIfMatch, nextUpdatedAt } from './records.ts';
import { findUnstorable, invalidBody } from './validation.ts';

/** What an appointment is changed by. */
export interface AppointmentUpdate {
  readonly change: BodyOf<'updateAppointment'>;
  /** The tags one of which the appointment must have; any will do where this is left out. */
  readonly ifMatch?: readonly string[] | undefined;
}

/** How an appointment is cancelled. */
export interface Cancellation {
  readonly reason?: string | null | undefined;
  readonly ifMatch?: readonly string[] | undefined;
}

/**
 * Changes the fields given and no others. A change that changes nothing leaves time and version as they are. What
 * takes time of a stylist that was not taken before is checked as a new booking is.
 * Throws `not_found`, `precondition_failed`, `permission_denied`, `validation_failed`, `invalid_status_transition`
 * and `appointment_conflict`.
 */
export async function updateAppointment(
  context: Context,
  id: string,
  { change, ifMatch }: AppointmentUpdate,
): Promise<Appointment> {
  const { database, environment, caller } = context;
  const reach = authorize(caller, 'updateAppointment');
  const accountId = caller.account.id;
  return database.transaction(async (tx) => {
    const current = await readAppointment(tx, context, { id, reach });
    assertIfMatch(current, ifMatch);
    const wanted = toWanted(current, change);
    if (Object.keys(wanted).length === 0) {
      return current;
    }
    if (wanted.stylist_id !== undefined && reach === 'own') {
      throw permissionDenied(caller, 'appointments.write');
    }
    const now = environment.now();
    const fields = await validateBooking(tx, accountId, { ...toPeople(current, wanted, now), ...wanted });
    const changed = { ...current, ...fields, updated_at: nextUpdatedAt(current, now) };
    assertAllowed(current, wanted, { isStarted: Date.parse(changed.start_time) <= now.getTime() });
    if (needsNewTime(current, changed) && change.allow_overlap !== true) {
      await assertAvailable(tx, accountId, changed);
    }
    await updateRecords(tx, 'appointments', [toAppointmentRow(accountId, changed)]);
    if (changed.stylist_id !== current.stylist_id) {
      await movePayments(tx, { accountId, appointmentId: id, stylistId: changed.stylist_id });
    }
    await recordBookingChange(tx, context, { former: current, object: changed });
    return changed;
  });
}

/**
 * Cancels an appointment; one that is cancelled stays as it is.
 * Throws `not_found`, `precondition_failed`, `validation_failed` and `invalid_status_transition`.
 */
export async function cancelAppointment(
  context: Context,
  id: string,
  { reason = null, ifMatch }: Cancellation,
): Promise<Appointment> {
  const { database, environment, caller } = context;
  const reach = authorize(caller, 'cancelAppointment');
  const accountId = caller.account.id;
  return database.transaction(async (tx) => {
    const current = await readAppointment(tx, context, { id, reach });
    assertIfMatch(current, ifMatch);
    const violations = findUnstorable({ cancellation_reason: reason });
    if (violations.length > 0) {
      throw invalidBody(violations);
    }
    if (current.status === 'cancelled') {
      return current;
    }
    const now = environment.now();
    const isStarted = Date.parse(current.start_time) <= now.getTime();
    assertAllowed(current, { status: 'cancelled' }, { isStarted });
    const cancelled = toCancelled(current, reason, now);
    await updateRecords(tx, 'appointments', [toAppointmentRow(accountId, cancelled)]);
    await recordBookingChange(tx, context, { former: current, object: cancelled });
    return cancelled;
  });
}

type Wanted = Partial<Omit<Appointment, 'id' | 'cancellation_reason' | 'created_at' | 'updated_at'>>;

/** The fields that are to become something else. A record that is written back whole has few of them. */
function toWanted(current: Appointment, change: BodyOf<'updateAppointment'>): Wanted {
  const { id, cancellation_reason, created_at, updated_at, allow_overlap, ...fields } = change;
  const wanted: Wanted = fields;
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) =>
      name === 'start_time'
        ? parseInstant(String(value))?.ms !== Date.parse(current.start_time)
        : value !== current[name as keyof Wanted],
    ),
  );
}

/**
 * Who has to be here still. A stylist who has left and a client who was erased keep an appointment as it is, and get
 * none at another time, nor one to come that nobody was expected at any more.
 */
function toPeople(
  { client_id, stylist_id, start_time, status }: Appointment,
  wanted: Wanted,
  now: Date,
): Pick<Wanted, 'client_id' | 'stylist_id'> {
  const isToTakeTime = wanted.status !== undefined && blocksTime({ status: wanted.status });
  const isRevived = status === 'no_show' && isToTakeTime && Date.parse(start_time) > now.getTime();
  return wanted.start_time !== undefined || isRevived ? { client_id, stylist_id } : {};
}

function assertAllowed({ status }: Appointment, wanted: Wanted, { isStarted }: { isStarted: boolean }): void {
  const { notes, ...others } = wanted;
  const allowed = nextStatuses(status, { isStarted });
  const rest =
    allowed.length === 0 ? 'Its notes alone can be changed.' : `It can become ${allowed.join(', ')}.`;
  if (others.status !== undefined && !allowed.includes(others.status)) {
    const isEarly = nextStatuses(status, { isStarted: true }).includes(others.status);
    const early = isEarly ? ' before its start' : '';
    const detail = `The appointment is ${status} and cannot become ${others.status}${early}. ${rest}`;
    throw notAllowed(detail, status, allowed);
  }
  if (isFinal(status) && Object.keys(others).length > 0) {
    throw notAllowed(`The appointment is ${status}. ${rest}`, status, allowed);
  }
}

function notAllowed(detail: string, status: AppointmentStatus, allowed: AppointmentStatus[]): SalonError {
  return new SalonError('invalid_status_transition', detail, {
    members: { current_status: status, allowed_statuses: allowed },
  });
}
