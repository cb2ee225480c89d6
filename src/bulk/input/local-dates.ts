import { startOfDay, toIsoDay } from '../../time/local-days.ts';
import { dayMs, minuteMs, parseDay, parseInstant, toUtcText, type ZoneClock } from '../../time/time.ts';
import { type ClockParts, clockForms, readTimeOfDay, UnclearTimeError } from '../../time/written-clock.ts';
import { parseDate, toPlainWords, toWeekday } from '../../time/written-dates.ts';
import { readWrittenDay, readWrittenTime } from '../../time/written-times.ts';
import { UnclearCell } from '../sheet/sheet-form.ts';
import { createUnusualDays, noDay } from './unusual-days.ts';

/** How a column of a sheet writes dates with slashes. */
type DayOrder = 'day-first' | 'month-first';

/** What a cell may mean: milliseconds of the local time as if it were UTC. */
interface Reading {
  readonly wallMs: number;
  /** Undefined where both orders agree. */
  readonly order: DayOrder | undefined;
}

interface LocalDate {
  readonly readings: readonly Reading[];
  /** Milliseconds that the cell does not show, such as the seconds of `15:00`. */
  readonly precisionMs: number;
  readonly hasTime: boolean;
  /** Whether the day certainly comes first, as it does with dots. */
  readonly isDotted: boolean;
  readonly hasShortYear: boolean;
}

/**
 * Reads local days and times of a sheet's columns. A date such as `03/04/2026` is read in the order that the column's
 * other cells have, such as `24/11/2026`: so read the whole column before its values count. It is unclear where no cell
 * decides, or two disagree, unless it shows the current value. With `now`, `fri 3pm` and the like are times to come.
 */
export function createColumnDates(
  openClock: () => ZoneClock,
  {
    now,
    countsFrom1904,
  }: { readonly now?: Date | undefined; readonly countsFrom1904?: boolean | undefined } = {},
) {
  const found = new Map<string, Map<DayOrder, { readonly line: number; readonly cell: string }>>();
  const dotted = new Set<string>();
  const slashed = new Set<string>();
  let currentLine = 0;
  const unusual = createUnusualDays();
  const startMs = countsFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const parse = (cell: string) => parseLocalDate(cell, startMs);

  function note(cell: string, field: string, { readings, isDotted }: LocalDate): void {
    if (isDotted) dotted.add(field);
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
  function withoutOddYears(field: string, date: LocalDate): LocalDate {
    if (field !== 'birthday' || now === undefined || !date.hasShortYear) return date;
    const past = date.readings.filter(({ wallMs }) => wallMs <= now.getTime());
    const orders = past.map(({ order }) => order);
    return { ...date, readings: past.filter(({ order }, index) => orders.indexOf(order) === index) };
  }

  /** The one reading of a cell. */
  function choose(cell: string, field: string, { readings }: LocalDate): Reading | UnclearCell {
    const [first, second] = readings;
    if (first !== undefined && second === undefined) return first;
    const chosen = readings.filter(({ order }) => order === orderOf(field));
    if (chosen[0] !== undefined && chosen.length === 1) return chosen[0];
    const meanings = [...new Set(readings.map(({ wallMs }) => toIsoDay(wallMs)))].join(' or ');
    return new UnclearCell(`${cell} may be ${meanings}. Write it in that form.`);
  }

  /** The day of a cell as `YYYY-MM-DD`; the cell itself if it is no date, undefined if it says that there is none. */
  function toDay(cell: string, field: string, current: unknown): string | UnclearCell | undefined {
    if (noDay.test(cell)) return unusual.noteNone(cell, field);
    const date = parse(cell.replace(zoneOfTime, ''));
    if (date === undefined || date.readings.length === 0) return readNamedDay(cell);
    note(cell, field, date);
    const currentMs = typeof current === 'string' ? parseDay(current) : undefined;
    const shown = date.readings.flatMap(({ wallMs }) => [
      floor(wallMs, dayMs),
      floor(wallMs + dayMs / 2, dayMs),
    ]);
    if (currentMs !== undefined && shown.includes(currentMs)) return String(current);
    const reading = choose(cell, field, withoutOddYears(field, date));
    return reading instanceof UnclearCell ? reading : unusual.read(cell, field, reading.wallMs);
  }

  /** The instant of a cell in UTC; the cell itself if it is no local time. */
  function toInstant(given: string, field: string, current: unknown): string | UnclearCell {
    const cell = given.replace(
      compactTime,
      (_, year, month, day, hour, minute, second = '00', zone = '') =>
        `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`,
    );
    const date = parse(cell);
    if (date === undefined) {
      const wall = now === undefined ? cell : readWrittenWall(cell, openClock(), now);
      return typeof wall === 'number' ? toInstantAt(cell, wall, openClock()) : wall;
    }
    if (date.readings.length === 0) return cell;
    note(cell, field, date);
    if (shows(date, current)) return String(current);
    if (!date.hasTime) return cell;
    const reading = choose(cell, field, inThisCentury(date));
    if (reading instanceof UnclearCell) return reading;
    return toInstantAt(cell, reading.wallMs, openClock());
  }

  function shows({ readings, precisionMs, hasTime }: LocalDate, current: unknown): boolean {
    const instant = typeof current === 'string' ? parseInstant(current) : undefined;
    if (instant === undefined) return false;
    const wallMs = openClock().wall(instant.ms);
    const shownMs = hasTime ? floor(wallMs, precisionMs) : wallMs;
    return readings.some((reading) => reading.wallMs === shownMs);
  }

  return {
    toDay,
    toInstant,
    emptyDays: unusual.empty,
    timedDays: unusual.timed,
    takeNearestDays: unusual.takeNearest,
    /** Whether a cell shows an instant, as precisely as it shows one. */
    showsInstant(cell: string, instant: unknown) {
      const date = parse(cell.trim());
      return date !== undefined && shows(date, instant);
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

/** The instant of a local time in UTC; unclear where the clocks change. */
function toInstantAt(cell: string, wallMs: number, clock: ZoneClock): string | UnclearCell {
  const [instant, other] = clock.instants(wallMs);
  if (instant === undefined) {
    const next = toUtcText(clock.earliest(wallMs));
    return new UnclearCell(`${cell} does not exist: clocks go forward then. The next time is ${next}.`);
  }
  if (other === undefined) return toUtcText(instant);
  const meanings = `${toUtcText(instant)} or ${toUtcText(other)}`;
  return new UnclearCell(`${cell} happens twice, as clocks go back then: write ${meanings}.`);
}

/** A time as calendars write one: `20261208T160000Z`. */
const compactTime = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)?(Z|[+-]\d\d:?\d\d)?$/i;

/** The zone of a time; midnight of any zone is the day that it begins. */
const zoneOfTime = /(?<=[T ][\d:.]+) ?(?:Z|[+-]\d\d(?::?\d\d)?)$/i;

/** The number of days since 1899-12-30 or 1904-01-01, as a cell without a date format shows one. */
const serial = /^[1-9]\d{4}(?:[.,]\d+)?$/;

/** The day and the time of a text; undefined if it has no time, or an hour alone, which may be in the evening. */
function readClockParts(text: string): ClockParts | undefined {
  const parts = clockForms[0]?.exec(text)?.groups;
  const isFull = ['minute', 'half', 'unit'].some((group) => parts?.[group] !== undefined);
  return isFull && parts?.['portion'] === undefined ? parts : undefined;
}

/** Undefined for a text without a date; no readings for one that does not exist, such as 31/02/2026. */
function parseLocalDate(cell: string, serialStartMs: number): LocalDate | undefined {
  if (serial.test(cell)) {
    const days = Number(cell.replace(',', '.'));
    const readings = [{ wallMs: serialStartMs + Math.round(days * 86_400) * 1000, order: undefined }];
    const hasTime = !Number.isInteger(days);
    return { readings, precisionMs: 1000, hasTime, isDotted: false, hasShortYear: false };
  }
  const text = toPlainWords(cell);
  const clock = parseDate(text) === undefined ? readClockParts(text) : {};
  const parts = parseDate(clock?.['day'] ?? text);
  if (clock === undefined || parts?.year === undefined) return undefined;
  const { weekday, year, month = '', day = '', one, two } = parts;
  const { hour, second, fraction } = clock;
  const timeMs = hour === undefined ? 0 : readTimeOfDay(clock, () => false)?.startMs;
  const read = (years: readonly string[], months: string, days: string, order?: DayOrder): Reading[] =>
    years.flatMap((yyyy) => {
      const ms = parseDay(`${yyyy}-${months.padStart(2, '0')}-${days.padStart(2, '0')}`);
      const isDay = weekday === undefined || new Date(ms ?? 0).getUTCDay() === toWeekday(weekday);
      return ms === undefined || timeMs === undefined || !isDay ? [] : [{ wallMs: ms + timeMs, order }];
    });
  const years = year.length === 4 ? [year] : [`20${year}`, `19${year}`];
  const isOrdered = one === two || one === undefined || two === undefined;
  const readings = isOrdered
    ? read(years, one ?? month, two ?? day)
    : [...read(years, two, one, 'day-first'), ...read(years, one, two, 'month-first')];
  // What is wrong with a weekday, `readWrittenDay` says.
  if (weekday !== undefined && readings.length === 0) return undefined;
  return {
    readings,
    precisionMs: fraction !== undefined ? 1 : second !== undefined ? 1000 : minuteMs,
    hasTime: hour !== undefined,
    isDotted: /^\d{1,2}\. ?\d/.test(cell),
    hasShortYear: years.length > 1,
  };
}

/** Why a cell is no day, as a sentence, although it looks like one; undefined for other texts. */
export function explainNoDay(cell: string): string | undefined {
  if (/^\d{1,2}\W{1,2}(?:de )?\p{L}{3,}.*\d{4}\W*$/u.test(cell))
    return `${cell} has a month in a language that is not read: write YYYY-MM-DD.`;
  const { name, year } = parseDate(toPlainWords(cell)) ?? {};
  if (/^\d{1,2}([./-]) ?[0-3]?\d\.?$/.test(cell) || (name !== undefined && year === undefined))
    return `${cell} has no year: write day, month and year.`;
  const date = parseLocalDate(cell, 0);
  if (date === undefined || date.hasTime || date.readings.length > 0) return undefined;
  return `There is no such day: ${cell}${date.isDotted ? ' is read as day, month, year' : ''}.`;
}

/** A time such as 24.11.26 15:00 is none of the last century. */
function inThisCentury(date: LocalDate): LocalDate {
  const readings = date.readings.filter(({ wallMs }) => wallMs >= Date.UTC(2000, 0));
  return readings.length === 0 ? date : { ...date, readings };
}

function floor(ms: number, step: number): number {
  return Math.floor(ms / step) * step;
}

/** The local time of a cell such as `fri 3pm`, as if it were UTC; the cell itself if it is no time. */
function readWrittenWall(cell: string, clock: ZoneClock, now: Date): number | string | UnclearCell {
  const nowWallMs = clock.wall(now.getTime());
  const todayMs = startOfDay(nowWallMs);
  const written = orUnclear(() => readWrittenTime(cell, { todayMs, sinceMs: todayMs }));
  if (written instanceof UnclearCell) return written;
  if (written === undefined) return cell;
  const { dayMs: startMs, time, hasDay, isWeekday } = written;
  if (time === undefined || time.startMs !== time.endMs) {
    return new UnclearCell(`${cell} has no time: write a day and a time, such as fri 15:00.`);
  }
  if (!hasDay) return new UnclearCell(`${cell} has no day: write a day and a time, such as fri 15:00.`);
  const wallMs = startMs + time.startMs;
  if (isWeekday && wallMs < nowWallMs) return new UnclearCell(`${cell} is earlier today: write the date.`);
  return wallMs;
}

/** `YYYY-MM-DD` for a day with the name of its month and its year, such as `24 November 1990`; else the cell itself. */
function readNamedDay(cell: string): string | UnclearCell {
  if (!/[a-z]{3}.*\d{4}$/i.test(cell)) return cell;
  const day = orUnclear(() => readWrittenDay(cell, { todayMs: 0 }));
  if (day === undefined || day instanceof UnclearCell) return day ?? cell;
  return toIsoDay(day.dayMs);
}

function orUnclear<Value>(read: () => Value): Value | UnclearCell {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof UnclearTimeError)) throw thrown;
    return new UnclearCell(thrown.message);
  }
}
