import { startOfDay, toIsoDay } from '../../time/local-days.ts';
import { dayMs, hourMs } from '../../time/time.ts';
import { parseDate, toPlainWords } from '../../time/written-words.ts';
import { UnclearCell } from '../sheet/sheet-form.ts';

/** A day without a year, such as `--05-15`, `15 May` or `5/15`, in a year that has every day; undefined for other cells. */
export function withLeapYear(cell: string): string | undefined {
  const [, month, day] = /^--?(\d\d)-?(\d\d)$/.exec(cell) ?? [];
  if (month !== undefined) return `2000-${month}-${day}`;
  const [, mark] = dayAndMonth.exec(cell) ?? [];
  if (mark !== undefined) return `${cell.replace(/\.$/, '')}${mark}2000`;
  const { name, year, weekday } = parseDate(toPlainWords(cell)) ?? {};
  return name !== undefined && year === undefined && weekday === undefined ? `${cell} 2000` : undefined;
}

const dayAndMonth = /^\d{1,2}([./-]) ?[0-3]?\d\.?$/;

/** `--05-15`. */
export function toYearlessDay(wallMs: number): string {
  return `-${toIsoDay(wallMs).slice(4)}`;
}

/** Cells of a column of days that are read in the same way: how many, the first one, and the day it may mean. */
export interface UnusualDays {
  readonly field: string;
  readonly count: number;
  readonly cell: string;
  readonly day: string;
}

/** How .NET and SQL write that they know no day. */
const emptyDays = ['0001-01-01', '1900-01-01'];
/** How Outlook and Excel do. */
export const noDay = /^(?:0{1,4}([./-])0{1,2}\1(?:00|0000)|1900-01-00)$/;
/** What calendars and address books put for the year of a birthday without one. */
const noYears = /^(?:0000|0001|0004|1604)-/;

/** Reads what programs put into columns of days: days that stand for none, and times where a clock has moved midnight. */
export function createUnusualDays(takesNoYear = true) {
  const empty = new Map<string, UnusualDays>();
  const timed = new Map<string, UnusualDays>();
  let takesNearest = false;

  function note(
    found: Map<string, UnusualDays>,
    { field, cell, day }: Omit<UnusualDays, 'count'>,
  ): undefined {
    const { count, ...first } = found.get(field) ?? { field, count: 0, cell, day };
    found.set(field, { ...first, count: count + 1 });
  }

  return {
    noteNone: (cell: string, field: string) => note(empty, { field, cell, day: cell }),
    /** The day of a local time; undefined if it stands for none. */
    read(cell: string, field: string, wallMs: number, lacksYear: boolean): string | UnclearCell | undefined {
      const nearest = toIsoDay(Math.round(wallMs / dayMs) * dayMs);
      if (emptyDays.includes(nearest)) return note(empty, { field, cell, day: nearest });
      const hasNoYear = lacksYear || noYears.test(nearest);
      if (hasNoYear && !takesNoYear)
        return new UnclearCell(
          `${cell} is a birthday without a year, which this server cannot save. Write the year, or clear the cell.`,
        );
      const day = hasNoYear ? toYearlessDay(Date.parse(nearest)) : nearest;
      const startMs = startOfDay(wallMs);
      if (wallMs === startMs) return day;
      const hour = (wallMs - startMs) / hourMs;
      if (hour >= 10 && hour < 12) {
        const days = [startMs, startMs + dayMs].map(toIsoDay).join(' or ');
        return new UnclearCell(`${cell} has a time of day and may be ${days}: write the day alone.`);
      }
      note(timed, { field, cell, day });
      if (takesNearest) return day;
      return new UnclearCell(
        `${cell} has a time of day. If a program has moved midnight to the clock of another zone, ${day} is meant: write the day alone.`,
      );
    },
    /** Cells that were left blank, by field. */
    emptyDays: () => [...empty.values()],
    /** Cells with a time of day, by field. */
    timedDays: () => [...timed.values()],
    /** From now on, a time stands for the day that begins nearest to it. */
    takeNearestDays() {
      takesNearest = true;
    },
  };
}
