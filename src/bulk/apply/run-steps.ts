import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../text/numbers.ts';
import { forEachConcurrent } from '../concurrent.ts';
import type { JobProgress } from '../jobs/job-folder.ts';
import {
  type EditEntry,
  emptyOutcomeCounts,
  type Journal,
  type OutcomeCounts,
  type RowOutcome,
} from '../jobs/journal.ts';
import { isSent, type PlannedRow } from '../plan/plan-format.ts';
import { isAnsweredUnclearly, needsCheck, stopsJob, toRowError, toUnstored } from './apply-row.ts';

/**
 * Executes a step. If it may have been executed before, finds that out first: `sentAtMs` is then the time of its first
 * request, in milliseconds since 1970. Refusals are thrown as SalonError.
 */
export type SendStep<Step> = (step: Step, sentAtMs: number | undefined) => Promise<RowOutcome>;

export interface RunStepsOptions<Step extends PlannedRow = PlannedRow> {
  /** Reads the steps from the start; called at most twice. */
  readonly readSteps: () => AsyncIterable<Step> | Iterable<Step>;
  readonly send: SendStep<Step>;
  /** What earlier runs have done. */
  readonly progress: Pick<JobProgress, 'settled' | 'unconfirmed' | 'tally' | 'hasGap'>;
  /** When the job was created, in ms since 1970: with a gap in the journal, steps may have been sent since. */
  readonly createdAtMs: number;
  readonly journal: Journal<EditEntry>;
  /** Steps sent at a time. */
  readonly concurrency: number;
  /** Steps whose intents are flushed together, all of them unconfirmed after a kill; `concurrency` by default. */
  readonly batchSize?: number | undefined;
  /** Failures of this run after which nothing more is sent. */
  readonly maxErrors?: number | null | undefined;
  /** Whether a step that remains unconfirmed stops the job, to be resumed; by default its outcome is `doubtful`. */
  readonly stopsUnconfirmed?: boolean | undefined;
  readonly nowMs: () => number;
  /** Stops sending when it fires; requests in flight finish. */
  readonly signal?: AbortSignal | undefined;
  readonly onSettled?: ((step: Step, outcome: RowOutcome) => void) | undefined;
}

export interface StepsResult {
  /** Steps by outcome, earlier runs included. */
  readonly tally: OutcomeCounts;
  /** Why steps are left; undefined if every step has an outcome. */
  readonly stop: SalonError | undefined;
}

/**
 * Executes the steps that are left. The intent to send a step is on disk before its request, the outcome after its
 * response: however this process ends, the next run knows of every step that it is done, was never sent, or has to be
 * checked with the server. Rejects only with errors other than SalonError.
 */
export async function runSteps<Step extends PlannedRow>(
  options: RunStepsOptions<Step>,
): Promise<StepsResult> {
  const { progress, journal, concurrency, batchSize = concurrency } = options;
  const { maxErrors = null, nowMs, signal } = options;
  const tally = { ...emptyOutcomeCounts, ...progress.tally };
  // Failures of earlier runs do not count.
  const errorLimit = maxErrors === null ? Number.POSITIVE_INFINITY : countErrors(tally) + maxErrors;
  const unconfirmed = new Map(progress.unconfirmed);
  /** Steps in a row without a usable response, and the error of the latest. */
  let unanswered = 0;
  let silence: SalonError | undefined;
  let stop: SalonError | undefined;

  try {
    const areLeft = await pass(
      // Steps that were lost before come last: if they are lost again, the others have been sent.
      (step) => isSent(step) && !progress.settled.has(step.row) && !unconfirmed.has(step.row),
    );
    if (mayContinue() && unconfirmed.size > 0) await pass(({ row }) => unconfirmed.has(row));
    if (areLeft || unconfirmed.size > 0) stop ??= findHalt();
    await journal.commit();
  } catch (thrown) {
    // The journal can no longer be written, or the plan no longer be read.
    if (!(thrown instanceof SalonError)) throw thrown;
    stop ??= thrown;
  }
  if (unconfirmed.size > 0) stop ??= silence;
  return { tally, stop };

  /** Executes the steps that are left; returns whether any remain. */
  async function pass(isLeft: (step: Step) => boolean): Promise<boolean> {
    const steps = logIntents(isLeft);
    const left = await forEachConcurrent(steps, { most: concurrency, mayGoOn: mayContinue, work: execute });
    for (const { row } of left) await revoke(row);
    return left.length > 0;
  }

  /**
   * Yields the steps that are left once their intents are on disk. A flush costs more than everything else a step needs
   * locally, so a batch shares one. Once nothing more may be sent, steps are passed on without. Intents of steps that
   * were never yielded are revoked.
   */
  async function* logIntents(isLeft: (step: Step) => boolean): AsyncGenerator<Step> {
    const batch: Step[] = [];
    try {
      for await (const step of options.readSteps()) {
        if (!isLeft(step)) continue;
        batch.push(step);
        if (batch.length >= batchSize || !mayContinue()) yield* takeBatch();
      }
      yield* takeBatch();
    } finally {
      for (const { row } of batch) await revoke(row);
    }

    async function* takeBatch(): AsyncGenerator<Step> {
      const fresh = mayContinue() ? batch.filter(({ row }) => !unconfirmed.has(row)) : [];
      for (const { row } of fresh) await journal.append({ type: 'intent', row, atMs: nowMs() });
      if (fresh.length > 0) await journal.commit();
      for (let step = batch.shift(); step !== undefined; step = batch.shift()) yield step;
    }
  }

  async function revoke(row: number): Promise<void> {
    if (!unconfirmed.has(row)) await journal.append({ type: 'unsent', row });
  }

  function mayContinue(): boolean {
    return stop === undefined && findHalt() === undefined;
  }

  /** Why nothing more is sent, counting the failures so far. */
  function findHalt(): SalonError | undefined {
    if (signal?.aborted) {
      const { reason } = signal;
      return reason instanceof SalonError ? reason : new SalonError('interrupted', 'Interrupted.');
    }
    const errors = countErrors(tally);
    if (errors < errorLimit) return undefined;
    return new SalonError('budget_exceeded', `Stopped: ${countOf(errors, 'rows')} failed.`, {
      hint: 'Fix the cause, then resume. The failure limit (--max-errors) starts again from zero.',
    });
  }

  async function execute(step: Step): Promise<void> {
    const { row, id } = step;
    const sentAtMs = progress.hasGap ? options.createdAtMs : unconfirmed.get(row)?.atMs;
    const atMs = sentAtMs ?? nowMs();
    try {
      await settle(step, await options.send(step, sentAtMs));
    } catch (thrown) {
      if (!(thrown instanceof SalonError)) throw thrown;
      const unstored = toUnstored(thrown, step);
      // It was repeated, and the record was read: checking it once more would say the same.
      const isChecked = sentAtMs !== undefined && isAnsweredUnclearly(thrown) && !options.stopsUnconfirmed;
      if (unstored !== undefined) await settle(step, unstored);
      else if (isChecked) await settle(step, { what: 'doubtful', id, error: toRowError(thrown) });
      else if (needsCheck(thrown)) setAside(thrown, step, atMs);
      else if (stopsJob(thrown)) {
        stop ??= thrown;
        if (sentAtMs === undefined) await journal.append({ type: 'unsent', row });
      } else await settle(step, { what: 'failed', id, error: toRowError(thrown) });
    }
  }

  /**
   * The server may still be working on it: it is checked after all other steps. More such steps in succession than are
   * sent at a time mean that the server is gone.
   */
  function setAside(error: SalonError, { row }: Step, atMs: number): void {
    unconfirmed.set(row, { atMs });
    silence = error.code === 'result_unknown' && error.cause instanceof SalonError ? error.cause : error;
    unanswered += 1;
    if (unanswered > concurrency) stop ??= silence;
  }

  async function settle(step: Step, outcome: RowOutcome): Promise<void> {
    unconfirmed.delete(step.row);
    unanswered = 0;
    await journal.append({ type: 'outcome', row: step.row, ...outcome });
    tally[outcome.what] += 1;
    options.onSettled?.(step, outcome);
  }
}

/** Steps that did not turn out as planned. */
function countErrors({ failed, stale, doubtful }: OutcomeCounts): number {
  return failed + stale + doubtful;
}
