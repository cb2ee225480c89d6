import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRetry, type FailedAttempt } from '../../../src/client/http/retry.ts';
import { SalonError, type SalonErrorCode, type SalonErrorOptions } from '../../../src/contract/errors.ts';

function decide(method: string, error: SalonError, more: Partial<FailedAttempt> = {}) {
  return decideRetry({
    method,
    error,
    attempts: more.failures ?? 1,
    failures: 1,
    retries: 2,
    honoursKeys: false,
    random: () => 0.5,
    ...more,
  });
}

function failure(code: SalonErrorCode, options: SalonErrorOptions = {}): SalonError {
  return new SalonError(code, 'It failed.', { retryable: true, ...options });
}

const refusedConnection = failure('connection_failed');
const cut = failure('response_truncated');
const timeout = failure('timeout');
const gateway = failure('internal_error', { status: 502 });
const unavailable = failure('service_unavailable', { status: 503 });
const laterPlease = failure('service_unavailable', { status: 503, retryAfterMs: 2000 });
const running = failure('idempotency_key_in_use', { status: 409 });
const limited = failure('rate_limited', { status: 429 });
const limitedFor = failure('rate_limited', { status: 429, retryAfterMs: 7000 });

describe('a retry follows', () => {
  const temporary = {
    refusedConnection,
    cut,
    timeout,
    gateway,
    unavailable,
    laterPlease,
    limited,
    limitedFor,
  };
  const repeatable = Object.entries(temporary).flatMap(([name, error]) =>
    ['GET', 'PUT', 'DELETE'].map((method) => [method, name, error] as const),
  );
  it.each(repeatable)('%s after %s', (method, _name, error) => {
    expect(decide(method, error).waitMs).toBeTypeOf('number');
  });

  it.each([
    ['a connection that never was', refusedConnection],
    ['a limit', limited],
    ['a 503 that says when', laterPlease],
    ['a 409 that says that the same request is still running', running],
  ])('a POST after %s, because it was certainly not executed', (_what, error) => {
    expect(decide('POST', error).waitMs).toBeTypeOf('number');
  });

  it.each([cut, timeout, gateway, unavailable])('a POST after $code if the server honours keys', (error) => {
    expect(decide('POST', error, { honoursKeys: true }).waitMs).toBeTypeOf('number');
  });
});

describe('no retry follows', () => {
  it.each([cut, timeout, gateway, unavailable])('a POST after $code, whose result is unknown', (error) => {
    expect(decide('POST', error)).toMatchObject({
      waitMs: undefined,
      error: { code: 'result_unknown', cause: error },
    });
  });

  it.each([cut, timeout])('a PATCH after $code, even if the server honours keys', (error) => {
    expect(decide('PATCH', error, { honoursKeys: true }).error.code).toBe('result_unknown');
  });

  it.each([
    failure('internal_error', { status: 500 }),
    failure('not_found', { status: 404 }),
    failure('unexpected_response', { status: 200, retryable: false }),
    failure('interrupted', { retryable: false }),
  ])('any request after $code', (error) => {
    expect(decide('GET', error)).toEqual({ waitMs: undefined, isRequested: false, error });
    expect(decide('POST', error).error).toBe(error);
  });

  it('any request after the last attempt', () => {
    expect(decide('GET', cut, { failures: 2 }).waitMs).toBeTypeOf('number');
    expect(decide('GET', cut, { failures: 3 })).toMatchObject({ waitMs: undefined, error: cut });
  });

  it('any request with 0 retries', () => {
    expect(decide('GET', limitedFor, { retries: 0 }).waitMs).toBeUndefined();
  });

  it('a POST with keys after the last attempt, and its result is unknown', () => {
    expect(decide('POST', cut, { honoursKeys: true, failures: 3 }).error.code).toBe('result_unknown');
  });
});

describe('the wait before a retry', () => {
  it.each([
    ['a cut, first', cut, 1, 25],
    ['a cut, second', cut, 2, 50],
    ['a limit without a time, first', limited, 1, 500],
    ['a limit without a time, second', limited, 2, 1000],
    ['a limit with a time', limitedFor, 1, 7000],
    ['a 503 with a time', laterPlease, 1, 2000],
  ])('is right after %s', (_what, error, failed, waitMs) => {
    expect(decide('GET', error, { failures: failed }).waitMs).toBe(waitMs);
  });

  it('is at least the requested time and at most the maximum', () => {
    const tries = fc.record({
      failed: fc.integer({ min: 1, max: 1000 }),
      chance: fc.double({ min: 0, max: 0.999, noNaN: true }),
    });
    fc.assert(
      fc.property(tries, ({ failed, chance }) => {
        const options = { failed, retries: 1000, random: () => chance };
        expect(decide('GET', limited, options).waitMs).toBeLessThanOrEqual(20_000);
        expect(decide('GET', limitedFor, options).waitMs).toBeGreaterThanOrEqual(7000);
      }),
    );
  });
});
