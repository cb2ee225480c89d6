import { SalonError } from '../../contract/errors.ts';
import { cleanText } from '../../text/clean-text.ts';
import { compareNames, foldText } from '../../text/search-text.ts';
import { renderLongDay, startOfDay, toClockText } from '../../time/local-days.ts';
import { mergeSpans } from '../../time/spans.ts';
import { createZoneClock, dayMs, minuteMs, toUtcText } from '../../time/time.ts';
import { readAvailability } from '../availability/availability.ts';
import { findUndoneService } from '../availability/check-booking-time.ts';
import type { AvailableSlot } from '../availability/free-slots.ts';
import { salonFacts } from '../availability/salon-facts.ts';
import {
  findListedService,
  findService,
  readUsualServices,
  type UsualService,
} from '../availability/usual-services.ts';
import { parseMinutes, type Range } from '../flags/moments.ts';
import type { PrintFlags } from '../flags/options.ts';
import { renderMinutes } from '../output/cell.ts';
import { columnSet } from '../output/columns.ts';
import { type CommandResult, onePage } from '../output/command-result.ts';
import { renderDocument, type TextStyle } from '../output/document.ts';
import { readClock, readLayout, readStyle } from '../output/format.ts';
import { pickStylists, readStylistsById } from '../people/names.ts';
import { resolveStylists } from '../people/resolve-filters.ts';
import type { CommandContext } from '../session/command-context.ts';
import { anyone } from './draft.ts';
import { joinGiven } from './read-draft.ts';
import { arrangeVisit, findVisit, listVisitTimes, type VisitQuery, type VisitRequest } from './read-visit.ts';
import { toVisitSpan } from './visits.ts';
import { type BookingWords, parseBookingWords, parseFreePeriod } from './words.ts';

interface FreeFlags extends PrintFlags, Range {
  readonly service?: string;
  readonly duration?: string;
  readonly stylist?: readonly string[];
  readonly every?: number;
}

const slotColumns = columnSet({
  start_time: 'instant',
  end_time: 'instant',
  stylist_name: 'text',
  stylist_id: 'text',
});
const defaultMinutes = 30;

/** Finds who is free when: free time by day and stylist for people, possible starts elsewhere. */
export async function findFree(
  context: CommandContext<FreeFlags>,
  words: readonly string[],
): Promise<CommandResult> {
  const { flags, messages } = context;
  const { from, to } = flags;
  const moments = await readClock(context);
  const { timeZone } = moments;
  const request = await findVisit(words, context);
  const [own = words, ...more] = request?.visit.parts.map((part) => part.words) ?? [];
  const { client, moment: said, ...parsed } = parseBookingWords(own, moments);
  const others = more.map((part) => parseBookingWords(part, moments));
  const moment = [said, ...others.map((part) => part.moment)].find((text) => text !== '') ?? '';
  // "next month" is no moment, so it is read as a name. Of several, each has a client, and so has a repeat with a stylist.
  const isOne = others.length === 0 && (request === undefined || parsed.stylist === '');
  const [asked, name] = moment === '' && isOne ? [client, ''] : [moment, isOne ? client : ''];
  const stylist = joinGiven('stylist', name, parsed.stylist || undefined);
  const stylists =
    stylist === '' ? flags.stylist : [joinGiven('stylist', stylist, flags.stylist?.join(', '))];
  const period = parseFreePeriod(asked === '' ? [] : [asked], { from, to }, moments);
  const isMoment = period.startMs === period.endMs;
  const { wall, earliest } = createZoneClock(timeZone);
  // From the moment, which has no seconds, to the end of its day: when others are free is worth knowing.
  const startMs = Math.ceil(period.startMs / minuteMs) * minuteMs;
  const rest = { startMs, endMs: earliest(startOfDay(wall(startMs)) + dayMs) };
  const searched = isMoment ? rest : period;
  const stylistIds = await readStylistIds(context, stylists);
  const wanted = await readWanted(context, joinGiven('service', parsed.service, flags.service));
  const stepMinutes = flags.every ?? toStep(wanted.minutes, isMoment ? searched.startMs : 0);
  const query = { service: wanted.service, span: searched, stylistIds, stepMinutes };
  const visit = request && (await arrangeFree(request, [{ ...wanted, stylistIds }, others], context));
  const found = await (visit === undefined
    ? readAvailability(context, { ...query, durationMinutes: wanted.minutes })
    : findVisitSlots({ ...query, ...visit }, context));
  const { startMs: firstMs, endMs: lastMs } = toVisitSpan(visit?.parts ?? [{ ...wanted, fromMs: 0 }], 0);
  const minutes = (lastMs - firstMs) / minuteMs;
  const services = [wanted.service, ...others.map((part) => part.service)].filter(Boolean);
  const service = [...new Set(services)].join(', ');
  const isThen = ({ startMs }: AvailableSlot) => startMs === searched.startMs;
  const isWithin = ({ endMs }: AvailableSlot) => endMs <= period.endMs;
  const slots = found.filter(isMoment ? isThen : isWithin);
  const localMs = wall(searched.startMs);
  const when = isMoment ? ` on ${renderLongDay(localMs)} at ${toClockText(localMs)}` : '';
  if (slots.length === 0) {
    const asked = (stylistIds ?? []).map((stylistId) =>
      findUndoneService(context, { stylistId, service: wanted.service ?? '' }),
    );
    const undone = (await Promise.all(asked)).filter((reason) => reason !== undefined);
    const nobody = visit ? 'Not all of it is' : await describeNobody(context, stylistIds);
    const next = isMoment ? describeNext(found, timeZone) : '';
    const isDone = undone.length === 0 || undone.length < asked.length;
    for (const reason of undone) messages.info(reason);
    if (isDone) messages.info(`${nobody} free for ${renderMinutes(minutes)}${when}.${next}`);
  }
  if ((await readLayout(context)) !== 'table' || flags.columns !== undefined) {
    const rows = slots.map(({ startMs, endMs, stylistId, stylistName }) => {
      const times = { start_time: toUtcText(startMs), end_time: toUtcText(endMs) };
      return { ...times, stylist_name: stylistName, stylist_id: stylistId };
    });
    return { show: 'records', noun: 'free times', columns: slotColumns, pages: onePage(rows) };
  }
  if (slots.length === 0) return { show: 'nothing' };
  const free = new Set(slots.map(({ stylistId }) => stylistId));
  const shown = isMoment ? found.filter(({ stylistId }) => free.has(stylistId)) : slots;
  const title = `Free for ${renderMinutes(minutes)}${service === '' ? '' : ` (${service})`}${when}`;
  const style = { ...(await readStyle(context)), title, timeZone, isMoment };
  return { show: 'pagedText', text: renderFree(shown, style) };
}

/** The parts of a visit of which the first is looked up already. */
async function arrangeFree(
  request: VisitRequest,
  [first, others]: readonly [FreePart, readonly BookingWords[]],
  context: CommandContext<FreeFlags>,
) {
  const given = [first];
  for (const { stylist, service } of others) {
    const rest = request.visit.isAlike ? first.stylistIds : undefined;
    const stylistIds = stylist === '' ? rest : await readStylistIds(context, [stylist]);
    given.push({ ...(service === '' ? first : await readWanted(context, service)), stylistIds });
  }
  const draft = { stylist: anyone, fields: {}, typed: { client: '', stylist: '' } } as const;
  const drafts = given.map(({ minutes, service }) => ({ ...draft, service, durationMinutes: minutes }));
  const arranged = await arrangeVisit(request, drafts, context);
  const parts = arranged.map((part, index) => {
    const ids = given[index]?.stylistIds;
    return { ...part, isAble: (id: string) => part.isAble(id) && (ids?.includes(id) ?? true) };
  });
  return { repeat: request.repeat, parts };
}

/** The times of a visit as slots of all of its stylists. */
async function findVisitSlots(query: VisitQuery, context: CommandContext): Promise<readonly AvailableSlot[]> {
  const names = await readStylistsById(context);
  return (await listVisitTimes(query, context)).map(({ stylists, ...span }) => {
    const ids = [...new Set(stylists)];
    return {
      ...span,
      stylistId: ids.join(','),
      stylistName: ids.map((id) => names.get(id) ?? id).join(' and '),
    };
  });
}

/** A quarter of an hour, or less where that would miss the start or leave out time between short slots. */
function toStep(minutes: number, startMs: number): number {
  const minute = Math.round(startMs / minuteMs);
  return [15, 5].find((step) => minute % step === 0 && minutes >= step) ?? 1;
}

async function readStylistIds(
  context: CommandContext,
  references: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  if (references === undefined) return undefined;
  const ids = await resolveStylists(references, context);
  const listed = await salonFacts(context).stylists();
  for (const { name, active } of pickStylists(ids, listed)) {
    if (!active) context.messages.warn(`${name} is inactive and cannot be booked.`);
  }
  return ids;
}

async function describeNobody(context: CommandContext, stylistIds: readonly string[] = []): Promise<string> {
  const [only, another] = stylistIds;
  if (only === undefined || another !== undefined) return 'Nobody is';
  const listed = await salonFacts(context).stylists();
  return `${listed?.find(({ id }) => id === only)?.name ?? only} is not`;
}

interface Wanted {
  readonly minutes: number;
  readonly service?: string;
}

interface FreePart extends Wanted {
  readonly stylistIds: readonly string[] | undefined;
}

/** The service as the salon writes it, and how long it usually takes. */
async function readWanted(context: CommandContext<FreeFlags>, service: string): Promise<Wanted> {
  const { duration } = context.flags;
  const given = duration === undefined ? undefined : parseMinutes(duration);
  if (given !== undefined && given > 1440) {
    throw new SalonError('usage', 'An appointment takes at most a day: 1440 minutes.');
  }
  if (service === '') return { minutes: given ?? defaultMinutes };
  const listed = await findListedService(service, context);
  if (listed !== undefined) return { minutes: given ?? listed.usualMinutes, service: listed.service };
  const usual = await readUsualServices(context);
  const found = findService(service, [...usual, ...(await readUnusualServices(context, usual))]);
  const minutes = given ?? found.usualMinutes;
  if (minutes !== undefined) return { minutes, service: found.service };
  throw new SalonError('usage', `How long ${found.service} takes is not known: nobody booked it recently.`, {
    hint: 'Add --duration, e.g. --duration 45m.',
  });
}

/** Services that stylists offer, without recent bookings. */
async function readUnusualServices(context: CommandContext, usual: readonly UsualService[]) {
  const listed = (await salonFacts(context).stylists())?.flatMap(({ services }) => services) ?? [];
  const known = new Set(usual.map(({ service }) => foldText(service)));
  const others = new Map(listed.map((service) => [foldText(service), service]));
  return [...others]
    .filter(([key]) => !known.has(key))
    .map(([, service]) => ({ service, usualMinutes: undefined }));
}

/** The first time of each stylist after the moment. */
function describeNext(found: readonly AvailableSlot[], timeZone: string): string {
  const { wall } = createZoneClock(timeZone);
  const byStylist = Map.groupBy(found, ({ stylistId }) => stylistId);
  const times = [...byStylist.values()].flatMap(([slot]) =>
    slot === undefined ? [] : [`${slot.stylistName} ${toClockText(wall(slot.startMs))}`],
  );
  return times.length === 0 ? ' Nor later that day.' : ` Next: ${times.slice(0, 3).join(', ')}.`;
}

interface FreeStyle extends TextStyle {
  readonly title: string;
  readonly timeZone: string;
  /** Whether only the time from one moment on is of interest. */
  readonly isMoment: boolean;
}

/** A stretch of free time on one day. */
interface FreeTime {
  readonly stylist: string;
  readonly dayMs: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** Free time by day and stylist, as text. */
function renderFree(slots: readonly AvailableSlot[], style: FreeStyle): string {
  const days = [...Map.groupBy(mergeSlots(slots, style), (time) => time.dayMs)].sort(([a], [b]) => a - b);
  const sections = days.map(([day, free]) => {
    const byName = [...Map.groupBy(free, ({ stylist }) => stylist)].sort(([a], [b]) => compareNames(a, b));
    const fields = byName.map(([stylist, theirs]) => {
      const shown = style.isMoment ? theirs.slice(0, 1) : theirs;
      const times = shown.map(({ startMs, endMs }) => `${toClockText(startMs)}–${toClockText(endMs)}`);
      return { label: cleanText(stylist), lines: [times.join(style.plain ? ', ' : '  ')] };
    });
    return { heading: style.isMoment ? undefined : renderLongDay(day), fields, indent: 2 };
  });
  return renderDocument([{ heading: style.title }, ...sections], style);
}

/** Slots of a day that overlap or touch are one stretch of free time. Times are local, as if they were UTC. */
function mergeSlots(slots: readonly AvailableSlot[], { timeZone }: FreeStyle): readonly FreeTime[] {
  const { wall } = createZoneClock(timeZone);
  const toDay = (slot: AvailableSlot) => startOfDay(wall(slot.startMs));
  const groups = Map.groupBy(slots, (slot) => `${toDay(slot)} ${slot.stylistId}`);
  return [...groups.values()].flatMap((theirs) =>
    mergeSpans(theirs).map(({ startMs, endMs }) => ({
      ...{ stylist: theirs[0]?.stylistName ?? '', dayMs: startOfDay(wall(startMs)) },
      ...{ startMs: wall(startMs), endMs: wall(endMs) },
    })),
  );
}
