import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonWriter, createNdjsonWriter, type RowWriter } from '../../../src/bulk/sheet/sheet-text.ts';
import type { Fields } from '../../../src/client/json-object.ts';
import { anyValue, nastyText } from '../../cli/output/rows.ts';

function print(writer: RowWriter, pages: readonly (readonly Fields[])[]): string {
  return writer.begin() + pages.map((page) => writer.rows(page)).join('') + writer.end();
}

const pages = fc.array(fc.array(fc.dictionary(nastyText, anyValue, { maxKeys: 4 }), { maxLength: 4 }), {
  maxLength: 4,
});

describe('createJsonWriter', () => {
  it.each([
    ['nothing', [], '[]\n'],
    ['empty pages', [[], []], '[]\n'],
    ['one', [[{ a: 1 }]], '[\n{"a":1}\n]\n'],
    ['pages', [[{ a: 1 }], [], [{ a: 2 }, { a: 3 }]], '[\n{"a":1},\n{"a":2},\n{"a":3}\n]\n'],
  ])('is one document for %s', (_, given, expected) => {
    expect(print(createJsonWriter(), given)).toBe(expected);
  });

  it('parses to the same rows', () => {
    fc.assert(
      fc.property(pages, (given) => {
        expect(JSON.parse(print(createJsonWriter(), given))).toEqual(
          JSON.parse(JSON.stringify(given.flat())),
        );
      }),
    );
  });

  it('escapes half a surrogate pair', () => {
    expect(print(createJsonWriter(), [[{ a: '\uD83D' }]])).toContain(String.raw`"\ud83d"`);
  });

  it('writes the requested members in order, null for missing ones', () => {
    const writer = createJsonWriter({ columns: ['b', 'a'] });
    expect(print(writer, [[{ a: 1, c: 3 }]])).toBe('[\n{"b":null,"a":1}\n]\n');
  });
});

describe('createNdjsonWriter', () => {
  it('writes nothing without rows', () => {
    expect(print(createNdjsonWriter(), [[]])).toBe('');
  });

  it('writes a document per line, whatever the text', () => {
    fc.assert(
      fc.property(pages, (given) => {
        const lines = print(createNdjsonWriter(), given).split('\n').slice(0, -1);
        expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(given.flat())));
      }),
    );
  });
});
