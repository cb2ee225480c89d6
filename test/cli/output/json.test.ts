import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Printer, Row } from '../../../src/cli/output/columns.ts';
import { createJsonPrinter, createNdjsonPrinter } from '../../../src/cli/output/json.ts';
import { anyValue, nastyText } from './rows.ts';

function print(printer: Printer, pages: readonly (readonly Row[])[]): string {
  return printer.begin() + pages.map((page) => printer.rows(page)).join('') + printer.end();
}

const pages = fc.array(fc.array(fc.dictionary(nastyText, anyValue, { maxKeys: 4 }), { maxLength: 4 }), {
  maxLength: 4,
});

describe('createJsonPrinter', () => {
  it.each([
    ['nothing', [], '[]\n'],
    ['empty pages', [[], []], '[]\n'],
    ['one', [[{ a: 1 }]], '[\n{"a":1}\n]\n'],
    ['pages', [[{ a: 1 }], [], [{ a: 2 }, { a: 3 }]], '[\n{"a":1},\n{"a":2},\n{"a":3}\n]\n'],
  ])('is one document for %s', (_, given, expected) => {
    expect(print(createJsonPrinter(), given)).toBe(expected);
  });

  it('parses to the records that went in', () => {
    fc.assert(
      fc.property(pages, (given) => {
        expect(JSON.parse(print(createJsonPrinter(), given))).toEqual(
          JSON.parse(JSON.stringify(given.flat())),
        );
      }),
    );
  });

  it('keeps half a character as an escape', () => {
    expect(print(createJsonPrinter(), [[{ a: '\uD83D' }]])).toContain(String.raw`"\ud83d"`);
  });

  it('prints the members asked for, in order, null where there is none', () => {
    const printer = createJsonPrinter({
      columns: [
        { key: 'b', kind: 'text' },
        { key: 'a', kind: 'text' },
      ],
    });
    expect(print(printer, [[{ a: 1, c: 3 }]])).toBe('[\n{"b":null,"a":1}\n]\n');
  });
});

describe('createNdjsonPrinter', () => {
  it('prints nothing for nothing', () => {
    expect(print(createNdjsonPrinter(), [[]])).toBe('');
  });

  it('is a document a line, whatever the texts hold', () => {
    fc.assert(
      fc.property(pages, (given) => {
        const lines = print(createNdjsonPrinter(), given).split('\n').slice(0, -1);
        expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(given.flat())));
      }),
    );
  });
});
