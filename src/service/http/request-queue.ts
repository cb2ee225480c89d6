import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../contract/endpoint.ts';
import { SalonError } from '../../contract/errors.ts';
import { createBoundedQueue } from '../../queue.ts';
import { createWindowLimiter } from '../domain/window-limit.ts';
import { createTurnShare, type UnsentCheck } from './connections.ts';

const waiting = { maxPending: 256, maxPendingTotal: 1_024, maxWaitMs: 15_000 };
/** Reads of one account gain nothing from running in parallel, and delay those of others. */
const readLimits = { ...waiting, maxRunning: 8, maxRunningTotal: 64 };
/** Most of a write is waiting for its body, for the others of its account and for the disk. */
const writeLimits = { ...waiting, maxRunning: 32, maxRunningTotal: 128 };
/**
 * Reads that end at once would otherwise never have a queue: all would run in the order in which they arrived, and a request
 * of another account behind a thousand of them.
 */
const turnLimits = { maxMs: 10 };
const logLimit = { key: '', burst: 1, intervalMs: 10_000 };
const retryAfterMs = 1_000;

/** Queues the requests under way in one process. Accounts take turns, and the API keys and sign-ins of an account. */
export function createRequestQueue(log: FastifyBaseLogger, hasUnsent: UnsentCheck) {
  const reads = createBoundedQueue({ ...readLimits, refuse, share: createTurnShare(turnLimits) });
  const writes = createBoundedQueue({ ...writeLimits, refuse, share: createTurnShare(turnLimits) });
  const note = createRefusalLog(log);

  return {
    /** Gives an authenticated request its place. Throws `service_unavailable` when its account has too many. */
    admit: (request: FastifyRequest, { method, isSafe }: Endpoint) => {
      const accountId = request.caller?.account.id ?? '';
      const credential = request.caller?.credential;
      const key = credential === undefined || credential.kind === 'operator' ? '' : credential.id;
      try {
        if (hasUnsent(accountId)) {
          throw tooBusy('This account has too many unread responses. Read them, or try again later.');
        }
        request.place = (method === 'GET' || isSafe ? reads : writes).enter(accountId, key);
      } catch (error) {
        request.isShed = true;
        note(accountId);
        throw error;
      }
    },
    /** A hook that waits until the request may run. */
    start: ({ place }: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) =>
      place === undefined ? done() : place.start(done),
  };
}

export type RequestQueue = ReturnType<typeof createRequestQueue>;

function refuse(reason: 'full' | 'late'): SalonError {
  return tooBusy(
    reason === 'full'
      ? 'This account has too many requests in progress. Try again in a second.'
      : 'The request waited too long for other requests of this account.',
  );
}

function tooBusy(detail: string): SalonError {
  return new SalonError('service_unavailable', detail, { retryable: true, retryAfterMs });
}

/** Logs that requests were refused: one line for all refusals in an interval. */
function createRefusalLog(log: FastifyBaseLogger): (accountId: string) => void {
  const limiter = createWindowLimiter(() => performance.now());
  let refused = 0;
  return (account) => {
    refused += 1;
    if (limiter(logLimit) > 0) return;
    log.warn({ refused, account }, 'too many requests: some were refused');
    refused = 0;
  };
}
