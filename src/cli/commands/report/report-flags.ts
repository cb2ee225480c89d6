import { SalonError } from '../../../contract/errors.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { filterFlags, type PrintFlags, stylistsFlag } from '../../flags/options.ts';
import { parseCount } from '../../flags/values.ts';

/** Which time, of whom, in which groups. */
export const questionFlags = {
  by: {
    flag: '--by <group>',
    help: 'Group by stylist (default), service, client, day, week, month',
    complete: async () => (await import('../../report/report-question.ts')).groupings,
  },
  period: {
    flag: '--period <period>',
    help: 'Same as the argument, e.g. last-week',
    complete: async () => (await import('../../flags/periods.ts')).periodNames,
  },
  from: { flag: '--from <day>', help: 'First day, instead of a period' },
  to: { flag: '--to <day>', help: 'Last day (default: today)' },
  stylist: stylistsFlag,
  client: filterFlags.client,
} as const satisfies FlagTable;

export const minNoShowsFlag = {
  minNoShows: {
    flag: '--min-no-shows <n>',
    help: 'Only rows with at least this many, e.g. --by client',
    parse: parseCount,
  },
} as const satisfies FlagTable;

/** Which clients have come back. */
export const returnFlags = {
  within: { flag: '--within <days>', help: 'Days to come back in', default: '90', parse: parseWithin },
  status: {
    flag: '--status <a,b>',
    help: 'Visits to count (default: completed,in_service,arrived)',
    complete: async () => (await import('../../../contract/appointment.ts')).appointmentStatuses,
  },
} as const satisfies FlagTable;

export type ReportFlags = Partial<
  FlagValues<typeof questionFlags & typeof minNoShowsFlag & typeof returnFlags>
> &
  PrintFlags;

function parseWithin(text: string, flag: string): number {
  const days = parseCount(text.replace(/ ?d(?:ays?)?$/, ''), flag);
  if (days <= 3660) return days;
  throw new SalonError('usage', `${flag} can be at most 3,660 days.`);
}

export type ReportName = 'revenue' | 'no-shows' | 'utilisation' | 'retention' | 'first-visits';
