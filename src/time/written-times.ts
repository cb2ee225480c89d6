import { type ClockParts, readTimeOfDay, toHour } from './clock-times.ts';
import { addMonths, renderDay, renderLongDay, startOfWeek, toClockText, toIsoDay } from './local-days.ts';
import { dayMs, minuteMs, parseDay, type TimeSpan } from './time.ts';
import type { WeekHours } from './week-hours.ts';
import {
  clockForms,
  type DateParts,
  findRelative,
  findWeekday,
  parseDate,
  readWeekday,
  toPlainWords,
} from './written-words.ts';

/** What relative days count from, and what a place reads in its own way. Local times are as if they were UTC. */
export interface TimeContext {
  /** Midnight. */
  readonly todayMs: number;
  /** Earliest day that a weekday or a day without a year may mean; if undefined, a day without a year is near today. */
  readonly sinceMs?: number | undefined;
  /** Whether a day without a year is the first one from that day on, however far. */
  readonly isLater?: boolean | undefined;
  /** Decides between the two readings of "at three". */
  readonly openingHours?: WeekHours | undefined;
  /**
   * Whether nothing else is written there, as in a cell: two digits after the name of a month are a year, those of a year
   * may be of the last century, and 2h on a date is a time of day.
   */
  readonly isCell?: boolean | undefined;
}

/** How a date with slashes is written. */
export type DayOrder = 'day-first' | 'month-first';

/** A local time that a text may mean: a day, a week or a part of a day; both ends are the same for a time of day. */
export interface TimeReading extends TimeSpan {
  /** Undefined where both orders agree. */
  readonly order?: DayOrder | undefined;
}

export interface WrittenTime {
  /** All that the text may mean; none if there is no such day. */
  readonly readings: readonly TimeReading[];
  /** Why it has not one reading, and what to write instead. */
  readonly problem?: { readonly message: string; readonly hint?: string } | undefined;
  /** Whether the text names a day; otherwise it is today. */
  readonly hasDay: boolean;
  /** Whether the day is a weekday alone, which means today when today is one. */
  readonly isWeekday: boolean;
  readonly hasTime: boolean;
  /** Milliseconds that the text does not show, such as the seconds of `15:00`. */
  readonly precisionMs: number;
  /** What a date says, without a time or with one that is certain. */
  readonly date?: DateParts | undefined;
}

const halfYearMs = 183 * dayMs;
const weekdayPattern = /^(?:(?<which>next|last|this) )?(?<word>[a-z]+(?:-feira)?)$/;
/** What stands before a day in the other languages: before a weekday of theirs, or a number and a month. */
const article =
  /^(?:on |am |op |(?:le|el|il|na|no|we?) (?=(?!sun|mon|tue|wed|thu|fri|sat)[a-z])|(?:le|el|il) (?=\d+(?:er|o)? (?:de )?[a-z]{3}))/;

/**
 * Reads a day or week, a time or both as people write it: `tomorrow`, `fri`, `next fri` (that of next week), `+7d`,
 * `-6mo`, `24/11/2026`, `24.11.`, `Tue 24 Nov`, `2026-11-24`, `next week`, `week 49`, `KW 49`, `2026-W49`, `fri 3pm`,
 * `15:00` (today), `24.11. 15:00`, `sat morning`, `sat after 15:00`, `3pm tomorrow`. Undefined for any other text.
 */
export function readWrittenTime(written: string, context: TimeContext): WrittenTime | undefined {
  const text = toPlainWords(written);
  const day = readDay(text, context);
  if (day !== undefined) return day;
  for (const pattern of clockForms) {
    const parts = pattern.exec(text)?.groups;
    const time = parts && readDayAndTime(parts, context);
    if (time !== undefined) return time;
  }
  return undefined;
}

const noTime = { hasDay: true, isWeekday: false, hasTime: false, precisionMs: minuteMs };

function toDay(startMs: number, order?: DayOrder): TimeReading {
  return { startMs, endMs: startMs + dayMs, order };
}

function readDay(given: string, context: TimeContext): WrittenTime | undefined {
  const text = given.replace(article, '').replace(/^(?:next week ([a-z]+)|([a-z]+) next week)$/, 'next $1$2');
  const counted = readCountedDay(text, context.todayMs);
  if (counted !== undefined) return { ...noTime, readings: [toDay(counted)] };
  const week = weekPattern.exec(text)?.groups;
  if (week !== undefined) return readWeek(text, week, context);
  const [count = 0, unit] = findRelative(text.replace(/^la /, '').replace(/[_-](?=week$)/, ' ')) ?? [];
  if (unit === 'day') return { ...noTime, readings: [toDay(context.todayMs + count * dayMs)] };
  if (unit === 'week') return toWeek(startOfWeek(context.todayMs) + count * 7 * dayMs);
  const { which, word = '' } = weekdayPattern.exec(text)?.groups ?? {};
  const weekday = which === undefined ? readWeekday(word) : findWeekday(word, ['en']);
  if (weekday !== undefined) {
    const readings = [toDay(findDayOfWeek(weekday, which, context))];
    return { ...noTime, readings, isWeekday: which === undefined };
  }
  const date = parseDate(text);
  // Two digits after the name of a month may be an hour.
  const mayBeHour = date?.name !== undefined && date.year?.length === 2 && Number(date.year) < 24;
  return date === undefined || (mayBeHour && !context.isCell) ? undefined : readDate(text, date, context);
}

const weekPattern =
  /^(?:(?<first>\d{4})-?w(?<of>\d{1,2})|(?:calendar week|week|kw|cw) ?(?<week>\d{1,2})(?:[ /](?<year>\d{4}))?)$/;

function toWeek(startMs: number): WrittenTime {
  return { ...noTime, readings: [{ startMs, endMs: startMs + 7 * dayMs }] };
}

/** A week from its Monday. One without a year is the next one, or this one; if nothing decides, the nearest. */
function readWeek(
  text: string,
  { first, of, week = of, year = first }: Readonly<Record<string, string | undefined>>,
  { todayMs, sinceMs }: TimeContext,
): WrittenTime {
  const thisYear = new Date(sinceMs ?? todayMs).getUTCFullYear();
  // A week 53 may be six years away.
  const years = year === undefined ? [0, 1, -1, 2, 3, 4, 5, 6, 7] : [Number(year) - thisYear];
  const found = years.flatMap((more) => findIsoWeek(thisYear + more, Number(week)) ?? []);
  const distance = (ms: number) => Math.abs(ms - todayMs);
  const nearest = found.toSorted((one, other) => distance(one) - distance(other))[0];
  const next = found.filter((ms) => ms + 6 * dayMs >= (sinceMs ?? 0)).sort((one, other) => one - other)[0];
  const chosen = year === undefined && sinceMs !== undefined ? next : nearest;
  if (chosen !== undefined) return toWeek(chosen);
  return { ...noTime, readings: [], problem: { message: `The week "${text}" does not exist.` } };
}

/** The first week of a year is the one with 4 January. */
function findIsoWeek(year: number, week: number): number | undefined {
  const startMs = startOfWeek(Date.UTC(year, 0, 4)) + (week - 1) * 7 * dayMs;
  // A week belongs to the year of its Thursday.
  const isReal = week >= 1 && new Date(startMs + 3 * dayMs).getUTCFullYear() === year;
  return isReal ? startMs : undefined;
}

function readCountedDay(text: string, todayMs: number): number | undefined {
  const [, amount, unit] =
    /^([+-]\d{1,6})(d|w|mo|y)$/.exec(text.replace(/^(the )?day after tomorrow$/, '+2d')) ?? [];
  if (amount === undefined) return undefined;
  if (unit === 'd' || unit === 'w') return todayMs + Number(amount) * (unit === 'w' ? 7 : 1) * dayMs;
  return addMonths(todayMs, Number(amount) * (unit === 'y' ? 12 : 1));
}

function findDayOfWeek(wanted: number, which: string | undefined, { todayMs, sinceMs }: TimeContext): number {
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

function readDate(text: string, date: DateParts, context: TimeContext): WrittenTime {
  const { weekday, year, one, two = '' } = date;
  const all = toMonthDays(date).flatMap((monthDay) =>
    findYears(monthDay, year, context).map((ms) => toDay(ms, monthDay.order)),
  );
  // "26-12-03" may have its year first, where that is near and the other is not.
  const isNear = ({ startMs }: TimeSpan) => Math.abs(startMs - context.todayMs) < 5 * 366 * dayMs;
  if (one !== undefined && year?.length === 2 && text.includes('-') && !context.isCell && !all.some(isNear))
    all.push(
      ...findYears({ month: two, day: year }, one, context)
        .map((ms) => toDay(ms))
        .filter(isNear),
    );
  const isNamed = ({ startMs }: TimeSpan) =>
    weekday === undefined || new Date(startMs).getUTCDay() === findWeekday(weekday);
  const readings = all.filter(isNamed);
  return { ...noTime, readings, date, problem: explainDays(text, all, readings) };
}

function explainDays(
  text: string,
  all: readonly TimeSpan[],
  readings: readonly TimeSpan[],
): WrittenTime['problem'] {
  const list = (days: readonly TimeSpan[], render: (ms: number) => string) =>
    days.map(({ startMs }) => render(startMs)).join(' or ');
  if (all.length === 0) return { message: `The day "${text}" does not exist.` };
  if (readings.length === 0)
    return { message: `"${text}" names the wrong weekday: the day is ${list(all, renderLongDay)}.` };
  if (readings.length === 1) return undefined;
  return {
    message: `"${text}" may be ${list(readings, renderDay)}.`,
    hint: `Write ${list(readings, toIsoDay)}.`,
  };
}

interface MonthDay {
  readonly month: string;
  readonly day: string;
  readonly order?: DayOrder;
}

function toMonthDays({ month = '', day = '', one, two }: DateParts): readonly MonthDay[] {
  if (one === undefined || two === undefined) return [{ month, day }];
  if (one === two) return [{ month: one, day: one }];
  return [
    { month: two, day: one, order: 'day-first' },
    { month: one, day: two, order: 'month-first' },
  ];
}

/** What a day may mean: without a year two days, where neither the time of year nor the context decides. */
function findYears(
  { month, day }: MonthDay,
  year: string | undefined,
  { todayMs, sinceMs, isLater, isCell }: TimeContext,
): readonly number[] {
  const inYear = (text: string) =>
    parseDay([text, month.padStart(2, '0'), day.padStart(2, '0')].join('-')) ?? [];
  if (year?.length === 4) return [inYear(year)].flat();
  if (year !== undefined) return (isCell ? [20, 19] : [20]).flatMap((century) => inYear(`${century}${year}`));
  const startMs = sinceMs ?? todayMs;
  const middle = new Date(startMs).getUTCFullYear();
  // Eight years contain a 29 February, at the turn of a century too.
  const days = Array.from({ length: 17 }, (_, index) => inYear(String(middle - 8 + index))).flat();
  const distance = (ms: number) => Math.abs(ms - startMs);
  const nearest = days.toSorted((a, b) => distance(a) - distance(b))[0];
  const found = sinceMs === undefined ? nearest : days.find((ms) => ms >= sinceMs);
  if (found === undefined) return [];
  const sameYear = days.filter((ms) => new Date(ms).getUTCFullYear() === middle);
  const isNear = sinceMs !== undefined && (isLater || distance(found) <= halfYearMs);
  return isNear || sameYear.includes(found) ? [found] : [...sameYear, found];
}

function readDayAndTime(parts: ClockParts, context: TimeContext): WrittenTime | undefined {
  const { todayMs, sinceMs = todayMs, openingHours, isCell } = context;
  const { day: named, hour = '', minute = '', after, until, at = after ?? until } = parts;
  const today = { ...noTime, hasDay: false, readings: [toDay(Math.max(todayMs, sinceMs))] };
  const day: WrittenTime | undefined = named === undefined ? today : readDay(named, context);
  if (day === undefined || day.readings.some(({ startMs, endMs }) => endMs > startMs + dayMs))
    return undefined;
  // In a cell, a wrong time is the first fault to mend.
  const unreadable = isCell || day.problem === undefined ? undefined : day;
  // "fri 2h" and "fri 1h30" may say how long.
  const isLength = (parts['letter'] ?? parts['unit'] ?? 'uhr') !== 'uhr' && Number(hour) < 7;
  if (isLength && !(isCell && day.date?.year !== undefined)) return unreadable;
  const readings = day.readings.flatMap(({ startMs: midnight, order }) => {
    const open = openingHours?.[new Date(midnight).getUTCDay()] ?? [];
    const times = readTimeOfDay({ ...parts, at }, (ms) =>
      open.some(({ startMs, endMs }) => ms >= startMs && ms < endMs),
    );
    return (times ?? []).map(({ startMs, endMs }) => ({
      startMs: midnight + (until === undefined ? startMs : 0),
      endMs: midnight + (after === undefined ? endMs : dayMs),
      order,
    }));
  });
  const time = {
    ...day,
    readings,
    hasTime: true,
    date:
      (parts['part'] ?? after ?? until) === undefined && readings.length <= day.readings.length
        ? day.date
        : undefined,
    precisionMs: parts['fraction'] ? 1 : parts['second'] ? 1000 : minuteMs,
  };
  if (readings.length < day.readings.length) return unreadable;
  if (readings.length > day.readings.length)
    return { ...time, problem: day.problem ?? explainHour(parts, readings) };
  const [first] = readings;
  if (first === undefined || day.problem !== undefined) return time;
  const isPlain = parts['dot'] === '.' && (parts['second'] ?? parts['unit'] ?? parts['half']) === undefined;
  if (!isPlain || (named !== undefined && !day.isWeekday)) return time;
  // 09.10 may be a date, too.
  const dateMs = findYears({ day: hour, month: minute }, undefined, context)[0];
  if (dateMs === undefined) return time;
  const problem = {
    message: `"${hour}.${minute}" may be ${renderDay(dateMs)} or ${hour}:${minute}.`,
    hint: `Write ${hour}.${minute}. or ${hour}:${minute}.`,
  };
  return { ...time, readings: [toDay(dateMs), first], problem };
}

function explainHour(parts: ClockParts, readings: readonly TimeSpan[]): WrittenTime['problem'] {
  const text = `${parts['portion'] ?? ''} ${toHour(parts)}`.trim();
  const both = readings.map(({ startMs }) => toClockText(startMs)).join(' or ');
  return { message: `"${text}" may be ${both}.`, hint: `Write ${both}, ${text}am or ${text}pm.` };
}
