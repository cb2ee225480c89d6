import { foldText } from '../../text/search-text.ts';
import { createZoneClock, dayMs, minuteMs, toUtcText } from '../../time/time.ts';
import { readBusyVisits, salonFacts } from '../availability/salon-facts.ts';
import { isWithin, overlaps, toCalendarDay } from '../calendar/calendar-days.ts';
import { readClock } from '../output/format.ts';
import { isUnavailable } from '../people/names.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { Booking } from './draft.ts';
import { renderWhen } from './summary.ts';

/** What the client of a booking has at that time with somebody else, or of that service that day, in sentences. */
export async function describeOtherVisits(
  { client, stylist, service, start, durationMinutes, fields }: Booking,
  context: CommandContext,
): Promise<readonly string[]> {
  if (client === undefined) return [];
  const style = await readClock(context);
  const startMs = Date.parse(start);
  const span = { startMs, endMs: startMs + durationMinutes * minuteMs };
  const day = toCalendarDay(startMs, createZoneClock(style.timeZone));
  const around = {
    startMs: Math.min(day.startMs, startMs - dayMs),
    endMs: Math.max(day.endMs, span.endMs),
    clientId: client.id,
    isSample: true,
  };
  const visits = await readBusyVisits(context, around).catch((error) => {
    if (!isUnavailable(error)) throw error;
    return [];
  });
  const others = visits.filter((visit) => {
    if (visit.clientId !== client.id) return false;
    // The server refuses an overlap with the same stylist.
    if (overlaps(visit, span)) return visit.stylistId !== stylist.id || fields['allow_overlap'] === true;
    return isWithin(visit.startMs, day) && foldText(visit.service) === foldText(service);
  });
  if (others.length === 0) return [];
  const stylists = (await salonFacts(context).stylists()) ?? [];
  return others.map((visit) => {
    const who = stylists.find(({ id }) => id === visit.stylistId)?.name ?? visit.stylistId;
    const when = renderWhen(toUtcText(visit.startMs), visit.minutes, style);
    return `${client.name} is booked already: ${visit.service} with ${who}, ${when}.`;
  });
}
