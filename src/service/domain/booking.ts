import { type Appointment, attendanceStatuses, slotFreeingStatuses } from '../../contract/appointment.ts';
import { type BlockedTime, hiddenReason, maxListedConflicts } from '../../contract/blocked-time.ts';
import type { Client } from '../../contract/client.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Stylist } from '../../contract/stylist.ts';
import { foldText } from '../../text/search-text.ts';
import { dayMs, parseInstant, toUtcText } from '../../time/time.ts';
import type { Reader, Writer } from '../db/engine.ts';
import type { NewRow } from '../db/record-rows.ts';
import {
  type BookedSlot,
  findBlocked,
  findOverlapping,
  readBookingFacts,
} from '../db/records/appointments.ts';
import { readRecord } from '../db/records/records.ts';
import { mayUse } from './authorization.ts';
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

/** How many conflicts an error describes. */
const maxDescribed = 3;

/** Whether an appointment with this status blocks the stylist's time. */
export function blocksTime({ status }: Pick<Appointment, 'status'>): boolean {
  return !slotFreeingStatuses.some((freeing) => freeing === status);
}

interface AllowedTimes {
  readonly allow_overlap?: boolean;
  readonly allow_blocked?: boolean;
  /** The numbers of appointments of the same request: their IDs may never exist. */
  readonly earlier?: ReadonlyMap<string, number> | undefined;
}

/**
 * Throws `time_blocked` when the stylist is away or the salon is closed at that time, and `appointment_conflict` when
 * the stylist has another appointment. They say who or why, as far as the caller may know, and when the stylist is free
 * that day.
 */
export async function assertAvailable(
  tx: Reader,
  caller: Caller,
  appointment: Appointment,
  { allow_overlap, allow_blocked, earlier = new Map() }: AllowedTimes,
): Promise<void> {
  if (!blocksTime(appointment)) return;
  if (!allow_blocked) await assertUnblocked(tx, caller, appointment);
  if (!allow_overlap) await assertFree(tx, caller, appointment, earlier);
}

async function assertUnblocked(tx: Reader, caller: Caller, appointment: Appointment): Promise<void> {
  const found = await findBlocked(tx, toWanted(caller, appointment), maxListedConflicts);
  if (found.length === 0) return;
  const blocks = found.map(({ record }) => toShownBlock(caller, JSON.parse(record)));
  const name = await readStylistName(tx, caller, appointment);
  const [ofSalon, ofStylist] = [null, appointment.stylist_id].map((id) =>
    blocks.filter(({ stylist_id }) => stylist_id === id),
  );
  const facts = [...say('The salon is closed', ofSalon), ...say(`${name} is away`, ofStylist)];
  throw new SalonError('time_blocked', `${facts.join(', and ')}.`, {
    members: {
      blocked_time_ids: blocks.map(({ id }) => id),
      stylist_name: name,
      blocked_times: blocks.slice(0, maxDescribed).map(({ created_at, updated_at, ...block }) => block),
      free_from: await findFreeStart(tx, caller, appointment),
    },
  });
}

/** `Mia is away at that time (sick)`, without a reason that nobody may know; nothing without blocked time. */
function say(what: string, blocks: readonly BlockedTime[] = []): readonly string[] {
  if (blocks.length === 0) return [];
  const reasons = [...new Set(blocks.map(({ reason }) => reason))].filter((one) => one !== hiddenReason);
  return [`${what} at that time${reasons.length === 0 ? '' : ` (${reasons.join(', ')})`}`];
}

async function assertFree(
  tx: Reader,
  caller: Caller,
  appointment: Appointment,
  earlier: ReadonlyMap<string, number>,
): Promise<void> {
  const busy = await findOverlapping(tx, toWanted(caller, appointment), maxListedConflicts);
  if (busy.length === 0) return;
  const name = await readStylistName(tx, caller, appointment);
  const conflicts = await Array.fromAsync(busy.slice(0, maxDescribed), async (one) => {
    const described = await describe(tx, caller, one);
    const booking = earlier.get(one.id);
    return booking === undefined ? described : { ...described, id: null, booking };
  });
  const listed = conflicts
    .map((one) => ('booking' in one ? `booking ${one.booking}` : (one.client_name ?? one.id)))
    .join(', ');
  const others = busy.length > maxDescribed ? ' and others' : '';
  const detail = `${name} is already booked at that time (${listed}${others}).`;
  throw new SalonError('appointment_conflict', detail, {
    members: {
      conflicting_appointment_ids: busy.map(({ id }) => id).filter((id) => !earlier.has(id)),
      stylist_name: name,
      conflicts,
      free_from: await findFreeStart(tx, caller, appointment),
    },
  });
}

function toWanted({ account }: Caller, appointment: Appointment) {
  const { id: exceptId, stylist_id: stylistId } = appointment;
  return { accountId: account.id, stylistId, exceptId, ...toTimeRange(appointment) };
}

async function readStylistName(tx: Reader, { account }: Caller, { stylist_id: id }: Appointment) {
  const stylist = await readRecord(tx, 'stylists', { accountId: account.id, id });
  return stylist === undefined ? 'The stylist' : toStylistName(JSON.parse(stylist.record));
}

async function describe(reader: Reader, caller: Caller, { id, client_id, start_ms, end_ms }: BookedSlot) {
  const key = { accountId: caller.account.id, id: client_id };
  const client = mayUse(caller, 'getClient') ? await readRecord(reader, 'clients', key) : undefined;
  return {
    id,
    start_time: toUtcText(start_ms),
    duration: (end_ms - start_ms) / 60_000,
    client_name: client === undefined ? null : toClientName(JSON.parse(client.record)),
  };
}

/** The earliest time within a day from the wanted one that is free for as long; null if there is none. */
async function findFreeStart(tx: Reader, caller: Caller, appointment: Appointment): Promise<string | null> {
  const { startMs, endMs, ...wanted } = toWanted(caller, appointment);
  // What starts at the end of the day ends later.
  const day = { ...wanted, startMs, endMs: endMs + dayMs };
  const booked = await findOverlapping(tx, day, maxListedConflicts);
  const blocked = await findBlocked(tx, day, maxListedConflicts);
  if (Math.max(booked.length, blocked.length) === maxListedConflicts) return null;
  let freeMs = startMs;
  for (const { start_ms, end_ms } of [...booked, ...blocked].sort((a, b) => a.start_ms - b.start_ms)) {
    if (start_ms - freeMs >= endMs - startMs) break;
    freeMs = Math.max(freeMs, end_ms);
  }
  return freeMs < startMs + dayMs ? toUtcText(freeMs) : null;
}

/** Blocked time as a caller may see it: why a stylist is away is not for viewers and other stylists. */
export function toShownBlock({ role, stylistId }: Caller, block: BlockedTime): BlockedTime {
  const isConcerned = role === 'stylist' && [null, stylistId].includes(block.stylist_id);
  const mayKnow = isConcerned || !['stylist', 'viewer'].includes(role);
  return mayKnow ? block : { ...block, reason: hiddenReason, note: null };
}

function toClientName({ first_name, last_name, email, phone }: Client): string | null {
  const name = [first_name, last_name].filter(Boolean).join(' ');
  return name || email || phone;
}

/** The name that people know a stylist by. */
export function toStylistName({ display_name, first_name, last_name }: Stylist): string {
  return display_name ?? [first_name, last_name].filter((name) => name !== null).join(' ');
}
