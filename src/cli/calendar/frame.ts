import { Chalk, type ChalkInstance } from 'chalk';
import { type AppointmentStatus, appointmentStatuses } from '../../contract/appointment.ts';
import { countOf, renderCount } from '../../contract/numbers.ts';
import { cleanText } from '../messages/clean-text.ts';
import { wrapText } from '../output/fit-text.ts';
import type { CalendarContents, CalendarStyle, StatusCounts, Visit } from './calendar-contents.ts';

export interface Titled extends Pick<CalendarContents, 'stylists' | 'visits' | 'leftOut'> {
  readonly title: string;
  readonly timeZone: string;
  /** What has to be known beside the counts, such as a change of the clocks. */
  readonly notes: readonly string[];
}

export function createChalk({ color, hasManyColors }: CalendarStyle): ChalkInstance {
  return new Chalk({ level: color ? (hasManyColors ? 2 : 1) : 0 });
}

/** What a calendar shows, where and how much of it, and a blank line. */
export function renderTitle(titled: Titled, chalk: ChalkInstance, width: number): readonly string[] {
  const { title, timeZone, notes } = titled;
  const zone = cleanText(timeZone);
  const fits = title.length + zone.length + 2 <= width;
  const lines = wrapText(title, width).map((line) => chalk.bold(line));
  const head = fits ? [`${lines.join('')}  ${chalk.dim(zone)}`] : [...lines, chalk.dim(zone)];
  return [
    ...head,
    ...[renderCounts(titled), ...notes]
      .flatMap((line) => wrapText(line, width))
      .map((line) => chalk.dim(line)),
    '',
  ];
}

/** `96 appointments with 12 stylists. Not shown: 3 cancelled (--all).` */
export function renderCounts({
  visits,
  stylists,
  leftOut,
}: Omit<Titled, 'title' | 'timeZone' | 'notes'>): string {
  const counts = `${countOf(visits.length, 'appointments')} with ${countOf(stylists.length, 'stylists')}.`;
  return leftOut.size === 0 ? counts : `${counts} Not shown: ${renderStatuses(leftOut)} (--all).`;
}

/** What the signs mean, as far as they are to be seen. */
export function renderLegend(
  visits: readonly Visit[],
  lookOf: (status: string) => StatusLook,
  { width }: Pick<CalendarStyle, 'width'>,
): readonly string[] {
  const statuses = listStatuses(visits.map(({ status }) => status));
  const lines: string[][] = [];
  let left = 0;
  for (const status of statuses) {
    const words = `${signOf(status)} ${statusWord(status)}`.slice(0, Math.max(3, width - 4));
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

function renderStatuses(counts: StatusCounts): string {
  return listStatuses(counts.keys())
    .map((status) => `${renderCount(counts.get(status) ?? 0)} ${statusWord(status)}`)
    .join(', ');
}

type Paint = (text: string) => string;

/** How an appointment of one status looks: a sign that is read without colour, and colours for its block. */
export interface StatusLook {
  readonly sign: string;
  readonly bar: Paint;
  readonly fill: Paint;
}

interface Look {
  readonly sign: string;
  readonly color: 'yellow' | 'green' | 'cyan' | 'blue' | 'gray' | 'red';
  /** Background out of the 256 colours, light enough for black text; none where the time is free again. */
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
const unknown: Look = { sign: '?', color: 'gray', tint: 252 };
const black = 16;
const grey = 238;

/** The sign of a status; `?` for one that only a foreign server knows. */
export function signOf(status: string): string {
  return lookOf(status).sign;
}

export function createStatusLooks(
  chalk: ChalkInstance,
  { hasManyColors }: { readonly hasManyColors: boolean },
): (status: string) => StatusLook {
  return (status) => {
    const { sign, color, tint } = lookOf(status);
    const isOver = status === 'cancelled' || status === 'no_show' || status === 'completed';
    if (!hasManyColors || tint === undefined)
      return { sign, bar: chalk[color], fill: isOver ? chalk.dim : (text) => text };
    const filled = chalk.bgAnsi256(tint);
    return { sign, bar: filled[color], fill: filled.ansi256(isOver ? grey : black) };
  };
}

/** `P pending  C confirmed`: the signs that are to be seen, in the order in which an appointment goes through them. */
export function listStatuses(statuses: Iterable<string>): readonly string[] {
  const seen = new Set(statuses);
  const known = appointmentStatuses.filter((status) => seen.has(status));
  return [...known, ...[...seen].filter((status) => !isKnown(status)).sort()];
}

/** A status as people say it: `in service`, `no-show`. */
export function statusWord(status: string): string {
  return status === 'no_show' ? 'no-show' : cleanText(status).replaceAll('_', ' ');
}

function lookOf(status: string): Look {
  return isKnown(status) ? looks[status] : unknown;
}

function isKnown(status: string): status is AppointmentStatus {
  return Object.hasOwn(looks, status);
}
