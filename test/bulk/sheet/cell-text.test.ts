import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addExcelGuard,
  parseCellList,
  removeExcelGuard,
  toCellText,
} from '../../../src/bulk/sheet/cell-text.ts';
import { nastyText } from '../../cli/output/rows.ts';
import { countBySpeed } from '../../support/speed.ts';

describe('a list in a cell', () => {
  it.each([[['a', 'b']], [['']], [['[x']], [['a', null, 2]], [[]], [['a;b', '\\', ';']]])(
    '%j reads back',
    (list) => {
      expect(parseCellList(toCellText(list))).toEqual(list);
    },
  );

  it('is parsed back unchanged', () => {
    const list = fc.array(fc.oneof({ weight: 4, arbitrary: nastyText }, fc.constant(null), fc.integer()), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(list, (items) => {
        expect(parseCellList(toCellText(items))).toEqual(items);
      }),
      { numRuns: countBySpeed(1000) },
    );
  });
});

describe('the Excel guard', () => {
  it.each([
    '=1+1',
    '+cmd|x',
    '-2+3',
    '@SUM(A1)',
    '\tx',
    '\r=1',
    '\n=1',
    '＝1',
    '＋A1',
    '－A1',
    '＠x',
    '+1+1=2',
    '+',
    '-',
    "'=x",
    "''@y",
    '+5.25',
    '-1,234.50',
    '-5%',
    '-1e6',
    '+44 20 7946 0018',
    '+442079460018',
    '+49 (30) 123-4567',
    '07700900123',
    '447700900123',
    "'00123",
    '3-4',
    '1/2/2026',
  ])('is added to %j', (cell) => {
    expect(addExcelGuard(cell)).toBe(`'${cell}`);
  });

  it.each(['Anna', '', '-5', '5.50', '12345678901', '2026-11-24', '1-800-555', "'tis", "it's", "'-5", 'a=b'])(
    'is not added to %j',
    (cell) => {
      expect(addExcelGuard(cell)).toBe(cell);
    },
  );

  it('is removed exactly, also from text that begins with it', () => {
    const start = fc.stringMatching(/^'{0,3}[=+\-@＝＋－＠\t]?/);
    fc.assert(
      fc.property(start, nastyText, (head, tail) => {
        expect(removeExcelGuard(addExcelGuard(head + tail))).toBe(head + tail);
      }),
      { numRuns: countBySpeed(2000) },
    );
  });
});
