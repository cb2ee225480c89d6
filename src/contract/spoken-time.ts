import { SalonError } from './errors.ts';
import { type DayContext, readSpokenDay, type SpokenDay, toPlainWords } from './spoken-day.ts';
import { hourMs } from './time.ts';

/** A day, and a time of that day where the text has one. */
export interface SpokenTime extends SpokenDay {
  /** Whether the text names a day; otherwise it is today. */
  readonly hasDay: boolean;
  /** Milliseconds since midnight, by the clock on the wall; a part of the day such as `morning` is a span. */
  readonly time: { readonly startMs: number; readonly endMs: number } | undefined;
}

/** Hours of the day. A salon's morning begins when it opens. */
const partsOfDay = { morning: [0, 12], noon: [12, 12], afternoon: [12, 17], evening: [17, 24] } as const;
const numbers = [
  ...['one', 'two', 'three', 'four', 'five', 'six'],
  ...['seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
];

const clock = [
  String.raw`(?<hour>\d{1,2})(?::(?<minute>\d{2})(?::(?<second>\d{2})(?<fraction>\.\d{1,3})?)?)?(?: ?(?<half>[ap])\.?m\.?)?`,
  `(?<word>${numbers.join('|')})(?: ?(?<wordHalf>[ap])\\.?m\\.?)?`,
  `(?<part>${Object.keys(partsOfDay).join('|')})`,
].join('|');
const patterns = [
  new RegExp(`^(?:(?<day>.+?) )?(?<at>at |in the )?(?:${clock})$`),
  new RegExp(`^(?:${clock}) (?:on )?(?<day>.+)$`),
];

/**
 * Reads a day, a time or both: `fri 3pm`, `tomorrow 15:00`, `15:00` (today), `24.11. 15:00`, `sat morning`, `3pm
 * tomorrow`. Undefined for any other text. Throws `usage` for one that has two readings, or a day that does not exist.
 */
export function readSpokenTime(text: string, context: DayContext): SpokenTime | undefined {
  const wanted = toPlainWords(text)
    .replace(/^(\d{4}-\d{2}-\d{2})t(?=\d)/, '$1 ')
    .replace(/^on /, '');
  const day = readSpokenDay(wanted, context);
  if (day !== undefined) return { ...day, hasDay: true, time: undefined };
  for (const pattern of patterns) {
    const found = pattern.exec(wanted)?.groups;
    const moment = found && readDayAndTime(found, context);
    if (moment !== undefined) return moment;
  }
  return undefined;
}

type Parts = Readonly<Record<string, string | undefined>>;

function readDayAndTime(parts: Parts, context: DayContext): SpokenTime | undefined {
  const { todayMs, sinceMs = todayMs } = context;
  const day =
    parts['day'] === undefined
      ? { dayMs: Math.max(todayMs, sinceMs), isWeekday: false }
      : readSpokenDay(parts['day'], context);
  const time = day && readTime(parts);
  return time && { ...day, hasDay: parts['day'] !== undefined, time };
}

function readTime(parts: Parts): SpokenTime['time'] {
  const { part, word, minute, second = '0', fraction = '0', day, at } = parts;
  if (part !== undefined) {
    const [start, end] = partsOfDay[part as keyof typeof partsOfDay];
    return { startMs: start * hourMs, endMs: end * hourMs };
  }
  const half = parts['half'] ?? parts['wordHalf'];
  const hour = word === undefined ? Number(parts['hour']) : numbers.indexOf(word) + 1;
  if (minute === undefined && half === undefined) {
    if (hour < 1 || (day === undefined && at === undefined)) return undefined;
    if (hour < 13) throw unclearHour(hour);
  }
  const isTime = half === undefined ? hour < 24 : hour >= 1 && hour <= 12;
  const minutes = Number(minute ?? 0);
  if (!isTime || minutes > 59 || Number(second) > 59) return undefined;
  const hours = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0);
  const seconds = Number(second) + Number(`0${fraction}`);
  const startMs = hours * hourMs + minutes * 60_000 + Math.round(seconds * 1000);
  return { startMs, endMs: startMs };
}

function unclearHour(hour: number): SalonError {
  const [early, late] = [hour % 12, (hour % 12) + 12].map((each) => `${String(each).padStart(2, '0')}:00`);
  return new SalonError('usage', `"${hour}" may be ${early} or ${late}.`, {
    hint: `Write ${early} or ${late}, ${hour}am or ${hour}pm.`,
  });
}
