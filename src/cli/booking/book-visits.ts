import type { Fields } from '../../client/json-object.ts';
import { maxBookings } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../text/numbers.ts';
import { toClockText } from '../../time/local-days.ts';
import type { RepeatedStart } from '../../time/repeats.ts';
import { createZoneClock, dayMs, minuteMs, toUtcText } from '../../time/time.ts';
import { findOutsideHours, findUndoneService } from '../availability/check-booking-time.ts';
import { openBookingConflicts } from '../edit/booking-conflicts.ts';
import { openBulkEdits } from '../edit/bulk-edit.ts';
import { runWithProgress } from '../edit/edit-result.ts';
import { reportApplied } from '../edit/review-plan.ts';
import type { visitFlags } from '../flags/booking-flags.ts';
import type { FlagValues } from '../flags/flag.ts';
import type { ConfirmationFlags } from '../flags/options.ts';
import { cancelledMessage } from '../messages/errors.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { renderShortTime, type ShortTimeStyle } from '../messages/short-times.ts';
import { columnSet } from '../output/columns.ts';
import { type CommandResult, onePage } from '../output/command-result.ts';
import { readClock } from '../output/format.ts';
import { readStylistsById } from '../people/names.ts';
import type { DuplicateFlags } from '../people/same-person.ts';
import type { CommandContext } from '../session/command-context.ts';
import { assertWritable, uncheckedRules } from '../session/confirmation.ts';
import { toMissing } from './booking-errors.ts';
import { anyone, type Booking, type BookingDraft, toFields } from './draft.ts';
import { findStandIn, submitBooking } from './new-client.ts';
import type { GivenBooking } from './read-draft.ts';
import {
  arrangeVisit,
  listStarts,
  listVisitTimes,
  openVisitPlanner,
  readVisit,
  type VisitRequest,
  type VisitTime,
} from './read-visit.ts';
import { describeBooking, describeOtherVisits, renderWhen } from './summary.ts';
import { toVisitSpan, type VisitPart } from './visits.ts';

type Context = CommandContext<
  ConfirmationFlags & DuplicateFlags & FlagValues<typeof visitFlags> & { readonly dryRun?: boolean }
>;

/** What is booked: the parts of a visit, and the draft of each. */
interface Visit extends VisitRequest {
  readonly parts: readonly VisitPart[];
  readonly drafts: readonly BookingDraft[];
}

/** A date of a visit: its time or, where that is not free, why, and the nearest that is. */
type VisitDate = RepeatedStart &
  ({ readonly time: VisitTime } | { readonly reason: string; readonly nearest?: VisitTime | undefined });

/** Books several appointments as one job, after it has shown each date. Asks what to do about those that are not free. */
export async function bookVisit(
  request: VisitRequest,
  given: GivenBooking,
  context: Context,
): Promise<CommandResult> {
  const { flags, messages, prompts } = context;
  assertWritable(await context.session());
  const drafts = await readVisit(request, given, context);
  const visit = { ...request, drafts, parts: await arrangeVisit(request, drafts, context) };
  const moments = await readClock(context);
  const starts = listStarts(await readStart(visit, context), request.repeat, moments);
  const count = starts.length * drafts.length;
  if (count > maxBookings) {
    throw new SalonError('usage', `These are ${count} bookings; at most ${maxBookings} can be made at once.`);
  }
  const dates = await planDates(visit, starts, context);
  const times = await chooseTimes(visit, dates, context);
  const names = await readStylistsById(context);
  const bookings = times.flatMap(({ startMs, stylists }) =>
    visit.parts.map(({ fromMs }, index) => {
      const id = stylists[index] ?? '';
      const start = toUtcText(startMs + fromMs);
      return { ...drafts[index], stylist: { id, name: names.get(id) ?? id }, start } as Booking;
    }),
  );
  if (dates.length === 1)
    messages.info(bookings.map((one) => `  ${describeBooking(one, moments)}`).join('\n'));
  for (const { service, stylist } of bookings.slice(0, drafts.length)) {
    const undone = await findUndoneService(context, { stylistId: stylist.id, service });
    if (undone !== undefined) messages.warn(undone);
  }
  for (const warning of await describeOtherVisits(bookings, context)) messages.warn(warning);
  for (const { start } of bookings) moments.onLocal?.(Date.parse(start));
  await context.localTimes.confirm(bookings.map(({ start }) => start));
  const asks = prompts.isInteractive && flags.yes !== true && flags.dryRun !== true;
  if (asks && !(await prompts.confirm(`Book ${countOf(bookings.length, 'appointments')}?`)))
    throw new SalonError('confirmation_required', cancelledMessage);
  const [one] = bookings;
  if (one === undefined) throw new TypeError('No booking.');
  const submit = (added: Booking) =>
    submitVisit(
      bookings.map((booking) => (booking.newClient ? { ...booking, client: added.client } : booking)),
      given,
      context,
    );
  return submitBooking(one, { check: async () => {}, submit, keepClient() {} }, context);
}

/** The start that was given; at a terminal one of the times at which all of it fits. */
async function readStart({ drafts, parts, repeat }: Visit, context: Context): Promise<number> {
  const timed = drafts.find(({ start, span }) => start ?? span) ?? drafts[0];
  if (timed?.start !== undefined) return Date.parse(timed.start);
  if (timed === undefined || !context.prompts.isInteractive) throw toMissing(timed as BookingDraft);
  const moments = await readClock(context);
  const nowMs = moments.now.getTime();
  const span = timed.span ?? { startMs: nowMs, endMs: nowMs + offeredDays * dayMs };
  const times = await listVisitTimes({ parts, repeat, span }, context);
  if (times.length === 0)
    throw new SalonError('appointment_conflict', 'No time fits all of it.', { hint: 'Choose another day.' });
  const choices = times.map(({ startMs }) => ({
    value: startMs,
    label: renderShortTime(toUtcText(startMs), moments),
  }));
  return context.prompts.search('Time', {
    find: async (typed) => choices.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase())),
  });
}

const offeredDays = 14;

/** Looks at each date before anything is sent. */
async function planDates(
  visit: Visit,
  starts: readonly RepeatedStart[],
  context: Context,
): Promise<readonly VisitDate[]> {
  const { parts, drafts } = visit;
  const zone = createZoneClock(await context.timeZone());
  const instants = starts.map(({ localMs, startMs }) => startMs ?? zone.earliest(localMs));
  const span = { startMs: Math.min(...instants) - 7 * dayMs, endMs: Math.max(...instants) + 7 * dayMs };
  const planner = await openVisitPlanner(parts, span, context);
  const take = (startMs: number, stylists: readonly string[] | undefined): VisitTime | undefined => {
    if (stylists === undefined) return undefined;
    planner.take(startMs);
    return { ...toVisitSpan(parts, startMs), stylists };
  };
  const range = { from: toUtcText(span.startMs), to: toUtcText(span.endMs) };
  const set = { stylist_id: '', ...drafts[0]?.fields };
  await using conflicts = openBookingConflicts({ set, range, shiftMs: 0, stylistId: undefined, context });
  const free = starts.map(({ startMs }) => startMs && take(startMs, planner.fit(startMs)));
  const wanted = drafts.map(({ stylist }) => (stylist === anyone ? '' : (stylist?.id ?? '')));
  const dates: VisitDate[] = [];
  for (const [index, start] of starts.entries()) {
    const reason = free[index] ? undefined : await explain(start);
    // What nothing speaks against is left to the server.
    const time = free[index] || (reason === undefined && take(start.startMs ?? 0, wanted));
    dates.push(time ? { ...start, time } : { ...start, reason: reason ?? '' });
  }
  return dates.map((date, index) => {
    const nearestMs = 'time' in date ? undefined : planner.findNearest(instants[index] ?? 0);
    return nearestMs === undefined ? date : { ...date, nearest: take(nearestMs, planner.fit(nearestMs)) };
  });

  /** Why nobody can be booked then, or not the one who is wanted. */
  async function explain({ startMs, localMs }: RepeatedStart): Promise<string | undefined> {
    if (startMs === undefined) return `The clocks skip ${toClockText(localMs)} on that day.`;
    if (startMs < context.io.now().getTime()) return 'It is in the past.';
    for (const [index, { fromMs, minutes }] of parts.entries()) {
      const span = { startMs: startMs + fromMs, endMs: startMs + fromMs + minutes * minuteMs };
      const [stylistId = '', clientId = ''] = [wanted[index], drafts[index]?.client?.id];
      const who = { id: 'new', client_id: clientId, stylist_id: stylistId, status: 'confirmed' };
      const time = { start_time: toUtcText(span.startMs), duration: minutes };
      const refusal = await conflicts.refuse({}, { ...who, ...time });
      const outside =
        stylistId === '' ? undefined : await findOutsideHours(context, { ...span, stylistId }, true);
      const reason = refusal?.reason ?? outside;
      if (reason !== undefined) return reason;
    }
    const services = drafts.flatMap(({ service = '', stylist }) => (stylist === anyone ? service : []));
    const open = [...new Set(services)].join(', ');
    if (open === '') return undefined;
    return parts.length > 1 ? `Too few who do ${open} are free.` : `Nobody who does ${open} is free.`;
  }
}

/** The times to book. Shows each date, and throws `appointment_conflict` where one is not free and nobody decides. */
async function chooseTimes(
  { drafts }: Visit,
  dates: readonly VisitDate[],
  context: Context,
): Promise<readonly VisitTime[]> {
  const { flags, messages, prompts } = context;
  const moments = await readClock(context);
  const free = dates.flatMap((date) => ('time' in date ? date.time : []));
  const taken = dates.flatMap((date) => ('time' in date ? [] : date));
  const nearest = taken.flatMap((date) => date.nearest ?? []);
  const lines = dates.map((date) => renderDate(date, moments));
  const title = drafts.map((draft) => `${describeDraft(draft)}:`).join('\n');
  // Where nobody decides, the refusal has the dates.
  const isShown = prompts.isInteractive || (flags.onConflict ?? 'stop') !== 'stop';
  if (taken.length > 0 ? isShown : dates.length > 1) messages.info([title, ...lines].join('\n'));
  if (taken.length === 0) return free;
  let decision = flags.onConflict;
  if (decision === undefined && prompts.isInteractive) {
    const [take, leave] = ['Take the nearest', 'Leave out'];
    const answers = [...(nearest.length > 0 ? [take] : []), ...(free.length > 0 ? [leave] : []), 'Stop'];
    const answer = await prompts.choose('What now?', answers);
    decision = answer === take ? 'nearest' : answer === leave ? 'skip' : 'stop';
    if (decision === 'stop') throw new SalonError('confirmation_required', cancelledMessage);
  }
  const chosen = decision === 'skip' ? free : decision === 'nearest' ? [...free, ...nearest] : [];
  const leftOut = dates.length - chosen.length;
  if (chosen.length > 0) {
    if (leftOut > 0) messages.warn(`${countLeft(leftOut, dates)} left out.`);
    return chosen.toSorted((one, other) => one.startMs - other.startMs);
  }
  const which = dates.length === 1 ? 'That time is' : countLeft(taken.length, dates);
  const ways = [
    ...(free.length > 0 ? ['To leave out what is not: --on-conflict skip'] : []),
    ...(nearest.length > 0 ? ['To take the nearest: --on-conflict nearest'] : []),
  ];
  throw new SalonError('appointment_conflict', `${which} not free. Nothing was booked.`, {
    hint: [...lines.map((line) => line.trimStart()), ...ways].join('\n  '),
  });
}

/** `1 of 3 dates is`. */
function countLeft(count: number, dates: readonly VisitDate[]): string {
  return `${count} of ${dates.length} dates ${count === 1 ? 'is' : 'are'}`;
}

function describeDraft({ client, newClient, service, stylist }: BookingDraft): string {
  const who = client?.name ?? newClient?.name;
  return `${service} for ${who} with ${stylist === anyone ? 'anyone free' : stylist?.name}`;
}

function renderDate(date: VisitDate, style: ShortTimeStyle): string {
  const when = ({ startMs, endMs }: VisitTime) =>
    renderWhen(toUtcText(startMs), (endMs - startMs) / minuteMs, style);
  if ('time' in date) return `  ${when(date.time)}  free`;
  const { localMs, reason, nearest } = date;
  const time = renderShortTime(toUtcText(localMs), { ...style, timeZone: 'UTC' });
  return `  ${time}  ${reason}\n    nearest: ${nearest ? when(nearest) : 'none within a week'}`;
}

/** Books them as one job. On a server without batches, some may be booked when one is refused: asks whether to cancel them. */
async function submitVisit(
  bookings: readonly Booking[],
  { words }: GivenBooking,
  context: Context,
): Promise<CommandResult> {
  const { flags, messages, prompts } = context;
  const edits = await openBulkEdits(context, await context.timeZone());
  const standIn = flags.dryRun === true ? await findStandIn(context) : undefined;
  const toBody = (one: Booking) => ({ ...toFields(one), client_id: one.client?.id ?? standIn });
  const bodies = bookings.map(toBody);
  const onConflict = flags.onConflict === 'skip' ? 'skip' : 'refuse';
  const planned = context.closeAtEnd(await edits.planBookings(bodies, { name: words.join(' '), onConflict }));
  if (flags.dryRun === true) {
    const checked = await edits.check(planned);
    messages.info(checked === undefined ? uncheckedRules : 'Dry run: nothing was changed.');
    const rows: Fields[] = [];
    for await (const { refusal } of (checked ?? planned.plan).rows()) {
      const client_id = bookings[rows.length]?.client?.id ?? null;
      rows.push({ ...bodies[rows.length], client_id, problem: refusal?.reason ?? null });
    }
    const refusedCount = rows.filter(({ problem }) => problem !== null).length;
    const isNone = onConflict === 'refuse' || refusedCount === rows.length;
    const { code: exitCode } = exitCodes[refusedCount === 0 ? 'done' : isNone ? 'conflict' : 'partly'];
    const pages = onePage(rows);
    return { show: 'records', noun: 'bookings', columns: bookingColumns, pages, exitCode };
  }
  const run = await runWithProgress((options) => edits.apply(planned, options), context);
  // Where they are booked one by one, the first refusal is too many.
  const isRefused = run.stop?.code === 'budget_exceeded';
  const refused = new SalonError('bookings_refused', 'One booking was refused; the rest was not tried.');
  const applied = isRefused ? { ...run, stop: refused } : run;
  const result = await reportApplied(applied, context);
  const { done, accepted, doubtful } = applied.tally;
  if (done + accepted + doubtful === 0) {
    throw new SalonError('bookings_refused', 'Nothing was booked.', {
      hint: 'Look at the dates again: repeat the command.',
    });
  }
  if (applied.stop === undefined) return result;
  const style = await readClock(context);
  const booked = bookings.slice(0, done + accepted).map((booking) => `  ${describeBooking(booking, style)}`);
  messages.show(['Booked already:', ...booked].join('\n'));
  if (!prompts.isInteractive || !(await prompts.confirm('Cancel them?'))) {
    messages.show(`To cancel them: salon jobs undo ${applied.id}`);
    return result;
  }
  const undo = context.closeAtEnd(await edits.planUndo(applied.id));
  return reportApplied(await runWithProgress((options) => edits.apply(undo, options), context), context);
}

const bookingColumns = columnSet({
  ...{ start_time: 'instant', duration: 'integer', service: 'text', client_id: 'text', stylist_id: 'text' },
  problem: 'text',
});
