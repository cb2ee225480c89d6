import type { SalonClient } from '../../client/client.ts';
import type { ClientMerge } from '../../contract/client-merge.ts';
import { SalonError } from '../../contract/errors.ts';
import type { ApplyResult } from '../apply/apply-plan.ts';
import { needsCheck, pickFields, stopsJob, toRowError, unwrapUnknownResult } from '../apply/apply-row.ts';
import type { OutcomeCounts, RowOutcome } from '../jobs/journal-entries.ts';
import type { OpenMergeJob } from './merge-job.ts';
import { sendMerge } from './plan-merge.ts';

export interface RunEndpointOptions {
  readonly client: SalonClient;
  readonly nowMs: () => number;
}

type MovedRecords = ClientMerge['moved'];

export interface EndpointResult extends ApplyResult {
  /** Undefined where another run sent it, or the server refused it. */
  readonly moved?: MovedRecords | undefined;
}

const row = 1;

/**
 * Sends a merge, or its reversal, that the server executes as a whole. The intent is on disk before the request. Where an
 * earlier request may have been executed, the other client shows it: it exists either before or after.
 */
export async function runEndpoint(
  { job, plan, progress, journal }: OpenMergeJob,
  { client, nowMs }: RunEndpointOptions,
): Promise<EndpointResult> {
  const { into, from } = job.work;
  if (progress.isSettled(row)) return { tally: progress.tally, stop: undefined };
  let moved: MovedRecords | undefined;
  const mayBeDone = progress.hasGap || progress.uncertain.has(row);
  try {
    const isDone = mayBeDone && (await readIsDone());
    if (!isDone) {
      await journal.append({ type: 'intent', row, atMs: nowMs() });
      await journal.commit();
      await send();
    }
    return await settle(await toOutcome());
  } catch (thrown) {
    if (!(thrown instanceof SalonError)) throw thrown;
    if (needsCheck(thrown)) {
      const isDone = await readIsDone().catch(() => false);
      return isDone
        ? settle(await toOutcome())
        : { tally: progress.tally, stop: unwrapUnknownResult(thrown) };
    }
    if (stopsJob(thrown)) {
      if (!mayBeDone) await journal.append({ type: 'unsent', row });
      return { tally: progress.tally, stop: thrown };
    }
    return settle({ what: 'failed', id: into, error: toRowError(thrown) });
  }

  async function send(): Promise<void> {
    const idempotencyKey = `${job.id}-${row}`;
    const sent =
      plan.method === 'merge'
        ? await sendMerge(client.clients, plan, idempotencyKey)
        : await client.clients.unmerge(into, from, { idempotencyKey });
    moved = sent.moved;
  }

  async function readIsDone(): Promise<boolean> {
    const archivedIn = await readArchivedIn(client, from);
    return plan.method === 'merge' ? archivedIn === into : archivedIn === undefined;
  }

  async function toOutcome(): Promise<RowOutcome> {
    const { change = {} } = plan.steps[0] ?? {};
    return { what: 'done', id: into, after: pickFields({ ...plan.into, ...change }, change) };
  }

  async function settle(outcome: RowOutcome): Promise<EndpointResult> {
    await journal.append({ type: 'outcome', row, ...outcome });
    const tally: OutcomeCounts = { ...progress.tally, [outcome.what]: progress.tally[outcome.what] + 1 };
    return { tally, stop: undefined, moved };
  }
}

/** The client that another one was merged into; undefined if that one exists, null if it is gone altogether. */
export async function readArchivedIn(client: SalonClient, id: string): Promise<string | null | undefined> {
  try {
    await client.clients.get(id, { searchesList: false });
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof SalonError) || thrown.code !== 'not_found') throw thrown;
    const into = thrown.members['merged_into'];
    return typeof into === 'string' ? into : null;
  }
}
