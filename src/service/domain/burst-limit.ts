/** Small limits may be spent at once. */
const minPerSecond = 1_000;
/** The part of the hourly limit that may be spent in one go, and again in every second after that. */
const hourShare = 1 / 2;

/** The requests that an account with this hourly limit may send at once, and in every further second. */
export function toBurstLimit(hourlyLimit: number): number {
  return Math.max(minPerSecond, Math.floor(hourlyLimit * hourShare));
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/**
 * Limits the requests of an account in a short time: a token bucket in memory, for each process on its own. It keeps an
 * account from spending its hour in an instant; who is served first is not decided here.
 */
export function createBurstLimit(
  uptimeMs: () => number,
): (accountId: string, hourlyLimit: number) => boolean {
  const buckets = new Map<string, Bucket>();
  let sweptAtMs = uptimeMs();

  return (accountId, hourlyLimit) => {
    const nowMs = uptimeMs();
    const max = toBurstLimit(hourlyLimit);
    if (nowMs - sweptAtMs > sweepMs) {
      sweptAtMs = nowMs;
      for (const [id, { filledAtMs }] of buckets) if (nowMs - filledAtMs > fullAfterMs) buckets.delete(id);
    }
    const bucket = buckets.get(accountId) ?? { tokens: max, filledAtMs: nowMs };
    buckets.set(accountId, bucket);
    bucket.tokens = Math.min(max, bucket.tokens + ((nowMs - bucket.filledAtMs) / 1000) * max);
    bucket.filledAtMs = nowMs;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  };
}

/** A bucket is full again after a second, and can then be removed. */
const fullAfterMs = 1_000;
const sweepMs = 60_000;
