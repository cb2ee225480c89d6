import { SalonError } from '../contract/errors.ts';
import type { Clock } from './clock.ts';
import type { Observe } from './events.ts';
import type { Connection } from './http/connection.ts';
import { decodeError, problemCodeOf } from './http/decode-error.ts';
import { toShownHeaders } from './http/headers.ts';
import type { Patience } from './http/patience.ts';
import { decideRetry, isTemporaryAnswer, mayHaveHappened, type Verdict } from './http/retry.ts';
import { interrupted, type Outgoing, type RawAnswer, send } from './http/send.ts';
import type { Gate } from './pace/gate.ts';
import { limitReached } from './pace/limit-reached.ts';
import type { RateLimit } from './pace/rate-limit.ts';
import type { Passage, Turnstile } from './pace/turnstile.ts';
import type { Random } from './randomness.ts';

export interface ExchangeParts {
  readonly connection: Connection;
  readonly gate: Gate;
  readonly turnstile: Turnstile;
  readonly patience: Patience;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observe;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Told of every answer, also of those that lead to another try; answers what it said of the limit. */
  readonly seen: (answer: RawAnswer) => RateLimit | undefined;
}

export interface Exchanged {
  readonly answer: RawAnswer;
  /** An earlier try ended without an answer and may have been carried out. */
  readonly inDoubt: boolean;
}

export interface ExchangeOptions {
  readonly honoursKeys: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request, again where that is safe, until there is an answer that another try would not change. */
export type Exchange = (outgoing: Outgoing, options: ExchangeOptions) => Promise<Exchanged>;

export function createExchange(parts: ExchangeParts): Exchange {
  let requests = 0;
  return (outgoing, options) => parts.gate(() => exchange(outgoing, options));

  async function exchange(outgoing: Outgoing, options: ExchangeOptions): Promise<Exchanged> {
    const signal = joinSignals(parts.signal, options.signal);
    let inDoubt = false;
    let failed = 1;
    for (let tries = 1; ; tries += 1) {
      const trial = await attempt(outgoing, { tries, failed, honoursKeys: options.honoursKeys, signal });
      if ('answer' in trial) return { answer: trial.answer, inDoubt };
      inDoubt ||= mayHaveHappened(trial.error);
      await waitForNext(outgoing, { ...trial, tries, signal });
      if (!trial.verdict.asked) failed += 1;
    }
  }

  /** One try: the answer, or the error of one that another try might turn into an answer and what follows from it. */
  async function attempt(outgoing: Outgoing, { signal, ...state }: TrialState): Promise<Trial> {
    const { retries, random, turnstile } = parts;
    const passage = await turnstile.enter(signal);
    try {
      const result = await request(outgoing, passage, signal);
      if (!(result instanceof SalonError)) return { answer: result };
      const verdict = decideRetry({ ...state, method: outgoing.method, error: result, retries, random });
      if (result.status === 429) passage.refused(verdict.waitMs ?? result.retryAfterMs ?? 0);
      return { error: result, verdict };
    } finally {
      passage.leave();
    }
  }

  async function request(
    outgoing: Outgoing,
    passage: Passage,
    signal: AbortSignal | undefined,
  ): Promise<RawAnswer | SalonError> {
    const number = ++requests;
    const startMs = parts.clock.now();
    const timeoutMs = parts.patience.timeoutMs(parts.timeoutMs);
    const about = { number, method: outgoing.method, url: outgoing.origin + outgoing.path };
    const bodyBytes = Buffer.byteLength(outgoing.body ?? '');
    parts.observe({ type: 'request', ...about, headers: toShownHeaders(outgoing.headers), bodyBytes });
    try {
      const limits = { timeoutMs, maxAnswerBytes: parts.maxAnswerBytes, signal };
      const raw = await send(parts.connection, outgoing, limits);
      parts.observe({
        type: 'answer',
        ...about,
        status: raw.status,
        headers: toShownHeaders(raw.headers),
        bodyBytes: raw.bytes.length,
        tookMs: parts.clock.now() - startMs,
      });
      const limit = parts.seen(raw);
      if (raw.status !== 429) passage.answered(limit);
      if (isTemporary(raw)) return decodeError(raw, parts.clock.now());
      parts.patience.succeeded();
      return raw;
    } catch (thrown) {
      if (thrown instanceof SalonError && thrown.code === 'interrupted')
        throw inDoubtOf(thrown, outgoing.method);
      if (thrown instanceof SalonError) return thrown;
      throw thrown;
    }
  }

  /** Waits until the next try. Throws where there is none. */
  async function waitForNext(outgoing: Outgoing, { error, verdict, tries, signal }: Failed): Promise<void> {
    const { method, origin, path } = outgoing;
    const { clock, patience } = parts;
    const { waitMs, asked } = verdict;
    if (waitMs === undefined || !(asked || patience.allowsRepeat())) throw verdict.error;
    if (!patience.allowsWait(waitMs)) {
      throw error.status === 429 ? limitReached(waitMs, clock.now(), error) : verdict.error;
    }
    parts.observe({ type: 'retry', method, url: origin + path, tries, waitMs, reason: error.message });
    await clock.sleep(waitMs, signal).catch((thrown: unknown) => {
      throw signal?.aborted ? interrupted(signal.reason) : thrown;
    });
  }
}

interface TrialState {
  readonly tries: number;
  readonly failed: number;
  readonly honoursKeys: boolean;
  readonly signal: AbortSignal | undefined;
}

type Trial = { readonly answer: RawAnswer } | FailedTrial;

interface FailedTrial {
  readonly error: SalonError;
  readonly verdict: Verdict;
}

interface Failed extends FailedTrial {
  readonly tries: number;
  readonly signal: AbortSignal | undefined;
}

/** An interruption while a request is under way leaves open what became of it, unless it only reads. */
function inDoubtOf(interruption: SalonError, method: string): SalonError {
  if (method === 'GET' || method === 'HEAD') return interruption;
  return new SalonError(
    'interrupted',
    `Interrupted; it is not known whether the ${method} was carried out.`,
    {
      hint: 'Look at the record before trying again.',
      cause: interruption,
    },
  );
}

function isTemporary(raw: RawAnswer): boolean {
  return isTemporaryAnswer(raw.status, raw.status === 409 ? problemCodeOf(raw) : undefined);
}

function joinSignals(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other]);
}
