import { hourMs, minuteMs, type TimeSpan } from './time.ts';

/** Hours of the day. A salon's morning begins when it opens. */
const partsOfDay = { morning: [0, 12], noon: [12, 12], afternoon: [12, 17], evening: [17, 24] } as const;
/** A pattern for a part of a day. */
export const partOfDayName = `(?:${Object.keys(partsOfDay).join('|')})`;

const numbers = [
  ...['one', 'two', 'three', 'four', 'five', 'six'],
  ...['seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
];

/** French writes 9 h 30 and 9h30, Flemish 9u30, Finns and Italians 9.30. */
const minutes = [
  String.raw`(?<dot>[:.])(?<minute>\d{2})(?:\k<dot>(?<second>\d{2})(?<fraction>\.\d{1,3})?)?`,
  String.raw`(?<letter> ?[hu] ?)(?<minute>\d{2})(?: ?min(?: ?(?<second>\d{2}) ?s)?)?`,
].join('|');
/** A pattern for a clock time in plain words. */
export const clock = [
  String.raw`(?:(?<portion>half past|quarter past|quarter to) )?(?<hour>\d{1,2}|${numbers.join('|')})(?:${minutes})?(?: ?(?<unit>uhr|uur|hrs?|hs|[hu]\.?))?(?: ?(?<half>[ap])\.? ?m\.?)?`,
  `(?<part>${partOfDayName})`,
].join('|');
const portionMinutes: Record<string, number> = { 'half past': 30, 'quarter past': 15, 'quarter to': -15 };
const wholeClock = new RegExp(`^(?:${clock})$`);

/** The time since midnight on a clock of 24 hours, such as `9`, `9:30`, `9.30` or `9pm`; undefined for other texts. */
export function readClockTime(text: string): number | undefined {
  const parts = wholeClock.exec(text.toLowerCase())?.groups;
  if (parts === undefined || parts['part'] !== undefined) return undefined;
  const minute = parts['minute'] ?? (parts['half'] === undefined ? '00' : undefined);
  return readTimeOfDay({ ...parts, minute, at: '' }, () => false)?.[0]?.startMs;
}

/** The groups of `clockForms`. */
export type ClockParts = Readonly<Record<string, string | undefined>>;

/**
 * The times of day that a text may mean, since midnight: two for an hour that may be that of the morning or the evening, if
 * not exactly one of them is open. A part of the day such as `morning` is a span. Undefined for one that does not exist.
 */
export function readTimeOfDay(
  parts: ClockParts,
  isOpen: (ms: number) => boolean,
): readonly TimeSpan[] | undefined {
  const { part, portion, half, minute, second = '0', fraction = '0', day, at } = parts;
  const mark = parts['letter'] ?? parts['unit'];
  if (part !== undefined) {
    const [start, end] = partsOfDay[part as keyof typeof partsOfDay];
    return [{ startMs: start * hourMs, endMs: end * hourMs }];
  }
  const toMoment = (ms: number) => [{ startMs: ms, endMs: ms }];
  const hour = toHour(parts);
  if (portion !== undefined && (minute !== undefined || mark !== undefined || hour < 1 || hour > 12))
    return undefined;
  // Alone, 1h30 is how long something takes.
  if (mark !== undefined && !/^u[hu]r/.test(mark) && day === undefined && at === undefined) return undefined;
  const minutes = portionMinutes[portion ?? ''] ?? Number(minute ?? 0);
  if (minute === undefined && half === undefined && mark === undefined) {
    if (hour < 1 || (day === undefined && at === undefined && portion === undefined)) return undefined;
    if (hour < 13) {
      const noonMs = 12 * hourMs;
      const early = ((hour % 12) * hourMs + minutes * minuteMs + noonMs) % noonMs;
      const both = [early, early + noonMs];
      const open = both.filter(isOpen);
      // A number without "at" may be a part of a name or a phone number.
      const isSaid = at !== undefined || portion !== undefined;
      return (isSaid && open.length === 1 ? open : both).flatMap(toMoment);
    }
  }
  // Nobody says it of 23:45 and 11:45 alike.
  if (portion === 'quarter to' && hour === 12) return undefined;
  const isTime = half === undefined ? hour < 24 : hour <= 12 && (hour > 0 || minute !== undefined);
  if (!isTime || minutes > 59 || Number(second) > 59) return undefined;
  const hours = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0);
  const seconds = Number(second) + Number(`0${fraction}`);
  return toMoment(hours * hourMs + minutes * minuteMs + Math.round(seconds * 1000));
}

/** The number of an hour in digits or words, such as `three`. */
export function toHour({ hour = '' }: ClockParts): number {
  return numbers.includes(hour) ? numbers.indexOf(hour) + 1 : Number(hour);
}
