import {
  type Appointment,
  appointmentStatuses,
  isFinal,
  nextStatuses,
  type readOnlyAppointmentFields,
} from '../../contract/appointment.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import type { Access } from '../../contract/roles.ts';
import { parseInstant } from '../../time/time.ts';
import type { Writer } from '../db/engine.ts';
import { movePayments } from '../db/records/appointments.ts';
import { insertRecord } from '../db/records/records.ts';
import { assertOwn, authorize, permissionDenied } from './authorization.ts';
import {
  assertAvailable,
  assertNotEarly,
  blocksTime,
  needsNewTime,
  toCancelled,
  validateBooking,
} from './booking.ts';
import type { Context } from './context.ts';
import { type Logs, readLogs, recordBookingChange, recordEvent } from './events.ts';
import { type CollectionQuery, createLister, limitToOwn, toConditions } from './list-page.ts';
import { readPaidAmount } from './paid-amounts.ts';
import {
  createGetter,
  createStoredRecord,
  type IfMatch,
  type RecordUpdate,
  replaceRecord,
  toStoredRow,
} from './records.ts';
import { requireCurrency } from './salon-settings.ts';
import { assertValidBody, findUnstorable, invalidTransition } from './validation.ts';
import { transact, transactOn } from './write-record.ts';

/** The appointments that match a query; for a stylist's key only its own. Throws `invalid_parameter`. */
export function findAppointments(context: Context, query: QueryOf<'listAppointments'>): CollectionQuery {
  const access = authorize(context.caller, 'listAppointments');
  const conditions = toConditions(query, {
    equal: ['client_id', 'stylist_id', 'payment'],
    statuses: appointmentStatuses,
    ranges: { start_time_from: 'start_ms', start_time_to: 'start_ms', updated_since: 'updated_ms' },
  });
  if (query.payment !== undefined) conditions.push({ column: 'status', is: '=', value: 'completed' });
  return limitToOwn(context, access, { collection: 'appointments', query, conditions });
}

export const listAppointments = createLister(findAppointments);

export const getAppointment = createGetter('getAppointment', 'appointments');

/**
 * Books an appointment. Of two simultaneous bookings of one slot exactly one succeeds, in any processes.
 * Throws `permission_denied`, `validation_failed`, `salon_settings_missing`, `appointment_not_started`, `time_blocked` and
 * `appointment_conflict`.
 */
export async function createAppointment(
  context: Context,
  body: BodyOf<'createAppointment'>,
): Promise<Appointment> {
  return transact(context, 'createAppointment', async (tx, access) => {
    const appointment = await checkBooking(tx, context, { body, access });
    await storeBooking(tx, context, { appointment });
    return appointment;
  });
}

interface NewBooking {
  readonly body: BodyOf<'createAppointment'>;
  readonly access: Access;
  /** The numbers of the appointments that the same request has booked, by ID. */
  readonly earlier?: ReadonlyMap<string, number>;
}

/** The appointment that a booking asks for. */
export async function checkBooking(
  tx: Writer,
  { environment, caller }: Context,
  { body, access, earlier }: NewBooking,
): Promise<Appointment> {
  const accountId = caller.account.id;
  assertOwn(caller, access, body.stylist_id);
  const status = body.status ?? 'confirmed';
  const isChecked = body.allow_overlap !== true || body.allow_blocked !== true;
  const duration = isChecked && blocksTime({ status }) ? body.duration : undefined;
  const { fields, isTaken, isBlocked, price } = await validateBooking(tx, accountId, body, duration);
  if (typeof body.price === 'number') await requireCurrency(tx, accountId);
  const documented = {
    client_id: body.client_id,
    stylist_id: body.stylist_id,
    service: body.service,
    start_time: fields.start_time,
    duration: body.duration,
    status,
    notes: body.notes ?? null,
    cancellation_reason: null,
  };
  const appointment: Appointment = {
    ...createStoredRecord('appointment', documented, environment),
    price: body.price === undefined ? price : body.price,
    paid_amount: 0,
  };
  if (body.allow_early !== true) assertNotEarly(appointment, environment.now());
  if (isTaken || isBlocked) await assertAvailable(tx, caller, appointment, { ...body, earlier });
  return appointment;
}

/** Adds an appointment that was checked in the same transaction. Returns what the next one follows. */
export async function storeBooking(
  tx: Writer,
  context: Context,
  { appointment, after }: { readonly appointment: Appointment; readonly after?: Logs | undefined },
): Promise<Logs> {
  const accountId = context.caller.account.id;
  const logs = after ?? (await readLogs(tx, { accountId, collection: 'appointments' }));
  const row = toStoredRow(accountId, 'appointments', appointment);
  await insertRecord(tx, 'appointments', row, logs.ends);
  const written = await recordEvent(tx, context, { type: 'booking.created', object: appointment }, { logs });
  const { lastSeq, storedBytes } = logs.ends;
  // What the logs store is counted with the next request.
  const stored = { lastSeq: lastSeq + 1, storedBytes: storedBytes + Buffer.byteLength(row.record) };
  return { ...logs, ends: { ...logs.ends, ...written, ...stored } };
}

type UpdateBody = BodyOf<'updateAppointment'>;
type Changes = Partial<Omit<Appointment, (typeof readOnlyAppointmentFields)[number]>>;

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
  const { environment, caller } = context;
  const accountId = caller.account.id;
  const wanted = { collection: 'appointments', id, ifMatch } as const;
  return transactOn(context, 'updateAppointment', wanted, async (tx, former, { access }) => {
    const changes = findChanges(former, change);
    if (Object.keys(changes).length === 0) return former;
    if (changes.stylist_id !== undefined && access === 'own') {
      throw permissionDenied(caller, 'appointments.write');
    }
    const now = environment.now();
    const booking = { ...toRequiredPeople(former, changes, now), ...changes };
    const { fields } = await validateBooking(tx, accountId, booking);
    const changed = { ...former, ...fields, ...(await toNewPrice(tx, accountId, { id, ...changes })) };
    const allowsEarly = change.allow_early === true;
    const isStarted = allowsEarly || Date.parse(changed.start_time) <= now.getTime();
    if (!allowsEarly && mayAttend(former, changes)) assertNotEarly(changed, now);
    assertAllowed(former, changes, { isStarted });
    if (needsNewTime(former, changed)) await assertAvailable(tx, caller, changed, change);
    const object = await replaceRecord(tx, context, { collection: 'appointments', former, object: changed });
    if (changed.stylist_id !== former.stylist_id) {
      await movePayments(tx, { accountId, appointmentId: id, stylistId: changed.stylist_id });
    }
    await recordBookingChange(tx, context, { former, object });
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
  { reason = null, ifMatch }: IfMatch & { readonly reason?: string | null | undefined },
): Promise<Appointment> {
  const wanted = { collection: 'appointments', id, ifMatch } as const;
  return transactOn(context, 'cancelAppointment', wanted, async (tx, former) => {
    assertValidBody(findUnstorable({ cancellation_reason: reason }));
    if (former.status === 'cancelled') return former;
    const isStarted = Date.parse(former.start_time) <= context.environment.now().getTime();
    assertAllowed(former, { status: 'cancelled' }, { isStarted });
    const change = { collection: 'appointments', former, object: toCancelled(former, reason) } as const;
    const object = await replaceRecord(tx, context, change);
    await recordBookingChange(tx, context, { former, object });
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
async function toNewPrice(tx: Writer, accountId: string, { id, price }: Changes & { readonly id: string }) {
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

function assertAllowed({ status }: Appointment, changes: Changes, times: { readonly isStarted: boolean }) {
  const { notes, price, ...others } = changes;
  const allowed = nextStatuses(status, times);
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
