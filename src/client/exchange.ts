import { SalonError } from '../contract/errors.ts';
import type { Clock } from './clock.ts';
import type { Connection } from './connection.ts';
import { decodeError } from './decode-error.ts';
import type { Observe } from './events.ts';
import type { Gate } from './gate.ts';
import { toShownHeaders } from './headers.ts';
import type { Patience } from './patience.ts';
import type { Random } from './randomness.ts';
import { decideRetry, mayHaveHappened } from './retry.ts';
import { interrupted, type Outgoing, type RawAnswer, send } from './send.ts';

export interface ExchangeParts {
  readonly connection: Connection;
  readonly gate: Gate;
  readonly patience: Patience;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observe;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Told of every answer, also of those that lead to another try. */
  readonly seen: (answer: RawAnswer) => void;
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
      const answer = await attempt(outgoing, signal);
      if (!(answer instanceof SalonError)) return { answer, inDoubt };
      inDoubt ||= mayHaveHappened(answer);
      const asked = await waitForNext(
        { outgoing, error: answer, tries, failed },
        options.honoursKeys,
        signal,
      );
      if (!asked) failed += 1;
    }
  }

  /** One try: the answer, or the error of one that another try might turn into an answer. */
  async function attempt(
    outgoing: Outgoing,
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
      parts.seen(raw);
      if (isTemporaryStatus(raw.status)) return decodeError(raw, parts.clock.now());
      parts.patience.succeeded();
      return raw;
    } catch (thrown) {
      if (thrown instanceof SalonError) return thrown;
      throw thrown;
    }
  }

  /** Waits until the next try; answers whether the server asked for the wait. Throws where there is no next try. */
  async function waitForNext(
    {
      outgoing,
      error,
      tries,
      failed,
    }: { outgoing: Outgoing; error: SalonError; tries: number; failed: number },
    honoursKeys: boolean,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { method, origin, path } = outgoing;
    const { retries, random, patience } = parts;
    const verdict = decideRetry({ method, error, tries, failed, retries, honoursKeys, random });
    const { waitMs, asked } = verdict;
    if (waitMs === undefined || !(asked || patience.allowsRepeat()) || !patience.allowsWait(waitMs)) {
      throw verdict.error;
    }
    parts.observe({ type: 'retry', method, url: origin + path, tries, waitMs, reason: error.message });
    await parts.clock.sleep(waitMs, signal).catch((thrown: unknown) => {
      throw signal?.aborted ? interrupted(signal.reason) : thrown;
    });
    return asked;
  }
}

function isTemporaryStatus(status: number): boolean {
  return [429, 502, 503, 504].includes(status);
}

function joinSignals(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other]);
}
