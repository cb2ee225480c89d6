import { isUnavailable } from '../../contract/errors.ts';
import { foldText } from '../../text/search-text.ts';
import { createZoneClock, dayMs, minuteMs, toUtcText, type ZoneClock } from '../../time/time.ts';
import { type BusyVisit, readBusyVisits, salonFacts } from '../availability/salon-facts.ts';
import { isWithin, overlaps, toCalendarDay } from '../calendar/calendar-days.ts';
import { renderShortTime, type ShortTimeStyle } from '../messages/short-times.ts';
import { renderMinutes } from '../output/cell.ts';
import { renderTextFields, type TextStyle } from '../output/document.ts';
import { readClock } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { Booking } from './draft.ts';

/** The booking, a line each for client, service, stylist, time, price and other fields. */
export function renderSummary(
  booking: Booking,
  price: string | undefined,
  style: ShortTimeStyle & TextStyle,
): string {
  const { client, newClient, service, durationMinutes, isUsualDuration, stylist, start } = booking;
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
  const { service, stylist, start, durationMinutes, client, newClient } = booking;
  const name = client?.name === client?.id ? newClient?.name : client?.name;
  const who = name === undefined ? '' : ` for ${name}`;
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

/** What the clients of bookings have at that time with somebody else, or of that service that day, in sentences. */
export async function describeOtherVisits(
  bookings: readonly Booking[],
  context: CommandContext,
): Promise<readonly string[]> {
  const style = await readClock(context);
  const zone = createZoneClock(style.timeZone);
  const sentences: string[] = [];
  for (const [id = '', own] of Map.groupBy(bookings, ({ client }) => client?.id)) {
    const starts = own.map(({ start }) => Date.parse(start));
    // What was booked the day before may last until then, and what is booked may take a day.
    const span = { startMs: Math.min(...starts) - 2 * dayMs, endMs: Math.max(...starts) + 2 * dayMs };
    const reading = id === '' ? [] : readBusyVisits(context, { ...span, clientId: id, isSample: true });
    const visits = await Promise.resolve(reading).catch((error) => {
      if (!isUnavailable(error)) throw error;
      return [];
    });
    const others = visits.filter(
      (one) => one.clientId === id && own.some((booking) => isOther(one, booking, zone)),
    );
    const stylists = others.length === 0 ? [] : ((await salonFacts(context).stylists()) ?? []);
    for (const { stylistId, service, startMs, minutes } of others) {
      const who = stylists.find((stylist) => stylist.id === stylistId)?.name ?? stylistId;
      const when = renderWhen(toUtcText(startMs), minutes, style);
      sentences.push(`${own[0]?.client?.name} is booked already: ${service} with ${who}, ${when}.`);
    }
  }
  return sentences;
}

function isOther(
  visit: BusyVisit,
  { stylist, service, start, durationMinutes, fields }: Booking,
  zone: ZoneClock,
) {
  const startMs = Date.parse(start);
  // The server refuses an overlap with the same stylist.
  if (overlaps(visit, { startMs, endMs: startMs + durationMinutes * minuteMs }))
    return visit.stylistId !== stylist.id || fields['allow_overlap'] === true;
  return (
    isWithin(visit.startMs, toCalendarDay(startMs, zone)) && foldText(visit.service) === foldText(service)
  );
}
