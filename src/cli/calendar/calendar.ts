import { readStatus } from '../../client/appointment-status.ts';
import type { Fields } from '../../client/json-object.ts';
import type { AppointmentFacts } from '../../client/read-appointment.ts';
import type { SalonError } from '../../contract/errors.ts';
import { type TimeSpan, toUtcText } from '../../time/time.ts';
import type { WeekHours } from '../../time/week-hours.ts';
import type { BlockedSpan } from '../availability/salon-facts.ts';
import { type ColumnSet, columnSet, contactColumns, findWantedNames } from '../output/columns.ts';
import type { TextStyle } from '../output/document.ts';
import type { ClientContact } from '../people/names.ts';
import type { CalendarDay } from './calendar-days.ts';

/** One appointment, with the client's name and with instants. */
export interface CalendarEntry extends TimeSpan, Omit<AppointmentFacts, 'minutes'> {
  /** The client's name, or their ID if the name is not known. */
  readonly client: string;
  /** The client's phone number, where it is known. */
  readonly phone?: string | undefined;
  /** Whether the server does not show when it ends; `endMs` is for drawings then. */
  readonly isOpenEnded?: boolean;
  /** Where the server says so. */
  readonly createdMs?: number | undefined;
  readonly updatedMs?: number | undefined;
  /** What else the client has that day, in words. */
  readonly sameDay?: string | undefined;
}

export interface CalendarStylist {
  readonly id: string;
  readonly name: string;
  /** Where the server has them. */
  readonly workingHours?: WeekHours | undefined;
}

/** The appointments of one or more days. */
export interface Calendar {
  /** In display order. */
  readonly stylists: readonly CalendarStylist[];
  /** Stylists who do not work on any of the days and have no appointments. */
  readonly off?: readonly CalendarStylist[];
  /** When stylists are away and the salon is closed. */
  readonly blocks?: readonly BlockedSpan[];
  /** By stylist, then by start. */
  readonly entries: readonly CalendarEntry[];
  /** Cancelled appointments and no-shows that are only counted. */
  readonly hidden: readonly CalendarEntry[];
  /** Clients by ID; null for a deleted one. */
  readonly contacts: ReadonlyMap<string, ClientContact | null>;
  /** What is wrong with appointments that cannot be read, if there are any. */
  readonly fault?: SalonError | undefined;
}

/** What a view of a calendar shows. */
export interface CalendarContents extends Omit<Calendar, 'contacts' | 'fault'> {
  readonly timeZone: string;
  readonly nowMs: number;
}

export interface DayContents extends CalendarContents {
  readonly day: CalendarDay;
}

export interface WeekContents extends CalendarContents {
  readonly days: readonly CalendarDay[];
}

export interface CalendarStyle extends TextStyle {
  /** Lines of the terminal. */
  readonly height: number;
  /** Whether the terminal has 256 colours, which fill the blocks. */
  readonly hasManyColors: boolean;
}

/** The columns of a calendar in machine formats. */
export const calendarColumns: ColumnSet = {
  ...columnSet({
    ...{ start_time: 'instant', end_time: 'instant', stylist: 'text', client: 'text', service: 'text' },
    ...{ status: 'status', id: 'text', stylist_id: 'text', client_id: 'text' },
  }),
  names: { ...contactColumns, stylist_name: 'stylist_id' },
};

/** One row per appointment; unknown names are null. Columns about people are added if they are requested. */
export function toCalendarRows(
  { entries, stylists, contacts }: Calendar,
  requested: string | undefined,
): readonly Fields[] {
  const stylistNames = new Map(stylists.map(({ id, name }) => [id, name]));
  const hasNames = Object.keys(findWantedNames(calendarColumns, { requested })).length > 0;
  return entries.map(({ id, stylistId, clientId, service, status, startMs, endMs, isOpenEnded }) => {
    const { name, phone, email } = contacts.get(clientId) ?? {};
    const [client, stylist] = [name || null, stylistNames.get(stylistId) ?? null];
    const contact = { client_name: client, client_phone: phone || null, client_email: email || null };
    return {
      start_time: toUtcText(startMs),
      end_time: isOpenEnded === true ? null : toUtcText(endMs),
      ...{ stylist, client, service, status, id, stylist_id: stylistId, client_id: clientId },
      ...(hasNames && { ...contact, stylist_name: stylist }),
    };
  });
}

/** What is wrong with an appointment at this moment, or has to be done before it. */
export function findDuty(entry: CalendarEntry, nowMs: number) {
  const { startMs, endMs } = entry;
  const status = readStatus(entry.status);
  if ((status === 'confirmed' || status === 'pending') && startMs <= nowMs) return 'not_arrived';
  if ((status === 'arrived' || status === 'in_service') && endMs <= nowMs) return 'not_completed';
  return status === 'pending' ? 'to_confirm' : undefined;
}
