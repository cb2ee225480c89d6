import type { Reader, Writer } from '../db/engine.ts';
import { deleteAttempts, readAttempts, saveAttempts } from '../db/identity/sessions.ts';

/**
 * A limit on attempts: `burst` at once, and another one after each interval. All that is kept of a key is the time at
 * which the attempts so far are used up (`untilMs`).
 */
export interface WindowLimit {
  /** By whom or against whom attempts count. */
  readonly key: string;
  readonly burst: number;
  readonly intervalMs: number;
}

/** Computing with fractions of a millisecond is not exact. */
const toleranceMs = 0.001;

/** How long an attempt has to wait when earlier ones fill the limit until a time; 0 if it may be made. */
function toWaitMs(untilMs: number, { burst, intervalMs }: WindowLimit, nowMs: number): number {
  const waitMs = untilMs - nowMs - (burst - 1) * intervalMs;
  return waitMs < toleranceMs ? 0 : waitMs;
}

/**
 * A time that no attempts explain comes from a clock that was wrong. It is forgotten: it would keep a person out until
 * the clock gets there again. One interval more is waited, so that small corrections give no attempts away.
 */
function checkUntil(untilMs: number, { burst, intervalMs }: WindowLimit, nowMs: number): number {
  return untilMs > nowMs + (burst + 1) * intervalMs ? nowMs : untilMs;
}

/** With more keys, all are forgotten: who is limited gains one burst, and memory stays bounded. */
const maxKeys = 10_000;

/** Counts attempts within this process. Returns how long an attempt has to wait; only one that may be made counts. */
export function createWindowLimiter(nowMs: () => number): (limit: WindowLimit) => number {
  const untils = new Map<string, number>();
  return (limit) => {
    const atMs = nowMs();
    const untilMs = checkUntil(untils.get(limit.key) ?? atMs, limit, atMs);
    const waitMs = toWaitMs(untilMs, limit, atMs);
    if (waitMs > 0) return waitMs;
    if (untils.size >= maxKeys) untils.clear();
    untils.set(limit.key, Math.max(untilMs, atMs) + limit.intervalMs);
    return 0;
  };
}

/** How long an attempt has to wait for limits that all processes share; 0 if it may be made. */
export async function readWaitMs(reader: Reader, limits: readonly WindowLimit[], now: Date): Promise<number> {
  const nowMs = now.getTime();
  let waitMs = 0;
  for (const limit of limits) {
    const untilMs = checkUntil(await readAttempts(reader, limit.key), limit, nowMs);
    waitMs = Math.max(waitMs, toWaitMs(untilMs, limit, nowMs));
  }
  return waitMs;
}

/**
 * Counts an attempt before its result is known, so that parallel ones cannot exceed a limit that all processes share.
 * Returns how long it has to wait, 0 if it may be made; an attempt that has to wait is not counted.
 */
export async function takeAttempt(tx: Writer, limits: readonly WindowLimit[], now: Date): Promise<number> {
  const waitMs = await readWaitMs(tx, limits, now);
  if (waitMs > 0) return waitMs;
  for (const limit of limits) await shift(tx, limit, limit.intervalMs, now);
  return 0;
}

/** Takes back what a successful attempt has counted; of `cleared` limits, all attempts. */
export async function refundAttempt(
  tx: Writer,
  { returned, cleared }: { returned: readonly WindowLimit[]; cleared: readonly WindowLimit[] },
  now: Date,
): Promise<void> {
  for (const limit of returned) await shift(tx, limit, -limit.intervalMs, now);
  for (const { key } of cleared) await deleteAttempts(tx, key);
}

async function shift(tx: Writer, limit: WindowLimit, byMs: number, now: Date): Promise<void> {
  const nowMs = now.getTime();
  const untilMs = checkUntil(await readAttempts(tx, limit.key), limit, nowMs);
  await saveAttempts(tx, { key: limit.key, untilMs: Math.max(untilMs, nowMs) + byMs, now: nowMs });
}
