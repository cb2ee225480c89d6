/** What a report has a row for. */
export const groupings = ['stylist', 'service', 'day', 'week', 'month'] as const;

export type Grouping = (typeof groupings)[number];

/** Names of periods that completion offers; `parsePeriod` knows more. */
export const periodNames = [
  ...['today', 'yesterday', 'this-week', 'last-week', 'next-week', 'this-month', 'last-month', 'next-month'],
  ...['this-quarter', 'last-quarter', 'this-year', 'last-year', 'last-7-days', 'last-30-days'],
] as const;

/** Statuses of payments that are revenue. */
export const paidStatuses: readonly string[] = ['completed'];
