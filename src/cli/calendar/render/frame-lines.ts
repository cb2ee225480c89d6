import { Chalk, type ChalkInstance } from 'chalk';
import { countOf, renderCount } from '../../../contract/numbers.ts';
import { cleanText } from '../../messages/clean-text.ts';
import { wrapText } from '../../output/wrap-text.ts';
import { listStatuses, type StatusLook, signOf, statusWord } from './status-sign.ts';
import type { CalendarContents, CalendarStyle, StatusCounts, Visit } from './visit.ts';

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
