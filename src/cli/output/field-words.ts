import type { ChalkInstance } from 'chalk';
import { type AppointmentStatus, appointmentStatuses } from '../../contract/appointment.ts';
import type { DeliveryStatus } from '../../contract/delivery.ts';
import { cleanText } from '../../text/clean-text.ts';
import { renderCount } from '../../text/numbers.ts';
import type { ColumnKind } from './columns.ts';

/** Fields whose heading is not simply their name in words. */
const headings: Readonly<Record<string, string>> = {
  id: 'ID',
  url: 'URL',
  start_time: 'Start',
  client_name: 'Client',
  client_phone: 'Phone',
  client_email: 'Email',
  client_consent: 'Consent',
  duplicate_name: 'Duplicate',
  stylist_name: 'Stylist',
  preferred_stylist_name: 'Preferred stylist',
  tip_amount: 'Tip',
  refunded_amount: 'Refunded',
  created_at: 'Created',
  updated_at: 'Updated',
  created_by_name: 'Created by',
  last_used_at: 'Last used',
  expires_at: 'Expires',
  link_expires_at: 'Link expires',
  next_attempt_at: 'Next attempt',
  last_response: 'Last response',
  attempt_count: 'Attempts',
};

/** Words that are not written like others. */
const spellings: Readonly<Record<string, string>> = { id: 'ID', url: 'URL', sms: 'SMS', api: 'API' };

/** A field's name in words, for people: `Last name` for `last_name`. Paths such as `account.name` stay as they are. */
export function toHeading(key: string): string {
  const own = Object.hasOwn(headings, key) ? headings[key] : undefined;
  if (own !== undefined) return own;
  if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(key)) return cleanText(key);
  const words = key.split('_').map((word) => (Object.hasOwn(spellings, word) ? spellings[word] : word));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A field's name within a sentence: `last name`, `stylist` for `stylist_id`. */
export function toFieldWords(key: string): string {
  const heading = toHeading(key.replace(/^((?:preferred_)?(?:client|stylist))_id$/, '$1'));
  return heading.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase());
}

/** The heading of each column. Two that would be alike keep their field names. */
export function toHeadings(keys: readonly string[]): ReadonlyMap<string, string> {
  const byHeading = Map.groupBy(keys, toHeading);
  const isOwn = (key: string) => byHeading.get(toHeading(key))?.length === 1;
  return new Map(keys.map((key) => [key, isOwn(key) ? toHeading(key) : cleanText(key)]));
}

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
