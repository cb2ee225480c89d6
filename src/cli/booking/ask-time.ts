import { countOf } from '../../text/numbers.ts';
import { foldText } from '../../text/search-text.ts';
import { renderShortDay } from '../../time/local-days.ts';
import { createZoneClock, minuteMs, toUtcText } from '../../time/time.ts';
import { readFreeTime } from '../availability/availability.ts';
import type { AvailableSlot } from '../availability/free-slots.ts';
import { readBlockedSpans } from '../availability/salon-facts.ts';
import { type CalendarDay, isWithin, toCalendarDay } from '../calendar/calendar-days.ts';
import type { MomentContext } from '../flags/moments.ts';
import type { SearchChoice } from '../messages/plain-prompts.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { renderMinutes } from '../output/cell.ts';
import { readClock } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import { anyone, type BookingDraft, reopen } from './draft.ts';
import { listSlots, toWanted } from './find-times.ts';
import { renderNearDay } from './summary.ts';
import { findTimeOn, readMoment } from './words.ts';

/** Days that are offered without typing, unless a week was asked for. */
const offeredDays = 14;

/** Has somebody choose one of the next days with free times, or type any day, or day and time. */
export async function askForDay(draft: BookingDraft, context: CommandContext): Promise<BookingDraft> {
  const style = await readClock(context);
  const zone = createZoneClock(style.timeZone);
  const nowMs = style.now.getTime();
  const firstMs = Math.max(nowMs, draft.span?.startMs ?? nowMs);
  const lastMs = draft.span?.endMs ?? Number.POSITIVE_INFINITY;
  const days = Array.from({ length: offeredDays }, (_, index) => toCalendarDay(firstMs, zone, index)).filter(
    ({ startMs }) => startMs < lastMs,
  );
  const span = { startMs: firstMs, endMs: days.at(-1)?.endMs ?? firstMs };
  const slots = await readSlots({ ...draft, span }, context);
  const offered = days.flatMap((day): SearchChoice<BookingDraft>[] => {
    const starts = slots.map(({ startMs }) => startMs).filter((startMs) => isWithin(startMs, day));
    const free = new Set(starts).size;
    const value = { ...draft, span: day };
    return free === 0 ? [] : [{ value, label: renderDay(day, style), hint: countOf(free, 'free times') }];
  });
  return context.prompts.search<BookingDraft>('Day', {
    async find(typed) {
      const fitting = offered.filter(({ label }) => foldText(label).includes(foldText(typed)));
      if (typed === '' || fitting.length > 0) return fitting;
      // An unclear day such as 3/4 is explained below the question.
      const read = readMoment(typed, style);
      const startMs = read.span?.startMs ?? 0;
      const label =
        read.start === undefined
          ? renderDay(toCalendarDay(startMs, zone), style)
          : renderShortTime(read.start, style);
      return [{ value: { ...draft, ...read }, label }];
    },
  });
}

const otherDay = 'another day';

/** Has somebody choose one of the free times of the day, or type another one. */
export async function askForTime(draft: BookingDraft, context: CommandContext): Promise<BookingDraft> {
  const style = await readClock(context);
  const day = toCalendarDay(draft.span?.startMs ?? 0, createZoneClock(style.timeZone));
  const isAnyone = draft.stylist === anyone;
  const free = await readTimes(draft, context, style);
  if (free.length === 0) {
    const who = draft.stylist === undefined || isAnyone ? '' : ` with ${draft.stylist.name}`;
    const length = renderMinutes(draft.durationMinutes || 30);
    context.messages.show(`No ${length} free${who} on ${renderShortDay(day.dateMs)}.`);
    if (isAnyone) return reopen(draft, 'day');
  }
  const another = { value: otherDay, label: 'Another day' };
  const answer = await context.prompts.search<string>(`Time on ${renderShortDay(day.dateMs)}`, {
    async find(typed) {
      const start = typed === '' ? undefined : findTimeOn(day, typed, { ...style, onRepeated: undefined });
      const fitting = free.filter(({ label, value }) => label.startsWith(typed) || value === start);
      const isOther = start !== undefined && !isAnyone && free.every(({ value }) => value !== start);
      if (!isOther) return [...fitting, another];
      // A time between those offered may be free, and somebody who is booked may still squeeze a client in.
      const startMs = Date.parse(start);
      const endMs = startMs + (draft.durationMinutes || 30) * minuteMs;
      const slots = await readSlots({ ...draft, span: { startMs, endMs } }, context, 1);
      const hint = slots.some((slot) => slot.startMs === startMs) ? undefined : 'not free';
      return [...fitting, { value: start, label: toTime(start, style), hint }, another];
    },
  });
  if (answer === otherDay) return reopen(draft, 'day');
  // It was chosen by its local time.
  style.onLocal?.(Date.parse(answer));
  return { ...draft, start: answer };
}

/** Free times for a draft, with its stylist or with everybody who does the service. */
async function readSlots(
  draft: BookingDraft,
  context: CommandContext,
  stepMinutes?: number,
): Promise<readonly AvailableSlot[]> {
  const { span } = draft;
  return span === undefined ? [] : listSlots(toWanted(draft), { span, stepMinutes }, context);
}

/**
 * What is to be said of each stylist at the start of a draft, by ID: `free`, `away`, `busy until 11:00`. Empty without
 * a start to come.
 */
export async function describeStylists(
  { start = '', durationMinutes, movedId: ignoreAppointmentId }: BookingDraft,
  context: CommandContext,
): Promise<(stylistId: string) => string | undefined> {
  const style = await readClock(context);
  const startMs = Date.parse(start);
  if (!(startMs >= style.now.getTime())) return () => undefined;
  const minutes = durationMinutes || 30;
  const day = { startMs, endMs: toCalendarDay(startMs, createZoneClock(style.timeZone)).endMs };
  const query = { span: day, durationMinutes: minutes, ignoreAppointmentId };
  const endMs = startMs + minutes * minuteMs;
  const [free, blocks] = [
    await readFreeTime(context, query),
    await readBlockedSpans(context, { startMs, endMs }),
  ];
  const spansOf = new Map(free.map(({ stylistId, spans }) => [stylistId, spans]));
  return (id) => {
    const fitting = (spansOf.get(id) ?? []).filter((span) => span.endMs - span.startMs >= endMs - startMs);
    if (fitting.some((span) => span.startMs <= startMs && span.endMs >= endMs)) return 'free';
    if (blocks.some(({ stylistId }) => stylistId === null || stylistId === id)) return 'away';
    const next = fitting.find((span) => span.startMs > startMs && span.startMs < day.endMs);
    return next === undefined ? 'not free that day' : `busy until ${toTime(toUtcText(next.startMs), style)}`;
  };
}

/** Names of a free time, before the rest is counted. */
const maxNames = 3;

async function readTimes(
  draft: BookingDraft,
  context: CommandContext,
  style: MomentContext,
): Promise<readonly SearchChoice<string>[]> {
  const slots = await readSlots(draft, context);
  return [...Map.groupBy(slots, ({ startMs }) => startMs)].map(([startMs, own]) => {
    const start = toUtcText(startMs);
    const hint = draft.stylist === anyone ? nameStylists(own) : undefined;
    return { value: start, label: toTime(start, style), hint };
  });
}

/** `Mia, Theo, Sam and 2 more`. */
export function nameStylists(slots: readonly AvailableSlot[]): string {
  const names = slots.map(({ stylistName }) => stylistName);
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return `${names.slice(0, maxNames).join(', ')}${more}`;
}

function renderDay(day: CalendarDay, style: MomentContext): string {
  const near = renderNearDay(day.startMs, style);
  const date = renderShortDay(day.dateMs);
  return near === '' ? date : `${near.charAt(0).toUpperCase()}${near.slice(1)}, ${date}`;
}

function toTime(start: string, style: MomentContext): string {
  return renderShortTime(start, style).slice(-5);
}
