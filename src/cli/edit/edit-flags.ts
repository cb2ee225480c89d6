import { assertBudgets } from '../../bulk/plan/plan-checks.ts';
import { createPlanCounter } from '../../bulk/plan/planned-row.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseCount } from '../flags/values.ts';
import type { EditFlags } from './edit-options.ts';
import { parseFaults } from './simulated-failures.ts';

/** Whether flags can be read at all shows before a plan is made, which may take long. Throws `usage`. */
export function assertEditFlags({ maxChanges, maxClears, maxErrors, simulate, faults }: EditFlags): void {
  assertBudgets(createPlanCounter().counts(), { maxChanges, maxClears, records: 0 });
  if (maxErrors !== undefined) parseCount(maxErrors, '--max-errors');
  if (faults === undefined) return;
  parseFaults(faults);
  if (simulate === true) return;
  throw new SalonError('usage', '--faults needs --simulate.');
}
