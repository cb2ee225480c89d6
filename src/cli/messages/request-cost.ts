import { type RateLimit, renderWait } from '../../client/rate-limit/rate-limit-headers.ts';
import { renderCount } from '../../text/numbers.ts';
import { toClockText } from '../../time/local-days.ts';
import { createZoneClock } from '../../time/time.ts';
import type { Messages } from './messages.ts';

/** What the number of requests for a list depends on, known after its first page. */
export interface RequestCost {
  readonly records: number;
  readonly perPage: number;
  /** The server's rate limit. */
  readonly limit: RateLimit | undefined;
  /** The budget of --rate. */
  readonly perHour: number | undefined;
  readonly nowMs: number;
  /** Read only if the message has a time: the first use of Intl takes 12 ms. */
  readonly timeZone: string;
}

/** Reports how many requests a list of several pages needs: with -v, else if they are a tenth of the hour's. */
export function reportCost(cost: RequestCost, messages: Messages): void {
  const requests = Math.ceil(cost.records / cost.perPage);
  if (!(requests > 1) || !Number.isFinite(requests)) return;
  const limit = toHourlyLimit(cost);
  const print = limit !== undefined && requests / limit > 0.1 ? messages.info : messages.verbose;
  print(renderCost(requests, cost));
}

/** `500 requests, 10% of this hour's limit: 300 left now, the rest after 14:00 (in 23 min)` */
export function renderCost(requests: number, cost: RequestCost): string {
  const limit = toHourlyLimit(cost);
  const isHour = (cost.limit?.windowMs ?? 3_600_000) === 3_600_000;
  const isOwnBudget = cost.perHour !== undefined && limit === cost.perHour;
  const period = isOwnBudget ? 'the hourly budget (--rate)' : isHour ? "this hour's limit" : 'the limit';
  const percent = limit === undefined ? 0 : (requests / limit) * 100;
  const part = percent < 1 ? 'less than 1%' : `${Math.round(percent)}%`;
  const share = limit === undefined ? '' : `, ${part} of ${period}`;
  return `${renderCount(requests)} requests${share}${renderRest(requests - 1, cost)}`;
}

/** The smaller one of rate limit and budget. */
function toHourlyLimit({ limit, perHour }: RequestCost): number | undefined {
  const limits = [limit?.limit, perHour].filter((one) => one !== undefined && one > 0);
  return limits.length === 0 ? undefined : Math.min(...(limits as number[]));
}

/** How many of the next requests fit into this hour, if the server says so and it is not all of them. */
function renderRest(requests: number, cost: RequestCost): string {
  const { limit, nowMs } = cost;
  const { remaining, resetAtMs } = limit ?? {};
  if (remaining === undefined || remaining >= requests) return '';
  const left = `: ${renderCount(remaining)} left now`;
  if (resetAtMs === undefined || resetAtMs <= nowMs) return left;
  const { timeZone } = cost;
  const time = toClockText(createZoneClock(timeZone).wall(resetAtMs));
  return `${left}, the rest after ${time} (in ${renderWait(resetAtMs - nowMs)})`;
}
