/* What the service allows and how long it keeps what: no caller has to know it. */

/** At least this many bytes of texts can be stored by every account. */
const minStorageBytes = 2 ** 30;

/**
 * How many bytes of texts an account can store in records, events and the audit log: 1 MiB for each request of its
 * hourly limit, so 5,000 MiB with the plan pro and 20,000 MiB with enterprise, and never less than 1 GiB.
 */
export function toStorageQuota(hourlyLimit: number): number {
  return Math.max(minStorageBytes, hourlyLimit * 2 ** 20);
}

/** How long a session of the settings pages lasts without and with use. */
export const sessionLimits = { idleMs: 14 * 86_400_000, totalMs: 30 * 86_400_000 } as const;

/** How long the response to a POST with an `Idempotency-Key` is kept, in seconds. */
export const idempotencyKeySeconds = 86_400;

/** How long entries are kept if an account has not chosen, in days. */
export const auditKeptDays = 365;

/** The shortest and longest time that an account may choose, in days. */
export const auditKeptRange = { least: 30, most: 3650 } as const;

/** A list that sends more rows than this in an hour to one credential is an export. */
export const exportRows = 1000;

/** How long events, deliveries and their attempts are kept, in days. */
export const deliveriesKeptDays = 30;

/** How long a receiver may take to respond, in milliseconds. */
export const deliveryTimeoutMs = 15_000;

/** How much of a response is kept, in bytes. */
export const keptResponseBytes = 1024;

/** How long before the start an appointment can get an attendance status without `allow_early`, in milliseconds. */
export const earlyAttendanceMs = 86_400_000;

/** How long the previous secret still signs after a rotation, in seconds. */
export const secretOverlapSeconds = 86_400;
