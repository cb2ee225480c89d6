import type { ChalkInstance } from 'chalk';
import { type AppointmentStatus, appointmentStatuses } from '../../contract/appointment.ts';
import type { DeliveryStatus } from '../../contract/delivery.ts';
import { renderCount } from '../../contract/numbers.ts';
import { cleanText } from '../messages/clean-text.ts';
import type { ColumnKind } from './columns.ts';

type Paint = (text: string) => string;

/** The colour of a status; other values keep theirs. */
export function statusColor(chalk: ChalkInstance, kind: ColumnKind, status: string | undefined): Paint {
  const colors: Readonly<Record<AppointmentStatus | DeliveryStatus, Paint>> = {
    pending: chalk.yellow,
    confirmed: chalk.green,
    arrived: chalk.cyan,
    in_service: chalk.cyan,
    completed: chalk.dim,
    cancelled: chalk.red.dim,
    no_show: chalk.red,
    delivered: chalk.dim,
    failed: chalk.red,
  };
  const isKnown = kind === 'status' && status !== undefined && Object.hasOwn(colors, status);
  return isKnown ? colors[status as keyof typeof colors] : (text) => text;
}

/** Each status once: those of an appointment in the order it goes through them, then others. */
export function listStatuses(statuses: Iterable<string>): readonly string[] {
  const seen = new Set(statuses);
  const known: readonly string[] = appointmentStatuses.filter((status) => seen.has(status));
  return [...known, ...[...seen].filter((status) => !known.includes(status)).sort()];
}

/** Number of records per status, in the order of `listStatuses`. */
export function countStatuses(
  records: readonly { readonly status: unknown }[],
): Readonly<Record<string, number>> {
  const byStatus = Map.groupBy(records, ({ status }) => String(status));
  return Object.fromEntries(
    listStatuses(byStatus.keys()).map((status) => [status, byStatus.get(status)?.length ?? 0]),
  );
}

/** `3 confirmed, 1 no-show`. */
export function renderStatusCounts(records: readonly { readonly status: unknown }[]): string {
  return Object.entries(countStatuses(records))
    .map(([status, count]) => `${renderCount(count)} ${statusWord(status)}`)
    .join(', ');
}

/** A status in words: `in service`, `no-show`. */
export function statusWord(status: string): string {
  return status === 'no_show' ? 'no-show' : cleanText(status).replaceAll('_', ' ');
}
