import type { AppointmentStatus } from '../../src/contract/appointment.ts';

/** A simple model of an appointment; times in minutes. */
export interface Entry {
  readonly client: number;
  readonly stylist: number;
  readonly start: number;
  readonly duration: number;
  readonly status: AppointmentStatus;
  readonly notes: string | null;
}

export interface Calendar {
  now: number;
  /** Whether each stylist is active. */
  readonly active: boolean[];
  /** Whether each client was erased. */
  readonly gone: boolean[];
  readonly entries: Entry[];
}

export type Outcome =
  | 'done'
  | 'not_found'
  | 'validation_failed'
  | 'invalid_status_transition'
  | 'appointment_conflict'
  | 'client_has_upcoming_appointments';

const steps: Readonly<Record<AppointmentStatus, readonly AppointmentStatus[]>> = {
  pending: ['confirmed', 'cancelled'],
  confirmed: ['arrived', 'in_service', 'completed', 'no_show', 'cancelled', 'pending'],
  arrived: ['in_service', 'completed', 'cancelled', 'no_show', 'confirmed'],
  in_service: ['completed', 'arrived'],
  completed: [],
  cancelled: [],
  no_show: ['confirmed', 'arrived'],
};

const openStatuses: ReadonlySet<AppointmentStatus> = new Set([
  'pending',
  'confirmed',
  'arrived',
  'in_service',
]);

export function book(calendar: Calendar, entry: Entry, allowOverlap: boolean): Outcome {
  if (!calendar.active[entry.stylist] || calendar.gone[entry.client]) return 'validation_failed';
  if (!allowOverlap && meetsAnother(calendar, entry)) return 'appointment_conflict';
  calendar.entries.push(entry);
  return 'done';
}

export function change(
  calendar: Calendar,
  index: number,
  { allowOverlap, ...change }: Partial<Entry> & { readonly allowOverlap: boolean },
): Outcome {
  const before = calendar.entries[index] as Entry;
  const after = { ...before, ...change };
  const changed = (Object.keys(after) as (keyof Entry)[]).filter((name) => after[name] !== before[name]);
  if (changed.length === 0) return 'done';
  const isRevived = before.status === 'no_show' && takesTime(after) && before.start > calendar.now;
  const isMoved = changed.includes('start') || isRevived;
  if ((isMoved || changed.includes('stylist')) && !calendar.active[after.stylist]) return 'validation_failed';
  if ((isMoved || changed.includes('client')) && calendar.gone[after.client]) return 'validation_failed';
  if (changed.includes('status') && !mayBecome(before, after, calendar.now))
    return 'invalid_status_transition';
  const isOver = before.status === 'completed' || before.status === 'cancelled';
  if (isOver && changed.some((name) => name !== 'notes')) return 'invalid_status_transition';
  const held = new Set(minutesOf(before));
  const takesMore = minutesOf(after).some((minute) => !held.has(minute));
  if (takesMore && !allowOverlap && meetsAnother(calendar, after, index)) return 'appointment_conflict';
  calendar.entries[index] = after;
  return 'done';
}

export function cancel(calendar: Calendar, index: number): Outcome {
  return change(calendar, index, { status: 'cancelled', allowOverlap: false });
}

/** Erases a client with the notes of its appointments; upcoming ones are cancelled, or prevent it. */
export function erase(calendar: Calendar, client: number, { force }: { readonly force: boolean }): Outcome {
  if (calendar.gone[client]) return 'not_found';
  const { entries, now } = calendar;
  const isComing = (one: Entry) => one.client === client && one.start > now && openStatuses.has(one.status);
  if (!force && entries.some(isComing)) return 'client_has_upcoming_appointments';
  entries.forEach((one, index) => {
    if (one.client !== client) return;
    entries[index] = { ...one, notes: null, status: isComing(one) ? 'cancelled' : one.status };
  });
  calendar.gone[client] = true;
  return 'done';
}

function mayBecome(before: Entry, after: Entry, now: number): boolean {
  return steps[before.status].includes(after.status) && (after.status !== 'no_show' || after.start <= now);
}

function meetsAnother(calendar: Calendar, entry: Entry, index = -1): boolean {
  const wanted = new Set(minutesOf(entry));
  return calendar.entries.some(
    (one, at) => at !== index && minutesOf(one).some((minute) => wanted.has(minute)),
  );
}

function takesTime({ status }: Pick<Entry, 'status'>): boolean {
  return status !== 'cancelled' && status !== 'no_show';
}

/** The minutes of a stylist's time that an appointment blocks. */
function minutesOf({ stylist, start, duration, status }: Entry): string[] {
  if (!takesTime({ status })) return [];
  return Array.from({ length: duration }, (_, minute) => `${stylist} ${start + minute}`);
}
