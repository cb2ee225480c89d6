import { foldStatus, readStatus } from '../../client/appointment-status.ts';
import type { SalonClient } from '../../client/client.ts';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import type { PagedList } from '../../client/pagination/paginate.ts';
import {
  type AppointmentFacts,
  type AppointmentNeed,
  type AppointmentReader,
  toAppointmentQuery,
} from '../../client/read-appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../text/numbers.ts';
import type { TimeSpan, ZoneClock } from '../../time/time.ts';
import { reportCost } from '../messages/request-cost.ts';
import { findInconsistency, reportConsistency, withProgress } from '../output/print-records.ts';
import type { CommandContext } from '../session/command-context.ts';
import { isNamed, matchStylists, type ReportQuestion } from './report-question.ts';

export function createRecordReader(
  client: SalonClient,
  context: CommandContext,
  appointments: AppointmentReader,
  { timeZone, ratePerHour }: { readonly timeZone: string; readonly ratePerHour: number | undefined },
) {
  const { flags, io, messages } = context;
  const reports: { readonly report: ConsistencyReport | undefined; readonly noun: string }[] = [];
  const skipped = new Map<string, number>();
  const isStrict = flags.strict === true;
  return {
    client,
    appointments,
    async *read<T>(list: PagedList<T>, noun: string) {
      let rowsRead = 0;
      for await (const { rows, total } of withProgress(list, noun, context)) {
        if (rowsRead === 0 && total !== undefined && total > rows.length) {
          const size = { records: total, perPage: rows.length };
          const pace = { limit: client.limits(), perHour: ratePerHour, nowMs: io.now().getTime(), timeZone };
          reportCost({ ...size, ...pace }, messages);
        }
        rowsRead += rows.length;
        yield rows;
      }
      reports.push({ report: list.consistency(), noun });
    },
    /** Counts a record that cannot be placed, such as one without a valid time. */
    skip(what: string) {
      skipped.set(what, (skipped.get(what) ?? 0) + 1);
    },
    /** Reports what is unconfirmed. Returns an error if the report cannot be relied on. */
    finish() {
      for (const { report, noun } of reports) reportConsistency(report, noun, messages);
      for (const [what, count] of skipped) messages.warn(`Not counted: ${toText(what, count)}.`);
      const problems = reports.map(({ report, noun }) => findInconsistency(report, { noun, isStrict }));
      const problem = problems.find((found) => found !== undefined);
      const [left] = skipped;
      if (problem !== undefined || left === undefined || !isStrict) return problem;
      return new SalonError('unexpected_response', `The report leaves out ${toText(...left)} (--strict).`, {
        hint: 'Without --strict this is only a message.',
        members: { verdict: 'unverified' },
      });
    },
  };
}

/** Reads lists for a report, page by page, and collects what makes it unreliable. */
export type RecordReader = ReturnType<typeof createRecordReader>;

/** `payments without a valid time` with the count in front. */
function toText(what: string, count: number): string {
  const [noun = '', ...rest] = what.split(' ');
  return [countOf(count, noun), ...rest].join(' ');
}

/** What a report is asked for, and what it reads from. */
export interface ReportInput extends ReportQuestion {
  readonly reader: RecordReader;
  readonly timeZone: string;
  readonly zone: ZoneClock;
  readonly now: Date;
  /** Names of stylists by ID and, once they are loaded, of clients. */
  readonly names: ReadonlyMap<string, string>;
  loadClientNames(ids: Iterable<string>): Promise<void>;
}

/** `Not counted: 3 failed payments, 1 pending payment.` Empty if everything was counted. */
export function renderLeftOut(counts: ReadonlyMap<string, number>, noun: string): string {
  const parts = [...counts]
    .sort()
    .map(([status, count]) => `${countOf(count, `${status.replaceAll('_', '-')} ${noun}`)}`);
  return parts.length === 0 ? '' : `Not counted: ${parts.join(', ')}.`;
}

export function countUp(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** An appointment as far as reports need it. */
export interface BookedVisit extends AppointmentFacts {
  /** What it is counted under: its stylist's ID or its service; null in a report by day, week or month. */
  readonly key: string | null;
  readonly minutes: number;
}

/**
 * Reads the appointments that start in a span, of the client and the stylists asked for. `needs` says what one must show
 * to be counted. Its status is in the contract's words where those are known.
 */
export async function* readBookedVisits(
  { clientId, stylistIds, grouping, reader }: ReportInput,
  { needs, ...span }: TimeSpan & { needs: (visit: AppointmentFacts) => readonly AppointmentNeed[] },
): AsyncGenerator<BookedVisit, void> {
  const isWanted = matchStylists(stylistIds);
  const inOurWords = (visit: AppointmentFacts) => ({
    ...visit,
    status: readStatus(visit.status) ?? foldStatus(visit.status),
  });
  const query = toAppointmentQuery(span, { clientId, stylistIds });
  for await (const rows of reader.read(reader.client.appointments.list(query), 'appointments')) {
    for (const row of rows) {
      const visit = reader.appointments.read(row, (one) =>
        isWanted(one.stylistId) ? needs(inOurWords(one)) : [],
      );
      if (visit === undefined || !isWanted(visit.stylistId)) continue;
      const { stylistId, service, clientId, minutes = 0 } = visit;
      const key = isNamed(grouping) ? { stylist: stylistId, service, client: clientId }[grouping] : null;
      yield { ...inOurWords(visit), key, minutes };
    }
  }
  reader.appointments.assertAny();
}
