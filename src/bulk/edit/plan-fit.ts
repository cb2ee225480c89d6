import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { SalonError } from '../../contract/errors.ts';
import { systemCodeOf } from '../jobs/file-failure.ts';
import type { EditAccount, EditSource } from './edit.ts';
import type { PlanHead } from './plan-form.ts';

/** A plan is carried out for those it was made for. Throws `usage`. */
export function assertPlanFits({ account: planned }: PlanHead, present: EditAccount): void {
  if (planned.origin === present.origin && planned.account === present.account) return;
  const message = `The plan was made for ${describe(planned)}, and this is ${describe(present)}.`;
  throw new SalonError('usage', message, { hint: 'Choose the profile it was made with: --profile' });
}

/**
 * The sheet a plan was made from still is what it was, or is not there any more. Throws `conflict`: whoever has
 * changed the sheet since expects something else to happen than the plan says.
 */
export async function assertSheetUnchanged(source: EditSource, path: string): Promise<void> {
  const sha256 = await readDigest(path);
  if (sha256 === undefined || sha256 === source.sha256) return;
  throw new SalonError('conflict', `${source.name} has changed since the plan was made.`, {
    hint: 'Make the plan again, or put the sheet elsewhere if the plan is what you want.',
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
