import { renderShortDay, toClockText } from '../../time/local-days.ts';
import { createZoneClock, lastInstantMs, toInstantMs } from '../../time/time.ts';

export interface ShortTimeStyle {
  /** IANA name of the time zone. */
  readonly timeZone: string;
  /** The year is left out where it is this one. */
  readonly now: Date;
}

/** An instant as people say it, such as `Fri 27 Nov 15:00`. Text that is not an instant is returned unchanged. */
export function renderShortTime(iso: string, style: ShortTimeStyle): string {
  const localMs = toLocalMs(iso, style.timeZone);
  return localMs === undefined ? iso : `${renderLocalDay(localMs, style)} ${toClockText(localMs)}`;
}

/** The day of a local time as people say it, such as `Fri 27 Nov`. */
export function renderLocalDay(localMs: number, { timeZone, now }: ShortTimeStyle): string {
  const [year, thisYear] = [localMs, createZoneClock(timeZone).wall(now.getTime())].map(yearOf);
  return `${renderShortDay(localMs)}${year === thisYear ? '' : ` ${year}`}`;
}

/** The day of an instant, such as `27 Nov 2026`. Text that is not an instant is returned unchanged. */
export function renderShortDate(iso: string, { timeZone }: Pick<ShortTimeStyle, 'timeZone'>): string {
  const localMs = toLocalMs(iso, timeZone);
  return localMs === undefined ? iso : `${renderShortDay(localMs).slice('Fri '.length)} ${yearOf(localMs)}`;
}

/** The local time of an instant in milliseconds as if it were UTC; undefined outside of the years 1000 to 9999. */
function toLocalMs(iso: string, timeZone: string): number | undefined {
  const instantMs = toInstantMs(iso);
  if (instantMs === undefined || instantMs < firstMs || instantMs > lastInstantMs) return undefined;
  const localMs = createZoneClock(timeZone).wall(instantMs);
  return localMs > lastInstantMs ? undefined : localMs;
}

const firstMs = Date.UTC(1000, 0, 2);

function yearOf(localMs: number): number {
  return new Date(localMs).getUTCFullYear();
}
