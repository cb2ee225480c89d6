import ICAL from 'ical.js';
import { dayMs } from '../../time/time.ts';
import { type CalendarTime, toIcalTime } from './calendar-zones.ts';

/** Of all series of a file, so that it is read in bounded time. Five years of 1,000 clients who came each week have fewer. */
const maxSteps = 300_000;

/** How many days the months have at most. */
const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The parts of a rule that a salon needs and ical.js reads as they are meant. */
const parts: Readonly<Record<string, RegExp>> = {
  FREQ: /^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d?$/,
  COUNT: /^\d{1,6}$/,
  UNTIL: /^\d{8}(?:T\d{6}Z?)?$/,
  WKST: /^(?:MO|TU|WE|TH|FR|SA|SU)$/,
  BYDAY: /^(?:[+-]?[1-5]?(?:MO|TU|WE|TH|FR|SA|SU),?)+$/,
  BYMONTHDAY: /^(?:-?[1-9]\d?,?)+$/,
  BYMONTH: /^(?:[1-9]\d?,?)+$/,
  BYSETPOS: /^(?:-?[1-4],?)+$/,
};

/** Finds the wall times of series up to a year from now. */
export function createSeriesReader(fromMs: number, untilMs: number) {
  let steps = 0;

  /** A sentence for a rule that is not read. `toUntil` reads the last time of a rule. */
  return (
    text: string,
    { wallMs, zone }: CalendarTime,
    toUntil: (value: string) => CalendarTime | undefined,
  ): readonly number[] | string => {
    const rule = new Map(
      text
        .trim()
        .toUpperCase()
        .split(';')
        .map((part) => part.split('=') as [string, string]),
    );
    const isRead = [...rule].every(([name, value = '']) => parts[name]?.test(value));
    if (!isRead || !rule.has('FREQ') || isMisread(rule))
      return `The event repeats in a way that is not read: ${text.slice(0, 80)}`;
    const until = rule.has('UNTIL') ? toUntil(rule.get('UNTIL') ?? '') : undefined;
    const lastMs = until === undefined ? untilMs : (until.ms ?? 0) + (until.isDay ? dayMs - 1 : 0);
    rule.delete('UNTIL');
    const recur = ICAL.Recur.fromString(Array.from(rule, (part) => part.join('=')).join(';'));
    const iterator = recur.iterator(toIcalTime(wallMs + toSkipped(rule, fromMs - wallMs)));
    const found: number[] = [];
    for (let next = iterator.next(); next !== null && next !== undefined; next = iterator.next()) {
      steps += 1;
      if (steps > maxSteps) return 'The calendar repeats its events too often to be read.';
      const ms = Date.parse(`${next}Z`);
      // A wall time that the clock skips has no instant, and neighbours that have.
      const instantMs = zone?.(ms) ?? ms;
      if (instantMs >= untilMs || instantMs > lastMs) break;
      if (instantMs >= fromMs) found.push(ms);
    }
    return found;
  };
}

/** How much of the time before `fromMs` whole intervals of a rule fill, which is not walked through: all but the last days. */
function toSkipped(rule: ReadonlyMap<string, string>, elapsedMs: number): number {
  const days = { DAILY: 1, WEEKLY: 7 }[rule.get('FREQ') ?? ''];
  if (days === undefined || rule.has('COUNT')) return 0;
  const intervalMs = Number(rule.get('INTERVAL') ?? 1) * days * dayMs;
  // A wall time is up to a day from its instant.
  return Math.max(0, Math.floor((elapsedMs - 2 * dayMs) / intervalMs)) * intervalMs;
}

/** Whether ical.js may find other days than a rule means: it takes 30 February for 2 March. */
function isMisread(rule: ReadonlyMap<string, string>): boolean {
  const hasDay = rule.has('BYMONTHDAY');
  const hasPlace = rule.has('BYSETPOS');
  const isCounted = /\d/.test(rule.get('BYDAY') ?? '');
  if (/^(?:DAILY|WEEKLY)$/.test(rule.get('FREQ') ?? '') && (hasDay || hasPlace || isCounted)) return true;
  if (rule.has('BYDAY') ? hasDay || (hasPlace && isCounted) : hasPlace) return true;
  const [months = [], days = []] = ['BYMONTH', 'BYMONTHDAY'].map((name) =>
    rule.get(name)?.split(',').filter(Boolean).map(Number),
  );
  const lengths = months.map((month) => monthDays[month - 1] ?? 0);
  return (
    lengths.includes(0) ||
    days.some((day) => Math.abs(day) > 31 || lengths.some((length) => Math.abs(day) > length))
  );
}
