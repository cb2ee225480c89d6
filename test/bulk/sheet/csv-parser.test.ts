import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCsvParser } from '../../../src/bulk/sheet/csv-parser.ts';
import { countBySpeed } from '../../support/speed.ts';

/** All rows of a text, parsed in pieces of this length. */
function split(text: string, pieceLength = text.length) {
  const splitter = createCsvParser(',');
  const pieces = Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, index) =>
    text.slice(index * pieceLength, (index + 1) * pieceLength),
  );
  return [...pieces.flatMap((piece) => splitter.write(piece)), ...splitter.end()];
}

const cell = fc.string({ unit: fc.constantFrom('a', 'ü', '"', ',', '\n', '\r', ' ', '😀'), maxLength: 8 });
const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');

function write(cells: readonly string[]): string {
  const texts = cells.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text));
  return texts.length === 1 && texts[0] === '' ? '""' : texts.join(',');
}

describe('createCsvParser', () => {
  it.each(['\n', ',\n', ' , \r\n'])('refuses more than a million blank rows: %j', (blank) => {
    const parser = createCsvParser(',');
    const chunk = blank.repeat(100_000);
    const write = () => Array.from({ length: 11 }, () => parser.write(chunk).length);
    expect(parser.write('id,name\n')).toHaveLength(1);
    expect(write).toThrow('More than 1,048,576 blank lines follow line 1.');
  });

  it('parses the cells that were written, in chunks of any length', () => {
    fc.assert(
      fc.property(rows, lineEnd, fc.integer({ min: 1, max: 9 }), (written, end, pieceLength) => {
        const text = written.map((cells) => write(cells) + end).join('');
        expect(split(text, pieceLength).map(({ cells }) => cells)).toEqual(written);
      }),
      { numRuns: countBySpeed(1000) },
    );
  });

  it('parses valid CSV like another parser', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', 'b'), maxLength: 30 });
    fc.assert(
      fc.property(text, (input) => {
        const read = split(input);
        fc.pre(read.every(({ problem: unreadable }) => unreadable === undefined) && !/[ab]"/.test(input));
        const options = { relax_column_count: true, skip_empty_lines: false, record_delimiter: '\n' };
        expect(read.map(({ cells }) => cells)).toEqual(parse(input, options));
      }),
      { numRuns: countBySpeed(2000) },
    );
  });

  it.each(['\n', '\r\n', '\r'])('counts the lines inside cells (line end %j)', (end) => {
    const text = ['a', `"1${end}2${end}3"`, 'b', '', '"x"'].join(end);
    expect(split(text).map(({ line }) => line)).toEqual([1, 2, 5, 6, 7]);
  });

  it('treats a quote inside an unquoted cell as text', () => {
    expect(split('5" nail,b\n')).toEqual([{ line: 1, cells: ['5" nail', 'b'] }]);
  });

  it.each([
    ['text after a closing quote', 'a\n"Anna "Boss" Smith",1\nb\n', 'closing quote'],
    ['a quote that is not closed', 'a\n"Anna,1\nb\n', 'is not closed'],
  ])('loses only the row with %s', (_, text, reason) => {
    const read = split(text);
    expect(read.map(({ line, cells }) => [line, ...cells])).toEqual([[1, 'a'], [2], [3, 'b']]);
    expect(read[1]?.problem).toContain(reason);
  });

  it('skips a row longer than 1 MiB without keeping it in memory', () => {
    const text = `a\n"${'x\n'.repeat(700_000)}`;
    const [heading, row] = split(text, 65_536);
    expect([heading?.cells, row?.line]).toEqual([['a'], 2]);
    expect(row?.problem).toContain('longer than 1 MiB');
  });
});
