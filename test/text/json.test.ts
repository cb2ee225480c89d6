import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { ExactNumber, isJsonNumber, isSameJson, parseJson, renderJson } from '../../src/text/json.ts';
import { jsonText } from '../support/json-texts.ts';
import { countBySpeed } from '../support/speed.ts';

const numbers = [
  ...[
    '9007199254740993',
    '12345678901234567890',
    '-9007199254740993',
    '1e400',
    '-1E400',
    '1234567890123456.78',
  ],
  ...[
    '1.50',
    '1.0',
    '-0',
    '-0.0',
    '0e0',
    '1E5',
    '1e5',
    '1e-7',
    '0.0000001',
    '0.10',
    '100000000000000000000000',
  ],
  ...['0', '-1', '1.5', '0.1', '123456789012345', '0.000001', '45.25', '5e-324', '2.2250738585072014e-308'],
];
const places = [
  (number: string) => `[${number}]`,
  (number: string) => `{"a":${number}}`,
  (number: string) => `{"a":[1,${number},2],"b":"x"}`,
  (number: string) => `[{"b":{"a":${number}}}]`,
  (number: string) => number,
];

describe('parseJson', () => {
  test.each(numbers)('keeps %s digit for digit', (number) => {
    for (const place of places) expect(JSON.stringify(parseJson(place(number)))).toBe(place(number));
  });

  it('keeps every value of any document, members with names of JavaScript included', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(JSON.stringify(parseJson(text))).toBe(text);
      }),
      { numRuns: countBySpeed(500) },
    );
  });

  it('keeps digits in documents with white space', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const spaced = JSON.stringify(parseJson(text), null, 2);
        expect(JSON.stringify(parseJson(spaced))).toBe(text);
        expect(JSON.stringify(parseJson(spaced.replaceAll('\n', '\r\n')))).toBe(text);
      }),
    );
  });

  test.each(['45', '45.5', '0.000001', '-1', '123456789012345'])(
    'returns %s as a JavaScript number',
    (text) => {
      expect(parseJson(`[${text}]`)).toEqual([Number(text)]);
    },
  );

  it('takes the last of members with the same name', () => {
    expect(JSON.stringify(parseJson('{"a":1.50,"b":2,"a":3.50}'))).toBe('{"a":3.50,"b":2}');
  });

  it('does not let a member change the prototype', () => {
    const record = parseJson('{"__proto__":{"admin":1.50}}');
    expect((record as { admin?: unknown }).admin).toBeUndefined();
    expect(JSON.stringify(record)).toBe('{"__proto__":{"admin":1.50}}');
  });

  test.each(['', '{', '[1.50', '{"a":1.50}}', '01', '1.', '+1', 'NaN', "{'a':1e5}"])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });
});

describe('ExactNumber', () => {
  it('is its text in text and the nearest JavaScript number in arithmetic', () => {
    const price = new ExactNumber('1.50');
    expect(`${price}`).toBe('1.50');
    expect(Number(price) + 1).toBe(2.5);
    expect([price].join()).toBe('1.50');
  });
});

describe('renderJson', () => {
  it('escapes what a terminal would obey or hide', () => {
    const text = '\u009b2J \u007f \u202ecod.exe\u2028\u2066 \u061c\u200f';
    const json = renderJson({ [text]: [text] });
    expect(json).not.toMatch(/[^ -~]/);
    expect(json).toContain(String.raw`\u009b2J \u007f \u202ecod.exe\u2028\u2066 \u061c\u200f`);
    expect(JSON.parse(json)).toEqual({ [text]: [text] });
  });

  it('leaves names and emoji as they are', () => {
    expect(renderJson({ name: 'Zoë Ñandú 山田 👩‍🎤' })).toBe('{"name":"Zoë Ñandú 山田 👩‍🎤"}');
  });
});

describe('isSameJson', () => {
  test.each([
    ['1.50', '1.5'],
    ['1.0', '1'],
    ['-0', '0'],
    ['1E5', '100000'],
    ['0.0000001', '1e-7'],
    ['[1.50,{"a":1e2}]', '[1.5,{"a":100}]'],
    ['{"a":1,"b":2}', '{"b":2,"a":1}'],
    ['1e21', '1000000000000000000000'],
  ])('treats %s and %s as equal', (one, other) => {
    expect(isSameJson(parseJson(one), parseJson(other))).toBe(true);
  });

  test.each([
    ['9007199254740993', '9007199254740992'],
    ['1e400', '1e401'],
    ['1', '-1'],
    ['1.50', '"1.50"'],
    ['[1]', '[1,2]'],
    ['[]', '{}'],
    ['{"a":null}', '{}'],
    ['{"a":null}', '{"b":null}'],
    ['null', '{}'],
    ['{"__proto__":1}', '{"__proto__":2}'],
  ])('tells %s from %s', (one, other) => {
    expect(isSameJson(parseJson(one), parseJson(other))).toBe(false);
  });

  it('compares numbers by their value, however they are written', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.nat({ max: 30 }), (whole, zeros) => {
        const longer = `${whole}.${'0'.repeat(zeros + 1)}`;
        expect(isSameJson(parseJson(`${whole}`), parseJson(longer))).toBe(true);
        expect(isSameJson(parseJson(`${whole + 1n}`), parseJson(longer))).toBe(false);
      }),
    );
  });

  it('tells an exact number from a JavaScript number', () => {
    expect(isJsonNumber(1)).toBe(true);
    expect(isJsonNumber(parseJson('1.50'))).toBe(true);
    expect(isJsonNumber('1.50')).toBe(false);
  });
});
