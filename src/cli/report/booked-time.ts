import { foldStatus, readStatus } from '../../contract/appointment.ts';
import type { TimeSpan } from '../../contract/time.ts';
import { createStylistFilter, type ReportQuestion } from './question.ts';
import type { ReportSource } from './read-records.ts';

/** An appointment as far as reports need it. */
export interface BookedTime {
  /** What it is counted under: its stylist's ID or its service; null in a report by day, week or month. */
  readonly key: string | null;
  readonly atMs: number;
  readonly minutes: number;
  readonly status: string;
  readonly clientId: string;
  readonly stylistId: string;
}

/**
 * Reads the appointments that start in a span, of the client and the stylists asked for. `needsMinutes` says of which
 * statuses the length matters: such an appointment without one cannot be counted.
 */
export async function* readBookedTime(
  question: Pick<ReportQuestion, 'client' | 'stylists' | 'grouping'>,
  { reader }: Pick<ReportSource, 'reader'>,
  { startMs, endMs, needsMinutes = () => false }: BookedSpan,
): AsyncGenerator<readonly BookedTime[], void> {
  const { client, stylists, grouping } = question;
  const [only, another] = stylists ?? [];
  const isWanted = createStylistFilter(question);
  const list = reader.client.appointments.list({
    start_time_from: new Date(startMs).toISOString(),
    start_time_to: new Date(endMs).toISOString(),
    ...(client === undefined ? {} : { client_id: client.id }),
    ...(only === undefined || another !== undefined ? {} : { stylist_id: only.id }),
  });
  for await (const appointments of reader.read(list, 'appointments')) {
    const booked: BookedTime[] = [];
    for (const row of appointments) {
      const status = readStatus(row.status) ?? foldStatus(row.status);
      const read = reader.appointments.read(row, needsMinutes(status) ? ['duration'] : []);
      if (read === undefined || !isWanted(read.stylistId)) continue;
      const { stylistId, clientId, startMs: atMs, minutes = 0 } = read;
      const key = grouping === 'stylist' ? stylistId : grouping === 'service' ? read.service : null;
      booked.push({ key, atMs, stylistId, clientId, status, minutes });
    }
    yield booked;
  }
  reader.appointments.assertAny();
}

interface BookedSpan extends TimeSpan {
  readonly needsMinutes?: (status: string) => boolean;
}
