import { describe, expect, it } from 'vitest';
import { assertBudgets, type Budgets } from '../../../src/bulk/plan/plan-budgets.ts';
import { toExitCode } from '../../../src/cli/messages/exit-codes.ts';
import { SalonError } from '../../../src/contract/errors.ts';
import { noCounts } from '../edit/sample-plan.ts';

const counts = { ...noCounts, rows: 200, create: 1, update: 8, delete: 1, clears: 4, clearedRows: 2 };

function judge(budgets: Partial<Budgets>): string {
  try {
    assertBudgets(counts, { records: null, ...budgets });
    return 'allowed';
  } catch (thrown) {
    return thrown instanceof SalonError ? `${thrown.code}: ${thrown.message}` : String(thrown);
  }
}

describe('a budget', () => {
  it.each<[string, Partial<Budgets>, string]>([
    ['that is left out', {}, 'allowed'],
    ['of as many changes as there are', { maxChanges: '10' }, 'allowed'],
    ['of one change too few', { maxChanges: '9' }, 'budget_exceeded: 10 records would change'],
    ['of 5 % of the rows', { maxChanges: '5%' }, 'allowed'],
    ['of 4.9 % of the rows', { maxChanges: '4.9%' }, 'budget_exceeded'],
    ['of 1 % of the records in the list', { maxChanges: '1%', records: 1_000 }, 'allowed'],
    ['of 1 % of a list that is shorter', { maxChanges: '1%', records: 999 }, 'budget_exceeded'],
    ['of as many clears as there are', { maxClears: '4' }, 'allowed'],
    ['of no clears', { maxClears: '0' }, 'budget_exceeded: 4 fields would be emptied, and --max-clears is 0'],
    ['that is no number', { maxChanges: 'many' }, 'usage'],
    ['of a half change', { maxChanges: '0.5' }, 'usage'],
    ['below nothing', { maxClears: '-1' }, 'usage'],
  ])('%s', (_name, budgets, verdict) => {
    expect(judge(budgets).slice(0, verdict.length)).toBe(verdict);
  });

  it('that is exceeded ends a command as consent that is missing does', () => {
    expect(toExitCode(new SalonError('budget_exceeded', ''))).toBe(8);
  });
});
