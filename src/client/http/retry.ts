import { SalonError, withContext } from '../../contract/errors.ts';

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
  /** Whether the attempt may have been executed. */
  readonly mayBeExecuted: boolean;
  /** Attempts so far, including this one. */
  readonly attempts: number;
  /** Those that count against `retries`. */
  readonly failures: number;
  /** The limit that the caller has given; undefined for `defaultRetries`. */
  readonly retries: number | undefined;
  /** Whether a read waits for a service that is unavailable (503) as long as the caller's time allows. */
  readonly waitsForService: boolean;
  /** Whether the server executes a POST with the same idempotency key only once. */
  readonly honoursKeys: boolean;
  readonly random: Random;
}

/** The wait before the next attempt, undefined for no retry; and whether only the caller's time limits such waits. */
export type RetryDecision = ReturnType<typeof decideRetry>;

/** By default: a service that restarts within two seconds is back before the last retry, after 3.6 to 6.1 s. */
export const defaultRetries = 5;

/** A server that hangs costs the whole time limit of a request with each attempt. */
const maxRetriesOfHanging = 2;

const firstWaitMs = 100;
const growth = 2.3;
/** For a rate limit without a reset time. */
const firstLimitWaitMs = 1_000;
const maxWaitMs = 20_000;

export function decideRetry(attempt: FailedAttempt) {
  const { method, error, mayBeExecuted, failures, retries: given = defaultRetries } = attempt;
  const isHanging = error.code === 'timeout' && error.status === undefined;
  const retries = isHanging ? Math.min(given, maxRetriesOfHanging) : given;
  const none = { waitMs: undefined, isPatient: false };
  const isIdempotent = !isWrite(method) || idempotentWrites.includes(method);
  const isRepeatable = !mayBeExecuted || isIdempotent || (method === 'POST' && attempt.honoursKeys);
  if (!error.retryable || !isRepeatable) return none;
  // A rate limit says when there is room again. Any other failure may last, even if the server expects otherwise.
  const isAwaited = attempt.waitsForService && error.status === 503 && !isWrite(method);
  const isOpen = (error.retryAfterMs !== undefined || isAwaited) && attempt.retries === undefined;
  const isPatient = (isLimit(error) || isOpen) && retries > 0;
  if (!isPatient && failures > retries) return none;
  return { waitMs: Math.max(error.retryAfterMs ?? 0, backoffMs(attempt)), isPatient };
}

/** Whether a response refused the request because of a rate limit. */
export function isLimit({ code, status }: SalonError): boolean {
  return status === 429 || code === 'rate_limited';
}

/** Whether a failure below HTTP, or a response that cannot be read, leaves open if the request was executed. */
export function isUnanswered({ code }: SalonError): boolean {
  return ['response_truncated', 'timeout', 'unexpected_response', 'response_too_large'].includes(code);
}

export function isWrite(method: string): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method);
}

/** Methods whose request may be sent twice with the result of one. */
const idempotentWrites = ['PUT', 'DELETE'];

/** Grows exponentially. The jitter keeps clients that failed together from coming back together. */
function backoffMs({ error, attempts, random }: FailedAttempt): number {
  const step = Math.min(attempts - 1, 30);
  if (isLimit(error)) return random() * Math.min(maxWaitMs, firstLimitWaitMs * 2 ** step);
  return (0.75 + random() / 2) * Math.min(maxWaitMs, firstWaitMs * growth ** step);
}

/** Whether the result of a write is unknown, but the server can be asked: it has sent a response, or a part of one. */
export function canBeLookedUp(thrown: unknown): boolean {
  if (!(thrown instanceof SalonError) || thrown.members['in_doubt'] !== true) return false;
  const { code, status, cause } = thrown;
  if (code === 'interrupted') return false;
  return (
    code !== 'result_unknown' ||
    status !== undefined ||
    (cause instanceof SalonError && cause.code === 'response_truncated')
  );
}

/** The error for a write that may have been executed, although this was its last response or failure. */
export function toUnknownResult(error: SalonError, method: string): SalonError {
  const hint = 'Check the record before you try again.';
  const members = { ...error.members, in_doubt: true };
  if (error.code === 'interrupted') {
    return withContext(error, { message: `Interrupted. The ${method} may have succeeded.`, hint, members });
  }
  const message = `The ${method} may have succeeded. ${error.message}`;
  if (error.code === 'unexpected_response' || error.code === 'response_too_large') {
    return withContext(error, { message, hint, members });
  }
  return new SalonError('result_unknown', message, {
    status: error.status,
    hint,
    requestId: error.requestId,
    retryable: error.retryable && idempotentWrites.includes(method),
    retryAfterMs: error.retryAfterMs,
    members,
    cause: error,
  });
}

/** What the status of a response says about its request. */
export interface StatusMeaning {
  /** The same request may get another response later. */
  readonly isTemporary: boolean;
  /** The request was certainly not executed. */
  readonly isRejection: boolean;
}

const temporary = { isTemporary: true, isRejection: false };
const temporaryRejection = { isTemporary: true, isRejection: true };
const rejection = { isTemporary: false, isRejection: true };
const unclear = { isTemporary: false, isRejection: false };

/**
 * The statuses that do not follow the rule of their class: a 3xx or 4xx is a rejection, a 5xx says nothing about
 * whether the request was executed before something went wrong.
 */
const exceptions: readonly (readonly [StatusMeaning, ...number[]])[] = [
  // 303: the result of a POST is elsewhere. 499, nginx: the client, which may be a gateway, closed the connection first.
  [unclear, 303, 499],
  // Gateways also send 408 when a server behind them is slow.
  [temporary, 408, 500, 502, 503, 504],
  // Cloudflare: the origin server is unreachable, too slow, or sent an invalid response.
  [temporary, 520, 521, 522, 523, 524],
  [temporaryRejection, 425, 429],
  // 511: the sign-in page of a network, which is in front of the server.
  [rejection, 501, 505, 511],
];

/** Our own codes are more precise than their status: the service sends these before it changes anything. */
const codes: Readonly<Record<string, StatusMeaning>> = {
  service_unavailable: temporaryRejection,
  // An earlier attempt with the same key is still running.
  idempotency_key_in_use: temporary,
};

/** `code` is that of a problem of our contract, undefined in the responses of other servers. */
export function toStatusMeaning(status: number, code: string | undefined): StatusMeaning {
  const byClass = status >= 300 && status < 500 ? rejection : unclear;
  const exception = exceptions.find(([, ...statuses]) => statuses.includes(status));
  return codes[code ?? ''] ?? exception?.[0] ?? byClass;
}
