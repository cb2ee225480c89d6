import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeError } from '../../../src/client/http/decode-error.ts';
import type { SalonErrorCode } from '../../../src/contract/errors.ts';

const nowMs = Date.UTC(2026, 0, 1);

function decode(status: number, content: unknown, headers: Record<string, string> = {}) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return decodeError({ status, headers, bytes: Buffer.from(text) }, nowMs);
}

describe('an error message', () => {
  it.each([
    ['a problem', { title: 'Wrong', detail: 'The day is over.' }, 'The day is over.'],
    ['a problem with a title alone', { title: 'Wrong' }, 'Wrong'],
    ['an error object', { error: { code: 'x', message: 'No such day.' } }, 'No such day.'],
    ['an error object with a code alone', { error: { code: 'no_such_day' } }, 'no_such_day'],
    ['an error beside its detail', { error: 'invalid', detail: 'No such day.' }, 'No such day.'],
    ['a list of errors', { errors: [{ message: 'First.' }, { message: 'Second.' }] }, 'First.'],
    ['a list of texts', { errors: ['First.', 'Second.'] }, 'First.'],
    ['errors by field', { errors: { email: ['is taken'] } }, 'is taken'],
    ['a bare list', [{ detail: 'First.' }], 'First.'],
    ['a message', { message: 'No such day.' }, 'No such day.'],
    ['an OAuth error', { error: 'invalid_token', error_description: 'It has expired.' }, 'It has expired.'],
    ['an OAuth error without a description', { error: 'invalid_token' }, 'invalid_token'],
    ['plain text', 'upstream connect error', 'The server responded with 418 and "upstream connect error".'],
    [
      'HTML',
      '<html><head><title>Oh no</title></head></html>',
      'The server responded with 418 and an HTML page titled "Oh no".',
    ],
    ['HTML without a title', '<!doctype html><p>Oh no', 'The server responded with 418 and an HTML page.'],
    ['nothing', '', 'The server responded with 418.'],
    ['JSON without a message', 'null', 'The server responded with 418 and "null".'],
  ])('is found in %s', (_shape, content, message) => {
    expect(decode(418, content).message).toBe(message);
  });

  it('is one line of limited length without control characters', () => {
    const { message } = decode(400, { message: `a\u001b[2J\r\nb\u202ec${'x'.repeat(100_000)}` });
    expect(message).toMatch(/^a \[2J b cx+…$/);
    expect(message.length).toBeLessThan(510);
  });
});

it('says in how long to try a busy server again, where it says so', () => {
  expect(decode(503, '', { 'retry-after': '60' }).hint).toBe('Try again in 60 s.');
  expect(decode(503, '').hint).toBe('Try again in a moment.');
});

describe('an error code', () => {
  it.each<[number, SalonErrorCode]>([
    [400, 'refused'],
    [401, 'invalid_token'],
    [402, 'refused'],
    [403, 'permission_denied'],
    [404, 'not_found'],
    [405, 'method_not_allowed'],
    [409, 'conflict'],
    [412, 'precondition_failed'],
    [413, 'payload_too_large'],
    [415, 'unsupported_media_type'],
    [422, 'validation_failed'],
    [429, 'rate_limited'],
    [499, 'refused'],
    [500, 'internal_error'],
    [503, 'service_unavailable'],
    [599, 'internal_error'],
    [304, 'unexpected_response'],
    [999, 'unexpected_response'],
  ])('for a %i without a body is %s', (status, code) => {
    expect(decode(status, '').code).toBe(code);
  });

  it('is taken from a response with a code of the contract', () => {
    const error = decode(409, {
      code: 'appointment_conflict',
      detail: 'Taken.',
      conflicting_appointment_ids: ['apt_1'],
    });
    expect(error).toMatchObject({
      code: 'appointment_conflict',
      members: { conflicting_appointment_ids: ['apt_1'] },
    });
  });

  it('is not taken from a response with an unknown code', () => {
    expect(decode(409, { code: 'constructor', message: 'No.' }).code).toBe('conflict');
  });
});

describe('an error response', () => {
  it.each([
    ['the header', {}, { 'x-request-id': 'req_h' }, 'req_h'],
    ['the body, before the header', { request_id: 'req_b' }, { 'x-request-id': 'req_h' }, 'req_b'],
    ['the error in the body', { error: { message: 'No.', request_id: 'req_e' } }, {}, 'req_e'],
  ])('has the request ID from %s', (_place, content, headers, id) => {
    expect(decode(500, content, headers).requestId).toBe(id);
  });

  it('has all violations with their locations', () => {
    const errors = [
      { pointer: '/email', code: 'invalid_format', detail: 'No address.' },
      { source: { pointer: '/phone' }, title: 'No number.' },
      { parameter: 'per_page', code: 'out_of_range', detail: 'Too many.' },
      'No name.',
    ];
    expect(decode(422, { errors }).violations).toEqual([
      { pointer: '/email', code: 'invalid_format', detail: 'No address.' },
      { pointer: '/phone', code: 'invalid', detail: 'No number.' },
      { parameter: 'per_page', code: 'out_of_range', detail: 'Too many.' },
      { code: 'invalid', detail: 'No name.' },
    ]);
  });

  it.each([
    ['seconds', { 'retry-after': '120' }, 120_000],
    ['a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    ['a date in the past', { 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    ['a day at most, in seconds', { 'retry-after': '9'.repeat(400) }, 86_400_000],
    ['a day at most, as a date', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, 86_400_000],
    [
      'a used-up window with its end',
      { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' },
      60_000,
    ],
    [
      'none for a window that is not used up',
      { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '60' },
      undefined,
    ],
    ['nothing from words', { 'retry-after': 'soon' }, undefined],
  ])('has the time to wait from %s', (_form, headers, waitMs) => {
    expect(decode(429, '', headers).retryAfterMs).toBe(waitMs);
  });
});

describe('any response', () => {
  it('is decoded to an error without crashing', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 300, max: 999 }),
        fc.oneof(fc.json(), fc.string({ unit: 'binary' })),
        (status, text) => {
          const error = decode(status, text);
          expect(error.status).toBe(status);
          expect(error.message).not.toBe('');
          expect(error.message).not.toMatch(/\p{C}/u);
        },
      ),
    );
  });

  it('does not change prototypes', () => {
    decode(
      400,
      '{"__proto__": {"polluted": 1}, "code": "not_found", "constructor": {"prototype": {"polluted": 1}}}',
    );
    expect({}).not.toHaveProperty('polluted');
  });
});
