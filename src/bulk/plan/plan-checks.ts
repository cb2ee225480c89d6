import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../contract/numbers.ts';
import type { AccountIdentity } from '../input/edit-fields.ts';
import { systemCodeOf } from '../jobs/file-access.ts';
import type { Plan } from './plan-file.ts';
import type { PlanHead } from './plan-format.ts';
import { countChanges, type PlanCounts } from './planned-row.ts';

/** A plan is carried out for those it was made for. Throws `usage`. */
export function assertPlanFits({ account: planned }: PlanHead, present: AccountIdentity): void {
  if (planned.origin === present.origin && planned.account === present.account) return;
  const message = `The plan was made for ${describe(planned)}, and this is ${describe(present)}.`;
  throw new SalonError('usage', message, { hint: 'Choose the profile it was made with: --profile' });
}

/**
 * The sheet a plan was made from still is what it was, or is no longer in the folder of the plan. Throws `conflict`:
 * whoever has changed the sheet since expects something else to happen than the plan says.
 */
export async function assertSheetUnchanged({ path, head }: Pick<Plan, 'path' | 'head'>): Promise<void> {
  const { name, sha256 } = head.source;
  const present = await readDigest(join(dirname(path), name));
  if (present === undefined || present === sha256) return;
  throw new SalonError('conflict', `${name} has changed since ${basename(path)} was made from it.`, {
    hint: 'Make the plan again, or move it to another folder if it is what you want.',
  });
}

async function readDigest(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk);
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return undefined;
  }
  return hash.digest('hex');
}

function describe({ origin, account }: AccountIdentity): string {
  return account === null ? origin : `account ${account} at ${origin}`;
}

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
