import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { isSameValue } from '../edit/cell-values.ts';
import { createSalonRecords } from '../plan/current/salon-records.ts';
import type { Plan } from '../plan/plan-read.ts';
import { readCurrentRows } from '../plan/refresh-rows.ts';
import { type ApplyEnd, type Applying, applyPlan } from './apply-plan.ts';
import { createTakenIds } from './taken-ids.ts';

export interface EditRun extends Omit<Applying, 'readRows' | 'records' | 'isTaken' | 'now'> {
  readonly plan: Plan;
  readonly client: SalonClient;
  /** Where temporary files may lie: they hold records. */
  readonly folder: string;
  /** Where the journal lies. */
  readonly journalPath: string;
  readonly now: () => Date;
  /** Writes down what became of every row. */
  readonly report: () => Promise<void>;
}

/** Carries out what is left of a plan, reports it, and writes down how it ended. */
export async function runEdit({
  plan,
  client,
  folder,
  journalPath,
  now,
  report,
  ...run
}: EditRun): Promise<ApplyEnd> {
  const records = createSalonRecords({ client, edit: plan.head.edit, isSameValue });
  const path = join(folder, 'current.json');
  await using files = new AsyncDisposableStack();
  files.defer(() => rm(path, { force: true }));
  let current: Promise<Plan['rows']> | undefined;
  async function* readRows() {
    current ??= readCurrentRows({ plan, client, records, path, folder });
    yield* (await current)();
  }

  const end = await applyPlan({
    ...run,
    records,
    readRows,
    isTaken: createTakenIds(journalPath),
    now: () => now().getTime(),
  });
  const unreported = await attempt(report);
  const stop = end.stop ?? unreported;
  const at = now().toISOString();
  if (stop === undefined) await run.journal.append({ type: 'done', at });
  // A journal that cannot be written says so by its missing end.
  else
    await run.journal.append({ type: 'stopped', at, code: stop.code, message: stop.message }).catch(() => {});
  await run.journal.commit().catch(() => {});
  return { ...end, stop };
}

/** The error that an act ends with, if any. */
async function attempt(act: () => Promise<void>): Promise<SalonError | undefined> {
  try {
    await act();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof SalonError) return thrown;
    throw thrown;
  }
}
