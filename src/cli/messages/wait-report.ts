import type { ClientEvent } from '../../client/events.ts';
import { renderWait } from '../../client/rate-limit/rate-limit.ts';
import type { Messages } from './messages.ts';
import { type StatusLine, silentStatusLine } from './status-line.ts';

/** Shorter waits are not shown on the status line. */
const shownWaitMs = 1_000;
/** Without a status line, a line says so once a command has to wait this long, and then once a minute. */
const reportedWaitMs = 5_000;
const reportIntervalMs = 60_000;

export interface WaitReportOptions {
  readonly status: StatusLine;
  readonly messages: Pick<Messages, 'info' | 'isVerbose'>;
  readonly now: () => number;
}

/** Returns an observer that shows what the client waits for, and for how long: on the status line if there is one. */
export function createWaitReport(options: WaitReportOptions): (event: ClientEvent) => void {
  return options.status === silentStatusLine ? createLineReport(options) : createStatusReport(options);
}

function createStatusReport({ status, now }: WaitReportOptions) {
  return (event: ClientEvent) => {
    if (event.type === 'request') status.hide('wait');
    if (!isWait(event) || event.waitMs < shownWaitMs) return;
    const untilMs = now() + event.waitMs;
    status.show('wait', () => describeWait(event, untilMs - now()));
  };
}

/** With --verbose every wait has a line already. */
function createLineReport({ messages, now }: WaitReportOptions) {
  let sinceMs: number | undefined;
  let reportedMs = Number.NEGATIVE_INFINITY;
  return (event: ClientEvent) => {
    if (event.type === 'response' && event.status < 400) sinceMs = undefined;
    if (!isWait(event) || messages.isVerbose) return;
    const nowMs = now();
    sinceMs ??= nowMs;
    const isLong = nowMs + event.waitMs - sinceMs >= reportedWaitMs;
    if (!isLong || nowMs - reportedMs < reportIntervalMs) return;
    reportedMs = nowMs;
    messages.info(`${describeWait(event, event.waitMs)}.`);
  };
}

type Wait = Extract<ClientEvent, { type: 'retry' | 'waiting' }>;

function isWait(event: ClientEvent): event is Wait {
  return event.type === 'retry' || event.type === 'waiting';
}

function describeWait(event: Wait, leftMs: number): string {
  const left = renderWait(Math.max(0, leftMs));
  if (event.type === 'waiting') return `Waiting ${left} for the rate limit`;
  return `${event.reason.replace(/\.$/, '')}. Retrying in ${left}`;
}
