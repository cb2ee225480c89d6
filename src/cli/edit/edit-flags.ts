import { assertBudgets } from '../../bulk/plan/plan-budgets.ts';
import { createCounting } from '../../bulk/plan/plan-counts.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseCount } from '../flags/values.ts';
import type { EditFlags } from './edit-options.ts';
import { parseFaults } from './faults.ts';

/** Whether flags can be read at all shows before a plan is made, which may take long. Throws `usage`. */
export function assertEditFlags({ maxChanges, maxClears, maxErrors, rehearse, faults }: EditFlags): void {
  assertBudgets(createCounting().counts(), { maxChanges, maxClears, records: 0 });
  if (maxErrors !== undefined) parseCount(maxErrors, '--max-errors');
  if (faults === undefined) return;
  parseFaults(faults);
  if (rehearse === true) return;
  throw new SalonError(
    'usage',
    '--faults goes with --rehearse only: nothing goes wrong on purpose in earnest.',
  );
}
