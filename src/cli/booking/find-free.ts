import { renderLongDay } from '../../contract/day-names.ts';
import { SalonError } from '../../contract/errors.ts';
import { foldText } from '../../contract/search-text.ts';
import { createZoneClock, dayMs, minuteMs } from '../../contract/time.ts';
import { type AvailableSlot, readAvailability } from '../availability/availability.ts';
import { salonFacts } from '../availability/salon-facts.ts';
import { findService, readUsualServices, type UsualService } from '../availability/usual-services.ts';
import { parseMinutes } from '../flags/days.ts';
import type { PrintFlags } from '../flags/options.ts';
import { renderMinutes } from '../output/cell.ts';
import { columnSet } from '../output/columns.ts';
import { type CommandResult, onePage } from '../output/command-result.ts';
import { readLayout, readStyle } from '../output/format.ts';
import { pickStylists } from '../people/names.ts';
import { resolveStylist } from '../people/resolve.ts';
import type { CommandContext } from '../session/command-context.ts';
import { type FreePeriod, parseFreePeriod } from './free-period.ts';
import { joinGiven } from './read-draft.ts';
import { renderFree } from './render-free.ts';
import { parseBookingWords } from './words.ts';

export interface FreeFlags extends PrintFlags {
  readonly from?: string;
  readonly to?: string;
  readonly service?: string;
  readonly duration?: string;
  readonly stylist?: readonly string[];
  readonly every?: string;
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
  const { flags, io, messages } = context;
  const timeZone = (await context.session()).settings.timeZone.value;
  const moments = { now: io.now(), timeZone };
  const { client, moment, ...spoken } = parseBookingWords(words, moments);
  // "next week" is no moment, so it is read as a name.
  const [asked, name] = moment === '' ? [client, ''] : [moment, client];
  const stylist = joinGiven('stylist', name, spoken.stylist || undefined);
  const stylists =
    stylist === '' ? flags.stylist : [joinGiven('stylist', stylist, flags.stylist?.join(', '))];
  const blank = words.filter((word) => word.trim() === '');
  const period = parseFreePeriod(asked === '' ? blank : [asked], flags, moments);
  const every = flags.every === undefined ? undefined : parseMinutes(flags.every, '--every');
  const isMoment = period.fromMs === period.toMs;
  const searched = isMoment ? toRestOfDay(period, timeZone) : period;
  const stylistIds = await readStylistIds(context, stylists);
  const { minutes, service } = await readWanted(context, joinGiven('service', spoken.service, flags.service));
  const found = await readAvailability(context, {
    from: new Date(searched.fromMs).toISOString(),
    to: new Date(searched.toMs).toISOString(),
    durationMinutes: minutes,
    stylistIds,
    service,
    stepMinutes: every ?? toStep(minutes, isMoment ? searched.fromMs : 0),
  });
  const isThen = ({ start }: AvailableSlot) => Date.parse(start) === searched.fromMs;
  const isWithin = ({ end }: AvailableSlot) => Date.parse(end) <= period.toMs;
  const slots = found.filter(isMoment ? isThen : isWithin);
  const when = isMoment ? ` on ${describeMoment(searched.fromMs, timeZone)}` : '';
  if (slots.length === 0) {
    const next = isMoment ? describeNext(found, timeZone) : '';
    messages.info(
      `${await describeNobody(context, stylistIds)} free for ${renderMinutes(minutes)}${when}.${next}`,
    );
  }
  const isDrawn = (await readLayout(context)) === 'table' && flags.columns === undefined;
  if (!isDrawn) {
    return { show: 'records', noun: 'free times', columns: slotColumns, pages: onePage(slots.map(toRow)) };
  }
  const free = new Set(slots.map(({ stylistId }) => stylistId));
  const shown = isMoment ? found.filter(({ stylistId }) => free.has(stylistId)) : slots;
  const { plain, color } = await readStyle(context);
  const title = `Free for ${renderMinutes(minutes)}${service === undefined ? '' : ` (${service})`}${when}`;
  const width = io.terminal.columns;
  const text = renderFree(shown, { title, timeZone, width, isPlain: plain, hasColor: color, isMoment });
  return slots.length === 0 ? { show: 'nothing' } : { show: 'pagedText', text };
}

/** `Monday 23 November 2026 at 15:00`. */
function describeMoment(instantMs: number, timeZone: string): string {
  const localMs = createZoneClock(timeZone).wall(instantMs);
  return `${renderLongDay(localMs)} at ${new Date(localMs).toISOString().slice(11, 16)}`;
}

/** From the moment, which has no seconds, to the end of its day: when others are free is worth knowing. */
function toRestOfDay({ fromMs }: FreePeriod, timeZone: string): FreePeriod {
  const zone = createZoneClock(timeZone);
  const startMs = Math.ceil(fromMs / minuteMs) * minuteMs;
  const toMs = zone.earliest((Math.floor(zone.wall(startMs) / dayMs) + 1) * dayMs);
  return { fromMs: startMs, toMs };
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
  const ids: string[] = [];
  for (const reference of references) ids.push((await resolveStylist(reference, context)).id);
  const listed = await salonFacts(context).stylists();
  for (const { name, active } of pickStylists(ids, listed)) {
    if (!active) context.messages.warn(`${name} is inactive and cannot be booked.`);
  }
  return ids;
}

async function describeNobody(
  context: CommandContext,
  stylistIds: readonly string[] | undefined,
): Promise<string> {
  if (stylistIds?.length !== 1) return 'Nobody is';
  const listed = await salonFacts(context).stylists();
  return `${listed?.find(({ id }) => id === stylistIds[0])?.name ?? stylistIds[0]} is not`;
}

/** The service as the salon writes it, and how long it usually takes. */
async function readWanted(
  context: CommandContext<FreeFlags>,
  service: string,
): Promise<{ readonly minutes: number; readonly service?: string }> {
  const { duration } = context.flags;
  const given = duration === undefined ? undefined : parseMinutes(duration);
  if (given !== undefined && given > 1440) {
    throw new SalonError('usage', 'An appointment takes at most a day: 1440 minutes.');
  }
  if (service === '') return { minutes: given ?? defaultMinutes };
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
  const first = [...Map.groupBy(found, ({ stylistId }) => stylistId).values()].flatMap(
    ([slot]) => slot ?? [],
  );
  if (first.length === 0) return ' Nor later that day.';
  const times = first.slice(0, 3).map(({ stylistName, start }) => {
    return `${stylistName} ${new Date(wall(Date.parse(start))).toISOString().slice(11, 16)}`;
  });
  return ` Next: ${times.join(', ')}.`;
}

function toRow({ start, end, stylistId, stylistName }: AvailableSlot) {
  return { start_time: start, end_time: end, stylist_name: stylistName, stylist_id: stylistId };
}
