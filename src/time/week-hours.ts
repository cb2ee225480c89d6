import { readClockTime } from './clock-times.ts';
import { toClockText } from './local-days.ts';
import { dayMs, type TimeSpan } from './time.ts';

/**
 * Opening hours by weekday, Sunday first, in milliseconds since midnight by the clock on the wall; without spans a day
 * is closed.
 */
export type WeekHours = readonly (readonly TimeSpan[])[];

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const mondayFirst = [1, 2, 3, 4, 5, 6, 0];
const dayPattern = /^(sun|mon|tue|wed|thu|fri|sat)[a-z]*$/;

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
  const [start = '', end = '', ...others] = token.split('-');
  const startMs = readClockTime(start);
  const endMs = /^24(?::00)?$/.test(end) ? dayMs : readClockTime(end);
  if (startMs === undefined || endMs === undefined || startMs >= endMs || others.length > 0) return undefined;
  return [{ startMs, endMs }];
}

function overlap(spans: readonly TimeSpan[]): boolean {
  return spans.some(({ startMs }, index) => startMs < (spans[index - 1]?.endMs ?? 0));
}
