import type { ChalkInstance } from 'chalk';
import type { AppointmentStatus } from '../../contract/appointment.ts';
import { cleanText } from '../../text/clean-text.ts';
import { countOf } from '../../text/numbers.ts';
import { renderLongDay, renderShortDay } from '../../time/local-days.ts';
import { listStatuses, renderStatusCounts, statusWord } from '../output/field-words.ts';
import { wrapText } from '../output/fit-text.ts';
import type { CalendarContents, CalendarEntry, CalendarStyle, WeekContents } from './calendar.ts';
import { createDayClock, describeClockChange } from './calendar-days.ts';

/** More stylists who are off are only counted. */
const maxNamesOff = 8;

type Paint = (text: string) => string;

/** How an appointment looks: colours of its bar and of its block. */
export interface StatusLook {
  readonly bar: Paint;
  readonly fill: Paint;
}

interface Look {
  /** Tells statuses apart without colour. */
  readonly sign: string;
  readonly color: 'yellow' | 'green' | 'cyan' | 'blue' | 'gray' | 'red';
  /** Background out of 256 colours, light enough for black text; none if the time is free again. */
  readonly tint: number | undefined;
}

const looks: Readonly<Record<AppointmentStatus, Look>> = {
  pending: { sign: 'P', color: 'yellow', tint: 229 },
  confirmed: { sign: 'C', color: 'green', tint: 194 },
  arrived: { sign: 'A', color: 'cyan', tint: 195 },
  in_service: { sign: 'S', color: 'blue', tint: 153 },
  completed: { sign: '✓', color: 'gray', tint: 250 },
  cancelled: { sign: '✗', color: 'red', tint: undefined },
  no_show: { sign: 'N', color: 'red', tint: 224 },
};
const unknownLook: Look = { sign: '?', color: 'gray', tint: 252 };
const black = 16;
const grey = 238;

/** What the line of counts needs. */
type Counted = Pick<CalendarContents, 'entries' | 'stylists' | 'off' | 'hidden'>;

interface FrameContents extends Counted, Pick<CalendarContents, 'timeZone'> {
  readonly title: string;
  /** Further lines below the counts. */
  readonly notes: readonly string[];
}

/** Title, time zone, counts and notes, followed by a blank line. */
export function renderTitle(contents: FrameContents, chalk: ChalkInstance, width: number): readonly string[] {
  const { title, timeZone, notes } = contents;
  const zone = cleanText(timeZone);
  const fits = title.length + zone.length + 2 <= width;
  const titleLines = wrapText(title, width).map((line) => chalk.bold(line));
  const head = fits ? [`${titleLines.join('')}  ${chalk.dim(zone)}`] : [...titleLines, chalk.dim(zone)];
  const details = [...renderTotals(contents), ...notes].flatMap((line) => wrapText(line, width));
  return [...head, ...details.map((line) => chalk.dim(line)), ''];
}

/** `96 appointments with 12 stylists. Not shown: 3 cancelled (--all).` */
export function renderTotals({ entries, stylists, off = [], hidden }: Counted): readonly string[] {
  const who = stylists.length === 1 ? (stylists[0]?.name ?? '') : countOf(stylists.length, 'stylists');
  const names =
    off.length > maxNamesOff ? countOf(off.length, 'stylists') : off.map(({ name }) => name).join(', ');
  const parts = [
    entries.length > 0 && `${countOf(entries.length, 'appointments')} with ${cleanText(who)}.`,
    off.length > 0 && `Not working: ${cleanText(names)}.`,
    hidden.length > 0 && `Not shown: ${renderStatusCounts(hidden)} (--all).`,
  ];
  return [parts.filter(Boolean).join(' ')].filter(Boolean);
}

/** `No appointments on Tuesday 24 November 2026.`, with the stylists asked for. */
export function renderEmpty(when: string, { stylists }: Pick<FrameContents, 'stylists'>): string {
  const names = stylists.map(({ name }) => cleanText(name)).join(', ');
  return names === '' ? `No appointments ${when}.` : `No appointments ${when}. Stylists: ${names}.`;
}

/** The meaning of the signs that are used. */
export function renderLegend(
  entries: readonly CalendarEntry[],
  lookOf: (status: string) => StatusLook,
  width: number,
): readonly string[] {
  const lines: string[][] = [];
  let left = 0;
  for (const status of listStatuses(entries.map((entry) => entry.status))) {
    const words = `${statusSign(status)} ${statusWord(status)}`.slice(0, Math.max(3, width - 4));
    const look = lookOf(status);
    if (words.length + 2 > left || lines.length === 0) {
      lines.push([]);
      left = width;
    }
    left -= words.length + 4;
    lines.at(-1)?.push(`${look.bar('▌')}${look.fill(`${words} `)}`);
  }
  return lines.map((line) => line.join('  ').trimEnd());
}

/** The sign of a status; `?` for one that is not in the contract. */
export function statusSign(status: string): string {
  return findLook(status).sign;
}

export function createStatusLooks(
  chalk: ChalkInstance,
  { hasManyColors }: Pick<CalendarStyle, 'hasManyColors'>,
): (status: string) => StatusLook {
  return (status) => {
    const { color, tint } = findLook(status);
    const isOver = status === 'cancelled' || status === 'no_show' || status === 'completed';
    if (!hasManyColors || tint === undefined) {
      return { bar: chalk[color], fill: isOver ? chalk.dim : (text) => text };
    }
    const filled = chalk.bgAnsi256(tint);
    return { bar: filled[color], fill: filled.ansi256(isOver ? grey : black) };
  };
}

function findLook(status: string): Look {
  return Object.hasOwn(looks, status) ? looks[status as AppointmentStatus] : unknownLook;
}

/** `Monday 23 November 2026 to Sunday 29 November 2026`. */
export function renderWeekDates({ days }: WeekContents): string {
  const [first, last] = [days[0], days.at(-1)];
  return first === undefined || last === undefined
    ? ''
    : `${renderLongDay(first.dateMs)} to ${renderLongDay(last.dateMs)}`;
}

/** The days on which the clocks change. */
export function describeClockChanges({ days, timeZone }: WeekContents): readonly string[] {
  return days.flatMap((day) =>
    describeClockChange(createDayClock(day, timeZone)).map(
      (text) => `${renderShortDay(day.dateMs)}: ${text}`,
    ),
  );
}
