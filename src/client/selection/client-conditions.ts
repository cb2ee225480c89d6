import { SalonError } from '../../contract/errors.ts';
import { foldText } from '../../contract/search-text.ts';
import { parseDay, parseInstant } from '../../contract/time.ts';
import type { QueryValues } from '../http/request-path.ts';
import { assertKnownNames, findMember, isFields, toTags } from '../json-object.ts';
import { hasFilters } from '../pagination/list-query.ts';
import type { ClientVisits } from './last-visits.ts';

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
  /** Everyone. Cannot be combined with other conditions. */
  readonly all?: true;
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

const isInstant = (value: unknown) => typeof value === 'string' && parseInstant(value) !== undefined;
const isDate = (value: unknown) => typeof value === 'string' && parseDay(value) !== undefined;
const isTexts = (value: unknown) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((text) => typeof text === 'string' && text.trim() !== '');

const isValid: Readonly<Record<keyof ClientConditions, (value: unknown) => boolean>> = {
  tags: isTexts,
  withoutTags: isTexts,
  blank: (value) =>
    isTexts(value) && Object(value).every((name: string) => ['email', 'phone'].includes(name)),
  birthday: (value) => isFields(value) && isDate(value['from']) && isDate(value['to']),
  seenSince: isInstant,
  notSeenSince: isInstant,
  asOf: isInstant,
  all: (value) => value === true,
};

/** Throws `usage` for conditions that are unknown, empty or not valid, and without any unless all are wanted. */
export function assertConditions(conditions: ClientConditions, query: QueryValues = {}): void {
  assertKnownNames(conditions, Object.keys(isValid), 'condition');
  const invalid = Object.entries(conditions).find(
    ([name, value]) => !isValid[name as keyof ClientConditions](value),
  );
  if (invalid !== undefined)
    throw new SalonError('usage', `The condition ${invalid[0]} is empty or not valid.`);
  const { all = false, asOf, ...others } = conditions;
  if ((others.seenSince ?? others.notSeenSince) !== undefined && asOf === undefined)
    throw new SalonError('usage', 'seenSince and notSeenSince need asOf, such as the present time.');
  const isNarrowed = Object.keys(others).length > 0 || hasFilters(query);
  if (isNarrowed !== all) return;
  throw new SalonError(
    'usage',
    all
      ? 'all: true cannot be combined with conditions.'
      : 'There is no condition, so it would be every client.',
    { hint: 'Pass conditions, or all: true alone for everyone.' },
  );
}

export function toFieldConditions(conditions: ClientConditions): readonly FieldCondition[] {
  const { tags = [], withoutTags = [], blank = [], birthday } = conditions;
  return [
    ...tags.map((tag) => onTags((folded) => folded.has(foldText(tag)), false)),
    ...withoutTags.map((tag) => onTags((folded) => !folded.has(foldText(tag)), true)),
    ...blank.map((field) => ({ field, matches: () => false, matchesBlank: true })),
    ...(birthday === undefined
      ? []
      : [{ field: 'birthday', matches: toBirthdayTest(birthday), matchesBlank: false }]),
  ];
}

function onTags(test: (folded: ReadonlySet<string>) => boolean, matchesBlank: boolean): FieldCondition {
  const matches = (value: unknown) => {
    const tags = toTags(value);
    return tags === undefined ? undefined : test(new Set(tags.map(foldText)));
  };
  return { field: 'tags', matches, matchesBlank };
}

/** Whether visits match; true without a condition on them. */
export function matchesVisits(
  row: unknown,
  { seenSince, notSeenSince }: ClientConditions,
  visits: ClientVisits | undefined,
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
