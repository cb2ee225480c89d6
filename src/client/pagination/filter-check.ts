import { normaliseEmail } from '../../contract/formats.ts';
import { toIdText } from '../../contract/identifiers.ts';
import { toPaymentState } from '../../contract/payment.ts';
import { isSamePhone, looksLikePhone, tidyPhone } from '../../text/phone-forms.ts';
import { matchesTerms, toSearchTerms, toSearchText } from '../../text/search-text.ts';
import { createZoneClock, type ZoneClock } from '../../time/time.ts';
import { readStatus } from '../appointment-status.ts';
import type { QueryValues } from '../http/request-path.ts';
import { isFields } from '../json-object.ts';
import { readInstant } from '../read-appointment.ts';

/** A filter of a query that rows can be checked against. */
export interface FilterCheck {
  /** Its name in the contract. */
  readonly name: string;
  /** What the server is asked for. */
  readonly sent: string;
  /** Whether a row matches; undefined if the row does not show it. */
  readonly matches: (row: unknown) => boolean | undefined;
  /** Whether a row shows that the server did not read what was sent. */
  readonly contradicts: (row: unknown) => boolean;
  /** Whether a row that does not show a match has none: a search here looks at all of its text. */
  readonly isConclusive: boolean;
  /** A valid value that no record matches, to find out whether a server reads the filter. */
  readonly impossible: string;
  /** The filter and the form of its value, such as one word of a name in lower case. */
  readonly form: string;
  /** A value of the same form that finds a row; undefined if the row does not show it. */
  readonly toFind: (row: unknown) => string | undefined;
}

type Row = Readonly<Record<string, unknown>>;
type Matcher = (row: Row, wanted: string, zone: () => ZoneClock) => boolean | undefined;

interface FilterRule {
  readonly matcher: Matcher;
  /** A value that no record has; `noText` by default. */
  readonly impossible?: string;
  /** By default the row's own value. */
  readonly toFind?: (row: Row, wanted: string) => string | undefined;
}

const never = { before: '0001-01-01T00:00:00Z', after: '9999-12-31T00:00:00Z' } as const;
const noText = 'zzqxjkvbwzz';

const rules: Readonly<Record<string, FilterRule>> = {
  q: { matcher: matchSearch, toFind: toSearch },
  client_id: { matcher: matchId('client_id') },
  appointment_id: { matcher: matchId('appointment_id') },
  stylist_id: { matcher: matchId('stylist_id') },
  status: {
    matcher: matchStatus,
    // With the other ones where several are wanted.
    toFind: (row, wanted) => (toIdText(row['status']) ?? '') + wanted.replace(/^[^,]*/, ''),
  },
  payment: {
    matcher: (row, wanted) =>
      'price' in row && 'paid_amount' in row
        ? readStatus(row['status']) === 'completed' && toPaymentState(row) === wanted
        : undefined,
  },
  email: {
    matcher: (row, wanted) =>
      matchText(row, 'email', (text) => normaliseEmail(text.trim()) === normaliseEmail(wanted.trim())),
    impossible: `${noText}@salon.invalid`,
    toFind: (row, wanted) => toFormOf(wanted, row['email']),
  },
  phone: {
    matcher: (row, wanted) => matchText(row, 'phone', (text) => isSamePhone(text, tidyPhone(wanted))),
    impossible: '+00000000000',
    toFind: (row, wanted) => toFormOf(wanted, row['phone']),
  },
  start_time_from: timeRule('start_time', (at, from) => at >= from, never.after),
  start_time_to: timeRule('start_time', (at, to) => at < to, never.before),
  created_from: timeRule('created_at', (at, from) => at >= from, never.after),
  created_to: timeRule('created_at', (at, to) => at < to, never.before),
  updated_since: timeRule('updated_at', (at, since) => at >= since, never.after),
};

/** The filters of a query that the contract has. Times without a zone are local ones. */
export function createFilterChecks(
  query: QueryValues,
  timeZone = () => 'UTC',
  isForeign = false,
): readonly FilterCheck[] {
  let clock: ZoneClock | undefined;
  const zone = () => {
    clock ??= createZoneClock(timeZone());
    return clock;
  };
  return Object.entries(query).flatMap(([name, value]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined || value === undefined) return [];
    const wanted = String(value);
    const match = (row: unknown, bound: string) =>
      isFields(row) ? rule.matcher(row, bound, zone) : undefined;
    const matches = (row: unknown) => match(row, wanted);
    const sent = isForeign && /_from$|_since$/.test(name) ? toSecondEarlier(wanted) : wanted;
    const contradicts = (row: unknown) => match(row, sent) === false;
    const { impossible = noText, toFind: find = (row: Row) => toIdText(row[name]) } = rule;
    const toFind = (row: unknown) => (isFields(row) && find(row, wanted)) || undefined;
    const form = `${name} ${wanted.split(/[\s,]+/).length} ${wanted.includes('@')} ${toFormOf(wanted, 'a0000')}`;
    return [{ name, sent, matches, contradicts, isConclusive: name === 'q', impossible, form, toFind }];
  });
}

/** Some servers compare times as texts, where `10:00:00.000Z` comes before `10:00:00Z`. */
function toSecondEarlier(time: string): string {
  const ms = /T.*Z$/.test(time) ? Date.parse(time) : Number.NaN;
  return Number.isNaN(ms) ? time : new Date(ms - 1_000).toISOString().replace('.000Z', 'Z');
}

/** Finds a person by the email address, the phone number or as many words of the name as the search has. */
function toSearch(row: Row, wanted: string): string | undefined {
  if (wanted.includes('@')) return toFormOf(wanted, row['email']);
  if (looksLikePhone(wanted)) return toFormOf(wanted, row['phone']);
  const names = ['first_name', 'name', 'last_name'];
  const words = names.flatMap((name) => (toIdText(row[name]) ?? '').split(/\s+/));
  return toFormOf(wanted, words.filter(Boolean).slice(0, wanted.trim().split(/\s+/).length).join(' '));
}

/** A value in the case, or with the separators, of another one: a server may compare exactly what it has stored. */
function toFormOf(wanted: string, value: unknown): string | undefined {
  const text = toIdText(value);
  if (/[@\p{L}]/u.test(wanted))
    return wanted === wanted.toLowerCase() ? text?.toLowerCase() : text?.toUpperCase();
  const separator = /[^+\d]/.exec(wanted)?.[0] ?? '';
  return text?.replace(/[^+\d]/g, '').replace(/^\+?\d{3}/, `$&${separator}`);
}

function matchId(field: string): Matcher {
  return (row, wanted) => matchText(row, field, (text) => text === wanted);
}

function timeRule(
  field: string,
  test: (at: number, bound: number) => boolean,
  impossible: string,
): FilterRule {
  const matcher: Matcher = (row, bound, zone) => {
    const value = row[field];
    if (value === null) return false;
    const at = readInstant(value, zone())?.ms;
    const limit = Date.parse(bound);
    return at === undefined || Number.isNaN(limit) || !bound.includes('T') ? undefined : test(at, limit);
  };
  const toFind = () => (impossible === never.after ? never.before : never.after);
  return { matcher, impossible, toFind };
}

function matchStatus(row: Row, wanted: string): boolean | undefined {
  const words = wanted.split(',');
  const meanings = words.flatMap((word) => readStatus(word) ?? []);
  return matchText(row, 'status', (text) => {
    const meaning = readStatus(text);
    return words.includes(text) || (meaning !== undefined && meanings.includes(meaning));
  });
}

function matchText(row: Row, field: string, test: (text: string) => boolean): boolean | undefined {
  const value = row[field];
  if (value === null) return false;
  const text = toIdText(value);
  return text === undefined ? undefined : test(text);
}

/** Whether the texts of a row, wherever they are, have the terms of a search. */
function matchSearch(row: Row, wanted: string): boolean | undefined {
  const texts = collectTexts(row);
  if (texts.length === 0) return undefined;
  const lines = texts.map((text) =>
    looksLikePhone(text) ? toSearchText([], text, text) : toSearchText([text], '', ''),
  );
  const phone = tidyPhone(wanted);
  const hasPhone = looksLikePhone(phone) && texts.some((text) => isSamePhone(text, phone));
  return hasPhone || matchesTerms(lines.join('\n'), toSearchTerms(wanted)) || undefined;
}

/** All texts in a row, also in objects and arrays within it. */
function collectTexts(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  return Object.values(value).flatMap((inner) => collectTexts(inner, depth + 1));
}
