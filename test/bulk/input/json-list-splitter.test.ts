import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonListSplitter } from '../../../src/bulk/input/json-list-splitter.ts';
import { nastyText } from '../../cli/output/rows.ts';

function split(text: string, pieceLength: number) {
  const splitter = createJsonListSplitter();
  const elements = [];
  for (let at = 0; at < text.length; at += pieceLength) {
    elements.push(...splitter.write(text.slice(at, at + pieceLength)));
  }
  return { elements, failure: splitter.end(), member: splitter.member };
}

const row = fc.dictionary(nastyText, fc.oneof(nastyText, fc.jsonValue({ maxDepth: 3 })), {
  noNullPrototype: true,
});
const list = fc.array(row, { minLength: 1, maxLength: 4 });
const pieceLength = fc.integer({ min: 1, max: 30 });
const indent = fc.constantFrom(0, 2);

describe('createJsonListSplitter', () => {
  it('finds the elements of a list, in pieces of any length', () => {
    fc.assert(
      fc.property(list, pieceLength, indent, (rows, length, spaces) => {
        const { elements, failure, member } = split(JSON.stringify(rows, null, spaces), length);
        const read = elements.map(({ text }) => JSON.parse(text));
        expect([read, failure, member]).toEqual([JSON.parse(JSON.stringify(rows)), undefined, null]);
      }),
      { numRuns: 500 },
    );
  });

  it('finds the list in an object, whatever stands around it', () => {
    const around = fc.oneof(
      nastyText,
      fc.integer(),
      fc.constant([]),
      fc.constant(['a', '[{']),
      fc.constant({ a: [{}] }),
    );
    fc.assert(
      fc.property(list, nastyText, around, pieceLength, (rows, name, other, length) => {
        const text = `{"before":${JSON.stringify(other)},${JSON.stringify(name)}:${JSON.stringify(rows)},"behind":1}`;
        const { elements, failure, member } = split(text, length);
        const read = elements.map((element) => JSON.parse(element.text));
        expect([read, failure, member]).toEqual([JSON.parse(JSON.stringify(rows)), undefined, name]);
      }),
      { numRuns: 500 },
    );
  });

  it('says on which line an element begins, in pieces of any length', () => {
    const text = '[\n{"a":\n1}\n,\n\n{"b":2},{"c":3}\n]';
    for (let length = 1; length <= text.length; length += 1) {
      expect(split(text, length).elements.map(({ line }) => line)).toEqual([2, 6, 6]);
    }
  });

  it('does not fail by itself, whatever it is given', () => {
    const text = fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', 'a', ':'),
      maxLength: 20,
    });
    fc.assert(
      fc.property(text, pieceLength, (input, length) => {
        expect(() => split(input, length)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});
