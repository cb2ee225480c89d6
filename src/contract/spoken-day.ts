import { SalonError } from './errors.ts';
import { dayMs } from './time.ts';

/** Sunday first. */
const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** `Tuesday 24 November 2026`. Days are local, in milliseconds as if they were UTC, here and below. */
export function renderLongDay(localMs: number): string {
  return `${weekdayOf(new Date(localMs))} ${renderDay(localMs)}`;
}

/** `24 November 2026`. */
export function renderDay(localMs: number): string {
  const date = new Date(localMs);
  return `${date.getUTCDate()} ${monthOf(date)} ${date.getUTCFullYear()}`;
}

/** `Tue 24 Nov`. */
export function renderShortDay(localMs: number): string {
  const date = new Date(localMs);
  return `${weekdayOf(date).slice(0, 3)} ${date.getUTCDate()} ${monthOf(date).slice(0, 3)}`;
}

function weekdayOf(date: Date): string {
  return weekdayNames[date.getUTCDay()] ?? '';
}

function monthOf(date: Date): string {
  return monthNames[date.getUTCMonth()] ?? '';
}

/** What relative days count from. Days are local midnights, in milliseconds as if they were UTC. */
export interface DayContext {
  readonly todayMs: number;
  /** Earliest day that a weekday or a day without a year may mean; if undefined, a day without a year is near today. */
  readonly sinceMs?: number | undefined;
}

export interface SpokenDay {
  readonly dayMs: number;
  /** Whether the text is a weekday alone, which means today when today is one. */
  readonly isWeekday: boolean;
}

const halfYearMs = 183 * dayMs;
const weekdays = weekdayNames.map((name) => name.toLowerCase());
const months = monthNames.map((name) => name.toLowerCase());
/** A pattern for a weekday, whole or as people shorten it. */
export const weekdayName =
  '(?:sun|mon|tue|tues|wed|weds|thu|thur|thurs|fri|sat|(?:sun|mon|tues|wednes|thurs|fri|satur)day)';
const monthName = `(?<name>${months.map((month) => `${month}|${month.slice(0, 3)}|${month.slice(0, 4)}`).join('|')})\\.?`;
const year = String.raw`(?<year>\d{4})`;

const datePatterns = [
  /(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})/.source,
  /(?<year>\d{4})[/.](?<month>\d{1,2})[/.](?<day>\d{1,2})/.source,
  // With dots, every country writes the day first.
  /(?<day>\d{1,2})\. ?(?<month>\d{1,2})\.(?: ?(?<year>\d{4}|\d{2}))?/.source,
  /(?<one>\d{1,2})\/(?<two>\d{1,2})(?:\/(?<year>\d{4}|\d{2}))?/.source,
  /(?<one>\d{1,2})-(?<two>\d{1,2})-(?<year>\d{4})/.source,
  String.raw`(?<day>\d{1,2})(?:\.|st|nd|rd|th)? (?:of )?${monthName}(?: ${year})?`,
  String.raw`${monthName} (?<day>\d{1,2})(?:st|nd|rd|th)?(?: ${year})?`,
].map((date) => new RegExp(`^(?:(?<weekday>${weekdayName})\\.? )?${date}$`));
const weekdayPattern = new RegExp(`^(?:(?<which>next|last|this) )?(?<weekday>${weekdayName})$`);

/**
 * Reads a day as people write it: `tomorrow`, `fri`, `next fri` (that of next week), `+7d`, `-6mo`, `24/11/2026`,
 * `24.11.`, `Tue 24 Nov`, `2026-11-24`. Undefined for any other text. Throws `usage` for a day that does not exist, or that has two readings.
 */
export function readSpokenDay(spoken: string, context: DayContext): SpokenDay | undefined {
  const text = toPlainWords(spoken);
  const counted = readCountedDay(text, context.todayMs);
  if (counted !== undefined) return { dayMs: counted, isWeekday: false };
  const { which, weekday } = weekdayPattern.exec(text)?.groups ?? {};
  if (weekday !== undefined) {
    return { dayMs: findWeekday(weekday, which, context), isWeekday: which === undefined };
  }
  const parts = datePatterns.find((pattern) => pattern.test(text))?.exec(text)?.groups;
  return parts && { dayMs: readDate(text, parts, context), isWeekday: false };
}

/** In lower case, without commas. */
export function toPlainWords(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/,? +|, */g, ' ');
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

/** The same day of another month, or the last one of a month without it. */
function addMonths(startMs: number, count: number): number {
  const date = new Date(startMs);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1);
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count + 1, 1);
  return Math.min(first + (date.getUTCDate() - 1) * dayMs, next - dayMs);
}

function findWeekday(name: string, which: string | undefined, { todayMs, sinceMs }: DayContext): number {
  const wanted = toWeekday(name);
  if (which === 'next') {
    const sinceMonday = (new Date(todayMs).getUTCDay() + 6) % 7;
    return todayMs + (7 - sinceMonday + ((wanted + 6) % 7)) * dayMs;
  }
  if (which === 'last') {
    const daysAgo = (new Date(todayMs).getUTCDay() - wanted + 6) % 7;
    return todayMs - (daysAgo + 1) * dayMs;
  }
  const firstMs = Math.max(todayMs, sinceMs ?? todayMs);
  return firstMs + ((wanted - new Date(firstMs).getUTCDay() + 7) % 7) * dayMs;
}

type Parts = Readonly<Record<string, string | undefined>>;

function readDate(text: string, parts: Parts, context: DayContext): number {
  const { weekday } = parts;
  const readings = toMonthDays(parts).flatMap((monthDay) => findYears(monthDay, parts['year'], context));
  if (readings.length === 0) throw new SalonError('usage', `The day "${text}" does not exist.`);
  const fitting = weekday === undefined ? readings : readings.filter((ms) => isOnWeekday(ms, weekday));
  const [first, ...others] = [...new Set(fitting)];
  if (first === undefined) {
    const days = readings.map((ms) => renderLongDay(ms)).join(' or ');
    throw new SalonError('usage', `"${text}" names the wrong weekday: the day is ${days}.`);
  }
  if (others.length === 0) return first;
  throw new SalonError('usage', `"${text}" may be ${[first, ...others].map(renderDay).join(' or ')}.`, {
    hint: `Write ${[first, ...others].map(toIsoDay).join(' or ')}.`,
  });
}

interface MonthDay {
  readonly month: string;
  readonly day: string;
}

function toMonthDays({ name, month, day, one, two }: Parts): readonly MonthDay[] {
  if (one !== undefined && two !== undefined) {
    return [
      { month: two, day: one },
      { month: one, day: two },
    ];
  }
  const named = months.findIndex((whole) => name !== undefined && whole.startsWith(name)) + 1;
  return [{ month: month ?? String(named), day: day ?? '' }];
}

/** What a day may mean: without a year two days, where neither the time of year nor the context decides. */
function findYears(
  { month, day }: MonthDay,
  year: string | undefined,
  { todayMs, sinceMs }: DayContext,
): readonly number[] {
  const inYear = (text: string) => toDay(text, Number(month), Number(day)) ?? [];
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

function toDay(year: string, month: number, day: number): number | undefined {
  const ms = new Date(`${year}-01-01T00:00:00Z`).setUTCMonth(month - 1, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : undefined;
}

function isOnWeekday(ms: number, name: string): boolean {
  return new Date(ms).getUTCDay() === toWeekday(name);
}

function toWeekday(name: string): number {
  return weekdays.findIndex((weekday) => weekday.startsWith(name.slice(0, 3)));
}

function toIsoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
