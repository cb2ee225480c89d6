import type { TimeSpan, ZoneClock } from '../../contract/time.ts';
import { joinSpans, type TimeGroups, toTimeGroups, wholePeriod } from './groups.ts';
import { toInstants } from './local-span.ts';
import type { ReportQuestion } from './question.ts';
import { createTally, joinKeys, type TallyEntry, type TallyRow } from './tally.ts';

/** The figures of a report's rows, and of its totals. */
export interface ReportTally<Name extends string> {
  readonly groups: TimeGroups;
  /** The whole period and the one before. */
  readonly whole: TimeGroups;
  /** All the time whose records are needed. */
  readonly span: TimeSpan;
  add(entry: TallyEntry<Name>): void;
  rows(): readonly TallyRow<Name>[];
  totals(): readonly TallyRow<Name>[];
}

export function createReportTally<Name extends string>(
  names: readonly Name[],
  { grouping, period }: Pick<ReportQuestion, 'grouping' | 'period'>,
  zone: ZoneClock,
): ReportTally<Name> {
  const [groups, whole] = [toTimeGroups(grouping, period), wholePeriod(period)];
  const tally = createTally(names, groups, zone);
  // Days, weeks and months are not compared with the same time as the whole period.
  const isByTime = grouping !== 'stylist' && grouping !== 'service';
  const total = isByTime ? createTally(names, whole, zone) : undefined;
  return {
    groups,
    whole,
    span: toInstants(joinSpans([groups, whole]), zone),
    add(entry) {
      tally.add(entry);
      total?.add(entry);
    },
    rows: tally.rows,
    totals: () => joinKeys((total ?? tally).rows()),
  };
}
