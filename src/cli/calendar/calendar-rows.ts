import { columnSet } from '../output/columns.ts';
import type { Row } from '../output/printer.ts';
import type { ReadCalendar } from './read-calendar.ts';

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
