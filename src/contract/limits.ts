/** Requests an hour by plan. Source: the service's document, Limits. */
export const plans = { pro: 5000, enterprise: 20000 } as const;

export type Plan = keyof typeof plans;

export const planNames = ['pro', 'enterprise'] as const satisfies readonly Plan[];

/** Length of the window that a plan's requests are counted in, in seconds. */
export const rateWindowSeconds = 3600;

/** Items on a page of a list: what is sent when nothing is asked, and the most a page holds. */
export const pageSizes = { default: 50, most: 200 } as const;

/** Largest request body the service reads, in bytes. */
export const bodyLimitBytes = 1_048_576;

/** How long the answer to a POST with an `Idempotency-Key` is kept, for the same one to be answered the same. */
export const keysKeptForSeconds = 86_400;
