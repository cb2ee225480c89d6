import { foldStatus, readStatus } from '../../contract/appointment.ts';
import { isJsonNumber } from '../../contract/json.ts';
import { toText } from '../people/names.ts';
import type { InstantSpan } from './local-span.ts';
import { createStylistFilter, type ReportQuestion } from './question.ts';
import type { ReportSource } from './report-source.ts';

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

/** Reads the appointments that start in a span, of the client and the stylists asked for. */
export async function* readBookedTime(
  question: Pick<ReportQuestion, 'client' | 'stylists' | 'grouping'>,
  { reader }: Pick<ReportSource, 'reader'>,
  { startMs, endMs }: InstantSpan,
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
      const stylistId = toText(row.stylist_id);
      const atMs = Date.parse(row.start_time);
      if (Number.isNaN(atMs)) reader.skip('appointments without a valid start time');
      else if (isWanted(stylistId)) {
        const key = grouping === 'stylist' ? stylistId : grouping === 'service' ? toText(row.service) : null;
        const minutes = toMinutes(row.duration);
        if (minutes === undefined) reader.skip('appointments without a duration in whole minutes');
        const status = readStatus(row.status) ?? foldStatus(row.status);
        const clientId = toText(row.client_id);
        booked.push({ key, atMs, stylistId, clientId, status, minutes: minutes ?? 0 });
      }
    }
    yield booked;
  }
}

function toMinutes(value: unknown): number | undefined {
  const minutes = isJsonNumber(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(minutes) && minutes >= 0 ? minutes : undefined;
}
