import { foldStatus, readStatus } from '../contract/appointment.ts';
import { SalonError } from '../contract/errors.ts';
import { toIdText } from '../contract/identifiers.ts';
import { countOf, renderCount } from '../contract/numbers.ts';
import { createZoneClock, minuteMs, type TimeSpan, toMinutes, type ZoneClock } from '../contract/time.ts';
import { quote } from './http/quote.ts';
import { type Fields, findMember, isFields } from './json-object.ts';

/** An appointment, whatever server it is from. Texts are empty where it does not show them. */
export interface Visit {
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
export type VisitNeed = 'client' | 'duration' | 'stylist' | 'status';

interface VisitReading {
  readonly visit: Visit;
  /** What is doubtful: a start without a zone, taken as local, or a duration that contradicts the end, which is right. */
  readonly notices: readonly ('local' | 'end')[];
}

/** What an appointment does not show, or in a way that is not understood. */
export interface UnreadableVisit {
  readonly lacks: VisitNeed | 'start';
  /** As the server sent it. */
  readonly status: unknown;
}

type VisitNeeds = readonly VisitNeed[] | ((visit: Visit) => readonly VisitNeed[]);

/** Reads an appointment of any server. Times without a zone are those of `zone`. */
export function readVisit(
  row: unknown,
  zone: ZoneClock,
  needs: VisitNeeds = [],
): VisitReading | UnreadableVisit {
  const record = isFields(row) ? row : {};
  const start = readInstant(findMember(record, 'start_time'), zone);
  const status = findMember(record, 'status');
  if (start === undefined) return { lacks: 'start', status };
  const end = readInstant(findMember(record, 'end_time'), zone);
  const span = end && (end.ms - start.ms) / minuteMs;
  const duration = readDuration(toIdText(findMember(record, 'duration')) ?? '');
  const text = (name: string) => toName(findMember(record, name));
  const visit = {
    id: toName(record['id']),
    clientId: text('client_id'),
    stylistId: text('stylist_id'),
    service: text('service'),
    status: text('status'),
    startMs: start.ms,
    minutes: toLength(span ?? duration),
  };
  const shows: Readonly<Record<VisitNeed, boolean>> = {
    client: findMember(record, 'client_id') !== undefined,
    duration: visit.minutes !== undefined,
    stylist: findMember(record, 'stylist_id') !== undefined,
    status: readStatus(status) !== undefined,
  };
  const lacks = (typeof needs === 'function' ? needs(visit) : needs).find((need) => !shows[need]);
  if (lacks !== undefined) return { lacks, status };
  const isContradicted = span !== undefined && duration !== undefined && Math.abs(span - duration) >= 1;
  const notices = { local: start.isLocal, end: isContradicted };
  return { visit, notices: (['local', 'end'] as const).filter((name) => notices[name]) };
}

/** The filter of a list for the appointments that start in a span; of one person where no more are asked for. */
export function toVisitQuery(
  { startMs, endMs }: TimeSpan,
  {
    clientId,
    stylistIds,
  }: { readonly clientId?: string | undefined; readonly stylistIds?: readonly string[] | undefined } = {},
) {
  return {
    start_time_from: new Date(startMs).toISOString(),
    start_time_to: new Date(endMs).toISOString(),
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(stylistIds?.length === 1 ? { stylist_id: stylistIds[0] } : {}),
  };
}

/** Reads appointments, and counts those it cannot read. */
export interface AppointmentReader {
  /** Undefined if the start cannot be read, or what is needed besides. */
  read(row: unknown, needs?: VisitNeeds): Visit | undefined;
  /** Throws `unexpected_response` if there were appointments, but none that could be read. */
  assertAny(): void;
  /** What is wrong with some of them. */
  fault(): SalonError | undefined;
}

const maxMinutes = 1440;

/** `onNotice` is called for what is doubtful about an appointment that was read. */
export function createAppointmentReader(
  timeZone: string,
  onNotice?: (notice: 'local' | 'end') => void,
): AppointmentReader {
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
    fault,
    assertAny() {
      const error = fault();
      if (error !== undefined && read === 0) throw error;
    },
    read(row, needs) {
      const reading = readVisit(row, zone, needs);
      if ('visit' in reading) {
        read += 1;
        for (const notice of reading.notices) onNotice?.(notice);
        return reading.visit;
      }
      unread += 1;
      if (problems.size < 5) problems.add(describeProblem(reading));
      if (reading.lacks !== 'status') hint ??= toHint(isFields(row) ? row : {});
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

function describeProblem({ lacks, status }: UnreadableVisit): string {
  if (lacks !== 'status') return `${memberOf[lacks]} is missing or not understood`;
  return `the status ${quote(JSON.stringify(foldStatus(status)), 40)} is not understood`;
}

function toHint(record: Fields): string {
  const parent = Object.entries(record).find(
    ([, value]) => isFields(value) && findMember(value, 'start_time') !== undefined,
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
  const [, hours, minutes] = /^(\d\d?):(\d\d)(?::00)?$/.exec(text) ?? [];
  if (minutes !== undefined) return Number(hours) * 60 + Number(minutes);
  const plain = text.replace(/^P0*D?T/i, 'PT').replace(/(?<=[HM])0+S$/i, '');
  return toLength(toMinutes(plain) ?? Number(text));
}
