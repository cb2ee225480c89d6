import { isUnavailable } from '../../contract/errors.ts';
import { foldText } from '../../text/search-text.ts';
import { createZoneClock, dayMs, minuteMs, toUtcText } from '../../time/time.ts';
import { readBusyVisits, salonFacts } from '../availability/salon-facts.ts';
import { isWithin, overlaps, toCalendarDay } from '../calendar/calendar-days.ts';
import { renderShortTime, type ShortTimeStyle } from '../messages/short-times.ts';
import { renderMinutes } from '../output/cell.ts';
import { renderTextFields, type TextStyle } from '../output/document.ts';
import { readClock } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { Booking } from './draft.ts';

/** The booking, a line each for client, service, stylist, time and other fields. */
export function renderSummary(booking: Booking, style: ShortTimeStyle & TextStyle): string {
  const { client, newClient, service, durationMinutes, isUsualDuration, stylist, start, price } = booking;
  const added = ['new client', newClient?.phone].filter(Boolean).join(', ');
  const { price: _, ...others } = booking.fields;
  const near = renderNearDay(Date.parse(start), style);
  const usual = isUsualDuration === true ? ', as usual' : '';
  const fields = [
    ['Client', newClient === undefined ? client?.name : `${newClient.name} (${added})`],
    ['Service', `${service} (${renderMinutes(durationMinutes)}${usual})`],
    ['Stylist', stylist.name],
    ['Time', `${renderWhen(start, durationMinutes, style)}${near === '' ? '' : ` (${near})`}`],
    ...(price === undefined ? [] : [['Price', price]]),
    ...Object.entries(others).map(([name, value]) => {
      const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
      return [toTitle(name), typeof text === 'string' ? text : JSON.stringify(text)];
    }),
  ];
  const named = fields.map(([label = '', text = '']) => ({ label, lines: [text] }));
  return renderTextFields(named, { ...style, indent: 2 }).trimEnd();
}

/** An appointment before and after a move, with the stylist where that changes. */
export function renderMove(before: Booking, after: Booking, style: ShortTimeStyle): string {
  const isSame = before.stylist.id === after.stylist.id;
  const withStylist = ({ start, durationMinutes, stylist }: Booking) =>
    `${renderWhen(start, durationMinutes, style)}${isSame ? '' : ` with ${stylist.name}`}`;
  const near = renderNearDay(Date.parse(after.start), style);
  return [
    `  ${before.client?.name}, ${before.service}${isSame ? ` with ${before.stylist.name}` : ''}`,
    `  ${withStylist(before)} → ${withStylist(after)}${near === '' ? '' : ` (${near})`}`,
  ].join('\n');
}

/** `Balayage for Ana Costa with Mia, Fri 27 Nov 15:00–16:30`. Names that a script has not looked up are left out. */
export function describeBooking(booking: Booking, style: ShortTimeStyle): string {
  const { service, stylist, start, durationMinutes, client } = booking;
  const who = client === undefined || client.name === client.id ? '' : ` for ${client.name}`;
  const whom = stylist.name === stylist.id ? '' : ` with ${stylist.name}`;
  return `${service}${who}${whom}, ${renderWhen(start, durationMinutes, style)}`;
}

function toTitle(field: string): string {
  const words = field.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** `Fri 27 Nov 15:00–16:30`; without the end where no duration is known. */
export function renderWhen(start: string, minutes: number, style: ShortTimeStyle): string {
  if (!(minutes > 0)) return renderShortTime(start, style);
  const end = new Date(Date.parse(start) + minutes * 60_000).toISOString();
  const [from, to] = [renderShortTime(start, style), renderShortTime(end, style)];
  const isSameDay = from.slice(0, -5) === to.slice(0, -5);
  return `${from}–${isSameDay ? to.slice(-5) : to}`;
}

/** `today`, `tomorrow`, or nothing. */
export function renderNearDay(startMs: number, { timeZone, now }: ShortTimeStyle): string {
  const zone = createZoneClock(timeZone);
  const { dateMs } = toCalendarDay(startMs, zone);
  const days = [toCalendarDay(now.getTime(), zone), toCalendarDay(now.getTime(), zone, 1)];
  return ['today', 'tomorrow'][days.findIndex((day) => day.dateMs === dateMs)] ?? '';
}

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
