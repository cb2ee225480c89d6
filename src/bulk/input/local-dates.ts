import { isBirthday, isSameBirthday } from '../../time/birthdays.ts';
import { startOfDay, toIsoDay } from '../../time/local-days.ts';
import { dayMs, parseDay, parseInstant, toUtcText, type ZoneClock } from '../../time/time.ts';
import {
  type DayOrder,
  readWrittenTime,
  type TimeReading,
  type WrittenTime,
} from '../../time/written-times.ts';
import { UnclearCell } from '../sheet/sheet-form.ts';
import { createUnusualDays, noDay, toYearlessDay, withLeapYear } from './unusual-days.ts';

/**
 * Reads local days and times of a sheet's columns. A date such as `03/04/2026` is read in the order that the column's
 * other cells have, such as `24/11/2026`: so read the whole column before its values count. It is unclear where no cell
 * decides, or two disagree, unless it shows the current value. With `now`, `fri 3pm` and the like are times to come.
 */
export function createColumnDates(clock: ZoneClock, { now, countsFrom1904, takesNoYear }: DateOptions = {}) {
  const found = new Map<string, Map<DayOrder, { readonly line: number; readonly cell: string }>>();
  const dotted = new Set<string>();
  const slashed = new Set<string>();
  let currentLine = 0;
  let todayMs: number | undefined;
  const unusual = createUnusualDays(takesNoYear);
  const startMs = countsFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);

  function parse(cell: string): WrittenTime | undefined {
    if (serial.test(cell)) return readSerial(Number(cell.replace(',', '.')));
    todayMs ??= startOfDay(now === undefined ? 0 : clock.wall(now.getTime()));
    return readWrittenTime(cell, { todayMs, sinceMs: todayMs, isCell: true });
  }

  function readSerial(days: number): WrittenTime {
    const wallMs = startMs + Math.round(days * 86_400) * 1000;
    const hasTime = !Number.isInteger(days);
    const date = { year: toIsoDay(wallMs).slice(0, 4) };
    const readings = [{ startMs: wallMs, endMs: wallMs }];
    return { readings, date, hasDay: true, isWeekday: false, hasTime, precisionMs: 1000 };
  }

  function note(cell: string, field: string, { readings }: WrittenTime): void {
    if (isDotted(cell)) dotted.add(field);
    const [order, ...others] = new Set(readings.map((reading) => reading.order));
    if (order !== undefined) slashed.add(field);
    if (order === undefined || others.length > 0) return;
    const orders = found.get(field) ?? new Map();
    if (!orders.has(order)) orders.set(order, { line: currentLine, cell });
    found.set(field, orders);
  }

  function orderOf(field: string): DayOrder | undefined {
    const [order, ...others] = found.get(field)?.keys() ?? [];
    if (order === undefined && dotted.has(field)) return 'day-first';
    return others.length === 0 ? order : undefined;
  }

  /** Two digits of a birthday's year are in the last hundred years. Readings have the later century first. */
  function withoutOddYears(field: string, { readings, date }: WrittenTime): readonly TimeReading[] {
    if (field !== 'birthday' || now === undefined || date?.year?.length !== 2) return readings;
    const past = readings.filter(({ startMs }) => startMs <= now.getTime());
    const orders = past.map(({ order }) => order);
    return past.filter(({ order }, index) => orders.indexOf(order) === index);
  }

  /** The one local time of a cell. */
  function choose(
    cell: string,
    field: string,
    readings: readonly TimeReading[],
    lacksYear = false,
  ): number | UnclearCell {
    const fitting =
      readings.length === 1 ? readings : readings.filter(({ order }) => order === orderOf(field));
    const [first, second] = fitting;
    if (first !== undefined && second === undefined) return first.startMs;
    const days = readings.map(({ startMs }) => (lacksYear ? toYearlessDay(startMs) : toIsoDay(startMs)));
    const meanings = [...new Set(days)].join(' or ');
    return new UnclearCell(`${cell} may be ${meanings}. Write it in that form.`);
  }

  /** The day of a cell as `YYYY-MM-DD`; the cell itself if it is no date, undefined if it says that there is none. */
  function toDay(cell: string, field: string, current: unknown): string | UnclearCell | undefined {
    if (noDay.test(cell)) return unusual.noteNone(cell, field);
    const leapDay = field === 'birthday' ? withLeapYear(cell) : undefined;
    const written = parse(leapDay ?? cell.replace(zoneOfTime, ''));
    if (written === undefined || !isDated(written)) return cell;
    const { readings, problem, date } = written;
    if (readings.length === 0)
      return leapDay !== undefined || (date?.name === undefined && date?.weekday === undefined)
        ? cell
        : new UnclearCell(problem?.message ?? '');
    note(cell, field, written);
    const currentMs = typeof current === 'string' ? parseDay(current) : undefined;
    const shown = readings.flatMap(({ startMs }) => [
      floor(startMs, dayMs),
      floor(startMs + dayMs / 2, dayMs),
    ]);
    if (currentMs !== undefined && shown.includes(currentMs)) return String(current);
    const wallMs = choose(cell, field, withoutOddYears(field, written), leapDay !== undefined);
    if (wallMs instanceof UnclearCell) return wallMs;
    const day = unusual.read(cell, field, wallMs, leapDay !== undefined);
    // A day without its year says nothing about the year that is known.
    const isKnown = typeof day === 'string' && day.startsWith('--') && isSameBirthday(day, String(current));
    return isKnown ? String(current) : day;
  }

  /** The instant of a cell in UTC; the cell itself if it is no local time. */
  function toInstant(given: string, field: string, current: unknown): string | UnclearCell {
    const cell = given.replace(
      compactTime,
      (_, year, month, day, hour, minute, second = '00', zone = '') =>
        `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`,
    );
    const written = parse(cell);
    if (written === undefined) return cell;
    const { readings, date } = written;
    if (!isDated(written) || (readings.length === 0 && date?.weekday !== undefined)) {
      return now === undefined ? cell : toInstantToCome(cell, written, now);
    }
    note(cell, field, written);
    if (shows(written, current)) return String(current);
    if (readings.length === 0 || !written.hasTime) return cell;
    // A time such as 24.11.26 15:00 is none of the last century.
    const recent = readings.filter(({ startMs }) => startMs >= Date.UTC(2000, 0));
    const wallMs = choose(cell, field, recent.length === 0 ? readings : recent);
    return wallMs instanceof UnclearCell ? wallMs : toInstantAt(cell, wallMs);
  }

  /** The instant of a cell such as `fri 3pm`. */
  function toInstantToCome(
    cell: string,
    { readings, problem, hasDay, isWeekday }: WrittenTime,
    now: Date,
  ): string | UnclearCell {
    const [{ startMs, endMs } = { startMs: 0, endMs: 0 }] = readings;
    const refusal =
      problem?.message ??
      (startMs < endMs ? `${cell} has no time: write a day and a time, such as fri 15:00.` : undefined) ??
      (hasDay ? undefined : `${cell} has no day: write a day and a time, such as fri 15:00.`) ??
      (isWeekday && startMs < clock.wall(now.getTime())
        ? `${cell} is earlier today: write the date.`
        : undefined);
    return refusal === undefined ? toInstantAt(cell, startMs) : new UnclearCell(refusal);
  }

  /** The instant of a local time in UTC; unclear where the clocks change. */
  function toInstantAt(cell: string, wallMs: number): string | UnclearCell {
    const [instant, other] = clock.instants(wallMs).map(toUtcText);
    if (instant === undefined) {
      const next = toUtcText(clock.earliest(wallMs));
      return new UnclearCell(`${cell} does not exist: clocks go forward then. The next time is ${next}.`);
    }
    if (other === undefined) return instant;
    return new UnclearCell(`${cell} happens twice, as clocks go back then: write ${instant} or ${other}.`);
  }

  function shows({ readings, precisionMs, hasTime }: WrittenTime, current: unknown): boolean {
    const instant = typeof current === 'string' ? parseInstant(current) : undefined;
    if (instant === undefined) return false;
    const wallMs = clock.wall(instant.ms);
    const shownMs = hasTime ? floor(wallMs, precisionMs) : wallMs;
    return readings.some(({ startMs }) => startMs === shownMs);
  }

  const { emptyDays, timedDays, takeNearestDays } = unusual;
  return {
    ...{ toDay, toInstant, emptyDays, timedDays, takeNearestDays },
    /** Whether a cell shows an instant, as precisely as it shows one. */
    showsInstant(cell: string, instant: unknown) {
      const written = parse(cell.trim());
      return written !== undefined && isDated(written) && shows(written, instant);
    },
    /** The order of each column with slashes, as far as one of its cells decides it. */
    orders: (): ReadonlyMap<string, DayOrder> =>
      new Map(
        [...slashed].flatMap((field) => {
          const order = orderOf(field);
          return order === undefined ? [] : [[field, order] as const];
        }),
      ),
    /** The line of the next cells, for `contradictions`. */
    startLine(line: number) {
      currentLine = line;
    },
    /** Columns with cells that write dates in different orders. */
    contradictions: () =>
      [...found]
        .filter(([, orders]) => orders.size > 1)
        .map(([field, orders]) => ({ field, cells: [...orders].map(([order, one]) => ({ ...one, order })) })),
  };
}

interface DateOptions {
  readonly now?: Date | undefined;
  readonly countsFrom1904?: boolean | undefined;
  readonly takesNoYear?: boolean | undefined;
}

/** A time as calendars write one: `20261208T160000Z`. */
const compactTime = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)?(Z|[+-]\d\d:?\d\d)?$/i;

/** The zone of a time; midnight of any zone is the day that it begins. */
const zoneOfTime = /(?<=[T ][\d:.]+) ?(?:Z|[+-]\d\d(?::?\d\d)?)$/i;

/** The number of days since 1899-12-30 or 1904-01-01, as a cell without a date format shows one. */
const serial = /^[1-9]\d{4}(?:[.,]\d+)?$/;

/** Whether the day certainly comes first. */
function isDotted(cell: string): boolean {
  return /^\d{1,2}\. ?\d{1,2}\.[^/]*$/.test(cell);
}

/** Whether a cell has a date with its year. */
function isDated({ date }: WrittenTime): boolean {
  return date?.year !== undefined;
}

/** Why a cell is no day, as a sentence, although it looks like one; undefined for other texts. */
export function explainNoDay(cell: string): string | undefined {
  if (/^\d{1,2}\W{1,2}(?:de )?\p{L}{3,}.*\d{4}\W*$/u.test(cell))
    return `${cell} has a month in a language that is not read: write YYYY-MM-DD.`;
  if (withLeapYear(cell) !== undefined && !isBirthday(cell))
    return `There is no such day: ${cell.replace(/\.$/, '')}. Write day, month and year, or --MM-DD without its year.`;
  const { date, hasTime = false, readings = [] } = readWrittenTime(cell, { todayMs: 0, isCell: true }) ?? {};
  if (date?.year === undefined || date.weekday !== undefined || hasTime || readings.length > 0)
    return undefined;
  return `There is no such day: ${cell}${isDotted(cell) ? ' is read as day, month, year' : ''}.`;
}

function floor(ms: number, step: number): number {
  return Math.floor(ms / step) * step;
}
