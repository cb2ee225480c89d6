import { type Command, Option } from 'commander';
import { type ClientConditions, visitConditions } from '../../client/selection/client-conditions.ts';
import { SalonError } from '../../contract/errors.ts';
import { toIsoDay } from '../../time/local-days.ts';
import { renderConditions } from './conditions.ts';
import { toDefinedFields } from './fields.ts';
import { type MomentContext, parseAgo, parseAhead, parseMoment, parseRange } from './moments.ts';
import { collect } from './options.ts';
import { parsePeriod } from './periods.ts';
import { parseCount } from './values.ts';

/** Attributes of the flags that select clients, and how they are typed. */
const textFlags = {
  search: '--search',
  email: '--email',
  phone: '--phone',
  birthday: '--birthday',
  birthdayWithin: '--birthday-within',
  seenSince: '--seen-since',
  notSeenSince: '--not-seen-since',
  firstVisitFrom: '--first-visit-from',
  firstVisitTo: '--first-visit-to',
  minVisits: '--min-visits',
  minNoShows: '--min-no-shows',
  updatedSince: '--updated-since',
};
const listFlags = { tag: '--tag', withoutTag: '--without-tag' };
const trueFlags = {
  upcoming: '--upcoming',
  neverVisited: '--never-visited',
  emailConsent: '--email-consent',
  smsConsent: '--sms-consent',
};
const negativeFlags = { noEmail: '--no-email', noPhone: '--no-phone', noUpcoming: '--no-upcoming' };
export const clientConditionFlags = { ...listFlags, ...negativeFlags, ...trueFlags, ...textFlags };

/** Flags that select clients. */
export type ClientConditionFlags = Partial<
  Readonly<
    Record<keyof typeof textFlags, string> &
      Record<keyof typeof listFlags, readonly string[]> &
      Record<keyof typeof trueFlags, true> &
      Record<keyof typeof negativeFlags, false>
  >
>;

export function addClientConditions(command: Command): Command {
  return command
    .optionsGroup('Conditions:')
    .option('--search <text>', 'Search names, email addresses and phone numbers')
    .option('--tag <tag>', 'Has this tag; repeatable', collect)
    .option('--without-tag <tag>', 'Does not have this tag; repeatable', collect)
    .option('--seen-since <when>', 'Came since, e.g. 30d or 2026-05-22')
    .option('--not-seen-since <when>', 'Did not come since, e.g. 6mo, and is not booked')
    .option('--upcoming', 'Has an appointment ahead')
    .addOption(flagOfItsOwn('--no-upcoming', 'noUpcoming', 'Has no appointment ahead'))
    .option('--never-visited', 'Had no visit (completed, in service or arrived)')
    .option('--first-visit-from <day>', 'First visit on this day or later')
    .option('--first-visit-to <day>', 'First visit on this day or earlier')
    .option('--min-visits <n>', 'At least this many visits')
    .option('--min-no-shows <n>', 'At least this many no-shows')
    .option('--birthday <when>', 'Has a birthday this week, tomorrow, december, 7d …')
    .addOption(new Option('--birthday-within <time>').hideHelp())
    .option('--email <address>', 'Has exactly this email address')
    .addOption(flagOfItsOwn('--no-email', 'noEmail', 'Has no email address'))
    .option('--phone <number>', 'Has exactly this phone number')
    .addOption(flagOfItsOwn('--no-phone', 'noPhone', 'Has no phone number'))
    .option('--email-consent', 'Agreed to marketing by email')
    .option('--sms-consent', 'Agreed to marketing by text message')
    .option('--updated-since <when>', 'Changed at or after, e.g. -7d or 2026-11-21')
    .optionsGroup('');
}

/** A flag that does not overrule the one without `--no-`: both have to match. */
function flagOfItsOwn(flag: string, attribute: string, description: string): Option {
  return Object.assign(new Option(flag, description), { attributeName: () => attribute });
}

/** Throws `usage` for a flag without a value, or with one that cannot be read. */
export function readClientConditions(
  flags: ClientConditionFlags,
  context: Pick<MomentContext, 'now' | 'timeZone'>,
) {
  const { search, email, phone, noEmail, noPhone, tag, withoutTag, noUpcoming, notSeenSince } = flags;
  const { upcoming = noUpcoming, neverVisited, emailConsent, smsConsent } = flags;
  if (upcoming !== undefined && noUpcoming === !upcoming)
    throw new SalonError('usage', 'Pass either --upcoming or --no-upcoming.');
  const withoutBoth = { email: noEmail, phone: noPhone };
  const blank = (['email', 'phone'] as const).filter((field) => withoutBoth[field] === false);
  type TextFlag = keyof typeof textFlags;
  const read = <Value>(name: TextFlag, parse: (text: string, flag: string) => Value): Value | undefined => {
    const text = flags[name];
    return text === undefined ? undefined : parse(text, textFlags[name]);
  };
  const toAgo = (text: string, flag: string) => parseAgo(text, flag, context);
  const toCount = (text: string, flag: string) => parseCount(text, flag);
  const updated_since = read('updatedSince', (text) => parseMoment(text, { ...context, edge: 'start' }));
  const query = { q: search, email, phone, updated_since };
  const firstVisit = parseRange({ from: flags.firstVisitFrom, to: flags.firstVisitTo }, context);
  const conditions = {
    tags: tag,
    withoutTags: withoutTag,
    blank: blank.length === 0 ? undefined : blank,
    birthday: readBirthday(flags, context),
    emailConsent,
    smsConsent,
    seenSince: read('seenSince', toAgo),
    notSeenSince: read('notSeenSince', toAgo),
    // Who is booked need not be won back.
    upcoming: upcoming ?? (notSeenSince === undefined ? undefined : false),
    neverVisited,
    firstVisitFrom: firstVisit.from,
    firstVisitTo: firstVisit.to,
    minVisits: read('minVisits', toCount),
    minNoShows: read('minNoShows', toCount),
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
