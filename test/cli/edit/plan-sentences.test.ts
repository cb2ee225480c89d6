import { expect, it } from 'vitest';
import { describeCounts } from '../../../src/cli/edit/edit-result.ts';
import { noCounts, sampleHead } from '../../bulk/plan/sample-plan.ts';

it.each([
  ['clients.csv', '3 rows: 2 clients will change (phone), 1 refused.'],
  ['job 20261121-120000-abcdef', '3 rows: 2 clients will be restored (phone), 1 not undone.'],
])('a row that does not change is told as what it is, of %s', (name, sentence) => {
  const head = { ...sampleHead, source: { ...sampleHead.source, name } };
  const counts = { ...noCounts, rows: 3, update: 2, refused: 1, fields: { phone: 2 } };
  expect(describeCounts({ head, counts })).toBe(sentence);
});
