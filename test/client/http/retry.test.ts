import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideRetry,
  defaultRetries,
  type FailedAttempt,
  toUnknownResult,
} from '../../../src/client/http/retry.ts';
import { SalonError, type SalonErrorCode, type SalonErrorOptions } from '../../../src/contract/errors.ts';

function decide(method: string, error: SalonError, more: Partial<FailedAttempt> = {}) {
  return decideRetry({
    method,
    error,
    mayBeExecuted: false,
    attempts: more.failures ?? 1,
    failures: 1,
    retries: 2,
    honoursKeys: false,
    waitsForService: false,
    random: () => 0.5,
    ...more,
  });
}

function failure(code: SalonErrorCode, options: SalonErrorOptions = {}): SalonError {
  return new SalonError(code, 'It failed.', { retryable: true, ...options });
}

const cut = failure('response_truncated');
const laterPlease = failure('service_unavailable', { status: 503, retryAfterMs: 2000 });
const limited = failure('rate_limited', { status: 429 });
const limitedFor = failure('rate_limited', { status: 429, retryAfterMs: 7000 });
const maybe = { mayBeExecuted: true };

describe('a retry follows', () => {
  it.each(['GET', 'HEAD', 'PUT', 'DELETE'])('a %s, even if it may have been executed', (method) => {
    expect(decide(method, cut, maybe).waitMs).toBeTypeOf('number');
  });

  it.each(['POST', 'PATCH'])('a %s that was certainly not executed', (method) => {
    expect(decide(method, cut).waitMs).toBeTypeOf('number');
  });

  it('a POST if the server honours keys', () => {
    expect(decide('POST', cut, { ...maybe, honoursKeys: true }).waitMs).toBeTypeOf('number');
  });
});

describe('no retry follows', () => {
  it('a POST that may have been executed', () => {
    expect(decide('POST', cut, maybe).waitMs).toBeUndefined();
  });

  it('a PATCH that may have been executed, even if the server honours keys', () => {
    expect(decide('PATCH', cut, { ...maybe, honoursKeys: true }).waitMs).toBeUndefined();
  });

  it.each([
    failure('not_found', { status: 404, retryable: false }),
    failure('unexpected_response', { status: 200, retryable: false }),
    failure('interrupted', { retryable: false }),
  ])('an error that is not temporary: $code', (error) => {
    expect(decide('GET', error)).toEqual({ waitMs: undefined, isPatient: false });
  });

  it('the last attempt', () => {
    expect(decide('GET', cut, { failures: 2 }).waitMs).toBeTypeOf('number');
    expect(decide('GET', cut, { failures: 3 }).waitMs).toBeUndefined();
  });

  it('a second retry after a timeout, however many are allowed', () => {
    const hanging = failure('timeout');
    expect(decide('GET', hanging, { failures: 2, retries: 9 }).waitMs).toBeTypeOf('number');
    expect(decide('GET', hanging, { failures: 3, retries: 9 }).waitMs).toBeUndefined();
    const answered = failure('timeout', { status: 408 });
    expect(decide('GET', answered, { failures: 9, retries: 9 }).waitMs).toBeTypeOf('number');
  });

  it('a 503 with Retry-After more often than the given number of retries', () => {
    expect(decide('GET', laterPlease, { failures: 2 })).toMatchObject({ isPatient: false, waitMs: 2000 });
    expect(decide('GET', laterPlease, { failures: 3 }).waitMs).toBeUndefined();
    const unlimited = decide('GET', laterPlease, { failures: 9, retries: undefined });
    expect(unlimited).toMatchObject({ isPatient: true });
    expect(unlimited.waitMs).toBeGreaterThanOrEqual(2000);
    expect(decide('GET', limitedFor, { failures: 9 })).toMatchObject({ isPatient: true });
  });

  it.each([
    ['a 503', 'GET', failure('service_unavailable', { status: 503 }), true],
    ['a 503 to a HEAD', 'HEAD', failure('service_unavailable', { status: 503 }), true],
    ['a 503 to a PUT', 'PUT', failure('service_unavailable', { status: 503 }), false],
    ['a 502', 'GET', failure('internal_error', { status: 502 }), false],
    ['a 500', 'GET', failure('internal_error', { status: 500 }), false],
    ['a cut', 'GET', cut, false],
  ] as const)(
    '%s more often than by default, unless a read waits for the service',
    (_what, method, error, isPatient) => {
      const late = { failures: 9, attempts: 9, retries: undefined };
      expect(decide(method, error, late).waitMs).toBeUndefined();
      const waiting = decide(method, error, { ...late, waitsForService: true });
      expect([waiting.isPatient, waiting.waitMs !== undefined]).toEqual([isPatient, isPatient]);
      expect(decide(method, error, { ...late, waitsForService: true, retries: 2 }).waitMs).toBeUndefined();
    },
  );

  it('any request with 0 retries', () => {
    expect(decide('GET', limitedFor, { retries: 0 }).waitMs).toBeUndefined();
  });
});

describe('the wait before a retry', () => {
  it.each([
    ['a cut, first', cut, 1, 100],
    ['a cut, second', cut, 2, 230],
    ['a limit without a time, first', limited, 1, 500],
    ['a limit without a time, second', limited, 2, 1000],
    ['a limit with a time', limitedFor, 1, 7000],
    ['a 503 with a time', laterPlease, 1, 2000],
  ])('is right after %s', (_what, error, failed, waitMs) => {
    expect(decide('GET', error, { failures: failed }).waitMs).toBeCloseTo(waitMs);
  });

  it.each([
    ['at least', 0, 3_656],
    ['on average', 0.5, 4_874],
    ['at most', 1, 6_093],
  ])('adds up to seconds by default, %s', (_what, chance, totalMs) => {
    const waits = Array.from({ length: defaultRetries }, (_, index) =>
      decide('GET', cut, { failures: index + 1, retries: defaultRetries, random: () => chance }),
    );
    const sum = waits.reduce((total, { waitMs = 0 }) => total + waitMs, 0);
    expect(Math.round(sum)).toBe(totalMs);
  });

  it('is at least the requested time and at most the maximum', () => {
    const tries = fc.record({
      failures: fc.integer({ min: 1, max: 1000 }),
      chance: fc.double({ min: 0, max: 0.999, noNaN: true }),
    });
    fc.assert(
      fc.property(tries, fc.constantFrom(limited, cut), ({ failures, chance }, error) => {
        const options = { failures, retries: 1000, random: () => chance };
        expect(decide('GET', error, options).waitMs).toBeLessThanOrEqual(25_000);
        expect(decide('GET', limitedFor, options).waitMs).toBeGreaterThanOrEqual(7000);
      }),
    );
  });
});

describe('an unknown result', () => {
  it('has the reason of the failure, and may be repeated if the request is the same each time', () => {
    const error = failure('internal_error', { status: 500, requestId: 'req_1' });
    expect(toUnknownResult(error, 'POST')).toMatchObject({
      code: 'result_unknown',
      message: 'The POST may have succeeded. It failed.',
      status: 500,
      requestId: 'req_1',
      retryable: false,
      members: { in_doubt: true },
      cause: error,
    });
    expect(toUnknownResult(error, 'PUT').retryable).toBe(true);
  });

  it.each<SalonErrorCode>(['unexpected_response', 'response_too_large', 'interrupted'])(
    'keeps the code %s and its exit code',
    (code) => {
      const error = toUnknownResult(failure(code), 'POST');
      expect(error).toMatchObject({ code, members: { in_doubt: true } });
      expect(error.message).toContain('The POST may have succeeded.');
    },
  );
});
