import { expect, it } from 'vitest';
import { createListWriter } from '../../../src/cli/output/list-writer.ts';

it.each([
  ['after rows', { written: 1, hasBegun: true }, ['', ',\n{"id":"a"}']],
  ['after the heading alone', { written: 0, hasBegun: true }, ['', '\n{"id":"a"}']],
  ['of a file that is empty', { written: 0, hasBegun: false }, ['[', '\n{"id":"a"}']],
])('a list in JSON continues %s', async (_where, part, written) => {
  const writer = createListWriter({
    ...{ layout: 'json', width: 80, plain: true, color: false, excel: false, timeZone: 'UTC' },
    earlier: { columns: null, ...part },
  });
  expect([await writer.begin([{ id: 'a' }]), await writer.rows([{ id: 'a' }])]).toEqual(written);
});
