import { SalonError } from '../../contract/errors.ts';
import { partOfDayName } from '../../time/clock-times.ts';
import { startOfDay, toIsoDay } from '../../time/local-days.ts';
import { findRepeatProblem, readMonthEnd, takeRepeat } from '../../time/repeats.ts';
import { createZoneClock, dayMs, type TimeSpan } from '../../time/time.ts';
import { findDayName } from '../../time/written-words.ts';
import type { CalendarDay } from '../calendar/calendar-days.ts';
import {
  findSpan,
  findStart,
  type MomentContext,
  parseRange,
  parseSpan,
  parseStart,
  type Range,
  type WrittenSpan,
} from '../flags/moments.ts';
import { parsePeriod } from '../flags/periods.ts';
import type { BookingDraft } from './draft.ts';

/** What the words of a command line say, each as it was typed; empty where they do not. */
export type BookingWords = Readonly<Record<'client' | 'stylist' | 'service' | 'moment', string>>;

const partOf: Readonly<Record<string, keyof BookingWords>> = { with: 'stylist', for: 'service' };

/**
 * Reads words such as `Ana Costa with Mia for Balayage tomorrow 15:00`. The day and time may be before or after any of
 * the names, and apart. A word that the shell has quoted is a name, or a time, as a whole. Throws `usage` for a part
 * that is given twice, and for words about time that are not understood: they are never taken as part of a name.
 */
export function parseBookingWords(words: readonly string[], moments: MomentContext): BookingWords {
  const found = { client: '', stylist: '', service: '', moment: '' };
  const isMoment: IsMoment = (text) => findFuture(text, moments) !== undefined;
  const set = (part: keyof BookingWords, text: string) => {
    const before = found[part];
    if (text === '') return;
    const both = part === 'moment' && before !== '' ? [`${before} ${text}`, `${text} ${before}`] : [];
    const joined = both.find(isMoment);
    if (before !== '' && joined === undefined) {
      const message = `The ${part === 'moment' ? 'time' : part} is given twice: "${before}" and "${text}".`;
      throw refuse(message, part === 'service' ? severalHint : undefined);
    }
    found[part] = joined ?? text;
  };
  // One quoted word may be the whole line.
  const line = words.length === 1 ? (words[0]?.split(/\s+/) ?? []) : words;
  if (takeRepeat(line, (text) => isDay(text, moments)) !== undefined)
    throw refuse('This command does not repeat.', repeatHint);
  for (const { part, words: own } of splitParts(line)) {
    const { names, times } = splitTimes(own, isMoment, part);
    const repeat = findRepeatProblem(names) ?? findRepeatProblem(own);
    if (repeat !== undefined) throw refuse(repeat.message, repeatHint);
    assertNames(part, { names, times }, moments);
    const isArticle = part === 'service' && names.length > 1 && /^(?:an?|the)$/i.test(names[0] ?? '');
    set(part, names.slice(isArticle ? 1 : 0).join(' '));
    for (const time of times) set('moment', time);
  }
  for (const name of [found.client, found.stylist]) {
    if (found.moment === '' || !name.includes(' ') || words.includes(name)) continue;
    const isDayWord = (word: string) => ['English', 'other'].includes(findDayName(word) ?? '');
    const day = name.split(' ').find((word) => isDayWord(word) && isMoment(`${word} ${found.moment}`));
    if (day !== undefined) throw unclearDay(day, name);
  }
  return found;
}

const partOfDay = new RegExp(`^${partOfDayName}$`, 'i');
/** The most words of a day and time, such as "Tuesday, 24 November 2026 at 3 pm". */
const maxWords = 7;

type IsMoment = (text: string) => boolean;

function findFuture(text: string, moments: MomentContext): WrittenSpan | undefined {
  return findSpan(text, { ...moments, sinceMs: moments.now.getTime() });
}

type TimeSplit = ReturnType<typeof splitTimes>;

/**
 * The longest dates or times at the end and at the start of words, and the other words. A weekday alone at the start is a
 * name, such as Tuesday Weld's.
 */
function splitTimes(words: readonly string[], isMoment: IsMoment, part: keyof BookingWords) {
  const all = words.map((word) => word.trim().replace(/\s+/g, ' ')).filter((word) => word !== '');
  const needsName = part === 'stylist';
  // Sam and Mo are clients, and days only after a name.
  const least = needsName || (part === 'client' && findDayName(all[0] ?? '') === 'short') ? 1 : 0;
  const found = all.findIndex((_, index) => index >= least && isMoment(all.slice(index).join(' ')));
  const isSurname = part !== 'service' && mayBeSurname(all[found], all[found - 1]);
  if (isSurname && found < all.length - 1) throw unclearDay(all[found], all.slice(0, found + 1).join(' '));
  const start = isSurname ? -1 : found;
  const before = start < 0 ? all : all.slice(0, start);
  const isLed = start >= 0 && /^(?:to|on|at|for)$/i.test(before.at(-1) ?? '');
  const rest = isLed ? before.slice(0, -1) : before;
  const end = needsName
    ? 0
    : 1 + rest.findLastIndex((_, index) => isMoment(rest.slice(0, index + 1).join(' ')));
  const isName =
    end === 1 && /^[a-z]+$/i.test(rest[0] ?? '') && !/^(?:now|today|tomorrow)$/i.test(rest[0] ?? '');
  const [lead, names] = isName ? [[], rest] : [rest.slice(0, end), rest.slice(end)];
  const times = [lead, start < 0 ? [] : all.slice(start)].map((time) => time.join(' '));
  return { names, times };
}

/** Whether a day after a name may be a part of it, as in Anna Piątek; `Anna piątek` means the day. */
function mayBeSurname(day = '', name = ''): boolean {
  const isOfName = /^\p{L}+$/u.test(name) && !/^(?:to|on|at|for)$/i.test(name);
  return isOfName && findDayName(day) === 'other' && !(/^\p{Lu}/u.test(name) && /^\p{Ll}/u.test(day));
}

/** Throws `usage` for a name with words that say when, unless they are quoted or a person's, such as Tuesday Weld's. */
function assertNames(part: keyof BookingWords, { names, times }: TimeSplit, moments: MomentContext): void {
  const quote = (word: string) => (/\s/.test(word) ? '"' : word);
  const [text, typed] = [names.join(' '), names.map(quote)];
  const windows = typed.flatMap((_, start) =>
    Array.from({ length: maxWords }, (_, less) => ({ start, end: start + maxWords - less })),
  );
  const isName = (words: string) =>
    partOfDay.test(words) || (part !== 'service' && findDayName(words) !== undefined);
  const time = windows.find(({ start, end }) => {
    const words = typed.slice(start, end).join(' ');
    return !isName(words) && isTime(words, moments);
  });
  if (time === undefined) return;
  // What follows the only time.
  const rest = times.join('') === '' ? names.slice(time.end) : [];
  const unclear = rest.length > 0 ? rest : names.slice(time.start, time.end);
  const isSpan = /\b(?:or|to|until|between)\b|\d-\d/i.test(unclear.concat(names).join(' '));
  throw refuse(
    `"${unclear.join(' ')}" is not understood in "${text}".`,
    isSpan ? 'Name one day or time, or a part of a day such as "sat after 15:00".' : undefined,
  );
}

/** Whether a text is a month, or a day without a time. One with two readings, or that does not exist, is a day, too. */
export function isDay(text: string, moments: MomentContext): boolean {
  const isDayAlone = ({ local }: WrittenSpan) => local?.hasDay === true && !local.hasTime;
  return readMonthEnd(text, 0) !== undefined || isTime(text, moments, isDayAlone);
}

/** Whether a text says when. One with two readings, or of a day that does not exist, does, too. */
function isTime(text: string, moments: MomentContext, isMeant = (_: WrittenSpan) => true): boolean {
  try {
    const span = findFuture(text, moments);
    return span !== undefined && isMeant(span);
  } catch {
    return true;
  }
}

const repeatHint =
  'Only book and free repeat: every 4 weeks until june, or until 24 dec, or every friday 8 times. Put quotes around a name with such words.';

const severalHint =
  'Put quotes around a name with such words. Of several people, write each as Ana: Cut and Ben: Colour.';

function refuse(message: string, hint = 'Put quotes around a name with such words.'): SalonError {
  return new SalonError('usage', message, { hint });
}

function unclearDay(day = '', name = ''): SalonError {
  const message = `"${day}" may be the day, or a part of the name "${name}".`;
  return refuse(message, 'Put quotes around the name, or write "on" before the day.');
}

/** Only a whole word of the command line separates, so that quotes protect a name. */
function splitParts(words: readonly string[]) {
  const parts: { part: keyof BookingWords; words: string[] }[] = [{ part: 'client', words: [] }];
  for (const word of words) {
    const part = Object.hasOwn(partOf, word) ? partOf[word] : undefined;
    if (part === undefined) parts.at(-1)?.words.push(word);
    else parts.push({ part, words: [] });
  }
  return parts;
}

/**
 * Reads a time such as `fri 15:00` as a start, and a day or part of a day such as `fri` or `sat morning` as a span.
 * Throws `usage` for anything else, and for a time that the clocks skip.
 */
export function readMoment(text: string, moments: MomentContext): Pick<BookingDraft, 'start' | 'span'> {
  const span = parseSpan(text, { ...moments, sinceMs: moments.now.getTime() });
  if (span.startMs !== span.endMs) return { span, start: undefined };
  return { start: parseStart(text, moments), span: undefined };
}

/** The start that a text such as `15:10` or `3pm` means on a day; undefined for any other text. */
export function findTimeOn(day: CalendarDay, text: string, moments: MomentContext): string | undefined {
  try {
    return findStart(`${toIsoDay(day.dateMs)} ${text}`, moments);
  } catch (error) {
    // "3" alone may be early or late.
    if (error instanceof SalonError) return undefined;
    throw error;
  }
}

const maxDays = 92;
const furthestDays = 5 * 366;

/**
 * Parses the time in which somebody is to be free: `tomorrow 15:00`, `sat morning`, `next week`, or a range. Both ends
 * are the same where one moment is meant. Throws `usage`, also for what has passed.
 */
export function parseFreePeriod(words: readonly string[], range: Range, moments: MomentContext): TimeSpan {
  const text = words.join(' ').trim();
  const hasRange = range.from !== undefined || range.to !== undefined;
  if (text !== '' && hasRange) {
    throw new SalonError('usage', `Pass either "${text}" or --from and --to, not both.`);
  }
  const { startMs, endMs } = hasRange ? toSpan(range, moments) : findPeriod(text || 'today', moments);
  const nowMs = moments.now.getTime();
  const subject = text === '' ? 'The range' : `"${text}"`;
  // "now" is a moment that has just passed.
  if (startMs === endMs ? endMs < nowMs : endMs <= nowMs) {
    const isWeekday = text !== '' && findSpan(`next ${text}`, moments) !== undefined;
    const hint = isWeekday ? `For next week: salon free next ${text}` : 'Choose a time to come.';
    throw new SalonError('usage', `${subject} is in the past.`, { hint });
  }
  if (endMs > nowMs + furthestDays * dayMs) {
    throw new SalonError('usage', `${subject} is more than five years ahead.`);
  }
  if (endMs - startMs > maxDays * dayMs) {
    throw new SalonError('usage', `The range has more than ${maxDays} days.`, {
      hint: 'Choose a shorter one.',
    });
  }
  return { startMs: Math.max(startMs, nowMs), endMs };
}

/** From now on, and for a week, unless the range says otherwise. */
function toSpan(range: Range, moments: MomentContext): TimeSpan {
  const { from = '', to } = parseRange({ ...range, from: range.from ?? 'now' }, moments);
  const startMs = Date.parse(from);
  if (to !== undefined) return { startMs, endMs: Date.parse(to) };
  const { wall, earliest } = createZoneClock(moments.timeZone);
  return { startMs, endMs: earliest(startOfDay(wall(startMs)) + 7 * dayMs) };
}

function findPeriod(text: string, moments: MomentContext): TimeSpan {
  const span = findFuture(text, moments);
  if (span !== undefined) return span;
  const { earliest } = createZoneClock(moments.timeZone);
  try {
    const { from, to } = parsePeriod({ period: text }, { ...moments, endsToday: false });
    return { startMs: earliest(from), endMs: earliest(to) };
  } catch (cause) {
    if (!(cause instanceof SalonError)) throw cause;
    throw new SalonError('usage', `"${text}" is not a day or time.`, {
      cause,
      hint: 'For example today, tomorrow 15:00, sat morning, 24/11/2026, next week, or --from and --to.',
    });
  }
}
