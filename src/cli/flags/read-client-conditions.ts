import { type ClientConditions, visitConditions } from '../../client/selection/client-conditions.ts';
import { SalonError } from '../../contract/errors.ts';
import { toIsoDay } from '../../time/local-days.ts';
import { type ClientConditionFlags, clientConditionFlags } from './client-conditions.ts';
import { renderConditions } from './conditions.ts';
import { toDefinedFields } from './fields.ts';
import { type MomentContext, parseAgo, parseAhead, parseMoment, parseRange } from './moments.ts';
import { parsePeriod } from './periods.ts';

/** Throws `usage` for a flag without a value, or with one that cannot be read. */
export function readClientConditions(
  flags: ClientConditionFlags,
  context: Pick<MomentContext, 'now' | 'timeZone'>,
) {
  const { search, email, phone, noEmail, noPhone, tag, withoutTag, noUpcoming, seenSince, notSeenSince } =
    flags;
  const { upcoming, neverVisited, emailConsent, smsConsent, minVisits, minNoShows } = flags;
  if (upcoming && noUpcoming) throw new SalonError('usage', 'Pass either --upcoming or --no-upcoming.');
  const withoutBoth = { email: noEmail, phone: noPhone };
  const blank = (['email', 'phone'] as const).filter((field) => withoutBoth[field]);
  const readAgo = (text: string | undefined, flag: string) =>
    text === undefined ? undefined : parseAgo(text, flag, context);
  const updated_since = flags.updatedSince && parseMoment(flags.updatedSince, { ...context, edge: 'start' });
  const query = { q: search, email, phone, updated_since };
  const firstVisit = parseRange({ from: flags.firstVisitFrom, to: flags.firstVisitTo }, context);
  const conditions = {
    tags: tag,
    withoutTags: withoutTag,
    blank: blank.length === 0 ? undefined : blank,
    birthday: readBirthday(flags, context),
    emailConsent: emailConsent || undefined,
    smsConsent: smsConsent || undefined,
    seenSince: readAgo(seenSince, '--seen-since'),
    notSeenSince: readAgo(notSeenSince, '--not-seen-since'),
    // Who is booked need not be won back.
    upcoming: noUpcoming || (notSeenSince !== undefined && !upcoming) ? false : upcoming,
    neverVisited: neverVisited || undefined,
    firstVisitFrom: firstVisit.from,
    firstVisitTo: firstVisit.to,
    minVisits,
    minNoShows,
  };
  const needsVisits = visitConditions.some((name) => conditions[name] !== undefined);
  const asOf = needsVisits ? context.now.toISOString() : undefined;
  return {
    /** Filters of the list. */
    query: toDefinedFields(query) as Record<string, string>,
    conditions: toDefinedFields({ ...conditions, asOf }),
    /** What the flags say, such as `--tag vip --not-seen-since 6mo`; empty without any. */
    text: renderConditions(flags, clientConditionFlags),
  };
}

/** Days as `parsePeriod` reads them, or from today on for some time. */
function readBirthday(
  { birthday, birthdayWithin: within }: ClientConditionFlags,
  context: MomentContext,
): ClientConditions['birthday'] {
  const text = birthday ?? within;
  if (text === undefined) return undefined;
  if (birthday !== undefined && within !== undefined)
    throw new SalonError('usage', 'Pass either --birthday or --birthday-within.');
  if (birthday === undefined || /^\+?\d{1,5}\s*(?:d|w|mo|y|day|week|month|year)/i.test(text.trim()))
    return parseAhead(text, birthday === undefined ? '--birthday-within' : '--birthday', context);
  const { from, to } = parsePeriod({ period: text }, { ...context, endsToday: false });
  return { from: toIsoDay(from), to: toIsoDay(to - 1) };
}
