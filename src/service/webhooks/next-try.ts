import { deliverySchedule } from '../../contract/delivery.ts';

/** The most that is added to a pause, as a share of it, so that what failed together does not come back together. */
const jitterShare = 0.05;

const endMs = deliverySchedule[deliverySchedule.length - 1] ?? 0;

/** A try that failed. */
export interface FailedTry {
  /** When the first try was made. */
  readonly begunMs: number;
  /** When this one came to its end. */
  readonly endedMs: number;
  /** How many were made, this one among them. */
  readonly made: number;
  /** When the receiver asks to be called again at the earliest, as it wrote it. */
  readonly retryAfter?: string | undefined;
  /** From 0 to 1. */
  readonly chance: number;
}

/**
 * When the next try is due, in Unix milliseconds; undefined where the tries are used up. The schedule is counted from
 * the first try. Where that moment is over, because the service stood still, what is left keeps its pauses. What
 * the receiver asks for is respected up to the schedule's end.
 */
export function toNextTryMs({ begunMs, endedMs, made, retryAfter, chance }: FailedTry): number | undefined {
  const plannedMs = deliverySchedule[made];
  if (plannedMs === undefined) return undefined;
  const pauseMs = plannedMs - (deliverySchedule[made - 1] ?? 0);
  const dueMs = begunMs + plannedMs > endedMs ? begunMs + plannedMs : endedMs + pauseMs;
  const askedMs = Math.min(parseRetryAfter(retryAfter, endedMs), begunMs + endMs);
  return Math.ceil(Math.max(dueMs + pauseMs * jitterShare * chance, askedMs));
}

/** The moment in a `Retry-After`, seconds or a date (RFC 9110, 10.2.3); the past where it cannot be read. */
function parseRetryAfter(text: string | undefined, nowMs: number): number {
  if (text === undefined) return 0;
  if (/^\d{1,9}$/.test(text.trim())) return nowMs + Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : date;
}
