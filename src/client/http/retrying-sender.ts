import { SalonError } from '../../contract/errors.ts';
import type { Clock } from '../clock.ts';
import { type AbortSignals, createAbortSignals, type Deadline, interrupted } from '../deadline.ts';
import type { Observe } from '../events.ts';
import { toShownHeaders } from '../headers.ts';
import { limitReached, type RateLimit } from '../rate-limit/rate-limit.ts';
import type { Permit, RateLimiter, Semaphore } from '../rate-limit/rate-limiter.ts';
import type { Connection } from './connection.ts';
import { decodeError, problemCodeOf } from './decode-error.ts';
import { decideRetry, isTemporaryAnswer, mayHaveHappened, type Random, type Verdict } from './retry.ts';
import { type Outgoing, type RawResponse, send } from './send.ts';

export interface RetryingSenderOptions {
  readonly connection: Connection;
  readonly gate: Semaphore;
  readonly turnstile: RateLimiter;
  readonly patience: Deadline;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observe;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  /** Once it fires no request is begun. */
  readonly stop: AbortSignal | undefined;
  /** Ends also those under way. */
  readonly abort: AbortSignal;
  /** Told of every answer, also of those that lead to another try; answers what it said of the limit. */
  readonly seen: (answer: RawResponse) => RateLimit | undefined;
}

export interface Exchanged {
  readonly answer: RawResponse;
  /** An earlier try ended without an answer and may have been carried out. */
  readonly inDoubt: boolean;
}

export interface SendOptions {
  readonly honoursKeys: boolean;
  /** Ends this one also when it is under way. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a request, again where that is safe, until there is an answer that another try would not change.
 * Throws `interrupted` where it was stopped or aborted, with the member `in_doubt` where it may have been carried out.
 */
export type RetryingSender = (outgoing: Outgoing, options: SendOptions) => Promise<Exchanged>;

export function createRetryingSender(parts: RetryingSenderOptions): RetryingSender {
  let requests = 0;
  let underWay = 0;
  const endingsOf = createAbortSignals(parts);
  parts.stop?.addEventListener('abort', tellFinishing, { signal: parts.abort });
  return (outgoing, options) => parts.gate(() => exchange(outgoing, options));

  function tellFinishing(): void {
    if (underWay > 0) parts.observe({ type: 'finishing', requests: underWay });
  }

  async function exchange(outgoing: Outgoing, { honoursKeys, signal }: SendOptions): Promise<Exchanged> {
    const { abort, stop } = endingsOf(signal);
    let inDoubt = false;
    let failed = 1;
    try {
      for (let tries = 1; ; tries += 1) {
        const trial = await attempt(outgoing, { tries, failed, honoursKeys, abort, stop });
        if ('answer' in trial) return { answer: trial.answer, inDoubt };
        inDoubt ||= mayHaveHappened(trial.error) || trial.error.code === 'interrupted';
        await waitForNext(outgoing, { ...trial, tries, stop });
        if (!trial.verdict.asked) failed += 1;
      }
    } catch (thrown) {
      const isInterrupted = thrown instanceof SalonError && thrown.code === 'interrupted';
      throw isInterrupted && inDoubt ? inDoubtOf(thrown, outgoing.method) : thrown;
    }
  }

  /** One try: the answer, or the error of one that another try might turn into an answer and what follows from it. */
  async function attempt(outgoing: Outgoing, { abort, stop, ...state }: TrialState): Promise<Trial> {
    const { retries, random, turnstile } = parts;
    const passage = await turnstile.enter(stop);
    underWay += 1;
    try {
      const result = await request(outgoing, passage, abort);
      if (!(result instanceof SalonError)) return { answer: result };
      const verdict = decideRetry({ ...state, method: outgoing.method, error: result, retries, random });
      if (result.status === 429) passage.refused(verdict.waitMs ?? result.retryAfterMs ?? 0);
      return { error: result, verdict };
    } finally {
      underWay -= 1;
      passage.leave();
    }
  }

  async function request(
    outgoing: Outgoing,
    passage: Permit,
    signal: AbortSignal,
  ): Promise<RawResponse | SalonError> {
    const number = ++requests;
    const startMs = parts.clock.now();
    const timeoutMs = parts.patience.timeoutMs(parts.timeoutMs);
    const about = { number, method: outgoing.method, url: outgoing.origin + outgoing.path };
    const bodyBytes = Buffer.byteLength(outgoing.body ?? '');
    parts.observe({
      type: 'request',
      ...about,
      headers: () => toShownHeaders(outgoing.headers),
      bodyBytes,
    });
    try {
      const limits = { timeoutMs, maxAnswerBytes: parts.maxAnswerBytes, signal };
      const raw = await send(parts.connection, outgoing, limits);
      parts.observe({
        type: 'answer',
        ...about,
        status: raw.status,
        headers: () => toShownHeaders(raw.headers),
        bodyBytes: raw.bytes.length,
        tookMs: parts.clock.now() - startMs,
      });
      const limit = parts.seen(raw);
      if (raw.status !== 429) passage.answered(limit);
      if (isTemporary(raw)) return decodeError(raw, parts.clock.now());
      parts.patience.succeeded();
      return raw;
    } catch (thrown) {
      if (thrown instanceof SalonError) return thrown;
      throw thrown;
    }
  }

  /** Waits until the next try. Throws where there is none. */
  async function waitForNext(outgoing: Outgoing, { error, verdict, tries, stop }: Failed): Promise<void> {
    const { method, origin, path } = outgoing;
    const { clock, patience } = parts;
    const { waitMs, asked } = verdict;
    if (waitMs === undefined) throw verdict.error;
    if (stop.aborted) throw interrupted(stop.reason);
    if (!asked && !patience.allowsRepeat()) throw verdict.error;
    if (!patience.allowsWait(waitMs)) {
      throw error.status === 429 ? limitReached(waitMs, clock.now(), error) : verdict.error;
    }
    parts.observe({ type: 'retry', method, url: origin + path, tries, waitMs, reason: error.message });
    await clock.sleep(waitMs, stop).catch((thrown: unknown) => {
      throw stop.aborted ? interrupted(stop.reason) : thrown;
    });
  }
}

interface TrialState extends AbortSignals {
  readonly tries: number;
  readonly failed: number;
  readonly honoursKeys: boolean;
}

type Trial = { readonly answer: RawResponse } | FailedTrial;

interface FailedTrial {
  readonly error: SalonError;
  readonly verdict: Verdict;
}

interface Failed extends FailedTrial {
  readonly tries: number;
  readonly stop: AbortSignal;
}

/** An interruption after something was sent leaves open what became of it, unless it only reads. */
function inDoubtOf(interruption: SalonError, method: string): SalonError {
  if (method === 'GET' || method === 'HEAD') return interruption;
  return new SalonError(
    'interrupted',
    `Interrupted; it is not known whether the ${method} was carried out.`,
    {
      hint: 'Look at the record before trying again.',
      members: { in_doubt: true },
      cause: interruption,
    },
  );
}

function isTemporary(raw: RawResponse): boolean {
  return isTemporaryAnswer(raw.status, raw.status === 409 ? problemCodeOf(raw) : undefined);
}
