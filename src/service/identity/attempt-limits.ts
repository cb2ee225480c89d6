import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { minuteMs } from '../../contract/time.ts';
import type { Reader, Writer } from '../db/engine.ts';
import { deleteAttempts, readAttempts, saveAttempts } from '../db/identity/attempt-limits.ts';

/** How many attempts are free, and how long it takes until another one is. */
interface AttemptPolicy {
  readonly burst: number;
  readonly intervalMs: number;
  /** Whether others count in it too, so that one success does not clear it. */
  readonly isShared?: boolean;
}

/** A limit on attempts, and by whom or against whom they count. */
export interface AttemptLimit extends AttemptPolicy {
  readonly key: string;
}

const policies = {
  /** By an address of the network, which an office shares. */
  address: { burst: 50, intervalMs: minuteMs, isShared: true },
  /** Against a person, whether they exist or not: 10, then four an hour. */
  person: { burst: 10, intervalMs: 15 * minuteMs },
  /** From a browser in which the person has signed in before. Nobody else can use it up. */
  device: { burst: 10, intervalMs: 15 * minuteMs },
  second_factor: { burst: 10, intervalMs: 15 * minuteMs },
  /** Codes of devices that a person types. */
  device_code: { burst: 10, intervalMs: minuteMs },
  /** Mails to a person. */
  mail: { burst: 3, intervalMs: 20 * minuteMs },
} as const satisfies Record<string, AttemptPolicy>;

/** The limit of a kind for a subject, whose name is stored as a hash. */
export function toLimit(kind: keyof typeof policies, subject: string): AttemptLimit {
  return { ...policies[kind], key: `${kind}:${hash('sha256', subject, 'base64url')}` };
}

/** The limit of a client's address. IPv6 gives a household 2^64 addresses, so those count as one. */
export function toAddressLimit(address: string | null): AttemptLimit {
  if (address === null || !ipaddr.isValid(address)) return toLimit('address', 'unknown');
  const parsed = ipaddr.process(address);
  const parts = parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4) : parsed.octets;
  return toLimit('address', `${parsed.kind()} ${parts.join('.')}`);
}

/** How long an attempt has to wait for its limits; 0 if it may be made. */
export async function readWaitMs(
  reader: Reader,
  limits: readonly AttemptLimit[],
  now: Date,
): Promise<number> {
  let waitMs = 0;
  for (const { key, burst, intervalMs } of limits) {
    const until = readUntil(await readAttempts(reader, key), { burst, intervalMs }, now.getTime());
    waitMs = Math.max(waitMs, until - now.getTime() - (burst - 1) * intervalMs);
  }
  return waitMs;
}

/**
 * Counts an attempt before its result is known, so that parallel ones cannot exceed a limit. Returns how long it has to
 * wait, 0 if it may be made; an attempt that has to wait is not counted.
 */
export async function takeAttempt(tx: Writer, limits: readonly AttemptLimit[], now: Date): Promise<number> {
  const waitMs = await readWaitMs(tx, limits, now);
  if (waitMs > 0) return waitMs;
  for (const limit of limits) await shift(tx, limit, limit.intervalMs, now);
  return 0;
}

/** Takes back what a successful attempt has counted; of `cleared` limits, all attempts. */
export async function refundAttempt(
  tx: Writer,
  { returned, cleared }: { returned: readonly AttemptLimit[]; cleared: readonly AttemptLimit[] },
  now: Date,
): Promise<void> {
  for (const limit of returned) await shift(tx, limit, -limit.intervalMs, now);
  for (const { key } of cleared) await deleteAttempts(tx, key);
}

async function shift(tx: Writer, limit: AttemptLimit, byMs: number, now: Date): Promise<void> {
  const nowMs = now.getTime();
  const until = readUntil(await readAttempts(tx, limit.key), limit, nowMs);
  await saveAttempts(tx, { key: limit.key, untilMs: Math.max(until, nowMs) + byMs, now: nowMs });
}

/**
 * A time that no attempts explain comes from a clock that was wrong. It is forgotten: it would keep a person out until
 * the clock gets there again. One interval more is waited, so that small corrections give no attempts away.
 */
function readUntil(untilMs: number, { burst, intervalMs }: AttemptPolicy, nowMs: number): number {
  return untilMs > nowMs + (burst + 1) * intervalMs ? nowMs : untilMs;
}
