import { type FlagTable, type FlagValues, under } from './flag.ts';
import { updatedSinceFlag } from './options.ts';
import { parseCount } from './values.ts';

/** Flags that select clients. */
export const clientSelectionFlags = under('Selection:', {
  search: { flag: '--search <text>', help: 'Search names, email addresses and phone numbers' },
  tag: { type: 'list', flag: '--tag <tag>', help: 'Has this tag; repeatable' },
  withoutTag: { type: 'list', flag: '--without-tag <tag>', help: 'Does not have this tag; repeatable' },
  seenSince: { flag: '--seen-since <when>', help: 'Came since, e.g. 30d or 2026-05-22' },
  notSeenSince: {
    flag: '--not-seen-since <when>',
    help: 'Did not come since, e.g. 6mo, and is not booked',
  },
  upcoming: { flag: '--upcoming', help: 'Has an appointment ahead' },
  noUpcoming: { flag: '--no-upcoming', help: 'Has no appointment ahead' },
  neverVisited: {
    flag: '--never-visited',
    help: 'Had no visit (completed, in service or arrived)',
  },
  firstVisitFrom: { flag: '--first-visit-from <day>', help: 'First visit on this day or later' },
  firstVisitTo: {
    flag: '--first-visit-to <day>',
    help: 'First visit on this day or earlier',
    isAdvanced: true,
  },
  minVisits: { flag: '--min-visits <n>', help: 'At least this many visits', parse: parseCount },
  minNoShows: { flag: '--min-no-shows <n>', help: 'At least this many no-shows', parse: parseCount },
  birthday: { flag: '--birthday <when>', help: 'Has a birthday this week, tomorrow, december, 7d …' },
  birthdayWithin: { flag: '--birthday-within <time>', help: 'Has a birthday soon, e.g. 7d', isHidden: true },
  email: { flag: '--email <address>', help: 'Has exactly this email address' },
  noEmail: { flag: '--no-email', help: 'Has no email address' },
  phone: { flag: '--phone <number>', help: 'Has exactly this phone number' },
  noPhone: { flag: '--no-phone', help: 'Has no phone number' },
  emailConsent: { flag: '--email-consent', help: 'Agreed to marketing by email' },
  smsConsent: { flag: '--sms-consent', help: 'Agreed to marketing by text message' },
  ...updatedSinceFlag,
} as const satisfies FlagTable);

export type ClientSelectionFlags = FlagValues<typeof clientSelectionFlags>;

/** Every client, instead of a selection. */
export const allClientsFlag = {
  all: { flag: '--all', help: 'Every client', group: 'Selection:' },
} as const satisfies FlagTable;
