import type { NewBlockedTime } from '../../contract/blocked-time.ts';
import { SalonError } from '../../contract/errors.ts';
import { readClockTime } from '../../time/clock-times.ts';
import { findRepeatProblem } from '../../time/repeats.ts';
import type { TimeSpan } from '../../time/time.ts';
import { findSpan, findStart, type MomentContext, parseRange } from '../flags/moments.ts';

type BlockReason = NonNullable<NewBlockedTime['reason']>;

/** What people say for a reason. */
const reasonByWord: Readonly<Record<string, BlockReason>> = {
  ...{ closed: 'closed', holiday: 'holiday', holidays: 'holiday', vacation: 'holiday', leave: 'holiday' },
  ...{ sick: 'sick', ill: 'sick', training: 'training', course: 'training', other: 'other' },
  ...{ break: 'break', lunch: 'break', pause: 'break', 'lunch break': 'break', 'sick leave': 'sick' },
  ...{ 'public holiday': 'holiday', 'bank holiday': 'holiday', 'annual leave': 'holiday' },
};

export interface BlockedWords {
  /** Whose time, as typed; empty for the whole salon. */
  readonly stylist: string;
  readonly span: TimeSpan | undefined;
  readonly reason: BlockReason | undefined;
}

/**
 * Reads `Mia tomorrow 12-13 lunch`, `Mia 24 dec to 2 jan holiday` and `25 dec`: a name, a time, and a reason as the last
 * words. Throws `usage` for a time that ends before it starts, that is a moment, or that the clocks skip.
 */
export function parseBlockedWords(given: readonly string[], moments: MomentContext): BlockedWords {
  const words = given.flatMap((word) => word.trim().split(/\s+/)).filter((word) => word !== '');
  const tails = [words.slice(-2), words.slice(-1)];
  const tail = tails.find((some) => Object.hasOwn(reasonByWord, some.join(' ').toLowerCase())) ?? [];
  const reason = reasonByWord[tail.join(' ').toLowerCase()];
  const rest = words.slice(0, words.length - tail.length);
  for (const start of rest.keys()) {
    const span = findBlockedSpan(rest.slice(start).join(' '), moments);
    if (span !== undefined) return { stylist: toName(rest.slice(0, start), rest), span, reason };
  }
  return { stylist: toName(rest, rest), span: undefined, reason };
}

function toName(words: readonly string[], line: readonly string[]): string {
  const name = words.join(' ');
  const repeat = findRepeatProblem(words) ?? findRepeatProblem(line);
  if (repeat === undefined) return name;
  const who = words.slice(0, repeat.at).join(' ');
  const hint = who
    ? `A daily break is a gap in the working hours: salon stylists update "${who}" --set "working_hours=mon-fri 9-12 13-18"`
    : 'A closed weekday is left out of the opening hours: salon settings set opening_hours "tue-sat 9-18"';
  throw new SalonError('usage', `Blocked time does not repeat: "${line.join(' ')}".`, { hint });
}

const clockRange = /^(?:(.+) )?(\S+?) ?(?:-|–|to|until|till) ?(\S+)$/i;
const between = / (?:to|until|till|-|–) |(?<=^\d\d?)[-–](?=\d\d? [a-z])/i;

function findBlockedSpan(text: string, moments: MomentContext): TimeSpan | undefined {
  const future = { ...moments, sinceMs: moments.now.getTime() };
  const whole = findSpan(text, future);
  if (whole !== undefined) {
    if (whole.startMs < whole.endMs) return whole;
    throw new SalonError('usage', `"${text}" does not say until when.`, {
      hint: 'Write a day, or both times, such as tomorrow 12-13.',
    });
  }
  const [, day = '', from = '', to = ''] = clockRange.exec(text) ?? [];
  const areClocks = readClockTime(from) !== undefined && readClockTime(to) !== undefined;
  if (areClocks && (day === '' || findSpan(day, future) !== undefined)) {
    const isOf24 =
      moments.openingHours === undefined || [from, to].some((time) => Number.parseInt(time, 10) > 12);
    const toTime = (time: string) => (/^\d+$/.test(time) ? (isOf24 ? `${time}:00` : `at ${time}`) : time);
    const [start, end] = [from, to].map((time) => findStart(`${day || 'today'} ${toTime(time)}`, moments));
    if (start !== undefined && end !== undefined) return toSpan(text, start, end);
  }
  const [lead = '', second, ...more] = text.split(between);
  // "24 to 26 dec" says the month once.
  const first = second && /^\d\d?$/.test(lead) ? second.replace(/^\d+/, lead) : lead;
  if (second === undefined || more.length > 0 || findSpan(first, future) === undefined) return undefined;
  if (first !== lead && Number(lead) > Number.parseInt(second, 10))
    throw new SalonError('usage', `"${text}" needs both months, such as 30 dec to 2 jan.`);
  const range = parseRange({ from: first, to: second }, future);
  return toSpan(text, range.from ?? '', range.to ?? '');
}

function toSpan(text: string, start: string, end: string): TimeSpan {
  const span = { startMs: Date.parse(start), endMs: Date.parse(end) };
  if (span.startMs < span.endMs) return span;
  throw new SalonError('usage', `"${text}" ends before it starts.`, {
    hint: 'Write times of 24 hours, such as 12:00-13:30.',
  });
}
