import { type SalonError, withContext } from '../../contract/errors.ts';
import { countOf } from '../../contract/numbers.ts';
import { renderShortTime, type ShortTimeStyle } from './short-times.ts';

/**
 * A refusal of the service in the salon's words: `Mia is booked Fri 27 Nov 10:00–11:00 (Ana Costa). Free from 11:00.`
 * Other errors, and those of servers that do not say who and when, are returned unchanged.
 */
export function explainRefusal(error: SalonError, style: ShortTimeStyle): SalonError {
  const message =
    error.code === 'appointment_conflict'
      ? describeConflict(error.members, style)
      : error.code === 'client_has_upcoming_appointments'
        ? describeUpcoming(error.members, style)
        : error.code === 'appointment_not_started'
          ? error.message.replace(instant, (iso) => renderShortTime(iso, style))
          : undefined;
  return message === undefined ? error : withContext(error, { message });
}

const instant = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

type Members = SalonError['members'];

function describeConflict(members: Members, style: ShortTimeStyle): string | undefined {
  const { stylist_name: stylist, conflicts, conflicting_appointment_ids: ids, free_from: free } = members;
  const known = toRecords(conflicts).filter(
    ({ start_time, duration }) => isTime(start_time) && isCount(duration),
  );
  const [first] = known;
  if (first === undefined) return undefined;
  const day = toDay(String(first['start_time']), style);
  // The day is said once, unless a later appointment is on another one.
  const say = (iso: string) => {
    const time = renderShortTime(iso, style);
    return time.startsWith(`${day} `) ? time.slice(day.length + 1) : time;
  };
  const spans = known.map(({ start_time, duration, client_name: client }) => {
    const endMs = Date.parse(String(start_time)) + Number(duration) * 60_000;
    const who = typeof client === 'string' && client !== '' ? ` (${client})` : '';
    return `${say(String(start_time))}–${say(new Date(endMs).toISOString())}${who}`;
  });
  const count = Array.isArray(ids) ? ids.length : known.length;
  const others = count > known.length ? ` and ${countOf(count - known.length, 'more appointments')}` : '';
  const name = typeof stylist === 'string' && stylist !== '' ? stylist : 'The stylist';
  const isFree = isTime(free) && toDay(free, style) === day;
  return `${name} is booked ${day} ${spans.join(', ')}${others}.${isFree ? ` Free from ${say(free)}.` : ''}`;
}

function describeUpcoming(members: Members, style: ShortTimeStyle): string | undefined {
  const { client_name: client, appointments, appointment_ids: ids } = members;
  const known = toRecords(appointments).filter(({ start_time }) => isTime(start_time));
  if (known.length === 0) return undefined;
  const listed = known.map(({ start_time, service, stylist_name: stylist }) => {
    const what = typeof service === 'string' ? ` ${service}` : '';
    return `${renderShortTime(String(start_time), style)}${what}${typeof stylist === 'string' ? ` (${stylist})` : ''}`;
  });
  const count = Array.isArray(ids) ? ids.length : known.length;
  const others = count > known.length ? ` and ${countOf(count - known.length, 'more appointments')}` : '';
  const name = typeof client === 'string' && client !== '' ? client : 'The client';
  return `${name} has ${countOf(count, 'upcoming appointments')}: ${listed.join(', ')}${others}.`;
}

/** `Fri 27 Nov`, without the time. */
function toDay(iso: string, style: ShortTimeStyle): string {
  return renderShortTime(iso, style).replace(/ \S+$/, '');
}

function toRecords(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
