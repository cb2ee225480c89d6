import { columnSet, type Row } from '../output/columns.ts';
import type { CalendarDay } from './calendar-days.ts';
import type { ReadCalendar } from './read-calendar.ts';

/** One appointment as a calendar shows it: names instead of references, instants instead of texts. */
export interface Visit {
  readonly id: string;
  readonly clientId: string;
  readonly stylistId: string;
  /** Who comes; the identifier where no name is known. */
  readonly client: string;
  readonly service: string;
  readonly status: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** Whose time a calendar shows. */
export interface CalendarStylist {
  readonly id: string;
  readonly name: string;
}

/** How a calendar is drawn. */
export interface CalendarStyle {
  /** Columns and lines of the terminal; no line is wider. */
  readonly width: number;
  readonly height: number;
  readonly color: boolean;
  /** Whether the terminal has the 256 colours in which blocks are filled. */
  readonly hasManyColors: boolean;
}

/** How many of each status there are. */
export type StatusCounts = ReadonlyMap<string, number>;

/** What people want to see of a stretch of time. */
export interface CalendarContents {
  /** In the order in which they stand side by side. */
  readonly stylists: readonly CalendarStylist[];
  readonly visits: readonly Visit[];
  /** Appointments that are there and not shown, by their status. */
  readonly leftOut: StatusCounts;
  readonly nowMs: number;
}

/** What people want to see of one day. */
export interface DayContents extends CalendarContents {
  readonly day: CalendarDay;
  readonly timeZone: string;
}

/** What a program gets of a calendar. */
export const calendarColumns = columnSet({
  start_time: 'instant',
  end_time: 'instant',
  stylist: 'text',
  client: 'text',
  service: 'text',
  status: 'status',
  id: 'text',
  stylist_id: 'text',
  client_id: 'text',
});

/** A row for each appointment, stylist by stylist; names are null where none is known. */
export function toCalendarRows({ visits, stylists, names }: ReadCalendar): readonly Row[] {
  const stylistNames = new Map(stylists.map(({ id, name }) => [id, name]));
  return visits.map(({ id, stylistId, clientId, service, status, startMs, endMs }) => ({
    start_time: toInstant(startMs),
    end_time: toInstant(endMs),
    stylist: stylistNames.get(stylistId) ?? null,
    client: names.get(clientId) ?? null,
    service,
    status,
    id,
    stylist_id: stylistId,
    client_id: clientId,
  }));
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
