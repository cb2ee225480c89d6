import { detectSheetForm } from '../../../src/bulk/input/detect-sheet.ts';
import { readSheet } from '../../../src/bulk/input/read-sheet.ts';
import { newAppointment } from '../../../src/contract/appointment.ts';
import { collect } from '../../support/collect.ts';
import { writeSheet } from './sheet-file.ts';

const services = ['Cut', 'Balayage', 'Fringe trim'].map((name) => ({ name, active: true }));

export async function readCalendarFile(
  events: string,
  { end = 'END:VCALENDAR\r\n', ...options }: { readonly end?: string; readonly [name: string]: unknown } = {},
) {
  using file = writeSheet(`BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.replaceAll('\n', '\r\n')}${end}`);
  const form = await detectSheetForm(file.path, {
    name: 'old.ics',
    knownFields: Object.keys(newAppointment.properties),
    now: new Date('2026-11-29T10:00:00Z'),
    timeZone: 'Europe/Berlin',
    stylist: 'Mia',
    readServices: async () => services as never,
    ...options,
  });
  const rows = await collect(readSheet(file.path, form));
  return {
    remarks: form.remarks,
    rows: rows.map(({ cells: { stylist_id: _, ...cells } }) =>
      Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== '')),
    ),
    stylists: rows.map(({ cells }) => cells['stylist_id']),
    starts: rows.map(({ cells }) => cells['start_time']),
    problems: rows.flatMap(({ problem }) => problem?.reason ?? []),
    codes: rows.flatMap(({ problem }) => problem?.code ?? []),
  };
}

export function event(lines: string): string {
  return `BEGIN:VEVENT\n${lines}\nEND:VEVENT\n`;
}

export const nia = 'SUMMARY:Nia Costa - Cut';
