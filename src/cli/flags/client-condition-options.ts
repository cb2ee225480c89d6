import { type Command, Option } from 'commander';
import type { ClientConditions } from '../../client/selection/client-conditions.ts';
import { assertFilled, renderConditions } from './conditions.ts';
import { type MomentContext, parseAgo, parseAhead, parseMoment } from './moments.ts';
import { collect } from './options.ts';

/** Flags that select clients. */
export interface ClientConditionFlags {
  readonly search?: string;
  readonly email?: string;
  readonly noEmail?: false;
  readonly phone?: string;
  readonly noPhone?: false;
  readonly tag?: readonly string[];
  readonly withoutTag?: readonly string[];
  readonly birthdayWithin?: string;
  readonly seenSince?: string;
  readonly notSeenSince?: string;
  readonly updatedSince?: string;
}

/** Attributes of the flags, and how they are typed. */
export const clientConditionFlags: Readonly<Record<keyof ClientConditionFlags, string>> = {
  search: '--search',
  email: '--email',
  noEmail: '--no-email',
  phone: '--phone',
  noPhone: '--no-phone',
  tag: '--tag',
  withoutTag: '--without-tag',
  birthdayWithin: '--birthday-within',
  seenSince: '--seen-since',
  notSeenSince: '--not-seen-since',
  updatedSince: '--updated-since',
};

export function addClientConditions(command: Command): Command {
  return command
    .optionsGroup('Conditions:')
    .option('--search <text>', 'Search names, email addresses and phone numbers')
    .option('--tag <tag>', 'Has this tag; repeatable', collect)
    .option('--without-tag <tag>', 'Does not have this tag; repeatable', collect)
    .option('--seen-since <when>', 'Came since, e.g. 30d or 2026-05-22')
    .option('--not-seen-since <when>', 'Did not come since, e.g. 6mo')
    .option('--birthday-within <time>', 'Has a birthday within, e.g. 7d')
    .option('--email <address>', 'Has exactly this email address')
    .addOption(flagOfItsOwn('--no-email', 'noEmail', 'Has no email address'))
    .option('--phone <number>', 'Has exactly this phone number')
    .addOption(flagOfItsOwn('--no-phone', 'noPhone', 'Has no phone number'))
    .option('--updated-since <when>', 'Changed at or after, e.g. -7d or 2026-11-21')
    .optionsGroup('');
}

/** A flag that does not overrule the one without `--no-`: both have to match. */
function flagOfItsOwn(flag: string, attribute: string, description: string): Option {
  return Object.assign(new Option(flag, description), { attributeName: () => attribute });
}

/** The clients that the flags select. */
export interface ClientFilter {
  /** Filters of the list. */
  readonly query: Readonly<Record<string, string>>;
  readonly conditions: ClientConditions;
  /** What the flags say, such as `--tag vip --not-seen-since 6mo`; empty without any. */
  readonly text: string;
}

/** Throws `usage` for a flag without a value, or with one that cannot be read. */
export function readClientConditions(
  flags: ClientConditionFlags,
  context: Pick<MomentContext, 'now' | 'timeZone'>,
): ClientFilter {
  assertFilled(flags, clientConditionFlags);
  const { search, email, noEmail, phone, noPhone, tag, withoutTag, birthdayWithin, updatedSince } = flags;
  const { seenSince, notSeenSince } = flags;
  const blank = [
    ...(noEmail === false ? ['email' as const] : []),
    ...(noPhone === false ? ['phone' as const] : []),
  ];
  const since = (text: string, flag: string) => parseAgo(text, flag, context);
  const query = {
    q: search,
    email,
    phone,
    updated_since:
      updatedSince === undefined ? undefined : parseMoment(updatedSince, { ...context, edge: 'start' }),
  };
  const conditions = {
    tags: tag,
    withoutTags: withoutTag,
    blank: blank.length === 0 ? undefined : blank,
    birthday:
      birthdayWithin === undefined ? undefined : parseAhead(birthdayWithin, '--birthday-within', context),
    seenSince: seenSince === undefined ? undefined : since(seenSince, '--seen-since'),
    notSeenSince: notSeenSince === undefined ? undefined : since(notSeenSince, '--not-seen-since'),
    asOf: (seenSince ?? notSeenSince) === undefined ? undefined : context.now.toISOString(),
  };
  return {
    query: withoutUndefined(query) as Record<string, string>,
    conditions: withoutUndefined(conditions),
    text: renderConditions(flags, clientConditionFlags),
  };
}

function withoutUndefined<Value extends object>(fields: Value) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Value]?: Exclude<Value[Name], undefined> };
}
