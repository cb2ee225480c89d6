import { isFields } from '../fields.ts';
import { findMember, toTags } from '../record-members.ts';
import type { Visits } from './visits.ts';

/** What has to be true of a client to be selected: all of it. Stored as JSON, so the names are a file format. */
export interface ClientConditions {
  /** Tags that the client has, each of them; case and accents do not count. */
  readonly tags?: readonly string[];
  /** Tags that the client does not have. */
  readonly withoutTags?: readonly string[];
  /** Fields without a value. */
  readonly blank?: readonly ('email' | 'phone')[];
  /** Whether the next birthday is in these days, both included, as `YYYY-MM-DD`. */
  readonly birthday?: { readonly from: string; readonly to: string };
  /** Came at or after this instant (RFC 3339, UTC). */
  readonly seenSince?: string;
  /** Has not come since this instant. Who never came has not. */
  readonly notSeenSince?: string;
  /** The instant before which a visit was, with `seenSince` and `notSeenSince`. */
  readonly asOf?: string;
}

/** A condition on one field of a record. */
export interface FieldCondition {
  readonly field: string;
  /** Of the field's value, null if it is blank. Undefined if the value cannot be read. */
  readonly matches: (value: unknown) => boolean | undefined;
  /** Whether a record without a value matches. */
  readonly matchesBlank: boolean;
}

export function isConditional(conditions: ClientConditions): boolean {
  const { tags = [], withoutTags = [], blank = [], birthday, seenSince, notSeenSince } = conditions;
  const lists = tags.length + withoutTags.length + blank.length;
  return lists > 0 || [birthday, seenSince, notSeenSince].some((one) => one !== undefined);
}

export function toFieldConditions(conditions: ClientConditions): readonly FieldCondition[] {
  const { tags = [], withoutTags = [], blank = [], birthday } = conditions;
  return [
    ...tags.map((tag) => onTags((folded) => folded.has(foldTag(tag)), false)),
    ...withoutTags.map((tag) => onTags((folded) => !folded.has(foldTag(tag)), true)),
    ...blank.map((field) => ({ field, matches: () => false, matchesBlank: true })),
    ...(birthday === undefined
      ? []
      : [{ field: 'birthday', matches: toBirthdayTest(birthday), matchesBlank: false }]),
  ];
}

function onTags(test: (folded: ReadonlySet<string>) => boolean, matchesBlank: boolean): FieldCondition {
  const matches = (value: unknown) => {
    const tags = toTags(value);
    return tags === undefined ? undefined : test(new Set(tags.map(foldTag)));
  };
  return { field: 'tags', matches, matchesBlank };
}

/** A tag without case, accents and outer blanks. */
export function foldTag(tag: string): string {
  return tag.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** Whether visits match; true without a condition on them. */
export function matchesVisits(
  row: unknown,
  { seenSince, notSeenSince }: ClientConditions,
  visits: Visits | undefined,
): boolean {
  if (visits === undefined || !isFields(row)) return visits === undefined;
  const id = findMember(row, 'id');
  const latest = visits.latest(id);
  const isSince = (instant: string) => latest !== undefined && latest >= Date.parse(instant);
  if (seenSince !== undefined && !isSince(seenSince)) return false;
  return notSeenSince === undefined || !isSince(notSeenSince);
}

/** A birthday on 29 February is celebrated on the 28th in other years. */
function toBirthdayTest({ from, to }: { readonly from: string; readonly to: string }) {
  const firstYear = Number(from.slice(0, 4));
  return (value: unknown): boolean | undefined => {
    const [, month, day] = /^(?:\d{4}|-)-(\d\d)-(\d\d)(?!\d)/.exec(String(value)) ?? [];
    if (month === undefined || day === undefined) return undefined;
    return [firstYear, firstYear + 1].some((year) => {
      const isLeapYear = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
      const date = `${year}-${month}-${month === '02' && day === '29' && !isLeapYear ? '28' : day}`;
      return date >= from && date <= to;
    });
  };
}
