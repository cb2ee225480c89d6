import { hourMs, minuteMs } from '../../time/time.ts';
import { isFields } from '../json-object.ts';
import {
  emptyObservation,
  type LimitObservation,
  mergeObservations,
  toLimitStatus,
} from './limit-observation.ts';

/** The number of requests that may be sent within 30 s; if there are none, when to ask again. */
interface Allowance {
  readonly count: number;
  readonly retryAtMs: number;
}

export interface Grant extends Allowance {
  /** What all clients of the account know about the limit. */
  readonly observation: LimitObservation;
}

export interface UsageReport {
  /** Requests that have ended, with or without a response. */
  readonly ended: number;
  readonly pending: number;
  readonly observation: LimitObservation;
}

/** Where the clients of an account reserve their requests, so that together they stay within its rate limit. */
export interface Ledger {
  /** Records usage and reserves more requests. Returns unused reservations. */
  take(report: UsageReport): Promise<Grant>;
  /** Records usage and returns unused reservations for the last time. */
  close(report: UsageReport): Promise<void>;
}

export function createMemoryLedger({ now, ...limits }: RequestLimits & { now: () => number }): Ledger {
  let state = emptyLedger;
  return {
    async take(report) {
      const nowMs = now();
      const reserved = reserve(recordUsage(state, 'own', report, nowMs), 'own', { nowMs, ...limits });
      state = reserved.state;
      return reserved.grant;
    },
    async close() {},
  };
}

/** What the clients of an account share. Stored as JSON, so the names of the members are a file format. */
export interface LedgerState {
  readonly observation: LimitObservation;
  /** Requests that each client has reserved or in flight. */
  readonly reservations: Readonly<Record<string, { readonly count: number; readonly atMs: number }>>;
  /** Requests sent, by the minute in which they were recorded. */
  readonly sent: readonly SentCount[];
}

interface SentCount {
  readonly minuteMs: number;
  readonly count: number;
}

export const emptyLedger: LedgerState = {
  observation: emptyObservation,
  reservations: {},
  sent: [],
};

/** Limits besides the one that the server's responses name. */
export interface RequestLimits {
  /** Requests the user allows in any hour. */
  readonly perHour: number | undefined;
  /** Requests that a server which does not name its limit allows, such as `100/2m`: in any two minutes. */
  readonly declared?: string | null;
}

export interface LimitFacts extends RequestLimits {
  readonly nowMs: number;
}

/** Requests reserved at a time. A crash may waste as many. */
const maxReserved = 64;
/** The same before the first response. */
const maxReservedBlindly = 8;
/** Reserving only a part of what remains leaves some for other clients. */
const reservedPart = 1 / 8;
/** When the reservation of a client that does not report any more expires. */
const leaseMs = minuteMs;
/** Time for one request to find out the status of the limit before another one tries. */
const probeMs = 5_000;
/** Interval for checking whether other clients have returned reservations. */
const pollMs = 250;

/** Records a client's report. Its unused reservations become free. */
export function recordUsage(
  state: LedgerState,
  client: string,
  report: UsageReport,
  nowMs: number,
): LedgerState {
  const { [client]: _before, ...others } = state.reservations;
  const own = report.pending > 0 ? { [client]: { count: report.pending, atMs: nowMs } } : {};
  const recent = Object.entries(others).filter(([, { atMs }]) => atMs > nowMs - hourMs);
  return {
    observation: mergeObservations(state.observation, report.observation),
    reservations: { ...Object.fromEntries(recent), ...own },
    sent: addSent(state.sent, report.ended, nowMs),
  };
}

export function reserve(
  state: LedgerState,
  client: string,
  facts: LimitFacts,
): { readonly state: LedgerState; readonly grant: Grant } {
  const { observation } = state;
  const { count: free, retryAtMs } = computeAllowance(state, facts);
  if (free < 1) return { state, grant: { count: 0, retryAtMs, observation } };
  const isKnown = observation.limitSeenAtMs > 0 || observation.noneSeenAtMs > 0;
  const max = isKnown ? maxReserved : maxReservedBlindly;
  const count = Math.max(1, Math.min(max, Math.floor(free * reservedPart)));
  const reserved = { count: count + (state.reservations[client]?.count ?? 0), atMs: facts.nowMs };
  return {
    state: { ...state, reservations: { ...state.reservations, [client]: reserved } },
    grant: { count, retryAtMs, observation },
  };
}

/** The allowance left by all reservations. */
function computeAllowance(state: LedgerState, { nowMs, perHour, declared }: LimitFacts): Allowance {
  const unlimited = { count: Number.POSITIVE_INFINITY, retryAtMs: nowMs };
  const { pausedUntilMs } = state.observation;
  const own = [
    ...(perHour === undefined ? [] : [{ most: perHour, windowMs: hourMs }]),
    ...(declared ? [parseWindow(declared)] : []),
  ].map((window) => windowAllowance(state, nowMs, window));
  // No client sends anything during the wait after a 429 response.
  let lowest = nowMs < pausedUntilMs ? { count: 0, retryAtMs: pausedUntilMs } : unlimited;
  for (const other of [serverAllowance(state, nowMs), ...own]) {
    const isLater = other.count === 0 && other.retryAtMs > lowest.retryAtMs;
    if (other.count < lowest.count || isLater) lowest = other;
  }
  return lowest;
}

/** What remains of the server's limit. While that is unknown, one request at a time finds out. */
function serverAllowance(state: LedgerState, nowMs: number): Allowance {
  const { remaining, endsAtMs } = toLimitStatus(state.observation, nowMs);
  if (remaining === undefined) {
    return { count: Math.max(0, 1 - countReserved(state, nowMs - probeMs)), retryAtMs: nowMs + pollMs };
  }
  const reserved = countReserved(state, nowMs - Math.min(leaseMs, state.observation.windowMs));
  const retryAtMs = remaining > 0 ? Math.min(endsAtMs, nowMs + pollMs) : endsAtMs;
  return { count: Math.max(0, remaining - reserved), retryAtMs };
}

interface RequestWindow {
  readonly most: number;
  readonly windowMs: number;
}

function parseWindow(text: string): RequestWindow {
  const [, most, minutes] = /^(\d+)\/(\d*)m$/.exec(text) ?? [];
  return { most: Number(most), windowMs: Number(minutes || 1) * minuteMs };
}

/** What remains of a limit that holds for any period of a length, at most an hour. */
function windowAllowance(state: LedgerState, nowMs: number, { most, windowMs }: RequestWindow): Allowance {
  const recent = state.sent.filter((one) => one.minuteMs + minuteMs + windowMs > nowMs);
  const [oldest] = recent;
  const sent = recent.reduce((sum, { count }) => sum + count, 0);
  const reserved = countReserved(state, nowMs - windowMs);
  const mayBeReturned = sent < most && countReserved(state, nowMs - leaseMs) > 0;
  const ends = Object.values(state.reservations).map(({ atMs }) => atMs + windowMs);
  if (oldest !== undefined) ends.push(oldest.minuteMs + minuteMs + windowMs);
  const retryAtMs = mayBeReturned ? nowMs + pollMs : Math.max(nowMs + pollMs, Math.min(...ends));
  return { count: Math.max(0, most - sent - reserved), retryAtMs };
}

function countReserved({ reservations }: LedgerState, sinceMs: number): number {
  let sum = 0;
  for (const { count, atMs } of Object.values(reservations)) if (atMs > sinceMs) sum += count;
  return sum;
}

/** A request counts until an hour after the end of its minute: never too short, and at most a minute too long. */
function addSent(sent: readonly SentCount[], count: number, nowMs: number): SentCount[] {
  const recent = sent.filter((one) => one.minuteMs + minuteMs + hourMs > nowMs);
  if (count === 0) return recent;
  const minute = nowMs - (nowMs % minuteMs);
  const last = recent.at(-1);
  if (last === undefined || last.minuteMs < minute) return [...recent, { minuteMs: minute, count }];
  return [...recent.slice(0, -1), { ...last, count: last.count + count }];
}

/** Parses a stored state; undefined if it is damaged. */
export function parseLedgerState(stored: unknown): LedgerState | undefined {
  if (!isFields(stored)) return undefined;
  const { observation, reservations, sent } = stored;
  const { readings: _readings, ...times } = emptyObservation;
  const isValid =
    isFields(observation) &&
    haveNumbers([observation], Object.keys(times)) &&
    haveNumbers(observation['readings'], ['remaining', 'receivedAtMs', 'endsAtMs']) &&
    isFields(reservations) &&
    haveNumbers(Object.values(reservations), ['count', 'atMs']) &&
    haveNumbers(sent, ['minuteMs', 'count']);
  return isValid ? ({ observation, reservations, sent } as unknown as LedgerState) : undefined;
}

function haveNumbers(list: unknown, names: readonly string[]): boolean {
  if (!Array.isArray(list)) return false;
  return list.every((item) => isFields(item) && names.every((name) => Number.isFinite(item[name])));
}
