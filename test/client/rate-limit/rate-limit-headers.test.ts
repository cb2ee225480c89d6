import { describe, expect, it } from 'vitest';
import { limitReached, parseRateLimit } from '../../../src/client/rate-limit/rate-limit-headers.ts';
import { SalonError } from '../../../src/contract/errors.ts';

const nowMs = Date.UTC(2026, 0, 1);
const inAMinute = nowMs + 60_000;
const hour = 3_600_000;

describe('rate limit headers', () => {
  it.each([
    [
      'structured fields',
      { 'ratelimit-policy': '"hourly";q=5000;w=3600', ratelimit: '"hourly";r=4999;t=60' },
      [5000, 4999, inAMinute, hour],
    ],
    [
      'two policies, the tighter one',
      {
        'ratelimit-policy': '"burst";q=10;w=1, "hourly";q=5000;w=3600',
        ratelimit: '"burst";r=9;t=1, "hourly";r=3;t=60',
      },
      [5000, 3, inAMinute, hour],
    ],
    [
      'a policy name with a comma',
      { 'ratelimit-policy': '"a, b";q=10;w=60', ratelimit: '"a, b";r=9;t=60' },
      [10, 9, inAMinute, 60_000],
    ],
    ['a state without its policy', { ratelimit: '"hourly";r=7;t=60' }, [undefined, 7, inAMinute, undefined]],
    [
      'the older combined header',
      { ratelimit: 'limit=100, remaining=50, reset=60' },
      [100, 50, inAMinute, undefined],
    ],
    [
      'the older separate headers',
      { 'ratelimit-limit': '100, 100;w=3600', 'ratelimit-remaining': '50', 'ratelimit-reset': '60' },
      [100, 50, inAMinute, hour],
    ],
    [
      'X-RateLimit with a Unix time',
      {
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(inAMinute / 1000),
      },
      [60, 0, inAMinute, undefined],
    ],
    [
      'X-RateLimit with milliseconds',
      { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': String(inAMinute) },
      [undefined, 1, inAMinute, undefined],
    ],
    [
      'X-RateLimit with a date',
      { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '2026-01-01T00:01:00Z' },
      [undefined, 1, inAMinute, undefined],
    ],
    [
      'X-Rate-Limit with seconds',
      { 'x-rate-limit-limit': '15', 'x-rate-limit-remaining': '14', 'x-rate-limit-reset': '60' },
      [15, 14, inAMinute, undefined],
    ],
    ['a limit alone', { 'x-ratelimit-limit': '15' }, [15, undefined, undefined, undefined]],
  ] as [string, Record<string, string>, unknown[]][])(
    'are parsed: %s',
    (_form, headers, [limit, remaining, resetAtMs, windowMs]) => {
      expect(parseRateLimit(headers, nowMs)).toEqual({ limit, remaining, resetAtMs, windowMs });
    },
  );

  it.each([
    ['none', {}],
    ['words', { 'x-ratelimit-limit': 'plenty', 'x-ratelimit-remaining': 'some' }],
    ['negative numbers', { 'x-ratelimit-limit': '-1', 'x-ratelimit-remaining': '-5' }],
    ['an empty field', { ratelimit: '' }],
    ['nothing but commas', { ratelimit: ',,,;;;,"' }],
  ])('are ignored if they have %s', (_what, headers) => {
    expect(parseRateLimit(headers, nowMs)).toBeUndefined();
  });
});

describe('a rate limit that lasts too long', () => {
  it.each([
    ['Quota used up', 'Quota used up. Try again in 40 s, at 00:00:40 UTC.'],
    ['Quota used up.', 'Quota used up. Try again in 40 s, at 00:00:40 UTC.'],
    ['Slow down!', 'Slow down! Try again in 40 s, at 00:00:40 UTC.'],
    [undefined, 'Rate limit reached. Try again in 40 s, at 00:00:40 UTC.'],
  ])('is told in whole sentences after %j', (message, told) => {
    const refusal = message === undefined ? undefined : new SalonError('rate_limited', message);
    expect(limitReached(40_000, nowMs, refusal).message).toBe(told);
  });
});
