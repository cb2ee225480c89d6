import { toClockText } from './local-days.ts';
import { dayMs, hourMs, minuteMs, type TimeSpan, type ZoneClock } from './time.ts';

/**
 * Opening hours by weekday, Sunday first, in milliseconds since midnight by the clock on the wall; without spans a day
 * is closed.
 */
export type WeekHours = readonly (readonly TimeSpan[])[];

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const mondayFirst = [1, 2, 3, 4, 5, 6, 0];
const dayPattern = /^(sun|mon|tue|wed|thu|fri|sat)[a-z]*$/;
const spanPattern = /^(\d{1,2})(?::(\d{2}))?(am|pm)?-(\d{1,2})(?::(\d{2}))?(am|pm)?$/;

/**
 * Parses `mon-fri 9-18, sat 9-14` or `tue 9:30-13:00 14:00-18:30, sun closed`. Days that are not named are closed.
 * Undefined for anything else, and for spans that overlap or end before they begin.
 */
export function parseWeekHours(text: string): WeekHours | undefined {
  const week: TimeSpan[][] = days.map(() => []);
  const tokens = text
    .toLowerCase()
    .replace(/\s*[-\u2013\u2014]\s*/g, '-')
    .split(/[\s,;]+/)
    .map((token) => token.replace(/^([a-z-]+):$/, '$1'))
    .filter((token) => token !== '');
  let named: number[] = [];
  let areTimed = true;
  for (const token of tokens) {
    const found = parseDays(token);
    if (found !== undefined) {
      named = areTimed ? found : [...named, ...found];
      areTimed = false;
      continue;
    }
    const spans = token === 'closed' ? [] : parseSpan(token);
    if (spans === undefined || named.length === 0) return undefined;
    for (const day of named) week[day]?.push(...spans);
    areTimed = true;
  }
  if (!areTimed || tokens.length === 0) return undefined;
  const sorted = week.map((spans) => spans.toSorted((a, b) => a.startMs - b.startMs));
  return sorted.some(overlap) ? undefined : sorted;
}

/** The hours in one form: `mon-fri 09:00-18:00, sat 09:00-14:00`. */
export function renderWeekHours(hours: WeekHours): string {
  const groups: { first: string; last: string; spans: string }[] = [];
  let isNext = false;
  for (const day of mondayFirst) {
    const [name = '', spans] = [days[day], renderDayHours(hours[day] ?? [])];
    const group = groups.at(-1);
    if (spans !== '' && isNext && group?.spans === spans) group.last = name;
    else if (spans !== '') groups.push({ first: name, last: name, spans });
    isNext = spans !== '';
  }
  if (groups.length === 0) return 'mon-sun closed';
  const render = ({ first, last, spans }: (typeof groups)[number]) =>
    `${first === last ? first : `${first}-${last}`} ${spans}`;
  return groups.map(render).join(', ');
}

/** `09:00-13:00 14:00-18:00`; empty for a closed day. */
export function renderDayHours(spans: readonly TimeSpan[]): string {
  const toClock = (ms: number) => (ms === dayMs ? '24:00' : toClockText(ms));
  return spans.map(({ startMs, endMs }) => `${toClock(startMs)}-${toClock(endMs)}`).join(' ');
}

/** The weekdays of `mon` or `mon-fri`, over the weekend too. */
function parseDays(token: string): number[] | undefined {
  const [first, last, ...others] = token.split('-').map((name) => {
    const [, day] = dayPattern.exec(name) ?? [];
    return day === undefined ? Number.NaN : days.indexOf(day);
  });
  if (first === undefined || Number.isNaN(first) || others.length > 0 || Number.isNaN(last)) return undefined;
  const count = last === undefined ? 1 : ((last - first + 7) % 7) + 1;
  return Array.from({ length: count }, (_, index) => (first + index) % 7);
}

function parseSpan(token: string): TimeSpan[] | undefined {
  const [, startHour, startRest, startHalf, endHour, endRest, endHalf] = spanPattern.exec(token) ?? [];
  const startMs = toClockMs(startHour, startRest, startHalf);
  const endMs = toClockMs(endHour, endRest, endHalf);
  return startMs < endMs && endMs <= dayMs ? [{ startMs, endMs }] : undefined;
}

/** NaN for a time that no clock shows. */
function toClockMs(hour: string | undefined, rest = '0', half?: string): number {
  const [hours, minutes] = [Number(hour), Number(rest)];
  if (minutes > 59 || (half !== undefined && (hours < 1 || hours > 12))) return Number.NaN;
  return (half === undefined ? hours : (hours % 12) + (half === 'pm' ? 12 : 0)) * hourMs + minutes * minuteMs;
}

function overlap(spans: readonly TimeSpan[]): boolean {
  return spans.some(({ startMs }, index) => startMs < (spans[index - 1]?.endMs ?? 0));
}

/**
 * The hours of the days that a span touches, as instants in order. Hours that a clock change skips or repeats last as
 * long as they do on that day.
 */
export function findOpenSpans(week: WeekHours, span: TimeSpan, zone: ZoneClock): readonly TimeSpan[] {
  const first = Math.floor(zone.wall(span.startMs) / dayMs);
  // Where the clocks go back at midnight, an earlier instant has a later date.
  const last = Math.floor(zone.wall(span.endMs) / dayMs) + 1;
  const days = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * dayMs);
  return days.flatMap((day) =>
    (week[new Date(day).getUTCDay()] ?? [])
      .map((open) => ({ startMs: zone.earliest(day + open.startMs), endMs: zone.earliest(day + open.endMs) }))
      .filter(({ startMs, endMs }) => endMs > Math.max(span.startMs, startMs) && startMs < span.endMs),
  );
}

/** What lies in a span of both lists. */
export function intersectSpans(one: readonly TimeSpan[], other: readonly TimeSpan[]): readonly TimeSpan[] {
  return one.flatMap((span) =>
    other
      .map(({ startMs, endMs }) => ({
        startMs: Math.max(startMs, span.startMs),
        endMs: Math.min(endMs, span.endMs),
      }))
      .filter(({ startMs, endMs }) => startMs < endMs),
  );
}

/** What is left of spans without those that are busy, in any order. */
export function subtractSpans(spans: readonly TimeSpan[], busy: readonly TimeSpan[]): readonly TimeSpan[] {
  const taken = busy.toSorted((a, b) => a.startMs - b.startMs);
  return spans.flatMap((span) => {
    const free: TimeSpan[] = [];
    let { startMs } = span;
    for (const each of taken) {
      if (each.startMs >= span.endMs) break;
      if (each.startMs > startMs) free.push({ startMs, endMs: each.startMs });
      startMs = Math.max(startMs, each.endMs);
    }
    return startMs < span.endMs ? [...free, { startMs, endMs: span.endMs }] : free;
  });
}
