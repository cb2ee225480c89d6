/** The clock on the wall of one zone. Wall time is counted in milliseconds as if the wall were in UTC. */
export interface ZoneClock {
  /** What the wall shows at an instant. */
  wall(instantMs: number): number;
  /** The first instant at which the wall shows this time; where it is skipped, the first one after the gap. */
  earliest(wallMs: number): number;
}

const dayMs = 86_400_000;

export function createZoneClock(timeZone: string): ZoneClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });

  function wall(instantMs: number): number {
    const part = Object.fromEntries(
      format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    // The format knows no milliseconds; they are the same in every zone.
    const millisecond = ((instantMs % 1000) + 1000) % 1000;
    return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
  }

  const offset = (instantMs: number) => wall(instantMs) - instantMs;

  function earliest(wallMs: number): number {
    // No zone is a day away from UTC, and none changes twice in two days.
    const [before, after] = [offset(wallMs - dayMs), offset(wallMs + dayMs)];
    const [first, last] = [wallMs - Math.max(before, after), wallMs - Math.min(before, after)];
    if (wall(first) === wallMs) return first;
    if (wall(last) === wallMs) return last;
    return changeBetween(first, last);
  }

  /** The instant after `from`, up to `to`, at which the zone takes the offset it has at `to`. */
  function changeBetween(from: number, to: number): number {
    let [low, high] = [from, to];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offset(middle) === offset(to)) high = middle;
      else low = middle;
    }
    return high;
  }

  return { wall, earliest };
}
