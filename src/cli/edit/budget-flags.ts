import { assertBudgets } from '../../bulk/edit/plan-budgets.ts';
import { createCounting } from '../../bulk/edit/plan-counts.ts';
import { parseCount } from '../parse/values.ts';
import type { BudgetFlags } from './edit-options.ts';

/** Whether budgets can be read at all shows before a plan is made, which may take long. Throws `usage`. */
export function assertBudgetFlags({ maxChanges, maxClears, maxErrors }: BudgetFlags): void {
  assertBudgets(createCounting().counts(), { maxChanges, maxClears, records: 0 });
  if (maxErrors !== undefined) parseCount(maxErrors, '--max-errors');
}
