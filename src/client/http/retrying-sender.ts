import { setImmediate } from 'node:timers/promises';
import { isUnaskedContinue, SalonError } from '../../contract/errors.ts';
import type { BoundedQueue } from '../../queue.ts';
import type { Mask } from '../../text/mask-secrets.ts';
import { type Clock, createInterruptedError, type Deadline } from '../deadline.ts';
import type { Observe } from '../events.ts';
import { isLimited, limitReached, type RateLimit } from '../rate-limit/rate-limit-headers.ts';
import type { Permit, RateLimiter } from '../rate-limit/rate-limiter.ts';
import { maskHeaders } from '../response-headers.ts';
import { classifyResponse, decodeError } from './decode-error.ts';
import type { Connection } from './http-connection.ts';
import { createRequestTimer } from './request-timer.ts';
import {
  decideRetry,
  isLimit,
  isUnanswered,
  isWrite,
  type Random,
  type RetryDecision,
  toStatusMeaning,
  toUnknownResult,
} from './retry.ts';
import { type ApiRequest, type RawResponse, type SendLimits, send } from './send.ts';

export interface RetryingSenderOptions {
  readonly connection: Connection;
  readonly observe: Observe;
  /** Hides secrets in what is observed. */
  readonly mask: Mask;
  readonly clock: Clock;
  /** Whether the phases of requests are measured. */
  readonly isTimed: boolean;
  /** Limits the requests under way. */
  readonly queue: Pick<BoundedQueue<string>, 'run'>;
  readonly rateLimiter: RateLimiter;
  readonly deadline: Deadline;
  readonly random: Random;
  readonly retries: number | undefined;
  /** Asked with each failure, as in `ClientOptions`. */
  readonly waitsForService: () => boolean;
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  /** No request is sent after it fires. */
  readonly stop: AbortSignal | undefined;
  /** Cancels requests in flight too. */
  readonly abort: AbortSignal;
  /** Called with every response, also with those that lead to a retry. Returns the rate limit it reports. */
  readonly onResponse: (response: RawResponse) => RateLimit | undefined;
  /** Whether a failure says that nothing was changed, so that the same request would fail again. */
  readonly isRefusal: (response: RawResponse) => boolean;
}

export interface SentResponse {
  readonly response: RawResponse;
  /** The request writes, and an earlier attempt may have been executed without a confirmation. */
  readonly isUnconfirmed: boolean;
}

interface SendOptions {
  readonly honoursKeys: boolean;
  /** Cancels this request, also in flight. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a request, and retries it where that is safe, until a retry would not change the response.
 * Throws `interrupted` when stopped or aborted. An error after which a write may have been executed is `result_unknown`
 * or has the member `in_doubt`.
 */
export type RetryingSender = (request: ApiRequest, options: SendOptions) => Promise<SentResponse>;

const freePermit: Permit = { recordResponse: () => {}, recordRefusal: () => {}, release: () => {} };

export function createRetryingSender(options: RetryingSenderOptions): RetryingSender {
  const { queue, rateLimiter, deadline, clock, random, observe, mask, retries } = options;
  const send = createObservedSend(options);
  let inFlight = 0;
  let hasWarned = false;
  const combined = new WeakMap<AbortSignal, AbortSignals>();
  options.stop?.addEventListener('abort', reportFinishing, { signal: options.abort });
  return async (request, sendOptions) => {
    const sent = await queue.run('', () => sendWithRetries(request, sendOptions));
    // undici writes a request in the next turn of the event loop. Pages that arrive in one turn would all be parsed before
    // the requests that waited for their places: with eight at once, a list takes a fifth longer.
    await setImmediate();
    await setImmediate();
    return sent;
  };

  function reportFinishing(): void {
    if (inFlight > 0) observe({ type: 'finishing', requests: inFlight });
  }

  /** Of a change that turns out to be made, nothing else would say so. */
  function warn({ message }: SalonError): void {
    if (!hasWarned)
      observe({
        type: 'warning',
        message: `${message} No change is repeated unless the record shows that it was not made.`,
      });
    hasWarned = true;
  }

  /** Combines the client's signals with the signal of a request. Requests with the same signal share the result. */
  function combineSignals(signal = options.abort): AbortSignals {
    const known = combined.get(signal);
    if (known !== undefined) return known;
    const abort = AbortSignal.any([options.abort, signal]);
    const stop = options.stop === undefined ? abort : AbortSignal.any([abort, options.stop]);
    combined.set(signal, { abort, stop });
    return { abort, stop };
  }

  async function sendWithRetries(
    request: ApiRequest,
    { honoursKeys, signal }: SendOptions,
  ): Promise<SentResponse> {
    const signals = combineSignals(signal);
    let isUnconfirmed = false;
    let failures = 1;
    try {
      for (let attempts = 1; ; attempts += 1) {
        const result = await attempt(request, { attempts, failures, honoursKeys, ...signals });
        if (result.response !== undefined) return { response: result.response, isUnconfirmed };
        isUnconfirmed ||= isWrite(request.method) && result.mayBeExecuted;
        if (isUnconfirmed && isUnaskedContinue(result.error.cause)) warn(result.error);
        await waitForRetry(request, { ...result, attempts, stop: signals.stop });
        if (!result.decision.isPatient) failures += 1;
      }
    } catch (thrown) {
      throw isUnconfirmed && thrown instanceof SalonError ? toUnknownResult(thrown, request.method) : thrown;
    }
  }

  async function attempt(
    request: ApiRequest,
    state: AbortSignals & { attempts: number; failures: number; honoursKeys: boolean },
  ) {
    const { stop, abort } = state;
    const permit = request.isUnlimited ? freePermit : await rateLimiter.acquire(stop);
    // A request that the server holds is not worth waiting for.
    const isHeld = request.heldMs !== undefined;
    const signal = isHeld ? stop : abort;
    if (!isHeld) inFlight += 1;
    try {
      const timeoutMs = deadline.timeoutMs(options.timeoutMs + (request.heldMs ?? 0));
      const result = await sendOnce(request, { permit, timeoutMs, signal, stop });
      if (result.response !== undefined) return result;
      const waitsForService = options.waitsForService();
      const given = { method: request.method, retries, random, waitsForService };
      const decision = decideRetry({ ...state, ...result, ...given });
      const { retryAfterMs } = result.error;
      if (isLimit(result.error)) permit.recordRefusal(decision.waitMs ?? retryAfterMs ?? 0);
      return { ...result, decision };
    } finally {
      if (!isHeld) inFlight -= 1;
      permit.release();
    }
  }

  /** Returns the response, or the error where a retry may help. */
  async function sendOnce(
    request: ApiRequest,
    { permit, ...limits }: { permit: Permit; timeoutMs: number; signal: AbortSignal; stop: AbortSignal },
  ) {
    try {
      const response = await send(request, limits);
      const limit = options.onResponse(response);
      if (!isLimited(response)) permit.recordResponse(limit);
      if (response.status >= 300 && !options.isRefusal(response)) {
        const { isTemporary, isRejection } = classifyResponse(response);
        if (isTemporary) return { error: decodeError(response, clock.now()), mayBeExecuted: !isRejection };
      }
      deadline.recordSuccess();
      return { response };
    } catch (thrown) {
      if (!(thrown instanceof SalonError)) throw thrown;
      return { error: thrown, mayBeExecuted: mayBeExecuted(thrown) };
    }
  }

  /** Waits before the next attempt, or throws if there is none. */
  async function waitForRetry(
    { method, origin, path }: ApiRequest,
    failed: { error: SalonError; decision: RetryDecision; attempts: number; stop: AbortSignal },
  ): Promise<void> {
    const { error, attempts, stop } = failed;
    const { waitMs, isPatient } = failed.decision;
    // An interrupt also gives up connections that are not open yet.
    const isStopped = stop.aborted && (waitMs !== undefined || error.code === 'connection_failed');
    if (isStopped) throw createInterruptedError(stop.reason);
    if (waitMs === undefined) throw error;
    if (!isPatient && !deadline.reserveRetry()) throw error;
    if (!deadline.reserveWait(waitMs)) {
      throw isLimit(error) ? limitReached(waitMs, clock.now(), error) : error;
    }
    observe({
      type: 'retry',
      method,
      url: mask(origin + path),
      attempts,
      waitMs,
      reason: mask(error.message),
    });
    await clock.sleep(waitMs, stop).catch((thrown: unknown) => {
      throw stop.aborted ? createInterruptedError(stop.reason) : thrown;
    });
  }
}

/** Signals that cancel a request: `stop` before it is sent, `abort` at any time. */
interface AbortSignals {
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
}

/** Whether a request that failed below HTTP, at a redirect or at a proxy may have been executed. */
function mayBeExecuted(error: SalonError): boolean {
  if (error.code === 'connection_failed') return false;
  if (error.status !== undefined) return !toStatusMeaning(error.status, undefined).isRejection;
  return isUnanswered(error) || error.code === 'interrupted';
}

/** Like `send`, and reports the request with its response or failure. Numbers the requests from 1. */
function createObservedSend(options: RetryingSenderOptions) {
  const { connection, observe, mask, clock, maxResponseBytes, isTimed } = options;
  let requests = 0;
  return async (
    request: ApiRequest,
    limits: Pick<SendLimits, 'timeoutMs' | 'signal' | 'stop'>,
  ): Promise<RawResponse> => {
    const startMs = clock.now();
    const details = { number: ++requests, method: request.method, url: mask(request.origin + request.path) };
    observe({
      type: 'request',
      ...details,
      headers: () => maskHeaders(request.headers, mask),
      bodyBytes: Buffer.byteLength(request.body ?? ''),
      body: () => request.body && mask(request.body),
    });
    const timer = isTimed ? createRequestTimer() : undefined;
    try {
      const response = await send(connection, request, { ...limits, maxResponseBytes, timer });
      const { stream, bytes } = response;
      if (stream === undefined) reportResponse(response, bytes.length);
      else {
        void stream.ended.then((end) =>
          end.error === undefined
            ? reportResponse({ ...response, bytes: end.start }, end.bytes)
            : reportFailure(end.error),
        );
      }
      return response;
    } catch (thrown) {
      reportFailure(thrown);
      throw thrown;
    }

    function reportResponse({ status, headers, bytes }: RawResponse, bodyBytes: number): void {
      observe({
        type: 'response',
        ...details,
        status,
        headers: () => maskHeaders(headers, mask),
        bodyBytes,
        body: () => mask(Buffer.from(bytes).toString()),
        tookMs: clock.now() - startMs,
        timings: timer?.read(),
      });
    }

    function reportFailure(thrown: unknown): void {
      const reason = mask(thrown instanceof Error ? thrown.message : String(thrown));
      const status = thrown instanceof SalonError ? thrown.status : undefined;
      const times = { tookMs: clock.now() - startMs, timings: timer?.read() };
      observe({ type: 'failure', ...details, status, reason, ...times });
    }
  };
}
