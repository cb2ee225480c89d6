import stringWidth from 'string-width';
import { renderLongDay } from '../../contract/day-names.ts';
import { createZoneClock, dayMs } from '../../contract/time.ts';
import type { AvailableSlot } from '../availability/availability.ts';
import { cleanText } from '../messages/clean-text.ts';
import { cutEnd, padToWidth } from '../output/fit-text.ts';

export interface FreeStyle {
  readonly title: string;
  readonly timeZone: string;
  /** Of the terminal. */
  readonly width: number;
  readonly isPlain: boolean;
  readonly hasColor: boolean;
  /** Whether only the time from one moment on is of interest. */
  readonly isMoment: boolean;
}

/** A stretch of free time on one day. */
interface FreeTime {
  readonly stylist: string;
  readonly dayMs: number;
  readonly startMs: number;
  endMs: number;
}

const longestName = 24;

/** Free time by day and stylist, as text. */
export function renderFree(slots: readonly AvailableSlot[], style: FreeStyle): string {
  const bold = style.hasColor ? (text: string) => `\u001b[1m${text}\u001b[22m` : (text: string) => text;
  const times = mergeSlots(slots, style);
  const names = new Map(times.map(({ stylist }) => [stylist, cutEnd(cleanText(stylist), longestName)]));
  const nameWidth = Math.max(...[...names.values()].map((name) => stringWidth(name)), 0);
  const days = [...Map.groupBy(times, (time) => time.dayMs)].sort(([a], [b]) => a - b);
  const blocks = days.map(([day, free]) => {
    const byName = [...Map.groupBy(free, ({ stylist }) => stylist)].sort(([a], [b]) =>
      a.localeCompare(b, 'en'),
    );
    const lines = byName.flatMap(([stylist, theirs]) =>
      renderStylist(names.get(stylist) ?? '', theirs, { ...style, nameWidth }),
    );
    return (style.isMoment ? lines : [bold(renderLongDay(day)), ...lines]).join('\n');
  });
  return [bold(style.title), ...blocks].join('\n\n').concat('\n');
}

/** One line for a stylist; where the terminal is narrow, more. */
function renderStylist(
  name: string,
  times: readonly FreeTime[],
  { width, isPlain, isMoment, nameWidth }: FreeStyle & { readonly nameWidth: number },
): readonly string[] {
  const shown = isMoment ? times.slice(0, 1) : times;
  const texts = shown.map(({ startMs, endMs }) => `${toClock(startMs)}–${toClock(endMs)}`);
  if (isPlain) return [`${name}: ${texts.join(', ')}`];
  const indent = nameWidth + 4;
  const perLine = Math.max(1, Math.floor((width - indent + 2) / 13));
  const rows = Array.from({ length: Math.ceil(texts.length / perLine) }, (_, index) =>
    texts.slice(index * perLine, (index + 1) * perLine).join('  '),
  );
  return rows.map((row, index) => `  ${padToWidth(index === 0 ? name : '', nameWidth)}  ${row}`);
}

/** Slots that overlap or touch are one stretch of free time. Times are local, as if they were UTC. */
function mergeSlots(slots: readonly AvailableSlot[], { timeZone }: FreeStyle): readonly FreeTime[] {
  const { wall } = createZoneClock(timeZone);
  const times: FreeTime[] = [];
  for (const theirs of Map.groupBy(slots, ({ stylistId }) => stylistId).values()) {
    let reachedMs = Number.NEGATIVE_INFINITY;
    for (const { start, end, stylistName } of theirs) {
      const [fromMs, toMs] = [Date.parse(start), Date.parse(end)];
      const [startMs, endMs] = [wall(fromMs), wall(toMs)];
      const day = Math.floor(startMs / dayMs) * dayMs;
      const last = times.at(-1);
      if (last !== undefined && fromMs <= reachedMs && last.dayMs === day) last.endMs = endMs;
      else times.push({ stylist: stylistName, dayMs: day, startMs, endMs });
      reachedMs = Math.max(reachedMs, toMs);
    }
  }
  return times;
}

function toClock(localMs: number): string {
  return new Date(localMs).toISOString().slice(11, 16);
}
