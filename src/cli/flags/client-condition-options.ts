import { type Command, Option } from 'commander';
import { collect } from './options.ts';

/** Attributes of the flags that select clients, and how they are typed. */
export const clientTextFlags = {
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
export const clientConditionFlags = { ...listFlags, ...negativeFlags, ...trueFlags, ...clientTextFlags };

/** Flags that select clients. */
export type ClientConditionFlags = Partial<
  Readonly<
    Record<keyof typeof clientTextFlags, string> &
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
