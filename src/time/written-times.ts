import { addMonths, renderDay, renderLongDay, startOfWeek, toIsoDay } from './local-days.ts';
import { dayMs, parseDay, type TimeSpan } from './time.ts';
import type { WeekHours } from './week-hours.ts';
import { type ClockParts, clockForms, readTimeOfDay, UnclearTimeError } from './written-clock.ts';
import { type DateParts, parseDate, toPlainWords, toWeekday, weekdayName } from './written-dates.ts';

/** What relative days count from. Days are local midnights, in milliseconds as if they were UTC. */
export interface DayContext {
  readonly todayMs: number;
  /** Earliest day that a weekday or a day without a year may mean; if undefined, a day without a year is near today. */
  readonly sinceMs?: number | undefined;
  /** Decides between the two readings of "at three". */
  readonly openingHours?: WeekHours | undefined;
}

/** A day, or the week that begins with it. */
export interface WrittenDay {
  readonly dayMs: number;
  /** 7 for a week. */
  readonly days: number;
  /** Whether the text is a weekday alone, which means today when today is one. */
  readonly isWeekday: boolean;
}

const halfYearMs = 183 * dayMs;
const weekdayPattern = new RegExp(`^(?:(?<which>next|last|this) )?(?<weekday>${weekdayName})$`);

/**
 * Reads a day or week as people write it: `tomorrow`, `fri`, `next fri` (that of next week), `+7d`, `-6mo`,
 * `24/11/2026`, `24.11.`, `Tue 24 Nov`, `2026-11-24`, `next week`, `week 49`, `KW 49`, `2026-W49`. Undefined for any
 * other text. Throws `UnclearTimeError` for a day that does not exist, or that has two readings.
 */
export function readWrittenDay(written: string, context: DayContext): WrittenDay | undefined {
  const text = toPlainWords(written);
  const counted = readCountedDay(text, context.todayMs);
  if (counted !== undefined) return { dayMs: counted, days: 1, isWeekday: false };
  const week = readWeek(text, context);
  if (week !== undefined) return { dayMs: week, days: 7, isWeekday: false };
  const { which, weekday } = weekdayPattern.exec(text)?.groups ?? {};
  if (weekday !== undefined) {
    return { dayMs: findWeekday(weekday, which, context), days: 1, isWeekday: which === undefined };
  }
  const parts = parseDate(text);
  // Two digits after the name of a month may be an hour.
  if (parts === undefined || (parts.name !== undefined && parts.year?.length === 2)) return undefined;
  return { dayMs: readDate(text, parts, context), days: 1, isWeekday: false };
}

const weekPattern =
  /^(?:(?<which>last|this|next)[ _-]week|(?<first>\d{4})-?w(?<of>\d{1,2})|(?:calendar week|week|kw|cw) ?(?<week>\d{1,2})(?:[ /](?<year>\d{4}))?)$/;

/** The Monday of a week. One without a year is the next one, or this one; if nothing decides, the nearest. */
function readWeek(text: string, { todayMs, sinceMs }: DayContext): number | undefined {
  const parts = weekPattern.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const { which, first, of, week = of, year = first } = parts;
  if (which !== undefined)
    return startOfWeek(todayMs) + (['last', 'this', 'next'].indexOf(which) - 1) * 7 * dayMs;
  const thisYear = new Date(sinceMs ?? todayMs).getUTCFullYear();
  // A week 53 may be six years away.
  const years = year === undefined ? [0, 1, -1, 2, 3, 4, 5, 6, 7] : [Number(year) - thisYear];
  const found = years.flatMap((more) => findIsoWeek(thisYear + more, Number(week)) ?? []);
  if (found.length === 0) throw new UnclearTimeError(`The week "${text}" does not exist.`);
  const distance = (ms: number) => Math.abs(ms - todayMs);
  const nearest = found.toSorted((one, other) => distance(one) - distance(other))[0];
  const next = found.filter((ms) => ms + 6 * dayMs >= (sinceMs ?? 0)).sort((one, other) => one - other)[0];
  return year === undefined && sinceMs !== undefined ? next : nearest;
}

/** The first week of a year is the one with 4 January. */
function findIsoWeek(year: number, week: number): number | undefined {
  const startMs = startOfWeek(Date.UTC(year, 0, 4)) + (week - 1) * 7 * dayMs;
  // A week belongs to the year of its Thursday.
  const isReal = week >= 1 && new Date(startMs + 3 * dayMs).getUTCFullYear() === year;
  return isReal ? startMs : undefined;
}

function readCountedDay(text: string, todayMs: number): number | undefined {
  const named: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };
  if (Object.hasOwn(named, text)) return todayMs + (named[text] ?? 0) * dayMs;
  const [, amount, unit] =
    /^([+-]\d{1,6})(d|w|mo|y)$/.exec(text.replace(/^(the )?day after tomorrow$/, '+2d')) ?? [];
  if (amount === undefined) return undefined;
  if (unit === 'd' || unit === 'w') return todayMs + Number(amount) * (unit === 'w' ? 7 : 1) * dayMs;
  return addMonths(todayMs, Number(amount) * (unit === 'y' ? 12 : 1));
}

function findWeekday(name: string, which: string | undefined, { todayMs, sinceMs }: DayContext): number {
  const wanted = toWeekday(name);
  if (which === 'next') {
    return startOfWeek(todayMs) + (7 + ((wanted + 6) % 7)) * dayMs;
  }
  if (which === 'last') {
    const daysAgo = (new Date(todayMs).getUTCDay() - wanted + 6) % 7;
    return todayMs - (daysAgo + 1) * dayMs;
  }
  const firstMs = Math.max(todayMs, sinceMs ?? todayMs);
  return firstMs + ((wanted - new Date(firstMs).getUTCDay() + 7) % 7) * dayMs;
}

function readDate(text: string, parts: DateParts, context: DayContext): number {
  const { weekday } = parts;
  const readings = toMonthDays(parts).flatMap((monthDay) => findYears(monthDay, parts.year, context));
  if (readings.length === 0) throw new UnclearTimeError(`The day "${text}" does not exist.`);
  const isNamed = (ms: number) => weekday === undefined || new Date(ms).getUTCDay() === toWeekday(weekday);
  const fitting = readings.filter(isNamed);
  const [first, ...others] = [...new Set(fitting)];
  if (first === undefined) {
    const days = readings.map((ms) => renderLongDay(ms)).join(' or ');
    throw new UnclearTimeError(`"${text}" names the wrong weekday: the day is ${days}.`);
  }
  if (others.length === 0) return first;
  throw new UnclearTimeError(
    `"${text}" may be ${[first, ...others].map(renderDay).join(' or ')}.`,
    `Write ${[first, ...others].map(toIsoDay).join(' or ')}.`,
  );
}

function toMonthDays({ month = '', day = '', one, two }: DateParts) {
  if (one === undefined || two === undefined) return [{ month, day }];
  return [
    { month: two, day: one },
    { month: one, day: two },
  ];
}

/** What a day may mean: without a year two days, where neither the time of year nor the context decides. */
function findYears(
  { month, day }: { readonly month: string; readonly day: string },
  year: string | undefined,
  { todayMs, sinceMs }: DayContext,
): readonly number[] {
  const inYear = (text: string) =>
    parseDay([text, month.padStart(2, '0'), day.padStart(2, '0')].join('-')) ?? [];
  if (year !== undefined) return [inYear(year.length === 4 ? year : `20${year}`)].flat();
  const startMs = sinceMs ?? todayMs;
  const middle = new Date(startMs).getUTCFullYear();
  // Eight years contain a 29 February, at the turn of a century too.
  const days = Array.from({ length: 17 }, (_, index) => inYear(String(middle - 8 + index))).flat();
  const distance = (ms: number) => Math.abs(ms - startMs);
  const nearest = days.toSorted((a, b) => distance(a) - distance(b))[0];
  const found = sinceMs === undefined ? nearest : days.find((ms) => ms >= sinceMs);
  if (found === undefined) return [];
  const sameYear = days.filter((ms) => new Date(ms).getUTCFullYear() === middle);
  const isNear = sinceMs !== undefined && distance(found) <= halfYearMs;
  return isNear || sameYear.includes(found) ? [found] : [...sameYear, found];
}

/** A day, and a time of that day where the text has one. */
export interface WrittenTime extends WrittenDay {
  /** Whether the text names a day; otherwise it is today. */
  readonly hasDay: boolean;
  /** Milliseconds since midnight, by the clock on the wall; a part of the day such as `morning` is a span. */
  readonly time: TimeSpan | undefined;
}

/**
 * Reads a day, a time or both: `fri 3pm`, `tomorrow 15:00`, `15:00` (today), `24.11. 15:00`, `sat morning`, `3pm
 * tomorrow`. Undefined for any other text. Throws `UnclearTimeError` for one that has two readings, or a day that does not exist.
 */
export function readWrittenTime(text: string, context: DayContext): WrittenTime | undefined {
  const wanted = toPlainWords(text).replace(/^on /, '');
  const day = readWrittenDay(wanted, context);
  if (day !== undefined) return { ...day, hasDay: true, time: undefined };
  for (const pattern of clockForms) {
    const found = pattern.exec(wanted)?.groups;
    const moment = found && readDayAndTime(found, context);
    if (moment !== undefined) return moment;
  }
  return undefined;
}

function readDayAndTime(parts: ClockParts, context: DayContext): WrittenTime | undefined {
  const { todayMs, sinceMs = todayMs, openingHours } = context;
  const day =
    parts['day'] === undefined
      ? { dayMs: Math.max(todayMs, sinceMs), days: 1, isWeekday: false }
      : readWrittenDay(parts['day'], context);
  if (day === undefined || day.days > 1) return undefined;
  // "fri 2h" and "fri 1h30" may say how long.
  const mark = parts['letter'] ?? parts['unit'] ?? 'uhr';
  if (mark !== 'uhr' && Number(parts['hour']) < 7) return undefined;
  const openSpans = openingHours?.[new Date(day.dayMs).getUTCDay()] ?? [];
  const isOpen = (ms: number) => openSpans.some(({ startMs, endMs }) => ms >= startMs && ms < endMs);
  const time = readTimeOfDay(parts, isOpen);
  if (time !== undefined && (parts['day'] === undefined || day.isWeekday)) assertNoDate(parts, context);
  return time && { ...day, hasDay: parts['day'] !== undefined, time };
}

/** Throws `UnclearTimeError` for a time such as 09.10, which may be a date. */
function assertNoDate({ dot, hour = '', minute = '', second, unit, half }: ClockParts, context: DayContext) {
  if (dot !== '.' || (second ?? unit ?? half) !== undefined) return;
  const date = findYears({ day: hour, month: minute }, undefined, context)[0];
  if (date === undefined) return;
  throw new UnclearTimeError(
    `"${hour}.${minute}" may be ${renderDay(date)} or ${hour}:${minute}.`,
    `Write ${hour}.${minute}. or ${hour}:${minute}.`,
  );
}
