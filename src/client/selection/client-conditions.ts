import { SalonError } from '../../contract/errors.ts';
import { foldText } from '../../text/search-text.ts';
import { parseDay, parseInstant } from '../../time/time.ts';
import type { QueryValues } from '../http/request-path.ts';
import { assertKnownNames, isFields, toTags } from '../json-object.ts';
import { hasFilters } from '../pagination/list-query.ts';
import type { ClientVisits, VisitsTime } from './client-visits.ts';

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
  /** Whether they have an appointment at or after `asOf` that is not over. */
  readonly upcoming?: boolean;
  readonly neverVisited?: true;
  /** Instants between which the first visit was, the second exclusive. */
  readonly firstVisitFrom?: string;
  readonly firstVisitTo?: string;
  readonly minVisits?: number;
  readonly minNoShows?: number;
  /** Agreed to marketing by email or text message. */
  readonly emailConsent?: true;
  readonly smsConsent?: true;
  /** Everyone. Cannot be combined with other conditions. */
  readonly all?: true;
  /** The instant before which a visit was, with all conditions on appointments. */
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
const isTrue = (value: unknown) => value === true;
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0;
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
  upcoming: (value) => typeof value === 'boolean',
  neverVisited: isTrue,
  firstVisitFrom: isInstant,
  firstVisitTo: isInstant,
  minVisits: isCount,
  minNoShows: isCount,
  emailConsent: isTrue,
  smsConsent: isTrue,
  all: isTrue,
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
  const onVisits = visitConditions.find((name) => others[name] !== undefined);
  if (onVisits !== undefined && asOf === undefined)
    throw new SalonError('usage', `${onVisits} needs asOf, such as the present time.`);
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

/** Conditions on all appointments up to `asOf`, and on those of some time. */
const onHistory = ['neverVisited', 'firstVisitFrom', 'firstVisitTo', 'minVisits', 'minNoShows'] as const;
export const visitConditions = ['seenSince', 'notSeenSince', 'upcoming', ...onHistory] as const;

/** The instants between which appointments matter, all of them without one; undefined if none matter. */
export function findNeededTime(conditions: ClientConditions): VisitsTime | undefined {
  const { seenSince, notSeenSince, upcoming, asOf } = conditions;
  if (asOf === undefined || visitConditions.every((name) => conditions[name] === undefined)) return undefined;
  const [since = asOf] = [seenSince, notSeenSince].filter((one) => one !== undefined).toSorted();
  const from = onHistory.some((name) => conditions[name] !== undefined) ? undefined : since;
  return { from, to: upcoming === undefined ? asOf : undefined, asOf };
}

export function toFieldConditions(conditions: ClientConditions): readonly FieldCondition[] {
  const { tags = [], withoutTags = [], blank = [], birthday, emailConsent, smsConsent } = conditions;
  const consents = [
    ...(emailConsent ? ['email_marketing_consent'] : []),
    ...(smsConsent ? ['sms_marketing_consent'] : []),
  ];
  return [
    ...tags.map((tag) => onTags((folded) => folded.has(foldText(tag)), false)),
    ...withoutTags.map((tag) => onTags((folded) => !folded.has(foldText(tag)), true)),
    ...blank.map((field) => ({ field, matches: () => false, matchesBlank: true })),
    ...consents.map((field) => ({ field, matches: toTruth, matchesBlank: false })),
    ...(birthday === undefined
      ? []
      : [{ field: 'birthday', matches: toBirthdayTest(birthday), matchesBlank: false }]),
  ];
}

function toTruth(value: unknown): boolean | undefined {
  const [isYes, isNo] = [/^(?:true|1|yes)$/i, /^(?:false|0|no)$/i].map((words) => words.test(String(value)));
  return isYes || isNo ? isYes : undefined;
}

function onTags(test: (folded: ReadonlySet<string>) => boolean, matchesBlank: boolean): FieldCondition {
  const matches = (value: unknown) => {
    const tags = toTags(value);
    return tags === undefined ? undefined : test(new Set(tags.map(foldText)));
  };
  return { field: 'tags', matches, matchesBlank };
}

/** Whether past visits match; true without a condition on them. */
export function matchesVisits(
  row: unknown,
  conditions: ClientConditions,
  visits: ClientVisits | undefined,
): boolean {
  if (visits === undefined || !isFields(row)) return visits === undefined;
  const id = row['id'];
  const { seenSince, notSeenSince, neverVisited, firstVisitFrom, firstVisitTo } = conditions;
  const { minVisits = 0, minNoShows = 0 } = conditions;
  const visit = visits.find(id, 'visit');
  const isSince = (ms: number | undefined, instant: string) => ms !== undefined && ms >= Date.parse(instant);
  return (
    (seenSince === undefined || isSince(visit?.last, seenSince)) &&
    (notSeenSince === undefined || !isSince(visit?.last, notSeenSince)) &&
    (neverVisited === undefined || visit === undefined) &&
    (firstVisitFrom === undefined || isSince(visit?.first, firstVisitFrom)) &&
    (firstVisitTo === undefined || (visit !== undefined && !isSince(visit.first, firstVisitTo))) &&
    (visit?.count ?? 0) >= minVisits &&
    (minNoShows === 0 || (visits.find(id, 'no_show')?.count ?? 0) >= minNoShows)
  );
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
