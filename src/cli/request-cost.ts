import { type RateLimit, renderWait } from '../client/rate-limit/rate-limit.ts';
import { renderCount } from '../contract/numbers.ts';
import type { Messages } from './messages/messages.ts';

export interface RequestCost {
  /** Records there are, as far as they are wanted, and how many came on the first page. */
  readonly records: number;
  readonly perPage: number;
  /** What the server says of its limit, after the first page. */
  readonly limit: RateLimit | undefined;
  /** The budget that was given, where there is one. */
  readonly perHour: number | undefined;
  readonly nowMs: number;
  readonly timeZone: string;
}

/** A part of the hour that is worth a word without being asked. */
const worthTelling = 0.1;

/** Says what a list of several pages costs, once its first page is there: always with -v, else when it costs much. */
export function reportCost(cost: RequestCost, messages: Messages): void {
  const requests = Math.ceil(cost.records / cost.perPage);
  if (!(requests > 1) || !Number.isFinite(requests)) return;
  const most = mostOf(cost);
  const tell = most !== undefined && requests / most > worthTelling ? messages.info : messages.verbose;
  tell(renderCost(requests, cost));
}

/** `500 requests, 10 % of this hour: 300 left now; the rest after 14:00 (in 23 min)`. */
export function renderCost(requests: number, cost: RequestCost): string {
  const most = mostOf(cost);
  const share = most === undefined ? '' : `, ${percent(requests / most)} of ${windowOf(cost.limit)}`;
  return `${renderCount(requests)} requests${share}${renderRest(requests - 1, cost)}`;
}

/** Of the server's limit and the budget the smaller one. */
function mostOf({ limit, perHour }: RequestCost): number | undefined {
  const known = [limit?.limit, perHour].filter((most) => most !== undefined && most > 0);
  return known.length === 0 ? undefined : Math.min(...(known as number[]));
}

/** What does not fit in any more, where the server says what is left and until when. */
function renderRest(coming: number, { limit, nowMs, timeZone }: RequestCost): string {
  const { remaining, resetAtMs } = limit ?? {};
  if (remaining === undefined || remaining >= coming) return '';
  const left = `: ${renderCount(remaining)} left now`;
  if (resetAtMs === undefined || resetAtMs <= nowMs) return left;
  const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(resetAtMs);
  return `${left}; the rest after ${clock} (in ${renderWait(resetAtMs - nowMs)})`;
}

function windowOf(limit: RateLimit | undefined): string {
  return (limit?.windowMs ?? 3_600_000) === 3_600_000 ? 'this hour' : 'the limit';
}

function percent(part: number): string {
  return part < 0.01 ? 'less than 1 %' : `${Math.round(part * 100)} %`;
}
