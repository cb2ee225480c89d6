import { SalonError } from '../../contract/errors.ts';

/** A number from 0 up to but not including 1. */
export type Random = () => number;

export function systemRandom(): number {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1));
  return word / 2 ** 32;
}

/** A version 4 UUID. */
export function createIdempotencyKey(random: Random): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16));
  digits[12] = 4;
  digits[16] = 8 + Math.floor(random() * 4);
  const hex = digits.map((digit) => digit.toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export interface FailedAttempt {
  readonly method: string;
  readonly error: SalonError;
  /** Attempts so far, including this one. */
  readonly attempts: number;
  /** Those after which the server did not ask for a retry. Only they count against `retries`. */
  readonly failures: number;
  readonly retries: number;
  /** Whether the server executes a POST with the same idempotency key only once. */
  readonly honoursKeys: boolean;
  readonly random: Random;
}

export interface RetryDecision {
  /** Wait before the next attempt; undefined for no retry. */
  readonly waitMs: number | undefined;
  /** Whether the server asked for the wait, so that only the caller's time limits it. */
  readonly isRequested: boolean;
  readonly error: SalonError;
}

const firstWaitMs = 50;
/** For a rate limit without a reset time. */
const firstLimitWaitMs = 1_000;
const maxWaitMs = 20_000;
export function decideRetry(attempt: FailedAttempt): RetryDecision {
  const { error, method, retries, failures } = attempt;
  const isUnknown = isTemporary(error) && isInDoubt(attempt);
  const finalError = isUnknown ? resultUnknown(error, method) : error;
  const stop = { waitMs: undefined, isRequested: false, error: finalError };
  if (!isTemporary(error) || !isRepeatable(attempt)) return stop;
  const isRequested = (error.retryAfterMs !== undefined || error.status === 429) && retries > 0;
  if (!isRequested && failures > retries) return stop;
  const waitMs = Math.max(error.retryAfterMs ?? 0, backoffMs(attempt));
  return { waitMs, isRequested, error: finalError };
}

/** Whether a failed request may have been executed. */
export function mayHaveSucceeded(error: SalonError): boolean {
  if (error.code === 'response_truncated' || error.code === 'timeout') return true;
  if (error.status === 503) return error.retryAfterMs === undefined;
  return error.status === 502 || error.status === 504;
}

/** Whether a retry may get another response. A 409 is temporary only with the matching code. */
export function isTemporaryStatus(status: number, code: string | undefined): boolean {
  return [429, 502, 503, 504].includes(status) || code === 'idempotency_key_in_use';
}

function isTemporary({ status, code, retryable }: SalonError): boolean {
  if (status === undefined) return retryable;
  return code === 'response_truncated' || isTemporaryStatus(status, code);
}

const idempotentMethods = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];

function isRepeatable(attempt: FailedAttempt): boolean {
  return !isInDoubt(attempt) || (attempt.method === 'POST' && attempt.honoursKeys);
}

function isInDoubt({ method, error }: FailedAttempt): boolean {
  return !idempotentMethods.includes(method) && mayHaveSucceeded(error);
}

/** Exponential backoff with full jitter. */
function backoffMs({ error, attempts, random }: FailedAttempt): number {
  const first = error.status === 429 ? firstLimitWaitMs : firstWaitMs;
  return random() * Math.min(maxWaitMs, first * 2 ** Math.min(attempts - 1, 30));
}

function resultUnknown(error: SalonError, method: string): SalonError {
  return new SalonError('result_unknown', `The ${method} may have succeeded. ${error.message}`, {
    status: error.status,
    hint: 'Check the record before you try again.',
    requestId: error.requestId,
    cause: error,
  });
}
