import { SalonError } from '../contract/errors.ts';
import { toIdText } from '../contract/identifiers.ts';
import { countOf, renderCount } from '../text/numbers.ts';
import { quote } from '../text/quote.ts';
import { createZoneClock, minuteMs, type TimeSpan, toMinutes, type ZoneClock } from '../time/time.ts';
import { foldStatus, readStatus } from './appointment-status.ts';
import { type Fields, isFields } from './json-object.ts';

/** An appointment, in one shape for every server. Texts are empty if the server does not show them. */
export interface AppointmentFacts {
  readonly id: string;
  readonly clientId: string;
  readonly stylistId: string;
  readonly service: string;
  /** In the server's words. */
  readonly status: string;
  readonly startMs: number;
  /** Undefined if it shows neither a duration nor an end. */
  readonly minutes: number | undefined;
}

/** What must be readable besides the start. */
export type AppointmentNeed = 'client' | 'duration' | 'stylist' | 'status';

/** What had to be assumed: that a start without a zone is local, or that the end is right and the duration wrong. */
export type AppointmentNotice = 'zone assumed' | 'duration ignored';

/** An appointment that does not show what is needed, or not in a form that can be read. */
export interface UnreadableAppointment {
  readonly missing: AppointmentNeed | 'start';
  /** As the server sent it. */
  readonly status: unknown;
}

type AppointmentNeeds =
  | readonly AppointmentNeed[]
  | ((appointment: AppointmentFacts) => readonly AppointmentNeed[]);

/** Reads an appointment of any server. Times without a zone are those of `zone`. */
export function readAppointment(
  row: unknown,
  zone: ZoneClock,
  needs: AppointmentNeeds = [],
): { appointment: AppointmentFacts; notices: readonly AppointmentNotice[] } | UnreadableAppointment {
  const record = isFields(row) ? row : {};
  const start = readInstant(record['start_time'], zone);
  const status = record['status'];
  if (start === undefined) return { missing: 'start', status };
  const end = readInstant(record['end_time'], zone);
  const span = end && (end.ms - start.ms) / minuteMs;
  const duration = readDuration(toIdText(record['duration']) ?? '');
  const text = (name: string) => toName(record[name]);
  const appointment = {
    id: toName(record['id']),
    clientId: text('client_id'),
    stylistId: text('stylist_id'),
    service: text('service'),
    status: text('status'),
    startMs: start.ms,
    minutes: toLength(span ?? duration),
  };
  const shows: Readonly<Record<AppointmentNeed, boolean>> = {
    client: record['client_id'] !== undefined,
    duration: appointment.minutes !== undefined,
    stylist: record['stylist_id'] !== undefined,
    status: readStatus(status) !== undefined,
  };
  const missing = (typeof needs === 'function' ? needs(appointment) : needs).find((need) => !shows[need]);
  if (missing !== undefined) return { missing, status };
  const isContradicted = span !== undefined && duration !== undefined && Math.abs(span - duration) >= 1;
  const notices = { 'zone assumed': start.isLocal, 'duration ignored': isContradicted };
  return {
    appointment,
    notices: (['zone assumed', 'duration ignored'] as const).filter((name) => notices[name]),
  };
}

/** The filter of a list for the appointments that start in a span; of one person where no more are asked for. */
export function toAppointmentQuery(
  { startMs, endMs }: TimeSpan,
  people: {
    readonly clientId?: string | undefined;
    readonly stylistIds?: readonly string[] | undefined;
  } = {},
) {
  const { clientId, stylistIds } = people;
  return {
    start_time_from: new Date(startMs).toISOString(),
    start_time_to: new Date(endMs).toISOString(),
    ...(clientId !== undefined && { client_id: clientId }),
    ...(stylistIds?.length === 1 && { stylist_id: stylistIds[0] }),
  };
}

/** Reads appointments, and counts those it cannot read. */
export type AppointmentReader = ReturnType<typeof createAppointmentReader>;

const maxMinutes = 1440;

/** `onNotice` is called for every notice of an appointment that was read. */
export function createAppointmentReader(timeZone: string, onNotice?: (notice: AppointmentNotice) => void) {
  const zone = createZoneClock(timeZone);
  let [read, unread] = [0, 0];
  let hint: string | undefined;
  const problems = new Set<string>();
  const fault = () => {
    if (unread === 0) return undefined;
    const some = `${renderCount(unread)} of ${countOf(read + unread, 'appointments')} cannot`;
    const message = `${read === 0 ? 'No appointment can' : some} be read: ${[...problems].join('; ')}.`;
    return new SalonError('unexpected_response', message, { hint, members: { unreadable: unread, read } });
  };
  return {
    /** What is wrong with some of them. */
    fault,
    /** Throws `unexpected_response` if there were appointments, but none that could be read. */
    assertAny() {
      const error = fault();
      if (error !== undefined && read === 0) throw error;
    },
    /** Undefined if the start, or anything that `needs` names, cannot be read. */
    read(row: unknown, needs?: AppointmentNeeds): AppointmentFacts | undefined {
      const reading = readAppointment(row, zone, needs);
      if ('appointment' in reading) {
        read += 1;
        for (const notice of reading.notices) onNotice?.(notice);
        return reading.appointment;
      }
      unread += 1;
      if (problems.size < 5) problems.add(describeProblem(reading));
      if (reading.missing !== 'status') hint ??= toHint(isFields(row) ? row : {});
      return undefined;
    },
  };
}

const memberOf = {
  client: 'client_id',
  start: 'start_time',
  duration: 'duration or end_time',
  stylist: 'stylist_id',
  status: 'status',
};

function describeProblem({ missing, status }: UnreadableAppointment): string {
  if (missing !== 'status') return `${memberOf[missing]} is missing or not understood`;
  return `the status ${quote(JSON.stringify(foldStatus(status)), 40)} is not understood`;
}

function toHint(record: Fields): string {
  const parent = Object.entries(record).find(
    ([, value]) => isFields(value) && value['start_time'] !== undefined,
  );
  if (parent !== undefined) return `Set fields_key of the dialect to ${parent[0]}.`;
  return `The first of them has these fields: ${Object.keys(record).slice(0, 20).join(', ')}.`;
}

/** A text or number; of a record within the record, its ID or name. */
function toName(value: unknown): string {
  return toIdText(isFields(value) ? (value['id'] ?? value['name']) : value) ?? '';
}

/** RFC 3339, the same without a zone, Unix time in seconds or milliseconds, or Google's `{dateTime}`. */
export function readInstant(value: unknown, zone: ZoneClock): { ms: number; isLocal: boolean } | undefined {
  const text = toIdText(isFields(value) ? value['dateTime'] : value) ?? '';
  // From 2001 to 2286.
  if (/^\d{10}(?:\.\d+)?$|^\d{13}$/.test(text)) {
    return { ms: Math.round(Number(text) * (/^\d{13}$/.test(text) ? 1 : 1000)), isLocal: false };
  }
  const [, day, time, hours, minutes = '00'] = instantPattern.exec(text.trim()) ?? [];
  const isLocal = hours === undefined;
  const zoneText = isLocal || /z/i.test(hours) ? 'Z' : `${hours}:${minutes}`;
  const wallMs = Date.parse(`${day}T${time}${zoneText}`);
  return Number.isNaN(wallMs) ? undefined : { ms: isLocal ? zone.earliest(wallMs) : wallMs, isLocal };
}

const instantPattern =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(?:([Zz]|[+-]\d\d)(?::?(\d\d))?)?$/;

function toLength(minutes = 0): number | undefined {
  return minutes > 0 && minutes <= maxMinutes ? minutes : undefined;
}

/** `45`, `PT30M`, `P0DT00H30M00S` or `00:30:00` in minutes. */
function readDuration(text: string): number | undefined {
  const plain = text.replace(/^P0*D?T/i, 'PT').replace(/(?<=[HM])0+S$/i, '');
  return toLength(toMinutes(plain) ?? Number(text));
}
