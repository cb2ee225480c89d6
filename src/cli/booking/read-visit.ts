import { SalonError } from '../../contract/errors.ts';
import { selectOffering } from '../../contract/stylist.ts';
import { weekdayNames } from '../../time/local-days.ts';
import {
  listRepeats,
  type Repeat,
  type RepeatedStart,
  readMonthEnd,
  takeRepeat,
} from '../../time/repeats.ts';
import { createZoneClock, dayMs, minuteMs, type TimeSpan } from '../../time/time.ts';
import { readFreeTime } from '../availability/availability.ts';
import { salonFacts } from '../availability/salon-facts.ts';
import { readUsualServices } from '../availability/usual-services.ts';
import { findSpan, type MomentContext } from '../flags/moments.ts';
import { readClock } from '../output/format.ts';
import { isClient } from '../people/resolve.ts';
import type { CommandContext } from '../session/command-context.ts';
import { toMissing } from './booking-errors.ts';
import { anyone, type BookingDraft, listOpenTopics } from './draft.ts';
import { settleNewClient } from './new-client.ts';
import { findSimilar, questions, withUsualDuration } from './questions.ts';
import { type GivenBooking, readDraft } from './read-draft.ts';
import { splitVisit, type VisitWords } from './visit-words.ts';
import { createVisitPlanner, toVisitSpan, type VisitPart } from './visits.ts';
import { isDay, parseBookingWords } from './words.ts';

/** Several appointments that a command line asks for. */
export interface VisitRequest {
  readonly visit: VisitWords;
  readonly repeat: Repeat | undefined;
}

/** Finds several appointments in the words of a command line; undefined for one, unless that is wanted, too. */
export async function findVisit(
  given: readonly string[],
  context: CommandContext,
  takesOne = false,
): Promise<VisitRequest | undefined> {
  const words = given.length === 1 ? (given[0] ?? '').trim().split(/\s+/) : given;
  const moments = await readClock(context);
  const { repeat, rest = words } = takeRepeat(words, (text) => isDay(text, moments)) ?? {};
  const isKnown = (name: string) => isClient(parseBookingWords([name], moments).client, context);
  const visit = await splitVisit(rest, isKnown);
  const hasColon = words.some((word) => word.endsWith(':'));
  const isOne = repeat === undefined && visit.parts.length === 1 && !hasColon;
  return isOne && !takesOne ? undefined : { visit, repeat };
}

/** The answers that a command line gives for each appointment. At a terminal asks for what is missing, except for the time. */
export async function readVisit(
  { visit: { parts, isAlike } }: VisitRequest,
  given: GivenBooking,
  context: CommandContext,
): Promise<readonly BookingDraft[]> {
  const { client_id: _client, start_time: _start, ...others } = given.given;
  const drafts: BookingDraft[] = [];
  for (const { words } of parts) {
    const last = drafts.at(-1);
    const more = { given: isAlike ? {} : others, newClient: undefined, phone: undefined };
    const read = await readDraft({ ...given, ...(last && more), words }, context);
    const own = await settleNewClient(read, context);
    const client = own.client ?? (own.typed.client === '' ? last?.client : undefined);
    const newClient = own.newClient ?? (client === undefined ? last?.newClient : undefined);
    const alike = last && isAlike ? { ...last, stylist: own.stylist ?? last.stylist } : own;
    const time = { start: own.start, span: own.span, typed: own.typed };
    drafts.push(await askForRest({ ...alike, ...time, client, newClient }, parts.length > 1, context));
  }
  const times = new Set(drafts.flatMap(({ start, span }) => start ?? (span && JSON.stringify(span)) ?? []));
  if (times.size > 1) throw new SalonError('usage', 'The time is given twice.');
  const services = new Set(drafts.map(({ service }) => service));
  for (const field of ['duration', 'price']) {
    if (services.size > 1 && given.given[field] !== undefined)
      throw new SalonError('usage', `--${field} is that of one service, and these are ${services.size}.`);
  }
  return drafts;
}

async function askForRest(
  given: BookingDraft,
  isOneOfSeveral: boolean,
  context: CommandContext,
): Promise<BookingDraft> {
  const { stylist = isOneOfSeveral ? anyone : undefined } = given;
  let draft = await withUsualDuration({ ...given, stylist }, context);
  for (;;) {
    const [topic] = listOpenTopics(draft);
    if (topic === undefined || topic === 'day' || topic === 'time') return draft;
    const { service } = draft;
    if (!context.prompts.isInteractive) {
      const similar = service === undefined ? [] : findSimilar(service, await readUsualServices(context));
      throw toMissing({ ...draft, start: '' }, similar);
    }
    draft = await withUsualDuration(await questions[topic](draft, context), context);
  }
}

/** The appointments of drafts as they follow one another. Throws `usage` for a person who would be twice at once. */
export async function arrangeVisit(
  { visit: { parts } }: VisitRequest,
  drafts: readonly BookingDraft[],
  context: CommandContext,
): Promise<readonly VisitPart[]> {
  const listed = await salonFacts(context).stylists();
  const arranged: VisitPart[] = [];
  let [fromMs, endMs] = [0, 0];
  for (const [index, draft] of drafts.entries()) {
    const { step = 0, pauseMs = 0 } = parts[index] ?? {};
    if (step !== (parts[index - 1]?.step ?? 0)) fromMs = endMs + pauseMs;
    const { service = '', durationMinutes: minutes = 0, stylist, client } = draft;
    for (const [before, other] of drafts.slice(0, index).entries()) {
      if (parts[before]?.step !== step) continue;
      if (client !== undefined && other.client?.id === client.id) throw twice(client.name);
      if (stylist !== anyone && other.stylist !== anyone && stylist?.id === other.stylist?.id)
        throw twice(stylist?.name);
    }
    const able = listed && new Set(selectOffering(listed, service, listed).map(({ id }) => id));
    const isAble = (id: string) => (stylist === anyone ? (able?.has(id) ?? true) : id === stylist?.id);
    arranged.push({ isAble, fromMs, minutes });
    endMs = Math.max(endMs, fromMs + minutes * minuteMs);
  }
  return arranged;
}

function twice(name = ''): SalonError {
  return new SalonError('usage', `${name} cannot have two appointments at once.`, {
    hint: 'Name another person, or write "then" between appointments that follow one another.',
  });
}

/** The starts of a visit. Throws `usage` for a repeat with none or too many. */
export function listStarts(...given: Parameters<typeof findStarts>): readonly RepeatedStart[] {
  const starts = findStarts(...given);
  if (typeof starts === 'string') throw new SalonError('usage', starts);
  return starts;
}

/** The starts of a visit, or what is wrong with a repeat. */
function findStarts(firstMs: number, repeat: Repeat | undefined, moments: MomentContext) {
  const zone = createZoneClock(moments.timeZone);
  const localMs = zone.wall(firstMs);
  if (repeat === undefined) return [{ localMs, startMs: firstMs }];
  const { until = '', weekday } = repeat;
  const first = new Date(localMs).getUTCDay();
  if (weekday !== undefined && first !== weekday)
    return `The first date is a ${weekdayNames[first]}, and what repeats is a ${weekdayNames[weekday]}.`;
  const last = findSpan(until, { ...moments, sinceMs: firstMs, isLater: true })?.local;
  const endMs = last ? Math.max(last.endMs, last.startMs + 1) : readMonthEnd(until, localMs);
  const starts = listRepeats(firstMs, repeat, { zone, nowMs: moments.now.getTime(), endMs });
  return until !== '' && starts.length === 1 ? 'Until then, the repeat has only its first date.' : starts;
}

/** Reads who is free around a span, and finds times for a visit in it. */
export async function openVisitPlanner(parts: readonly VisitPart[], span: TimeSpan, context: CommandContext) {
  const durationMinutes = Math.min(...parts.map(({ minutes }) => minutes));
  const { endMs } = toVisitSpan(parts, span.endMs);
  const free = await readFreeTime(context, { span: { ...span, endMs }, durationMinutes });
  return createVisitPlanner(parts, { free, timeZone: await context.timeZone() });
}

/** A time for a visit, and who has it. */
export interface VisitTime extends TimeSpan {
  /** IDs, by part. */
  readonly stylists: readonly string[];
}

/** The times of a span, now or later, at which a visit fits with all of its repeats. */
export async function listVisitTimes(
  { parts, repeat, span, stepMinutes }: VisitQuery,
  context: CommandContext,
): Promise<readonly VisitTime[]> {
  const moments = await readClock(context);
  const lastMs = listStarts(span.startMs, repeat, moments).at(-1)?.startMs ?? span.endMs;
  const endMs = Math.max(span.endMs, lastMs + span.endMs - span.startMs + dayMs);
  const planner = await openVisitPlanner(parts, { ...span, endMs }, context);
  return planner.list(span, stepMinutes).flatMap((startMs) => {
    const starts = findStarts(startMs, repeat, moments);
    // Later days of the span may be after the last of the repeat.
    if (typeof starts === 'string') return [];
    const fitting = starts.map((one) => (one.startMs && planner.fit(one.startMs)) || []);
    const isFree = fitting.every(({ length }) => length > 0);
    return isFree ? [{ ...toVisitSpan(parts, startMs), stylists: fitting.flat() }] : [];
  });
}

export interface VisitQuery {
  readonly parts: readonly VisitPart[];
  readonly repeat: Repeat | undefined;
  readonly span: TimeSpan;
  readonly stepMinutes?: number | undefined;
}
