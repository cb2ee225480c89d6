import type { Row } from '../../bulk/export/write-pages.ts';
import type { SalonError } from '../../contract/errors.ts';
import { type TimeSpan, toUtcText } from '../../contract/time.ts';
import { type ColumnSet, columnSet, findWantedNames } from '../output/columns.ts';
import type { CalendarDay } from './calendar-days.ts';

/** One appointment, with the client's name and with instants. */
export interface CalendarEntry extends TimeSpan {
  readonly id: string;
  readonly clientId: string;
  readonly stylistId: string;
  /** The client's name, or their ID if the name is not known. */
  readonly client: string;
  readonly service: string;
  readonly status: string;
  /** Whether the server does not show when it ends; `endMs` is for drawings then. */
  readonly isOpenEnded?: boolean;
  /** Where the server says so. */
  readonly createdMs?: number | undefined;
  readonly updatedMs?: number | undefined;
}

export interface CalendarStylist {
  readonly id: string;
  readonly name: string;
}

/** The appointments of one or more days. */
export interface Calendar {
  /** In display order. */
  readonly stylists: readonly CalendarStylist[];
  /** Stylists who do not work on any of the days and have no appointments. */
  readonly off?: readonly CalendarStylist[];
  /** By stylist, then by start. */
  readonly entries: readonly CalendarEntry[];
  /** Cancelled appointments and no-shows that are only counted. */
  readonly hidden: readonly CalendarEntry[];
  /** Names of clients, by ID; null or empty without one. */
  readonly clientNames: ReadonlyMap<string, string | null>;
  /** What is wrong with appointments that cannot be read, if there are any. */
  readonly fault?: SalonError | undefined;
}

/** What a view of a calendar shows. */
export interface CalendarContents extends Omit<Calendar, 'clientNames' | 'fault'> {
  readonly timeZone: string;
  readonly nowMs: number;
}

export interface DayContents extends CalendarContents {
  readonly day: CalendarDay;
}

export interface WeekContents extends CalendarContents {
  readonly days: readonly CalendarDay[];
}

export interface CalendarStyle {
  /** Size of the terminal in columns and lines; no printed line is wider. */
  readonly width: number;
  readonly height: number;
  readonly color: boolean;
  /** Whether the terminal has 256 colours, which fill the blocks. */
  readonly hasManyColors: boolean;
}

/** The columns of a calendar in machine formats. */
export const calendarColumns: ColumnSet = {
  ...columnSet({
    start_time: 'instant',
    end_time: 'instant',
    stylist: 'text',
    client: 'text',
    service: 'text',
    status: 'status',
    id: 'text',
    stylist_id: 'text',
    client_id: 'text',
  }),
  names: { client_name: 'client_id', stylist_name: 'stylist_id' },
};

/** One row per appointment; unknown names are null. `client_name` and `stylist_name` are added if they are requested. */
export function toCalendarRows(
  { entries, stylists, clientNames }: Calendar,
  requested: string | undefined,
): readonly Row[] {
  const stylistNames = new Map(stylists.map(({ id, name }) => [id, name]));
  const hasNames = Object.keys(findWantedNames(calendarColumns, { requested })).length > 0;
  return entries.map(({ id, stylistId, clientId, service, status, startMs, endMs, isOpenEnded }) => ({
    start_time: toUtcText(startMs),
    end_time: isOpenEnded === true ? null : toUtcText(endMs),
    stylist: stylistNames.get(stylistId) ?? null,
    client: clientNames.get(clientId) || null,
    service,
    status,
    id,
    stylist_id: stylistId,
    client_id: clientId,
    ...(hasNames && {
      client_name: clientNames.get(clientId) || null,
      stylist_name: stylistNames.get(stylistId) ?? null,
    }),
  }));
}
