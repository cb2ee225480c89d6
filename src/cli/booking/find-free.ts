import { SalonError } from '../../contract/errors.ts';
import { cleanText } from '../../text/clean-text.ts';
import { compareNames, foldText } from '../../text/search-text.ts';
import { renderLongDay, startOfDay, toClockText } from '../../time/local-days.ts';
import { mergeSpans } from '../../time/spans.ts';
import { createZoneClock, dayMs, minuteMs, toUtcText } from '../../time/time.ts';
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
import { pickStylists } from '../people/names.ts';
import { resolveStylists } from '../people/resolve-filters.ts';
import type { CommandContext } from '../session/command-context.ts';
import { describeUnmet, listSlots } from './find-times.ts';
import { joinGiven } from './read-draft.ts';
import { splitLine } from './read-visit.ts';
import { listOffsets, toVisitSpan } from './visits.ts';
import { parseBookingWords, parseFreePeriod } from './words.ts';

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
  const { parts, isAlike, repeat, hasColon } = await splitLine(words, context);
  const lines = parts.map((part) => ({ ...part, ...parseBookingWords(part.words, moments) }));
  const [own = { client: '', stylist: '', service: '' }, ...others] = lines;
  const moment = lines.find((line) => line.moment !== '')?.moment ?? '';
  // "next month" is no moment, so it is read as a name. Of several, each has a client, and so has a repeat with a stylist.
  const isOne = others.length === 0 && !hasColon && (repeat === undefined || own.stylist === '');
  const [asked, name] = moment === '' && isOne ? [own.client, ''] : [moment, isOne ? own.client : ''];
  const stylist = joinGiven('stylist', name, own.stylist || undefined);
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
  const wanted = await readWanted(context, joinGiven('service', own.service, flags.service));
  const asWanted = [{ ...wanted, stylistIds }];
  for (const part of others) {
    const likeFirst = isAlike ? stylistIds : undefined;
    const ids = part.stylist === '' ? likeFirst : await readStylistIds(context, [part.stylist]);
    const what = part.service === '' ? wanted : await readWanted(context, part.service);
    asWanted.push({ ...what, stylistIds: ids });
  }
  const offsets = listOffsets(asWanted.map((part, index) => ({ ...part, ...parts[index] })));
  const visit = { parts: asWanted.map((part, index) => ({ ...part, fromMs: offsets[index] ?? 0 })), repeat };
  const stepMinutes = flags.every ?? toStep(wanted.minutes, isMoment ? searched.startMs : 0);
  const found = await listSlots(visit, { span: searched, stepMinutes }, context);
  const { startMs: firstMs, endMs: lastMs } = toVisitSpan(visit.parts, 0);
  const minutes = (lastMs - firstMs) / minuteMs;
  const services = visit.parts.flatMap((part) => part.service ?? []);
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
    const isSeveral = others.length > 0 || repeat !== undefined;
    const nobody = isSeveral ? 'Not all of it is' : await describeNobody(context, stylistIds);
    const span = isMoment ? { startMs, endMs: startMs + 1 } : searched;
    const unmet = isSeveral ? await describeUnmet(visit, { span, stepMinutes }, context) : [];
    const why = unmet.length === 0 ? '' : `: ${unmet.join(', ')}`;
    const next = isMoment ? describeNext(found, timeZone) : '';
    const isDone = undone.length === 0 || undone.length < asked.length;
    for (const reason of undone) messages.info(reason);
    if (isDone) messages.info(`${nobody} free for ${renderMinutes(minutes)}${when}${why}.${next}`);
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
