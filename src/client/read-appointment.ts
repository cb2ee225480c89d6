import { readStatus } from '../contract/appointment.ts';
import { SalonError } from '../contract/errors.ts';
import { toIdText } from '../contract/identifiers.ts';
import { countOf, renderCount } from '../contract/numbers.ts';
import { createZoneClock, minuteMs, toMinutes, type ZoneClock } from '../contract/time.ts';
import { type Fields, findMember, isFields } from './fields.ts';
import { quote } from './http/quote.ts';

/** An appointment, whatever server it is from. */
export interface ReadAppointment {
  readonly id: string;
  readonly clientId: string;
  readonly stylistId: string;
  readonly service: string;
  readonly status: string;
  readonly startMs: number;
  /** Undefined if it shows neither a duration nor an end. */
  readonly minutes: number | undefined;
}

/** Reads appointments, and counts those it cannot read. */
export interface AppointmentReader {
  /** Undefined if the start cannot be read, or what is needed besides. */
  read(row: unknown, needs?: readonly ('duration' | 'stylist')[]): ReadAppointment | undefined;
  /** Whether the status of one that was read is unknown: then it counts as one that cannot be read. */
  rejects(status: string): boolean;
  /** Throws `unexpected_response` if there were appointments, but none that could be read. */
  assertAny(): void;
  /** What is wrong with some of them. */
  fault(): SalonError | undefined;
}

const maxMinutes = 1440;

type OnDoubt = (doubt: 'local' | 'end') => void;

/** `onDoubt` is called for a time without a zone, a local one, and for a duration that contradicts the end, which is right. */
export function createAppointmentReader(timeZone: string, onDoubt?: OnDoubt): AppointmentReader {
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
  const addProblem = (problem: string) => {
    unread += 1;
    if (problems.size < 5) problems.add(problem);
  };
  return {
    fault,
    rejects(status) {
      if (readStatus(status) !== undefined) return false;
      read -= 1;
      addProblem(`the status ${quote(JSON.stringify(status), 40)} is not understood`);
      return true;
    },
    assertAny() {
      const error = fault();
      if (error !== undefined && read === 0) throw error;
    },
    read(row, needs = []) {
      const record = isFields(row) ? row : {};
      const start = readInstant(findMember(record, 'start_time'), zone);
      if (start?.isLocal === true) onDoubt?.('local');
      const end = readInstant(findMember(record, 'end_time'), zone);
      const span = start && end && (end.ms - start.ms) / minuteMs;
      const duration = readDuration(toIdText(findMember(record, 'duration')) ?? '');
      if (span !== undefined && duration !== undefined && Math.abs(span - duration) >= 1) onDoubt?.('end');
      const minutes = toLength(span ?? duration);
      const stylist = findMember(record, 'stylist_id');
      const lacks = {
        start_time: start === undefined,
        'duration or end_time': needs.includes('duration') && minutes === undefined,
        stylist_id: needs.includes('stylist') && stylist === undefined,
      };
      const [lacking] = Object.entries(lacks).find(([, isLacking]) => isLacking) ?? [];
      if (start === undefined || lacking !== undefined) {
        addProblem(`${lacking} is missing or not understood`);
        hint ??= toHint(record);
        return undefined;
      }
      read += 1;
      const text = (name: string) => toName(findMember(record, name));
      return {
        ...{ id: toName(record['id']), clientId: text('client_id'), stylistId: toName(stylist) },
        ...{ service: text('service'), status: text('status'), startMs: start.ms, minutes },
      };
    },
  };
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
