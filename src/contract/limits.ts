/** Requests per hour by plan. Source: the published API document, Limits. */
export const plans = { pro: 5000, enterprise: 20000 } as const;

export type PlanName = keyof typeof plans;

export const planNames = ['pro', 'enterprise'] as const satisfies readonly PlanName[];

/** At least this many bytes of texts can be stored by every account. */
const minStorageBytes = 2 ** 30;

/**
 * How many bytes of texts an account can store in records, events and the audit log: 1 MiB for each request of its
 * hourly limit, so 5,000 MiB with the plan pro and 20,000 MiB with enterprise, and never less than 1 GiB.
 */
export function toStorageQuota(hourlyLimit: number): number {
  return Math.max(minStorageBytes, hourlyLimit * 2 ** 20);
}

/** Length of the rate limit window, in seconds. */
export const rateWindowSeconds = 3600;

/** Records per page of a list. */
export const pageSizes = { default: 50, max: 200 } as const;

/** Largest request body, in bytes. */
export const bodyLimitBytes = 1_048_576;

/** How long a session of the settings pages lasts without and with use. */
export const sessionLimits = { idleMs: 14 * 86_400_000, totalMs: 30 * 86_400_000 } as const;

/** How long the response to a POST with an `Idempotency-Key` is kept, in seconds. */
export const idempotencyKeySeconds = 86_400;
