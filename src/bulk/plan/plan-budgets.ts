import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../contract/numbers.ts';
import type { PlanCounts } from '../edit/planned-row.ts';
import { countChanges } from './plan-counts.ts';

/** How much a plan may change: a number such as `50`, or a share such as `5%`. What is left out has no bounds. */
export interface Budgets {
  /** Records made, changed and removed. */
  readonly maxChanges?: string | undefined;
  /** Fields that have a value and would be emptied. */
  readonly maxClears?: string | undefined;
  /** Records in the list, of which a share is taken; null where that is not known: then it is one of the rows. */
  readonly records: number | null;
}

/** Throws `budget_exceeded` where a plan would change more than it may, `usage` for a budget that cannot be read. */
export function assertBudgets(counts: PlanCounts, { maxChanges, maxClears, records }: Budgets): void {
  const whole = records ?? counts.rows;
  const changes = countChanges(counts);
  if (maxChanges !== undefined && changes > toMost(maxChanges, '--max-changes', whole)) {
    throw exceeded(`${countOf(changes, 'records')} would change`, `--max-changes is ${maxChanges}`);
  }
  if (maxClears !== undefined && counts.clears > toMost(maxClears, '--max-clears', whole)) {
    throw exceeded(`${countOf(counts.clears, 'fields')} would be emptied`, `--max-clears is ${maxClears}`);
  }
}

function toMost(budget: string, flag: string, whole: number): number {
  const [, number, percent] = /^(\d{1,9}(?:\.\d{1,6})?)(%?)$/.exec(budget) ?? [];
  const most = percent === '%' ? (whole * Number(number)) / 100 : Number(number);
  if (number !== undefined && (percent === '%' || Number.isInteger(most))) return most;
  throw new SalonError('usage', `“${budget}” is no budget for ${flag}.`, {
    hint: 'Give a number such as 50, or a share such as 5%.',
  });
}

function exceeded(happening: string, budget: string): SalonError {
  return new SalonError('budget_exceeded', `${happening}, and ${budget}: nothing was sent.`, {
    hint: 'Look at the plan, and set the budget higher if it is right.',
  });
}
