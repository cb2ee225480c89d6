import type { ChalkInstance } from 'chalk';
import { type AppointmentStatus, appointmentStatuses } from '../../contract/appointment.ts';
import type { DeliveryStatus } from '../../contract/delivery.ts';
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

/** A status in words: `in service`, `no-show`. */
export function statusWord(status: string): string {
  return status === 'no_show' ? 'no-show' : cleanText(status).replaceAll('_', ' ');
}
