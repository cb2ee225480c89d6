import type { SalonClient } from '../../client/client.ts';
import type { PagedList } from '../../client/pagination/paginate.ts';
import { type ClientConditions, visitConditions } from '../../client/selection/client-conditions.ts';
import {
  type ClientSelection,
  type SelectionFacts,
  type SelectionOptions,
  selectClients,
} from '../../client/selection/select-clients.ts';
import type { Client as ClientRecord } from '../../contract/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import { toIsoDay } from '../../time/local-days.ts';
import { type ClientSelectionFlags, clientSelectionFlags } from '../flags/client-selection.ts';
import { toDefinedFields } from '../flags/fields.ts';
import { type MomentContext, parseAgo, parseAhead, parseMoment, parseRange } from '../flags/moments.ts';
import { parsePeriod } from '../flags/periods.ts';
import { renderSelection } from '../flags/selection.ts';
import type { Messages } from '../messages/messages.ts';
import { type Progress, startProgress } from '../messages/status-line.ts';
import type { CommandContext } from '../session/command-context.ts';

/** What the flags of a command select: filters and conditions. The time zone is read only for a time. Throws `usage`. */
export async function readClientSelection({ flags, io, timeZone }: CommandContext<ClientSelectionFlags>) {
  const isTimed = Object.keys(flags).some((name) => /^(?:birth|seen|notSeen|updated|firstVisit)/.test(name));
  const context = { now: io.now(), timeZone: isTimed ? await timeZone() : 'UTC' };
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
    /** Filters: what the server lists. */
    query: toDefinedFields(query) as Record<string, string>,
    /** Conditions: what is checked here, as no filter says it. */
    conditions: toDefinedFields({ ...conditions, asOf }),
    /** What the flags say, such as `--tag vip --not-seen-since 6mo`; empty without any. */
    text: renderSelection(flags, clientSelectionFlags),
  };
}

/** Days as `parsePeriod` reads them, or from today on for some time. */
function readBirthday(
  { birthday, birthdayWithin: within }: ClientSelectionFlags,
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

/** Selects clients, with progress while appointments are read and notes on the selection at its end. */
export function listSelectedClients(
  client: SalonClient,
  conditions: ClientConditions,
  { context, ...options }: SelectionOptions & { readonly context: CommandContext },
): PagedList<ClientRecord> {
  const { io, status, messages } = context;
  let progress: Progress | undefined;
  const stop = () => progress?.stop();
  const selection = selectClients(client, conditions, {
    ...options,
    onVisits(read, total) {
      progress ??= startProgress(io, { noun: 'appointments', status, writeLine: messages.verbose });
      progress.update(read, total);
      if (read === total) stop();
    },
  });
  return { ...selection, [Symbol.asyncIterator]: () => withNotes(selection, messages, stop) };
}

async function* withNotes(selection: ClientSelection, messages: Messages, stop: () => void) {
  try {
    for await (const page of selection) {
      stop();
      yield page;
    }
  } finally {
    stop();
  }
  reportFacts(selection.facts(), messages);
}

/** Says what the rows of a selection do not show. */
function reportFacts(
  { matches, hasMore, unmarked, booked, unreadable, unknownTags }: SelectionFacts,
  messages: Messages,
): void {
  if (hasMore) messages.info(`The first ${renderCount(matches)} clients; more match.`);
  if (unmarked > 0) {
    const are = unmarked === 1 ? 'has' : 'have';
    messages.warn(
      `${countOf(unmarked, 'clients')} ${are} a past appointment still marked pending or confirmed. That is no visit.`,
    );
  }
  if (booked > 0) {
    const are = booked === 1 ? 'is' : 'are';
    messages.info(
      `${countOf(booked, 'other clients')} ${are} left out: booked already. Show them with --upcoming.`,
    );
  }
  for (const [field, count] of unreadable) {
    messages.warn(`The ${field} of ${renderCount(count)} clients cannot be read; they are left out.`);
  }
  for (const { tag, similar } of unknownTags) {
    const question = similar === undefined ? '' : ` Did you mean ${similar}?`;
    messages.info(`No client has the tag ${tag}.${question}`);
  }
}
