import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseListText, toValueText } from '../../../src/bulk/sheet/cell-text.ts';
import { nastyText } from '../../cli/output/rows.ts';

describe('the list in a cell', () => {
  it.each([[['a', 'b']], [['']], [['[x']], [['a', null, 2]], [[]], [['a;b', '\\', ';']]])(
    '%j reads back',
    (list) => {
      expect(parseListText(toValueText(list))).toEqual(list);
    },
  );

  it('reads back whatever it was', () => {
    const list = fc.array(fc.oneof({ weight: 4, arbitrary: nastyText }, fc.constant(null), fc.integer()), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(list, (items) => {
        expect(parseListText(toValueText(items))).toEqual(items);
      }),
      { numRuns: 1000 },
    );
  });
});
