import { createZoneClock } from '../../time/time.ts';
import { toCalendarDay } from '../calendar/calendar-days.ts';
import type { ShortTimeStyle } from '../messages/short-times.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { renderMinutes } from '../output/cell.ts';
import { padToWidth } from '../output/fit-text.ts';
import type { Booking, BookingDraft } from './draft.ts';

/** The booking, a line each for client, service, stylist, time and other fields. */
export function renderSummary(booking: Booking, style: ShortTimeStyle): string {
  const { service, durationMinutes, isUsualDuration, stylist, start, price, fields } = booking;
  const { price: _, ...others } = fields;
  const near = renderNearDay(Date.parse(start), style);
  const usual = isUsualDuration === true ? ', as usual' : '';
  const lines = [
    ['Client', renderClient(booking)],
    ['Service', `${service} (${renderMinutes(durationMinutes)}${usual})`],
    ['Stylist', stylist.name],
    ['Time', `${renderWhen(start, durationMinutes, style)}${near === '' ? '' : ` (${near})`}`],
    ...(price === undefined ? [] : [['Price', price]]),
    ...Object.entries(others).map(([name, value]) => [toTitle(name), toFieldText(value)]),
  ];
  const width = Math.max(...lines.map(([title = '']) => title.length));
  return lines.map(([title = '', text = '']) => `  ${padToWidth(title, width)}  ${text}`).join('\n');
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

function renderClient({ client, newClient }: BookingDraft): string {
  if (newClient === undefined) return client?.name ?? '';
  const details = ['new client', newClient.phone].filter((text) => text !== '');
  return `${newClient.name} (${details.join(', ')})`;
}

function toTitle(field: string): string {
  const words = field.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function toFieldText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
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
