import { toIsoDay } from '../../time/local-days.ts';
import type { LocalSpan } from '../../time/periods.ts';
import { dayMs, toUtcText, type ZoneClock } from '../../time/time.ts';
import type { Period } from '../flags/periods.ts';

/** What a report has a row for. */
export const groupings = ['stylist', 'service', 'client', 'day', 'week', 'month'] as const;

export type Grouping = (typeof groupings)[number];

/** Whether rows are for people or services, not for times. */
export function isNamed(grouping: Grouping): grouping is 'stylist' | 'service' | 'client' {
  return grouping === 'stylist' || grouping === 'service' || grouping === 'client';
}

/** Statuses of payments that are revenue. */
export const paidStatuses: readonly string[] = ['completed'];

/** What a report is asked for. */
export interface ReportQuestion {
  readonly period: Period;
  readonly grouping: Grouping;
  /** All of them if left out. */
  readonly stylistIds: readonly string[] | undefined;
  readonly clientId: string | undefined;
  /** Statuses to count instead of the usual ones. */
  readonly statuses: readonly string[] | undefined;
}

/**
 * List commands that find the records of a question in a span, for checking a report. `usual` are the statuses that are
 * counted without `--status`: all if undefined.
 */
export function renderQueries(
  { clientId, stylistIds, statuses }: ReportQuestion,
  { from, to }: LocalSpan,
  {
    zone,
    noun,
    usual,
  }: { zone: ZoneClock; noun: 'payments' | 'appointments'; usual: readonly string[] | undefined },
): readonly string[] {
  // A whole day by its date, else an instant.
  const toBound = (localMs: number, day: number) =>
    localMs % dayMs === 0 ? toIsoDay(day) : toUtcText(zone.earliest(localMs));
  const dates = `--from ${toBound(from, from)} --to ${toBound(to, to - dayMs)}`;
  const filters = clientId === undefined ? dates : `${dates} --client ${clientId}`;
  const status = statuses ?? usual;
  const listed = `salon ${noun} list ${filters}${status === undefined ? '' : ` --status ${status.join(',')}`}`;
  if (stylistIds === undefined) return [listed];
  // Payments have no stylist: their appointments do.
  const own = stylistIds.map((id) => `salon appointments list ${filters} --stylist ${id}`);
  return noun === 'payments' ? [listed, ...own] : own;
}

/** Accepts the records of the stylists asked for. */
export function matchStylists(ids: ReportQuestion['stylistIds']): (id: string) => boolean {
  const wanted = ids && new Set(ids);
  return (id) => wanted?.has(id) ?? true;
}
