/** Requests per hour by plan. Source: the published API document, Limits. */
export const plans = { pro: 5000, enterprise: 20000 } as const;

export type PlanName = keyof typeof plans;

export const planNames = ['pro', 'enterprise'] as const satisfies readonly PlanName[];

/** Length of the rate limit window, in seconds. */
export const rateWindowSeconds = 3600;

/** Records per page of a list. */
export const pageSizes = { default: 50, max: 200 } as const;

/** Largest request body, in bytes. */
export const bodyLimitBytes = 1_048_576;
