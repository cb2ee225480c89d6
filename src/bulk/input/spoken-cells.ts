import { SalonError } from '../../contract/errors.ts';
import { readSpokenDay } from '../../contract/spoken-day.ts';
import { readSpokenTime } from '../../contract/spoken-time.ts';
import { dayMs, type ZoneClock } from '../../contract/time.ts';
import { UnclearCell } from './unclear-cell.ts';

/** The local time of a cell such as `fri 3pm`, as if it were UTC; the cell itself if it is no time. */
export function readSpokenWall(cell: string, clock: ZoneClock, now: Date): number | string | UnclearCell {
  const nowWallMs = clock.wall(now.getTime());
  const todayMs = Math.floor(nowWallMs / dayMs) * dayMs;
  const spoken = orUnclear(() => readSpokenTime(cell, { todayMs, sinceMs: todayMs }));
  if (spoken instanceof UnclearCell) return spoken;
  if (spoken === undefined) return cell;
  const { dayMs: startMs, time, hasDay, isWeekday } = spoken;
  if (time === undefined || time.startMs !== time.endMs) {
    return new UnclearCell(`${cell} has no time: write a day and a time, such as fri 15:00.`);
  }
  if (!hasDay) return new UnclearCell(`${cell} has no day: write a day and a time, such as fri 15:00.`);
  const wallMs = startMs + time.startMs;
  if (isWeekday && wallMs < nowWallMs) return new UnclearCell(`${cell} is earlier today: write the date.`);
  return wallMs;
}

/** `YYYY-MM-DD` for a day with the name of its month and its year, such as `24 November 1990`; else the cell itself. */
export function readNamedDay(cell: string): string | UnclearCell {
  if (!/[a-z]{3}.*\d{4}$/i.test(cell)) return cell;
  const day = orUnclear(() => readSpokenDay(cell, { todayMs: 0 }));
  if (day === undefined || day instanceof UnclearCell) return day ?? cell;
  return new Date(day.dayMs).toISOString().slice(0, 10);
}

function orUnclear<Value>(read: () => Value): Value | UnclearCell {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof SalonError)) throw thrown;
    return new UnclearCell(thrown.message);
  }
}
