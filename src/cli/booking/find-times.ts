import { SalonError } from '../../contract/errors.ts';
import { selectOffering } from '../../contract/stylist.ts';
import { renderLongDay, weekdayNames } from '../../time/local-days.ts';
import { listRepeats, type Repeat, type RepeatedStart, readMonthEnd } from '../../time/repeats.ts';
import { createZoneClock, dayMs, type TimeSpan } from '../../time/time.ts';
import { readAvailability, readFreeTime } from '../availability/availability.ts';
import type { AvailableSlot } from '../availability/free-slots.ts';
import { salonFacts } from '../availability/salon-facts.ts';
import { findSpan, type MomentContext } from '../flags/moments.ts';
import { renderLocalDay } from '../messages/short-times.ts';
import { readClock } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import { anyone, type BookingDraft } from './draft.ts';
import { createVisitPlanner, toVisitSpan, type VisitPart } from './visits.ts';

/** One appointment that a time is wanted for. */
interface WantedPart extends Omit<VisitPart, 'isAble'> {
  /** Only stylists who do it. */
  readonly service?: string | undefined;
  readonly stylistIds?: readonly string[] | undefined;
}

/** What a time is wanted for. */
export interface WantedVisit {
  readonly parts: readonly WantedPart[];
  readonly repeat?: Repeat | undefined;
  readonly movedId?: string | undefined;
}

export function toWanted(draft: BookingDraft): WantedVisit {
  const { repeat, movedId, others = [] } = draft;
  const parts = [draft, ...others].map(({ stylist, service, durationMinutes, fromMs = 0 }) => {
    const isAnyone = stylist === undefined || stylist === anyone;
    // Another server may not say how long an appointment is.
    const time = { fromMs, minutes: durationMinutes || 30 };
    return { ...time, ...(isAnyone ? { service } : { stylistIds: [stylist.id] }) };
  });
  return { parts, repeat, movedId };
}

/** Reads who is free around a span, and finds times in it. */
export async function openVisitPlanner(
  { parts, movedId: ignoreAppointmentId }: WantedVisit,
  span: TimeSpan,
  context: CommandContext,
) {
  const durationMinutes = Math.min(...parts.map(({ minutes }) => minutes));
  const { endMs } = toVisitSpan(parts, span.endMs);
  const query = { span: { ...span, endMs }, durationMinutes, ignoreAppointmentId };
  const [free, listed] = [await readFreeTime(context, query), await salonFacts(context).stylists()];
  const able = parts.map(({ service = '', stylistIds, ...part }) => {
    const ids = listed && new Set(selectOffering(listed, service, listed).map(({ id }) => id));
    return { ...part, isAble: (id: string) => (stylistIds?.includes(id) ?? true) && ids?.has(id) !== false };
  });
  return createVisitPlanner(able, { free, timeZone: await context.timeZone() });
}

/** The starts of a visit. Throws `usage` for a repeat with none or too many. */
export function listStarts(...given: Parameters<typeof findStarts>): readonly RepeatedStart[] {
  const starts = findStarts(...given);
  if (typeof starts === 'string') throw new SalonError('usage', starts);
  return starts;
}

/** The starts of a visit, or what is wrong with a repeat. */
function findStarts(firstMs: number, repeat: Repeat | undefined, moments: MomentContext) {
  const zone = createZoneClock(moments.timeZone);
  const localMs = zone.wall(firstMs);
  if (repeat === undefined) return [{ localMs, startMs: firstMs }];
  const { until = '', weekday } = repeat;
  const last = findSpan(until, { ...moments, sinceMs: firstMs, isLater: true })?.local;
  const endMs = last ? Math.max(last.endMs, last.startMs + 1) : readMonthEnd(until, localMs);
  const starts = listRepeats(firstMs, repeat, { zone, nowMs: moments.now.getTime(), endMs });
  const isOther = ({ localMs: ms }: RepeatedStart) => new Date(ms).getUTCDay() !== weekday;
  const other = weekday === undefined || typeof starts === 'string' ? undefined : starts.find(isOther);
  if (weekday !== undefined && other !== undefined)
    return `The repeat is on ${weekdayNames[weekday]}s, not on ${renderLongDay(other.localMs)}: repeat by weeks, from such a day on.`;
  return until !== '' && starts.length === 1 ? 'Until then, the repeat has only its first date.' : starts;
}

/**
 * The times, now or later, that start in a span: of one appointment those of each stylist; of several those at which all
 * of them fit, with all dates of a repeat, for those who have them.
 */
export async function listSlots(
  visit: WantedVisit,
  { span, stepMinutes }: TimesQuery,
  context: CommandContext,
): Promise<readonly AvailableSlot[]> {
  const { parts, repeat, movedId } = visit;
  const [part, another] = parts;
  if (part !== undefined && another === undefined && repeat === undefined) {
    const { minutes, service, stylistIds } = part;
    const query = { durationMinutes: minutes, service, stylistIds, ignoreAppointmentId: movedId };
    return readAvailability(context, { ...query, span, stepMinutes });
  }
  const { times, planner } = await readTimes(visit, { span, stepMinutes }, context);
  return times.flatMap(({ startMs, dates }) => {
    if (dates.some(({ stylists }) => stylists === undefined)) return [];
    const ids = [...new Set(dates.flatMap(({ stylists = [] }) => stylists))];
    const stylistName = ids.map(planner.nameOf).join(' and ');
    return [{ ...toVisitSpan(parts, startMs), stylistId: ids.join(','), stylistName }];
  });
}

interface TimesQuery {
  readonly span: TimeSpan;
  readonly stepMinutes?: number | undefined;
}

/** The times in a span at which the first date of a visit fits, and who has each of its dates then. */
async function readTimes(visit: WantedVisit, { span, stepMinutes }: TimesQuery, context: CommandContext) {
  const moments = await readClock(context);
  // The days of the span may be other weekdays; a month later it mostly is another one.
  const isMonthly = visit.repeat?.unit === 'month';
  const repeat = visit.repeat && { ...visit.repeat, ...(!isMonthly && { weekday: undefined }) };
  const lastMs = listStarts(span.startMs, repeat, moments).at(-1)?.startMs ?? span.endMs;
  const endMs = Math.max(span.endMs, lastMs + span.endMs - span.startMs + dayMs);
  const planner = await openVisitPlanner(visit, { ...span, endMs }, context);
  const times = planner.list(span, stepMinutes).flatMap((startMs) => {
    const starts = findStarts(startMs, visit.repeat, moments);
    // Later days of the span may be after the last of the repeat.
    if (typeof starts === 'string') return [];
    const dates = starts.map((one) => ({
      localMs: one.localMs,
      stylists: one.startMs === undefined ? undefined : planner.fit(one.startMs),
    }));
    return [{ startMs, dates }];
  });
  return { planner, times };
}

/** Why several appointments fit at no time of a span: the dates of a repeat, or else the services, that fit at none. */
export async function describeUnmet(
  visit: WantedVisit,
  query: TimesQuery,
  context: CommandContext,
): Promise<readonly string[]> {
  const { times } = await readTimes(visit, query, context);
  const moments = await readClock(context);
  const { startMs, endMs } = query.span;
  const { wall } = createZoneClock(moments.timeZone);
  const notOn = (localMs: readonly number[]) =>
    `not on ${[...new Set([Math.min(...localMs), Math.max(...localMs)].map((ms) => renderLocalDay(ms, moments)))].join('–')}`;
  const unmet: string[] = [];
  for (const index of (times[0]?.dates ?? []).keys()) {
    const same = times.flatMap(({ dates }) => dates[index] ?? []);
    const isFree = same.some(({ stylists }) => stylists !== undefined);
    if (!isFree) unmet.push(notOn(same.map(({ localMs }) => localMs)));
  }
  if (times.length > 0) return unmet;
  for (const part of visit.parts) {
    const span = { startMs: startMs + part.fromMs, endMs: endMs + part.fromMs };
    const slots = await listSlots({ parts: [part] }, { ...query, span }, context);
    if (slots.length === 0 && part.service !== undefined) unmet.push(`nobody for ${part.service}`);
  }
  return unmet.length > 0 || visit.repeat === undefined ? unmet : [notOn([wall(startMs), wall(endMs - 1)])];
}
