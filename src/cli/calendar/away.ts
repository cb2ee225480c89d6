import { hiddenReason } from '../../contract/blocked-time.ts';
import { cleanText } from '../../text/clean-text.ts';
import { renderLongDay } from '../../time/local-days.ts';
import { findOpenSpans, intersectSpans, subtractSpans } from '../../time/spans.ts';
import { createZoneClock, minuteMs, type TimeSpan } from '../../time/time.ts';
import type { BlockedSpan } from '../availability/salon-facts.ts';
import type { CalendarContents, CalendarStylist } from './calendar.ts';
import { type CalendarDay, createDayClock, overlaps } from './calendar-days.ts';

/** Blocked time of a stylist. */
export interface AwayTime extends TimeSpan {
  /** `sick`; empty for no reason in particular, and where the key may not know it. */
  readonly why: string;
  /** `away (sick)`, `break`, `closed`. */
  readonly label: string;
}

type Blocked = Pick<CalendarContents, 'blocks' | 'timeZone'>;
type Person = Pick<CalendarStylist, 'id' | 'workingHours'>;

/** Stands for the whole salon. */
const salon: CalendarStylist = { id: '', name: 'everybody' };
/** More are only counted. */
const maxListed = 8;

/** `away (sick)`, `break` or `closed`. */
export function describeBlock({ stylistId, reason }: Pick<BlockedSpan, 'stylistId' | 'reason'>): string {
  const why = toWhy(reason);
  const word = stylistId === null ? 'closed' : 'away';
  if (why === '' || why === word) return word;
  return why === 'break' && stylistId !== null ? why : `${word} (${cleanText(why)})`;
}

/** When a stylist is away on a day, the salon's closed hours included, by start. */
export function findAway(
  blocks: readonly BlockedSpan[] | undefined,
  id: string,
  day: TimeSpan,
): readonly AwayTime[] {
  return (blocks ?? [])
    .filter((block) => (block.stylistId === null || block.stylistId === id) && overlaps(block, day))
    .map((block) => ({ ...block, why: toWhy(block.reason), label: describeBlock(block) }))
    .sort((a, b) => a.startMs - b.startMs);
}

/** The share of a stylist's working hours on a day that is blocked, or of all of it where those are not known. */
export function findBlockedPart(person: Person, day: CalendarDay, { blocks, timeZone }: Blocked): number {
  const away = findAway(blocks, person.id, day);
  if (away.length === 0) return 0;
  const work = toWork(person, day, timeZone);
  return 1 - lengthOf(subtractSpans(work, away)) / lengthOf(work);
}

/** What keeps a stylist away the whole day. */
export function findDayAway(person: Person, day: CalendarDay, contents: Blocked): AwayTime | undefined {
  if (findBlockedPart(person, day, contents) < 1) return undefined;
  return findAway(contents.blocks, person.id, day).toSorted((a, b) => lengthOf([b]) - lengthOf([a]))[0];
}

/** Where being away begins and ends within the working hours of a day: times that a drawing has to show. */
export function toEdges(person: Person, day: CalendarDay, contents: Blocked): readonly TimeSpan[] {
  const away = findAway(contents.blocks, person.id, day);
  if (findDayAway(person, day, contents) !== undefined) return [];
  return intersectSpans(toWork(person, day, contents.timeZone), away)
    .flatMap(({ startMs, endMs }) => [
      { startMs, endMs: startMs + minuteMs },
      { startMs: endMs - minuteMs, endMs },
    ])
    .filter(({ startMs, endMs }) => startMs > day.startMs && endMs < day.endMs);
}

/** Says that the salon is closed on a day; undefined if it is not. */
export function describeClosed(
  day: CalendarDay,
  { stylists, blocks = [], timeZone }: Blocked & Pick<CalendarContents, 'stylists'>,
): string | undefined {
  const ofSalon = { blocks: blocks.filter(({ stylistId }) => stylistId === null), timeZone };
  const all = stylists.map((stylist) => findDayAway(stylist, day, ofSalon));
  const [first] = all.includes(undefined) ? [] : all;
  const closed = findDayAway(salon, day, ofSalon) ?? first;
  return closed && `The salon is ${closed.label} on ${renderLongDay(day.dateMs)}.`;
}

/**
 * `Away: Mia (sick), Theo 12:00–13:00 (break).`, or that the salon is closed; nothing if nobody is away. `isListed` can
 * leave out those who are away for a part of the day. The rest of many is counted, with the command that lists them.
 */
export function renderAway(
  day: CalendarDay,
  contents: Blocked & Pick<CalendarContents, 'stylists'>,
  {
    isListed = () => true,
    all = 'salon blocks list',
  }: { isListed?: (time: AwayTime, stylistId: string) => boolean; all?: string } = {},
): readonly string[] {
  const { stylists, blocks = [], timeZone } = contents;
  if (blocks.length === 0) return [];
  const closed = describeClosed(day, contents);
  if (closed !== undefined) return [closed];
  const { spanText } = createDayClock(day, timeZone);
  const listed = [salon, ...stylists].flatMap((person) => {
    const write = (time: AwayTime, span: string) =>
      [cleanText(person.name), span, time.why && `(${cleanText(time.why)})`].filter(Boolean).join(' ');
    const whole = findDayAway(person, day, contents);
    if (whole !== undefined && person !== salon) return [write(whole, '')];
    const own = blocks.filter(({ stylistId }) => stylistId === (person === salon ? null : person.id));
    const parts = findAway(own, person.id, day).filter((time) => isListed(time, person.id));
    return parts.map((time) => write(time, spanText(time).whole));
  });
  const more = listed.length - maxListed;
  if (listed.length === 0) return [];
  return more > 0
    ? [`Away: ${listed.slice(0, maxListed).join(', ')}, … and ${more} more: ${all}`]
    : [`Away: ${listed.join(', ')}.`];
}

function toWhy(reason: string): string {
  return reason === hiddenReason || reason === 'other' ? '' : reason;
}

function toWork({ workingHours }: Person, day: CalendarDay, timeZone: string): readonly TimeSpan[] {
  const open = workingHours && findOpenSpans(workingHours, day, createZoneClock(timeZone));
  return open !== undefined && open.length > 0 ? open : [day];
}

function lengthOf(spans: readonly TimeSpan[]): number {
  return spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
}
