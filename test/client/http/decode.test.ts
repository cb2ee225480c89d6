import { describe, expect, it } from 'vitest';
import { decodeAny, decodeJson, describeText } from '../../../src/client/http/decode.ts';
import { SalonError } from '../../../src/contract/errors.ts';

function toResponse(content: string | Uint8Array, type?: string) {
  return {
    status: 200,
    headers: type === undefined ? {} : { 'content-type': type },
    bytes: Buffer.from(content),
  };
}

function failure(content: string | Uint8Array, type?: string): unknown {
  try {
    return decodeJson(toResponse(content, type));
  } catch (thrown) {
    return thrown;
  }
}

describe('a JSON response', () => {
  it.each([
    ['an object', '{"a": 1}', { a: 1 }],
    ['an object after a byte order mark', '\ufeff{"a": 1}', { a: 1 }],
    ['nothing', '', undefined],
    ['blanks', ' \r\n', undefined],
    ['null', 'null', null],
  ])('is parsed: %s', (_what, content, value) => {
    expect(decodeJson(toResponse(content)).body).toEqual(value);
  });

  it('keeps a member named __proto__', () => {
    const { body } = decodeJson(toResponse('{"__proto__": {"polluted": 1}}'));
    expect(Object.keys(body as object)).toEqual(['__proto__']);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('a response that is not JSON', () => {
  it.each([
    [
      'HTML',
      '<!doctype html><title>Sign in to the café</title>',
      'text/html',
      'an HTML page titled "Sign in to the café"',
    ],
    ['text', 'all good', 'text/plain', '"all good"'],
    ['two values', '{} {}', 'application/json', '"{} {}"'],
    ['a wrong bracket', '{"a": ]}', undefined, 'no content type'],
    [
      'bytes that are not UTF-8',
      Buffer.from([0x7b, 0xff, 0xfe]),
      'application/json',
      'text that is not UTF-8',
    ],
  ])('is described in the error: %s', (_what, content, type, named) => {
    const error = failure(content, type);
    expect(error).toBeInstanceOf(SalonError);
    expect(error).toMatchObject({
      code: 'unexpected_response',
      status: 200,
      message: expect.stringContaining(named),
    });
  });

  it('is returned as text if its content type is not JSON', () => {
    expect(decodeAny(toResponse('# Salon', 'text/markdown')).body).toBe('# Salon');
    expect(decodeAny(toResponse('{"a": 1}', 'application/problem+json')).body).toEqual({ a: 1 });
  });
});

describe('deeply nested JSON', () => {
  it.each([
    ['arrays', '['.repeat(200_000) + ']'.repeat(200_000)],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('of %s is rejected without crashing', (_what, content) => {
    expect(failure(content)).toMatchObject({ code: 'unexpected_response' });
  });

  it('is accepted up to a hundred levels', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(failure(nested(100))).not.toBeInstanceOf(SalonError);
    expect(failure(nested(101))).toBeInstanceOf(SalonError);
  });
});

describe('describing a text', () => {
  it('is fast for hostile text', () => {
    const start = process.cpuUsage();
    describeText(`<html><title${'<title'.repeat(500_000)}`);
    describeText(' '.repeat(3_000_000));
    expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
  });
});
