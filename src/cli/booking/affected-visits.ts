import { readStatus } from '../../client/appointment-status.ts';
import type { AppointmentFacts } from '../../client/read-appointment.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import { toIsoDay } from '../../time/local-days.ts';
import { createZoneClock, dayMs, lastInstantMs, type TimeSpan, toUtcText } from '../../time/time.ts';
import type { WeekHours } from '../../time/week-hours.ts';
import { isWithinHours } from '../availability/free-slots.ts';
import { readOpeningHours } from '../availability/opening-hours.ts';
import { type BusyVisit, readBusyVisits } from '../availability/salon-facts.ts';
import { toSalonError } from '../messages/errors.ts';
import { renderShortTime } from '../messages/short-times.ts';
import type { CommandResult } from '../output/command-result.ts';
import { readClock } from '../output/format.ts';
import { readStylistsById } from '../people/names.ts';
import type { NamedPerson } from '../people/resolve.ts';
import { openAppointmentReader } from '../people/resolve-appointment.ts';
import type { CommandContext } from '../session/command-context.ts';
import { renderCommand, renderLocalTime } from './booking-errors.ts';
import { findFreed, renderCallLines, withWaiting } from './waiting.ts';

type Visit = Pick<AppointmentFacts, 'id' | 'clientId' | 'stylistId' | 'service' | 'startMs'>;

/** A change of the salon's time zone. */
type ZoneChange = Readonly<Record<'former' | 'timeZone', string>>;

/**
 * Whom to call, by time: a line each with name and phone, and the stylist if there are several. With a change of the time
 * zone, each has both times.
 */
async function renderVisits(visits: readonly Visit[], context: CommandContext, change?: ZoneChange) {
  const clock = await readClock(context);
  const style = change === undefined ? clock : { ...clock, timeZone: change.former };
  const isOfSeveral = new Set(visits.map(({ stylistId }) => stylistId)).size > 1;
  const stylists = isOfSeveral ? await readStylistsById(context) : undefined;
  const sorted = visits.toSorted((one, other) => one.startMs - other.startMs);
  const calls = sorted.map(({ id, clientId, stylistId, service, startMs }) => {
    const now = renderShortTime(toUtcText(startMs), style);
    const next = change && renderShortTime(toUtcText(startMs), { ...style, timeZone: change.timeZone });
    const stylist = stylists === undefined ? '' : (stylists.get(stylistId) ?? stylistId);
    return { id, clientId, service, time: next ? `${now} → ${next}` : now, rest: [service, stylist] };
  });
  return renderCallLines(calls, context);
}

/** The commands that list, move, shift and cancel the appointments that take any of a time. */
export async function renderNextCommands(
  { startMs, endMs }: TimeSpan,
  who: NamedPerson | undefined,
  context: CommandContext,
): Promise<readonly string[]> {
  const timeZone = await context.timeZone();
  const { wall } = createZoneClock(timeZone);
  const isDay = wall(startMs) % dayMs === 0 && wall(endMs) === wall(startMs) + dayMs;
  const [from = '', to = ''] = [startMs, endMs].map((ms) => renderLocalTime(toUtcText(ms), timeZone));
  const time = isDay ? ['--where-date', toIsoDay(wall(startMs))] : ['--where-from', from, '--where-to', to];
  const shown = [...(who === undefined ? [] : ['--where-stylist', who.name]), ...time];
  const where = [...shown, '--where-overlapping'];
  const calls = shown.flatMap((word) => (word === '--where-date' ? [] : word.replace(/^--where-/, '--')));
  const later = `+${Math.ceil((endMs - startMs) / (7 * dayMs))}w`;
  const render = (...words: readonly string[]) => renderCommand(words, context);
  const update = ['appointments', 'update', ...where];
  const anyone = `To give them to anyone free: ${render(...update, '--stylist', 'anyone')}`;
  return [
    ...(who === undefined ? [] : [anyone]),
    `To shift them: ${render(...update, '--start', later)}`,
    `To cancel them: ${render('appointments', 'cancel', ...where)}`,
    `To call them: ${render('call-list', ...calls)}`,
  ];
}

/** `2 appointments in this time stay booked:`, and whom to call. Visits are in the order of time. */
export async function renderAffected(
  visits: readonly Visit[],
  where: string,
  context: CommandContext,
  { most = maxCalls, rest = '' } = {},
): Promise<readonly string[]> {
  const lines = (await renderVisits(visits.slice(0, most), context)).map(({ line }) => line);
  const left = visits.length - lines.length;
  const more = left > 0 ? [`  … and ${renderCount(left)} more${rest}`] : [];
  const stay =
    visits.length === 1 ? `An appointment ${where} stays` : `${visits.length} appointments ${where} stay`;
  return [`${stay} booked:`, ...lines, ...more];
}

/** Whom to call of a stylist's upcoming appointments outside new working hours. */
export async function describeOutsideHours(
  { id }: NamedPerson,
  workingHours: WeekHours,
  context: CommandContext,
): Promise<readonly string[]> {
  const week = (await readOpeningHours(context, [{ id, workingHours }])).get(id)?.week ?? [];
  const timeZone = await context.timeZone();
  const isOutside = (visit: BusyVisit) => visit.stylistId === id && !isWithinHours(week, visit, timeZone);
  return renderOutside(await readUpcoming(isOutside, context, [id]), context);
}

/** Whom to call of all upcoming appointments that new opening hours of the salon leave out. */
export async function describeNewlyClosed(
  { week, former, timeZone }: { week: WeekHours; former: WeekHours | undefined; timeZone: string },
  context: CommandContext,
): Promise<readonly string[]> {
  const isOpen = (hours: WeekHours, visit: BusyVisit) => isWithinHours(hours, visit, timeZone);
  const isLeftOut = (visit: BusyVisit) => !isOpen(week, visit) && (!former || isOpen(former, visit));
  return renderOutside(await readUpcoming(isLeftOut, context), context, maxReviewed);
}

/** Whose upcoming appointments have another local time in a new time zone of the salon. */
export async function describeNewTimes(
  change: ZoneChange,
  context: CommandContext,
): Promise<readonly string[]> {
  const [one, other] = [createZoneClock(change.former), createZoneClock(change.timeZone)];
  const visits = await readUpcoming(({ startMs }) => one.wall(startMs) !== other.wall(startMs), context);
  const lines = (await renderVisits(visits.slice(0, maxExamples), context, change)).map(({ line }) => line);
  const left = visits.length - lines.length;
  const more =
    left > 0
      ? [`  … and ${renderCount(left)} more, among those of: ${renderCommand(['call-list'], context)}`]
      : [];
  const keep = `${countOf(visits.length, 'upcoming appointments')} stay at their moment, and show another time:`;
  return visits.length === 0 ? [] : [keep, ...lines, ...more];
}

async function readUpcoming(
  isMeant: (visit: BusyVisit) => boolean,
  context: CommandContext,
  stylistIds?: readonly string[],
) {
  const span = { startMs: context.io.now().getTime(), endMs: lastInstantMs };
  const visits = await readBusyVisits(context, { ...span, stylistIds });
  const open = visits.filter((visit) => readStatus(visit.status) !== 'completed' && isMeant(visit));
  return open.toSorted((earlier, later) => earlier.startMs - later.startMs);
}

async function renderOutside(visits: readonly BusyVisit[], context: CommandContext, most = maxCalls) {
  const [first] = visits;
  if (first === undefined) return [];
  const rest = `, among those of: ${renderCommand(['call-list'], context)}`;
  const ids = visits.map(({ id }) => id).join(',');
  return [
    ...(await renderAffected(visits, 'outside these hours', context, { most, rest })),
    `To move one: ${renderCommand(['move', first.id, 'fri', '11:00'], context)}`,
    ...(visits.length > most ? [] : [`To call them: ${renderCommand(['call-list', '--id', ids], context)}`]),
  ];
}

const maxExamples = 5;

/** How many are listed, and how many above a question. */
const [maxCalls, maxReviewed] = [50, 10];

/** The result of a bulk cancellation, with whom to call: those that it has cancelled. */
export async function withCalls(result: CommandResult, context: CommandContext): Promise<CommandResult> {
  const job = result.show === 'record' ? result.record['job'] : undefined;
  if (result.show !== 'record' || typeof job !== 'string') return result;
  try {
    const { readJobRows } = await import('../calendar/call-list.ts');
    const [rows, reader] = [await readJobRows(job, context), await openAppointmentReader(context)];
    const cancelled = [...rows.values()].flatMap(({ before }) => reader.read(before) ?? []);
    const people = await renderVisits(cancelled.slice(0, maxCalls), context);
    if (people.length === 0) return result;
    const left = cancelled.length - people.length;
    const more = left > 0 ? [`  … and ${left} more: salon call-list --job ${job}`] : [];
    const { name = '', service = '' } = people[0] ?? {};
    const words = ['book', name, '--service', service, '--stylist', 'anyone'];
    const lines = [result.message, 'To call:', ...people.map(({ line }) => line), ...more];
    const next = name === '' || service === '' ? [] : [`To book one again: ${renderCommand(words, context)}`];
    const told = { ...result, message: [...lines, ...next].join('\n') };
    const freed = [...rows.values()].flatMap(({ before }) => findFreed(before, undefined));
    return await withWaiting(told, freed, context);
  } catch (thrown) {
    context.messages.warn(`Whom to call is not known. ${toSalonError(thrown, undefined).message}`);
    return result;
  }
}
