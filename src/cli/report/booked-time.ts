import { toVisitQuery, type Visit, type VisitNeed } from '../../client/read-appointment.ts';
import { foldStatus, readStatus } from '../../contract/appointment.ts';
import type { TimeSpan } from '../../contract/time.ts';
import { createStylistFilter, type ReportQuestion } from './question.ts';
import type { ReportSource } from './read-records.ts';

/** An appointment as far as reports need it. */
export interface BookedVisit extends Visit {
  /** What it is counted under: its stylist's ID or its service; null in a report by day, week or month. */
  readonly key: string | null;
  readonly minutes: number;
}

interface BookedSpan extends TimeSpan {
  /** What an appointment must show to be counted. Its status is in the contract's words where those are known. */
  readonly needs: (visit: Visit) => readonly VisitNeed[];
}

/** Reads the appointments that start in a span, of the client and the stylists asked for. */
export async function* readBookedVisits(
  question: Pick<ReportQuestion, 'client' | 'stylists' | 'grouping'>,
  { reader }: Pick<ReportSource, 'reader'>,
  { needs, ...span }: BookedSpan,
): AsyncGenerator<BookedVisit, void> {
  const { client, stylists, grouping } = question;
  const isWanted = createStylistFilter(question);
  const inOurWords = (visit: Visit) => ({
    ...visit,
    status: readStatus(visit.status) ?? foldStatus(visit.status),
  });
  const query = toVisitQuery(span, { clientId: client?.id, stylistIds: stylists?.map(({ id }) => id) });
  for await (const rows of reader.read(reader.client.appointments.list(query), 'appointments')) {
    for (const row of rows) {
      const visit = reader.appointments.read(row, (one) =>
        isWanted(one.stylistId) ? needs(inOurWords(one)) : [],
      );
      if (visit === undefined || !isWanted(visit.stylistId)) continue;
      const key = grouping === 'stylist' ? visit.stylistId : grouping === 'service' ? visit.service : null;
      yield { ...inOurWords(visit), key, minutes: visit.minutes ?? 0 };
    }
  }
  reader.appointments.assertAny();
}
