import stringWidth from 'string-width';
import { readStatus } from '../../contract/appointment.ts';
import { countOf } from '../../contract/numbers.ts';
import type { Calendar, CalendarEntry } from '../calendar/calendar.ts';
import { type CalendarDay, createDayClock, createSpanText } from '../calendar/calendar-days.ts';
import { cleanText } from '../messages/clean-text.ts';
import { cutEnd, padToWidth } from '../output/fit-text.ts';

/** What an appointment needs from the reception. */
type Duty = 'not_arrived' | 'not_completed' | 'to_confirm' | 'next';

interface Due {
  readonly duty: Duty;
  readonly entry: CalendarEntry;
}

/** In the order of the list. */
const titles: Readonly<Record<Duty, string>> = {
  not_arrived: 'Not arrived',
  not_completed: 'Not completed',
  to_confirm: 'To confirm',
  next: 'Next',
};

/** The duties of a day, by kind and time. Of the appointments that are in order, only the next ones are named. */
export function listDue(entries: readonly CalendarEntry[], nowMs: number): readonly Due[] {
  const upcoming = entries.filter(
    ({ startMs, status }) => startMs > nowMs && readStatus(status) === 'confirmed',
  );
  const nextMs = Math.min(...upcoming.map(({ startMs }) => startMs));
  const due = entries.flatMap((entry) => {
    const duty =
      findDuty(entry, nowMs) ?? (upcoming.includes(entry) && entry.startMs === nextMs ? 'next' : undefined);
    return duty === undefined ? [] : [{ duty, entry }];
  });
  const kinds = Object.keys(titles);
  return due.sort(
    (a, b) => kinds.indexOf(a.duty) - kinds.indexOf(b.duty) || a.entry.startMs - b.entry.startMs,
  );
}

/** What is wrong with an appointment at this moment, or has to be done before it. */
export function findDuty(entry: CalendarEntry, nowMs: number): Duty | undefined {
  const { startMs, endMs } = entry;
  const status = readStatus(entry.status);
  if ((status === 'confirmed' || status === 'pending') && startMs <= nowMs) return 'not_arrived';
  if ((status === 'arrived' || status === 'in_service') && endMs <= nowMs) return 'not_completed';
  return status === 'pending' ? 'to_confirm' : undefined;
}

interface DueStyle {
  readonly day: CalendarDay;
  readonly timeZone: string;
  readonly nowMs: number;
  readonly width: number;
  readonly bold: (text: string) => string;
  /** Sentences for screen readers. */
  readonly isPlain: boolean;
}

/** Of each kind at most this many are listed. */
const maxPerDuty = 4;

/** The duties as a list, ending in a blank line; empty if there are none. */
export function renderDue(
  due: readonly Due[],
  { stylists }: Pick<Calendar, 'stylists'>,
  style: DueStyle,
): string {
  const { day, timeZone, nowMs, width, bold, isPlain } = style;
  if (due.length === 0) return '';
  const clock = createDayClock(day, timeZone);
  const spanText = createSpanText(day, clock);
  const names = new Map(stylists.map(({ id, name }) => [id, name]));
  const toRow = ({ entry }: Due) => {
    const { from, whole } = spanText(entry);
    const stylist = names.get(entry.stylistId) ?? entry.stylistId;
    const [client, work] = [entry.client, `${entry.service}, ${stylist}`].map(cleanText);
    return { time: isPlain ? from : whole, client: client ?? '', work: work ?? '' };
  };
  const clientWidth = Math.min(24, Math.max(...due.map((one) => stringWidth(toRow(one).client))));
  const lines = [...Map.groupBy(due, ({ duty }) => duty)].flatMap(([duty, alike]) => {
    const more = alike.length - maxPerDuty;
    const rest = more > 0 ? [`and ${countOf(more, 'more')}`] : [];
    const rows = alike.slice(0, maxPerDuty).map(toRow);
    if (isPlain) {
      const listed = rows.map(({ time, client, work }) => `${time} ${client}, ${work}`);
      return [`${titles[duty]}: ${[...listed, ...rest].join('; ')}.`];
    }
    const cells = rows.map(
      ({ time, client, work }) => `${time}  ${padToWidth(client, clientWidth)}  ${work}`,
    );
    return [...cells, ...rest].map((text, index) =>
      cutEnd(`  ${(index === 0 ? titles[duty] : '').padEnd(13)}  ${text}`, width),
    );
  });
  const title = `Due at ${clock.text(nowMs)}`;
  return `${[isPlain ? `${title}.` : bold(title), ...lines].join('\n')}\n\n`;
}
