import {
  type Appointment,
  type AppointmentStatus,
  appointmentStatuses,
  isFinal,
  nextStatuses,
  type readOnlyAppointmentFields,
} from '../../contract/appointment.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseInstant } from '../../contract/time.ts';
import type { Writer } from '../db/engine.ts';
import { movePayments } from '../db/records/appointments.ts';
import { insertRecord } from '../db/records/records.ts';
import { authorize, permissionDenied } from './authorization.ts';
import { assertNotEarly, needsNewTime, toCancelled, validateBooking } from './booking.ts';
import { assertAvailable, blocksTime } from './booking-conflicts.ts';
import type { Context } from './context.ts';
import { readLogs, recordBookingChange, recordEvent } from './events.ts';
import {
  type CollectionQuery,
  type ListFilters,
  limitToOwn,
  type PageOfCollection,
  readCollectionPage,
  toConditions,
} from './list-page.ts';
import { readPaidAmount } from './paid-amounts.ts';
import {
  createId,
  findStoredRecord,
  type IfMatch,
  type RecordUpdate,
  replaceRecord,
  toStoredRow,
} from './records.ts';
import { requireCurrency } from './salon-settings.ts';
import { assertValidBody, findUnstorable } from './validation.ts';

const filters: ListFilters = {
  equal: ['client_id', 'stylist_id', 'payment'],
  statuses: appointmentStatuses,
  ranges: [
    { parameter: 'start_time_from', edge: 'begin', column: 'start_ms' },
    { parameter: 'start_time_to', edge: 'end', column: 'start_ms' },
    { parameter: 'updated_since', edge: 'begin', column: 'updated_ms' },
  ],
};

/** The appointments that match a query; for a stylist's key only its own. Throws `invalid_parameter`. */
export function findAppointments(context: Context, query: QueryOf<'listAppointments'>): CollectionQuery {
  const access = authorize(context.caller, 'listAppointments');
  const conditions = toConditions(query, filters);
  if (query.payment !== undefined) conditions.push({ column: 'status', is: '=', value: 'completed' });
  return limitToOwn(context, access, { collection: 'appointments', query, conditions });
}

/** One page of appointments. Throws `invalid_parameter`. */
export async function listAppointments(
  context: Context,
  query: QueryOf<'listAppointments'>,
): Promise<PageOfCollection> {
  return readCollectionPage(context, findAppointments(context, query));
}

/** Throws `not_found`, also for another stylist's appointment when the key is limited to one stylist. */
export async function getAppointment(context: Context, id: string): Promise<Appointment> {
  const access = authorize(context.caller, 'getAppointment');
  const wanted = { collection: 'appointments', id, access } as const;
  return (await findStoredRecord(context.database.reader, context.caller, wanted)).record;
}

/**
 * Books an appointment. Of two simultaneous bookings of one slot exactly one succeeds, in any processes.
 * Throws `permission_denied`, `validation_failed`, `salon_settings_missing`, `appointment_not_started`, `time_blocked` and
 * `appointment_conflict`.
 */
export async function createAppointment(
  context: Context,
  body: BodyOf<'createAppointment'>,
): Promise<Appointment> {
  const { database, environment, caller } = context;
  const access = authorize(caller, 'createAppointment');
  if (access === 'own' && body.stylist_id !== caller.stylistId) {
    throw permissionDenied(caller, 'appointments.write');
  }
  const accountId = caller.account.id;
  return database.transaction({ accountId }, async (tx) => {
    const status = body.status ?? 'confirmed';
    const isChecked = body.allow_overlap !== true || body.allow_blocked !== true;
    const takesTime = isChecked && blocksTime({ status });
    const [{ fields, isTaken, isBlocked, price }, logs] = await Promise.all([
      validateBooking(tx, accountId, body, takesTime ? body.duration : undefined),
      readLogs(tx, { accountId, collection: 'appointments' }),
    ]);
    if (typeof body.price === 'number') await requireCurrency(tx, accountId);
    const now = environment.now().toISOString();
    const appointment: Appointment = {
      id: createId('appointment', environment),
      client_id: body.client_id,
      stylist_id: body.stylist_id,
      service: body.service,
      start_time: fields.start_time,
      duration: body.duration,
      status,
      notes: body.notes ?? null,
      cancellation_reason: null,
      created_at: now,
      updated_at: now,
      price: body.price === undefined ? price : body.price,
      paid_amount: 0,
    };
    if (body.allow_early !== true) assertNotEarly(appointment, environment.now());
    if (isTaken || isBlocked) await assertAvailable(tx, caller, appointment, body);
    const row = toStoredRow(accountId, 'appointments', appointment);
    await insertRecord(tx, 'appointments', row, logs.ends);
    await recordEvent(tx, context, { type: 'booking.created', object: appointment }, { logs });
    return appointment;
  });
}

type UpdateBody = BodyOf<'updateAppointment'>;
type Changes = Partial<Omit<Appointment, (typeof readOnlyAppointmentFields)[number]>>;

export interface Cancellation extends IfMatch {
  readonly reason?: string | null | undefined;
}

/**
 * Changes the given fields. Nothing is written when all keep their value. New time of a stylist is checked as for a
 * new booking. Throws `not_found`, `precondition_failed`, `permission_denied`, `validation_failed`,
 * `appointment_not_started`, `invalid_status_transition`, `time_blocked` and `appointment_conflict`.
 */
export async function updateAppointment(
  context: Context,
  id: string,
  { change, ifMatch }: RecordUpdate<UpdateBody>,
): Promise<Appointment> {
  const { database, environment, caller } = context;
  const access = authorize(caller, 'updateAppointment');
  const accountId = caller.account.id;
  return database.transaction({ accountId: caller.account.id }, async (tx) => {
    const wanted = { collection: 'appointments', id, access, ifMatch } as const;
    const { record: current } = await findStoredRecord(tx, caller, wanted);
    const changes = findChanges(current, change);
    if (Object.keys(changes).length === 0) {
      return current;
    }
    if (changes.stylist_id !== undefined && access === 'own') {
      throw permissionDenied(caller, 'appointments.write');
    }
    const now = environment.now();
    const booking = { ...toRequiredPeople(current, changes, now), ...changes };
    const { fields } = await validateBooking(tx, accountId, booking);
    const changed = { ...current, ...fields, ...(await toNewPrice(tx, accountId, { id, ...changes })) };
    const allowsEarly = change.allow_early === true;
    const isStarted = allowsEarly || Date.parse(changed.start_time) <= now.getTime();
    if (!allowsEarly && mayAttend(current, changes)) assertNotEarly(changed, now);
    assertAllowed(current, changes, { isStarted });
    if (needsNewTime(current, changed)) await assertAvailable(tx, caller, changed, change);
    const object = await replaceRecord(tx, context, {
      ...{ collection: 'appointments', former: current, object: changed },
    });
    if (changed.stylist_id !== current.stylist_id) {
      await movePayments(tx, { accountId, appointmentId: id, stylistId: changed.stylist_id });
    }
    await recordBookingChange(tx, context, { former: current, object });
    return object;
  });
}

/**
 * Cancels an appointment; one that is already cancelled stays unchanged.
 * Throws `not_found`, `precondition_failed`, `validation_failed` and `invalid_status_transition`.
 */
export async function cancelAppointment(
  context: Context,
  id: string,
  { reason = null, ifMatch }: Cancellation,
): Promise<Appointment> {
  const { database, environment, caller } = context;
  const access = authorize(caller, 'cancelAppointment');
  return database.transaction({ accountId: caller.account.id }, async (tx) => {
    const wanted = { collection: 'appointments', id, access, ifMatch } as const;
    const { record: current } = await findStoredRecord(tx, caller, wanted);
    assertValidBody(findUnstorable({ cancellation_reason: reason }));
    if (current.status === 'cancelled') {
      return current;
    }
    const isStarted = Date.parse(current.start_time) <= environment.now().getTime();
    assertAllowed(current, { status: 'cancelled' }, { isStarted });
    const object = await replaceRecord(tx, context, {
      ...{ collection: 'appointments', former: current, object: toCancelled(current, reason) },
    });
    await recordBookingChange(tx, context, { former: current, object });
    return object;
  });
}

/** The fields that get another value. Clients often write whole records back. */
function findChanges(current: Appointment, change: UpdateBody): Changes {
  const { id, cancellation_reason, created_at, updated_at, paid_amount, ...given } = change;
  const { allow_overlap, allow_blocked, allow_early, ...fields } = given;
  const changes: Changes = fields;
  return Object.fromEntries(
    Object.entries(changes).filter(([name, value]) =>
      name === 'start_time'
        ? parseInstant(String(value))?.ms !== Date.parse(current.start_time)
        : value !== current[name as keyof Changes],
    ),
  );
}

/** A new price, and what of it is paid already. Throws `salon_settings_missing`. */
async function toNewPrice(
  tx: Writer,
  accountId: string,
  { id, price }: Changes & Pick<Appointment, 'id'>,
): Promise<Partial<Appointment>> {
  if (price === undefined) return {};
  if (price !== null) await requireCurrency(tx, accountId);
  return { price, paid_amount: await readPaidAmount(tx, accountId, { id, price }) };
}

/**
 * The client and stylist who must still exist: those of an appointment that gets another time, and of a no-show in the
 * future that is revived.
 */
function toRequiredPeople(
  { client_id, stylist_id, start_time, status }: Appointment,
  changes: Changes,
  now: Date,
): Pick<Changes, 'client_id' | 'stylist_id'> {
  const willBlockTime = changes.status !== undefined && blocksTime({ status: changes.status });
  const isRevived = status === 'no_show' && willBlockTime && Date.parse(start_time) > now.getTime();
  return changes.start_time !== undefined || isRevived ? { client_id, stylist_id } : {};
}

/** Whether a change gives an appointment another time, or a status that it may have once it has started. */
function mayAttend({ status }: Appointment, changes: Changes): boolean {
  if (isFinal(status)) return false;
  if (changes.status === undefined) return changes.start_time !== undefined;
  return nextStatuses(status, { isStarted: true }).includes(changes.status);
}

function assertAllowed(
  { status }: Appointment,
  changes: Changes,
  { isStarted }: { isStarted: boolean },
): void {
  const { notes, price, ...others } = changes;
  const allowed = nextStatuses(status, { isStarted });
  const rest =
    allowed.length === 0 ? 'Only its notes and its price can be changed.' : `Allowed: ${allowed.join(', ')}.`;
  if (others.status !== undefined && !allowed.includes(others.status)) {
    const isEarly = nextStatuses(status, { isStarted: true }).includes(others.status);
    const early = isEarly ? ' before it starts' : '';
    const detail = `The appointment is ${status} and cannot become ${others.status}${early}. ${rest}`;
    throw invalidTransition(detail, status, allowed);
  }
  if (isFinal(status) && Object.keys(others).length > 0) {
    throw invalidTransition(`The appointment is ${status}. ${rest}`, status, allowed);
  }
}

function invalidTransition(
  detail: string,
  status: AppointmentStatus,
  allowed: AppointmentStatus[],
): SalonError {
  return new SalonError('invalid_status_transition', detail, {
    members: { current_status: status, allowed_statuses: allowed },
  });
}
