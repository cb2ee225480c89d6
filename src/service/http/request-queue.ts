import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../contract/endpoint.ts';
import { SalonError } from '../../contract/errors.ts';
import type { UnsentCheck } from './connections.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

/** What is under way in one process. */
export interface RequestQueue {
  /** Gives an authenticated request its place. Throws `service_unavailable` when its account has too many. */
  admit(request: FastifyRequest, endpoint: Endpoint): void;
  /** A hook that waits until the request may run. */
  start(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void;
  readonly load: () => {
    readonly reads: ReturnType<FairQueue['load']>;
    readonly writes: ReturnType<FairQueue['load']>;
  };
}

const waiting = { maxPending: 256, maxPendingTotal: 1_024, maxWaitMs: 15_000, sliceMs: 10 };
/** Reads of one account gain nothing from running in parallel, and delay those of others. */
const readLimits = { ...waiting, maxRunning: 8, maxRunningTotal: 64 };
/** Writes share commits, so that many at once are cheaper than one after the other. */
const writeLimits = { ...waiting, maxRunning: 32, maxRunningTotal: 128 };
const logIntervalMs = 10_000;
const retryAfterMs = 1_000;

export function createRequestQueue(log: FastifyBaseLogger, hasUnsent: UnsentCheck): RequestQueue {
  const reads = createFairQueue(readLimits);
  const writes = createFairQueue(writeLimits);
  const note = createRefusalLog(log);

  return {
    admit: (request, { method, isSafe }) => {
      const accountId = request.caller?.account.id ?? '';
      const credential = request.caller?.credential;
      const key = credential === undefined || credential.kind === 'operator' ? '' : credential.id;
      try {
        if (hasUnsent(accountId)) throw unread();
        request.turn = (method === 'GET' || isSafe ? reads : writes).admit(accountId, key);
      } catch (error) {
        request.isShed = true;
        note(accountId);
        throw error;
      }
    },
    start: ({ turn }, _reply, done) => {
      const started = turn?.start();
      if (started === undefined) done();
      else started.then(() => done(), done);
    },
    load: () => ({ reads: reads.load(), writes: writes.load() }),
  };
}

function unread(): SalonError {
  const detail = 'This account has too many unread responses. Read them, or try again later.';
  return new SalonError('service_unavailable', detail, { retryable: true, retryAfterMs });
}

/** One line for all refusals in an interval. */
function createRefusalLog(log: FastifyBaseLogger): (accountId: string) => void {
  let refused = 0;
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  return (account) => {
    refused += 1;
    const nowMs = performance.now();
    if (nowMs - loggedAtMs < logIntervalMs) return;
    log.warn({ refused, account }, 'too many requests: some were refused');
    refused = 0;
    loggedAtMs = nowMs;
  };
}
