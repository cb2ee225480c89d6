import { SalonError } from '../../contract/errors.ts';

/** What is known after a try has failed. */
export interface FailedTry {
  readonly method: string;
  readonly error: SalonError;
  /** Tries so far, this one among them. */
  readonly tries: number;
  /** Those of them that count, because the server did not ask for another one. */
  readonly failed: number;
  /** How many repeats are allowed. */
  readonly retries: number;
  /** Whether the server carries out a POST with the same key only once. */
  readonly honoursKeys: boolean;
  readonly random: Random;
}

export interface Verdict {
  /** How long to wait before the next try; undefined when there should be none. */
  readonly waitMs: number | undefined;
  /** The server asked for a wait, so it is no failed try: only the patience of the caller bounds it. */
  readonly asked: boolean;
  /** What to throw when there is no next try. */
  readonly error: SalonError;
}

const firstWaitMs = 50;
/** Where a limit is reached and nothing says until when, milliseconds would only annoy. */
const firstLimitWaitMs = 1_000;
const longestWaitMs = 20_000;

/** Whether to try again and how long to wait before: a pure function of what is known. */
export function decideRetry(failed: FailedTry): Verdict {
  const { error, method, retries } = failed;
  const final = isTemporary(error) && isInDoubt(failed) ? resultUnknown(error, method) : error;
  const stop: Verdict = { waitMs: undefined, asked: false, error: final };
  if (!isTemporary(error) || !isRepeatable(failed)) return stop;
  const asked = (error.retryAfterMs !== undefined || error.status === 429) && retries > 0;
  if (!asked && failed.failed > retries) return stop;
  return { waitMs: Math.max(error.retryAfterMs ?? 0, backoffMs(failed)), asked, error: final };
}

/** Whether the failed request may have been carried out all the same. */
export function mayHaveHappened(error: SalonError): boolean {
  if (error.code === 'response_truncated' || error.code === 'timeout') return true;
  if (error.status === 503) return error.retryAfterMs === undefined;
  return error.status === 502 || error.status === 504;
}

/** Whether an answer may be another one in a moment; only a 409 has to say so itself. */
export function isTemporaryAnswer(status: number, code: string | undefined): boolean {
  return [429, 502, 503, 504].includes(status) || code === 'idempotency_key_in_use';
}

function isTemporary({ status, code, retryable }: SalonError): boolean {
  if (status === undefined) return retryable;
  return code === 'response_truncated' || isTemporaryAnswer(status, code);
}

const repeatableMethods = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];

function isRepeatable(failed: FailedTry): boolean {
  return !isInDoubt(failed) || (failed.method === 'POST' && failed.honoursKeys);
}

function isInDoubt({ method, error }: FailedTry): boolean {
  return !repeatableMethods.includes(method) && mayHaveHappened(error);
}

/** Full jitter: anything from nothing to a bound that doubles with every try. */
function backoffMs({ error, tries, random }: FailedTry): number {
  const first = error.status === 429 ? firstLimitWaitMs : firstWaitMs;
  return random() * Math.min(longestWaitMs, first * 2 ** Math.min(tries - 1, 30));
}

function resultUnknown(error: SalonError, method: string): SalonError {
  return new SalonError(
    'result_unknown',
    `It is not known whether the ${method} was carried out: ${error.message}`,
    {
      status: error.status,
      hint: 'Look whether the record is there before trying again.',
      requestId: error.requestId,
      cause: error,
    },
  );
}

/** A number from 0 up to but not including 1. */
export type Random = () => number;

export function systemRandom(): number {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1));
  return word / 2 ** 32;
}

/** A version 4 UUID from a random source. */
export function createUuid(random: Random): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16));
  digits[12] = 4;
  digits[16] = 8 + Math.floor(random() * 4);
  const hex = digits.map((digit) => digit.toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
