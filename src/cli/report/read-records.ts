import type { SalonClient } from '../../client/client.ts';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import type { PagedList } from '../../client/pagination/paginate.ts';
import type { AppointmentReader } from '../../client/read-appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../contract/numbers.ts';
import type { ZoneClock } from '../../contract/time.ts';
import { startProgress } from '../messages/progress.ts';
import { reportCost } from '../messages/request-cost.ts';
import { silentStatusLine } from '../messages/status-line.ts';
import { findDoubt, reportConsistency } from '../output/print-records.ts';
import type { CommandContext } from '../session/command-context.ts';

/** Reads lists for a report, page by page, and collects what casts doubt on its figures. */
export interface RecordReader {
  readonly client: SalonClient;
  read<T>(list: PagedList<T>, noun: string): AsyncGenerator<readonly T[], void>;
  readonly appointments: AppointmentReader;
  /** Counts a record that cannot be placed, such as one without a valid time. */
  skip(what: string): void;
  /** Says what is in doubt. Returns an error if the figures cannot be relied on. */
  finish(): SalonError | undefined;
}

export function createRecordReader(
  client: SalonClient,
  { flags, io, messages, status }: CommandContext,
  appointments: AppointmentReader,
  { timeZone, ratePerHour }: { readonly timeZone: string; readonly ratePerHour: number | undefined },
): RecordReader {
  const reports: { readonly report: ConsistencyReport | undefined; readonly noun: string }[] = [];
  const skipped = new Map<string, number>();
  const isStrict = flags.strict === true;
  return {
    client,
    appointments,
    async *read(list, noun) {
      const shown = flags.quiet === true ? silentStatusLine : status;
      const progress = startProgress(io, { noun, status: shown, writeLine: messages.verbose });
      let rowsRead = 0;
      try {
        for await (const { rows, total } of list) {
          if (rowsRead === 0 && total !== undefined && total > rows.length) {
            const cost = {
              records: total,
              perPage: rows.length,
              limit: client.limits(),
              perHour: ratePerHour,
            };
            reportCost({ ...cost, nowMs: io.now().getTime(), timeZone }, messages);
          }
          rowsRead += rows.length;
          progress.update(rowsRead, total);
          yield rows;
        }
      } finally {
        progress.stop();
      }
      reports.push({ report: list.consistency(), noun });
    },
    skip(what) {
      skipped.set(what, (skipped.get(what) ?? 0) + 1);
    },
    finish() {
      for (const { report, noun } of reports) reportConsistency(report, noun, messages);
      for (const [what, count] of skipped) messages.warn(`Not counted: ${toText(what, count)}.`);
      const doubts = reports.map(({ report, noun }) => findDoubt(report, { noun, isStrict }));
      const doubt = doubts.find((found) => found !== undefined);
      const [left] = skipped;
      if (doubt !== undefined || left === undefined || !isStrict) return doubt;
      return new SalonError('unexpected_response', `The report leaves out ${toText(...left)} (--strict).`, {
        hint: 'Without --strict this is only a message.',
        members: { verdict: 'unverified' },
      });
    },
  };
}

/** `payments without a valid time` with the count in front. */
function toText(what: string, count: number): string {
  const [noun = '', ...rest] = what.split(' ');
  return [countOf(count, noun), ...rest].join(' ');
}

/** What a report reads from. */
export interface ReportSource {
  readonly reader: RecordReader;
  readonly timeZone: string;
  readonly zone: ZoneClock;
  readonly now: Date;
  /** Names of stylists by ID. */
  readonly stylistNames: ReadonlyMap<string, string>;
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
