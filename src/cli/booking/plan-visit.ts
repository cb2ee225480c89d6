import { maxBookings } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { toClockText } from '../../time/local-days.ts';
import type { RepeatedStart } from '../../time/repeats.ts';
import { createZoneClock, minuteMs, type TimeSpan, toUtcText } from '../../time/time.ts';
import { findOutsideHours } from '../availability/check-booking-time.ts';
import { toCalendarDay } from '../calendar/calendar-days.ts';
import type { visitFlags } from '../flags/booking-flags.ts';
import type { FlagValues } from '../flags/flag.ts';
import type { MomentContext } from '../flags/moments.ts';
import { renderLocalDay, renderShortTime } from '../messages/short-times.ts';
import { readClock } from '../output/format.ts';
import type { DuplicateFlags } from '../people/same-person.ts';
import type { CommandContext } from '../session/command-context.ts';
import { anyone, type Booking, type BookingDraft, type Bookings, isVisit } from './draft.ts';
import { listStarts, openVisitPlanner, toWanted } from './find-times.ts';
import { renderWhen } from './summary.ts';
import { nearMs, toVisitSpan } from './visits.ts';

type Context = CommandContext<DuplicateFlags & Partial<FlagValues<typeof visitFlags>>>;

/** A date of a visit: its time or, where that is not free, why, and the nearest time that is. */
type VisitDate = RepeatedStart & {
  readonly reason: string | undefined;
  readonly time: VisitTime | undefined;
};

/** A time for a visit, and the IDs of who has each part of it; none where that is left to the server. */
interface VisitTime extends TimeSpan {
  readonly stylists: readonly string[];
}

/**
 * The bookings of a complete draft, each with a stylist. Throws `appointment_conflict` for what is not free, as far as it
 * is looked at: of several appointments each date; of one only what the server would not tell.
 */
export async function planVisit(draft: BookingDraft, context: Context): Promise<Bookings> {
  if (!isVisit(draft) && draft.onConflict === undefined) return [await withFreeStylist(draft, context)];
  const moments = await readClock(context);
  const starts = listStarts(Date.parse(draft.start ?? ''), draft.repeat, moments);
  const parts = [draft, ...(draft.others ?? [])];
  const count = starts.length * parts.length;
  if (count > maxBookings) {
    throw new SalonError('usage', `These are ${count} bookings; at most ${maxBookings} can be made at once.`);
  }
  const { dates, nameOf } = await planDates(draft, starts, context);
  const bookings = chooseTimes(dates, draft, { context, moments }).flatMap(({ startMs, stylists }) =>
    parts.map((part, index) => {
      const atMs = startMs + (part.fromMs ?? 0);
      moments.onLocal?.(atMs);
      const id = stylists[index] ?? '';
      const stylist = part.stylist === anyone ? { id, name: nameOf(id) } : part.stylist;
      return { ...part, stylist, start: toUtcText(atMs) } as Booking;
    }),
  );
  return bookings as [Booking, ...Booking[]];
}

/** One appointment, for "anyone free" with who has the emptiest day of those who are free and do the service. */
async function withFreeStylist(draft: BookingDraft, context: Context): Promise<Booking> {
  const startMs = Date.parse(draft.start ?? '');
  if (draft.stylist === anyone) {
    const day = toCalendarDay(startMs, createZoneClock(await context.timeZone()));
    const planner = await openVisitPlanner(toWanted(draft), day, context);
    const [id] = planner.fit(startMs) ?? [];
    if (id !== undefined) return { ...draft, stylist: { id, name: planner.nameOf(id) } } as Booking;
    throw new SalonError('appointment_conflict', describeNobody([draft], startMs, await readClock(context)), {
      hint: 'Choose another time, or a stylist.',
    });
  }
  // Our service checks it with the booking, and sees more than a key may.
  if (!(await context.client()).isForeign || draft.fields['allow_overlap'] === true) return draft as Booking;
  await using conflicts = await openConflicts(draft, { startMs, endMs: startMs }, context);
  const refusal = await conflicts.refuse({}, toAppointment(draft, startMs));
  if (refusal === undefined) return draft as Booking;
  const hint = 'Choose another time, or add --allow-overlap.';
  throw new SalonError('appointment_conflict', refusal.reason, { hint });
}

async function openConflicts(
  { stylist, fields, others }: BookingDraft,
  { startMs, endMs }: TimeSpan,
  context: Context,
) {
  const { openBookingConflicts } = await import('../edit/booking-conflicts.ts');
  const range = { from: toUtcText(startMs), to: toUtcText(endMs) };
  const stylistId = others === undefined && stylist !== anyone ? stylist?.id : undefined;
  return openBookingConflicts({ set: { stylist_id: '', ...fields }, range, shiftMs: 0, stylistId, context });
}

function toAppointment({ movedId, client, stylist, durationMinutes }: BookingDraft, startMs: number) {
  const stylist_id = stylist === anyone ? '' : (stylist?.id ?? '');
  const who = { id: movedId ?? 'new', client_id: client?.id ?? '', stylist_id, status: 'confirmed' };
  return { ...who, start_time: toUtcText(startMs), duration: durationMinutes };
}

function describeNobody(parts: readonly BookingDraft[], startMs: number, moments: MomentContext): string {
  const services = parts.flatMap(({ service = '', stylist }) => (stylist === anyone ? service : []));
  const open = [...new Set(services)].join(', ');
  const time = renderShortTime(toUtcText(startMs), moments);
  return parts.length > 1
    ? `Too few who do ${open} are free ${time}.`
    : `Nobody who does ${open} is free ${time}.`;
}

/** Looks at each date before anything is sent. */
async function planDates(draft: BookingDraft, starts: readonly RepeatedStart[], context: Context) {
  const moments = await readClock(context);
  const wanted = toWanted(draft);
  const { earliest } = createZoneClock(moments.timeZone);
  const instants = starts.map(({ localMs, startMs }) => startMs ?? earliest(localMs));
  const span = { startMs: Math.min(...instants) - nearMs, endMs: Math.max(...instants) + nearMs };
  const planner = await openVisitPlanner(wanted, span, context);
  const take = (startMs: number, stylists = planner.fit(startMs)): VisitTime | undefined => {
    if (stylists === undefined) return undefined;
    planner.take(startMs);
    return { ...toVisitSpan(wanted.parts, startMs), stylists };
  };
  await using conflicts = await openConflicts(draft, span, context);
  const free = starts.map(({ startMs }) => (startMs === undefined ? undefined : take(startMs)));
  const dates: VisitDate[] = [];
  for (const [index, start] of starts.entries()) {
    const reason = free[index] ? undefined : await explain(start);
    // What nothing speaks against is left to the server.
    const time = free[index] ?? (reason === undefined ? take(start.startMs ?? 0, []) : undefined);
    dates.push({ ...start, reason, time });
  }
  for (const [index, date] of dates.entries()) {
    const nearestMs = date.reason === undefined ? undefined : planner.findNearest(instants[index] ?? 0);
    if (nearestMs !== undefined) dates[index] = { ...date, time: take(nearestMs) };
  }
  return { dates, nameOf: planner.nameOf };

  /** Why nobody can be booked then, or not the one who is wanted. */
  async function explain({ startMs, localMs }: RepeatedStart): Promise<string | undefined> {
    if (startMs === undefined) return `The clocks skip ${toClockText(localMs)} on that day.`;
    if (startMs < moments.now.getTime()) return 'It is in the past.';
    const parts = [draft, ...(draft.others ?? [])];
    for (const part of parts) {
      const { durationMinutes = 0, fromMs = 0 } = part;
      const time = { startMs: startMs + fromMs, endMs: startMs + fromMs + durationMinutes * minuteMs };
      const appointment = toAppointment(part, time.startMs);
      const refusal = await conflicts.refuse({}, appointment);
      if (refusal !== undefined) return refusal.reason;
      const { stylist_id: stylistId } = appointment;
      const outside = stylistId && (await findOutsideHours(context, { ...time, stylistId }, true));
      if (outside) return outside;
    }
    return parts.some(({ stylist }) => stylist === anyone)
      ? describeNobody(parts, startMs, moments)
      : undefined;
  }
}

/** The times to book. Throws `appointment_conflict` with every date where one is not free and nothing is decided. */
function chooseTimes(
  dates: readonly VisitDate[],
  { onConflict }: BookingDraft,
  { context, moments }: { readonly context: Context; readonly moments: MomentContext },
): readonly VisitTime[] {
  const { flags, messages } = context;
  const taken = dates.filter(({ reason }) => reason !== undefined);
  const free = dates.flatMap(({ reason, time }) => (reason === undefined && time ? time : []));
  if (taken.length === 0) return free;
  const nearest = taken.flatMap(({ time }) => time ?? []);
  const shown = dates.map((date) => `  ${renderDate(date, moments)}`).join('\n');
  const chosen = onConflict === 'skip' ? free : onConflict === 'nearest' ? [...free, ...nearest] : [];
  if (chosen.length > 0) {
    // An answer at a terminal has seen them.
    if (flags.onConflict === onConflict) messages.info(shown);
    const leftOut = dates.length - chosen.length;
    if (leftOut > 0) messages.warn(`${countLeft(leftOut, dates)} left out.`);
    return chosen.toSorted((one, other) => one.startMs - other.startMs);
  }
  const which = dates.length === 1 ? 'That time is' : countLeft(taken.length, dates);
  const ways = {
    ...(nearest.length > 0 && { nearest: 'To take the nearest: --on-conflict nearest' }),
    ...(free.length > 0 && { skip: 'To leave out what is not: --on-conflict skip' }),
  };
  throw new SalonError('appointment_conflict', `${which} not free. Nothing was booked.`, {
    hint: [shown.trimStart(), ...Object.values(ways)].join('\n  '),
    members: { ways: Object.keys(ways), dates: shown },
  });
}

/** `1 of 3 dates is`. */
function countLeft(count: number, dates: readonly VisitDate[]): string {
  return `${count} of ${dates.length} dates ${count === 1 ? 'is' : 'are'}`;
}

function renderDate(date: VisitDate, moments: MomentContext): string {
  const when = ({ startMs, endMs }: VisitTime) =>
    renderWhen(toUtcText(startMs), (endMs - startMs) / minuteMs, moments);
  const { localMs, reason, time } = date;
  if (reason === undefined) return time ? `${when(time)}  free` : '';
  const wanted = `${renderLocalDay(localMs, moments)} ${toClockText(localMs)}`;
  return `${wanted}  ${reason}\n    nearest: ${time ? when(time) : 'none within a week'}`;
}
