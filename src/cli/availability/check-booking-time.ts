import { toClockText, weekdayNames } from '../../contract/local-days.ts';
import { createZoneClock, minuteMs } from '../../contract/time.ts';
import { renderDayHours } from '../../contract/week-hours.ts';
import { renderShortTime } from '../messages/short-times.ts';
import type { CommandContext } from '../session/command-context.ts';
import { isWithinHours } from './free-slots.ts';
import { readOpeningHours, type StylistHours } from './opening-hours.ts';
import { salonFacts } from './salon-facts.ts';

export interface BookingTime {
  readonly stylistId: string;
  /** A UTC instant. */
  readonly start: string;
  readonly durationMinutes: number;
}

/**
 * What speaks against a time, in sentences to show before somebody confirms it: it is in the past, or outside the
 * stylist's hours. Looks up hours only at a terminal, where somebody can answer.
 */
export async function checkBookingTime(
  context: CommandContext,
  { stylistId, start, durationMinutes }: BookingTime,
): Promise<readonly string[]> {
  const { timeZone } = (await context.session()).settings;
  const now = context.io.now();
  const startMs = Date.parse(start);
  if (Number.isNaN(startMs)) return [];
  const isPast = startMs < now.getTime();
  const sentences = isPast
    ? [`${renderShortTime(start, { timeZone: timeZone.value, now })} is in the past.`]
    : [];
  if (!context.prompts.isInteractive) return sentences;
  const listed = await salonFacts(context).stylists();
  const stylist = listed?.find(({ id }) => id === stylistId) ?? {
    id: stylistId,
    name: stylistId,
    hours: undefined,
  };
  const hours = (await readOpeningHours(context, [stylist])).get(stylistId);
  if (hours === undefined || hours.source === 'assumed') return sentences;
  const span = { startMs, endMs: startMs + durationMinutes * minuteMs };
  if (isWithinHours(hours.week, span, timeZone.value)) return sentences;
  return [...sentences, describeOutside(stylist.name, span, { hours, timeZone: timeZone.value })];
}

function describeOutside(
  name: string,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  { hours, timeZone }: { readonly hours: StylistHours; readonly timeZone: string },
): string {
  const { wall } = createZoneClock(timeZone);
  const weekday = new Date(wall(startMs)).getUTCDay();
  const open = renderDayHours(hours.week[weekday] ?? []).replaceAll('-', '–');
  const source = hours.source === 'learnt' ? ', as past appointments show' : '';
  if (open === '') return `${name} does not work on ${weekdayNames[weekday]}s${source}.`;
  const [from, to] = [startMs, endMs].map((ms) => toClockText(wall(ms)));
  return `${from}–${to} is outside ${name}'s hours on ${weekdayNames[weekday]}s (${open}${source}).`;
}
