import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import type { EditAccount } from '../edit/edit.ts';
import { systemCodeOf } from '../jobs/file-failure.ts';
import type { PlanHead } from './plan-form.ts';
import type { Plan } from './plan-read.ts';

/** A plan is carried out for those it was made for. Throws `usage`. */
export function assertPlanFits({ account: planned }: PlanHead, present: EditAccount): void {
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

function describe({ origin, account }: EditAccount): string {
  return account === null ? origin : `account ${account} at ${origin}`;
}
