import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../contract/numbers.ts';
import { systemCodeOf } from '../jobs/file-access.ts';
import type { Plan } from './plan-file.ts';
import { type AccountIdentity, countChanges, type PlanCounts, type PlanHead } from './plan-format.ts';

/** Throws `usage` if a plan was made for another account than `current`. */
export function assertPlanFits(
  { account: planned }: Pick<PlanHead, 'account'>,
  current: AccountIdentity,
): void {
  if (planned.origin === current.origin && planned.account === current.account) return;
  const message = `The plan was made for ${describe(planned)}, but this is ${describe(current)}.`;
  throw new SalonError('usage', message, { hint: 'Choose the right profile with --profile.' });
}

function describe({ origin, account }: AccountIdentity): string {
  return account === null ? origin : `account ${account} at ${origin}`;
}

/** Throws `conflict` if the sheet next to a plan has changed since the plan was made. */
export async function assertSheetUnchanged({ path, head }: Pick<Plan, 'path' | 'head'>): Promise<void> {
  const { name, sha256, isCondition = false } = head.source;
  if (isCondition) return;
  const current = await readDigest(join(dirname(path), name));
  if (current === undefined || current === sha256) return;
  throw new SalonError('conflict', `${name} has changed since ${basename(path)} was made from it.`, {
    hint: 'Make a new plan. To apply the old one anyway, move it to another folder.',
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

/** How much a plan may change: a number such as `50`, or a share such as `5%`. Unlimited if left out. */
export interface Budgets {
  /** Records created, changed and deleted. */
  readonly maxChanges?: string | undefined;
  /** Fields with a value that would be cleared. */
  readonly maxClears?: string | undefined;
}

/** Whether a budget is a share of the records. */
export function needsRecordCount({ maxChanges, maxClears }: Budgets): boolean {
  return [maxChanges, maxClears].some((budget) => budget?.endsWith('%'));
}

/**
 * Throws `budget_exceeded` if a plan would change too much, `usage` for a budget that cannot be parsed. A share is one
 * of `records`, or of the rows if that is null.
 */
export function assertBudgets(
  counts: PlanCounts,
  { maxChanges, maxClears }: Budgets,
  records: number | null,
): void {
  const whole = records ?? counts.rows;
  const changes = countChanges(counts);
  if (maxChanges !== undefined && changes > parseBudget(maxChanges, '--max-changes', whole)) {
    throw exceeded(describeChanges(counts), `--max-changes is ${maxChanges}`);
  }
  if (maxClears !== undefined && counts.clears > parseBudget(maxClears, '--max-clears', whole)) {
    throw exceeded(`${countOf(counts.clears, 'fields')} would be cleared`, `--max-clears is ${maxClears}`);
  }
}

function describeChanges(counts: PlanCounts): string {
  const changes = countOf(countChanges(counts), 'records');
  if (counts.delete > 0) return `${changes} would be deleted`;
  return counts.create > 0 ? `${changes} would be added` : `${changes} would change`;
}

function parseBudget(budget: string, flag: string, whole: number): number {
  const [, number, percent] = /^(\d{1,9}(?:\.\d{1,6})?)(%?)$/.exec(budget) ?? [];
  const most = percent === '%' ? (whole * Number(number)) / 100 : Number(number);
  if (number !== undefined && (percent === '%' || Number.isInteger(most))) return most;
  throw new SalonError('usage', `Invalid ${flag}: "${budget}".`, {
    hint: 'Use a number such as 50, or a percentage such as 5%.',
  });
}

function exceeded(effect: string, budget: string): SalonError {
  return new SalonError('budget_exceeded', `${effect}, but ${budget}. Nothing was sent.`, {
    hint: 'Review the plan, and raise the limit if it is right.',
  });
}

/** 64 bits: short enough to read out, too long to find another plan for. */
const length = 16;
/** 48 bits still tell apart the plans that people have. */
const minLength = 12;

/** What people compare to know that they mean the same plan: the start of its SHA-256. */
export function toFingerprint({ sha256 }: Pick<Plan, 'sha256'>): string {
  return sha256.slice(0, length);
}

/**
 * Throws `conflict` for a plan with another fingerprint, and `usage` for a text that is none. The whole SHA-256, which
 * the plan file ends with, will do as well.
 */
export function assertFingerprint(plan: Pick<Plan, 'path' | 'sha256'>, expected: string): void {
  const wanted = expected.trim().toLowerCase();
  if (!/^[0-9a-f]+$/.test(wanted) || wanted.length < minLength || wanted.length > plan.sha256.length) {
    throw new SalonError('usage', `"${expected}" is not the fingerprint of a plan.`, {
      hint: 'Use the 16 characters that --plan-file and --dry-run print.',
    });
  }
  if (plan.sha256.startsWith(wanted)) return;
  const message = `${plan.path} has the fingerprint ${toFingerprint(plan)}, not ${wanted}.`;
  throw new SalonError('conflict', message, {
    hint: `It is not the plan that was reviewed. Show it: salon jobs apply ${plan.path} --dry-run`,
  });
}
