import { SalonError } from '../../contract/errors.ts';
import type { Plan } from './plan-file.ts';

/** 64 bits: short enough to read out, too long to find another plan for. */
const length = 16;
const shortest = 12;

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
  if (!/^[0-9a-f]+$/.test(wanted) || wanted.length < shortest || wanted.length > plan.sha256.length) {
    throw new SalonError('usage', `"${expected}" is not the fingerprint of a plan.`, {
      hint: 'Use the 16 characters that --plan-file and --dry-run print.',
    });
  }
  if (plan.sha256.startsWith(wanted)) return;
  throw new SalonError(
    'conflict',
    `${plan.path} has the fingerprint ${toFingerprint(plan)}, not ${wanted}.`,
    {
      hint: `It is not the plan that was reviewed. Show it: salon jobs apply ${plan.path} --dry-run`,
    },
  );
}
