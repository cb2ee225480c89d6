import type { SalonClient } from '../../client/client.ts';
import type { ClientMerge } from '../../contract/client-merging.ts';
import { SalonError } from '../../contract/errors.ts';
import { needsCheck, pickFields } from '../apply/apply-row.ts';
import type { RowResult } from '../apply/results.ts';
import { runSteps, type SendStep, type StepsResult } from '../apply/run-steps.ts';
import { journalEnd } from '../apply/step-job.ts';
import { emptyOutcomeCounts, type RowOutcome } from '../jobs/journal.ts';
import { type MergeStep, type OpenMergeJob, readMergeResults } from './merge-job.ts';
import { readArchivedIn, sendMerge } from './plan-merge.ts';

export interface RunMergeOptions {
  readonly client: SalonClient;
  readonly now: () => Date;
  /** Stops sending when it fires; requests in flight finish. */
  readonly signal?: AbortSignal | undefined;
}

export interface MergeResult extends StepsResult {
  readonly results: readonly RowResult[];
  /** What the server moved in this run. */
  readonly moved: ClientMerge['moved'] | undefined;
}

/** Executes a merge, or its reversal, unless that is done, and journals how the run ended. */
export async function runMerge(
  opened: OpenMergeJob,
  { client, now, signal }: RunMergeOptions,
): Promise<MergeResult> {
  const { job, plan, progress, journal, journalPath } = opened;
  let end: StepsResult = { tally: { ...emptyOutcomeCounts, ...progress.tally }, stop: undefined };
  let moved: MergeResult['moved'];
  if (progress.state !== 'done') {
    end = await runSteps({
      readSteps: () => plan.steps,
      send: createSender(opened, client, (counts) => (moved = counts)),
      progress,
      createdAtMs: Date.parse(job.createdAt),
      journal,
      concurrency: 1,
      stopsUnconfirmed: true,
      nowMs: () => now().getTime(),
      signal,
    });
    await journalEnd(journal, end.stop, now());
  }
  return { ...end, moved, results: await readMergeResults(plan, journalPath) };
}

/** Where an earlier request may have been executed, the other client shows it: it exists either before or after. */
function createSender(
  { job, plan }: OpenMergeJob,
  client: SalonClient,
  onMoved: (moved: ClientMerge['moved']) => void,
): SendStep<MergeStep> {
  const { into, from } = job.work;
  return async ({ row, change = {} }, sentAtMs) => {
    const done: RowOutcome = {
      what: 'done',
      id: into,
      after: pickFields({ ...plan.into, ...change }, change),
    };
    if (sentAtMs !== undefined && (await isDone())) return done;
    const idempotencyKey = `${job.id}-${row}`;
    try {
      const sent =
        plan.method === 'merge'
          ? await sendMerge(client.clients, plan, idempotencyKey)
          : await client.clients.unmerge(into, from, { idempotencyKey });
      onMoved(sent.moved);
    } catch (thrown) {
      const isUnclear = thrown instanceof SalonError && needsCheck(thrown);
      if (!isUnclear || !(await isDone().catch(() => false))) throw thrown;
    }
    return done;
  };

  async function isDone(): Promise<boolean> {
    const archivedIn = await readArchivedIn(client, from);
    return plan.method === 'merge' ? archivedIn === into : archivedIn === undefined;
  }
}

/** Whether a step is done. */
export function isGood({ outcome }: RowResult): boolean {
  return outcome !== undefined && ['done', 'accepted', 'unchanged'].includes(outcome.what);
}
