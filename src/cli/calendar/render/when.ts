import type { CalendarDay, DayClock } from './day-clock.ts';
import type { Span } from './time-rows.ts';

/** When something is, as one day tells it. */
export interface When {
  /** `09:45`; with `‹` before it of an earlier day. */
  readonly from: string;
  /** `10:30`; with `›` behind it of a later day. */
  readonly to: string;
  /** `09:45–10:30`. */
  readonly whole: string;
}

export function createWhen({ startMs, endMs }: CalendarDay, clock: DayClock): (span: Span) => When {
  return (span) => {
    const from = `${span.startMs < startMs ? '‹' : ''}${clock.text(span.startMs)}`;
    const to = `${clock.text(span.endMs)}${span.endMs > endMs ? '›' : ''}`;
    return { from, to, whole: `${from}–${to}` };
  };
}
