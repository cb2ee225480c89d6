import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../contract/numbers.ts';
import { forEachConcurrent } from '../concurrent.ts';
import type { Journal } from '../jobs/journal.ts';
import type { EditEntry, OutcomeCounts, RowOutcome } from '../jobs/journal-entries.ts';
import type { PlannedRow } from '../plan/planned-row.ts';
import {
  applyCreate,
  applyDelete,
  applyUpdate,
  isAnsweredUnclearly,
  needsCheck,
  stopsJob,
  toRowError,
  toUnstored,
  unwrapUnknownResult,
} from './apply-row.ts';
import type { EditProgress } from './edit-job.ts';
import type { RemoteRecords } from './remote-records.ts';

export interface ApplyPlanOptions {
  readonly jobId: string;
  /** Reads the plan from its start; called at most twice. */
  readonly readRows: () => AsyncIterable<PlannedRow>;
  /** What earlier runs have done. */
  readonly progress: EditProgress;
  /** When the job was created, in ms since 1970: with a gap in the journal, rows may have been sent since. */
  readonly createdAtMs: number;
  readonly journal: Journal<EditEntry>;
  readonly records: RemoteRecords;
  /** Rows sent at a time. */
  readonly concurrency: number;
  /** Rows whose intents are flushed together, all of them uncertain after a kill; `concurrency` by default. */
  readonly batchSize?: number | undefined;
  readonly maxErrors: number | null;
  readonly nowMs: () => number;
  /** Stops sending when it fires; requests in flight finish. */
  readonly signal?: AbortSignal | undefined;
  /** Whether a record was created by another row of the job. */
  readonly isTaken: (id: string) => Promise<boolean>;
  readonly onSettled?: (row: PlannedRow, outcome: RowOutcome) => void;
}

export interface ApplyResult {
  /** Rows by outcome, earlier runs included. */
  readonly tally: OutcomeCounts;
  /** Why rows are left; undefined if every row has an outcome. */
  readonly stop: SalonError | undefined;
}

/**
 * Applies what is left of a plan. The intent to send a row is on disk before its request, the outcome after its
 * response: whatever ends this process, the next run knows of every row that it is done, was never sent, or has to be
 * checked with the server. An update is repeated identically; a create only with a key that the server honours.
 * Rejects only with errors other than SalonError.
 */
export async function applyPlan(options: ApplyPlanOptions): Promise<ApplyResult> {
  const { progress, journal, records, concurrency, maxErrors, nowMs, signal } = options;
  const tally = { ...progress.tally };
  const uncertain = new Map(progress.uncertain);
  /** Rows in a row without a usable response, and the error of the latest. */
  let unanswered = 0;
  let silence: SalonError | undefined;
  let stop: SalonError | undefined;

  try {
    const areLeft = await pass(
      // Rows that were lost before come last: if they are lost again, the others have been sent.
      ({ row, act }) =>
        act !== 'none' && act !== 'refused' && !progress.isSettled(row) && !uncertain.has(row),
    );
    if (mayContinue() && uncertain.size > 0) await pass(({ row }) => uncertain.has(row));
    if (areLeft || uncertain.size > 0) stop ??= findHalt();
    await journal.commit();
  } catch (thrown) {
    // The journal can no longer be written, or the plan no longer be read.
    if (!(thrown instanceof SalonError)) throw thrown;
    stop ??= thrown;
  }
  if (uncertain.size > 0) stop ??= silence;
  return { tally, stop };

  /** Applies the rows that are left; returns whether any remain. */
  async function pass(isLeft: (row: PlannedRow) => boolean): Promise<boolean> {
    const rows = logIntents(filter(options.readRows(), isLeft), {
      journal,
      batchSize: options.batchSize ?? concurrency,
      nowMs,
      isLogged: ({ row }) => uncertain.has(row),
      mayContinue,
    });
    const left = await forEachConcurrent(rows, { most: concurrency, mayGoOn: mayContinue, work: applyRow });
    for (const { row } of left) if (!uncertain.has(row)) await journal.append({ type: 'unsent', row });
    return left.length > 0;
  }

  function mayContinue(): boolean {
    return stop === undefined && findHalt() === undefined;
  }

  /** Why nothing more is sent, counting the failures so far. */
  function findHalt(): SalonError | undefined {
    if (signal?.aborted) return interruption(signal);
    const errors = countErrors(tally);
    return maxErrors !== null && errors >= maxErrors ? tooManyErrors(errors) : undefined;
  }

  async function applyRow(row: PlannedRow): Promise<void> {
    const sentAtMs = findSentAtMs(row);
    const atMs = sentAtMs ?? nowMs();
    try {
      await settle(row, await send(row, sentAtMs));
    } catch (thrown) {
      if (!(thrown instanceof SalonError)) throw thrown;
      const unstored = toUnstored(thrown, row);
      if (unstored !== undefined) await settle(row, unstored);
      // It was repeated, and the record was read: checking it once more would say the same.
      else if (sentAtMs !== undefined && isAnsweredUnclearly(thrown))
        await settle(row, { what: 'doubtful', id: row.id, error: toRowError(thrown) });
      else if (needsCheck(thrown)) setAside(thrown, row, atMs);
      else if (stopsJob(thrown)) {
        stop ??= thrown;
        if (sentAtMs === undefined) await journal.append({ type: 'unsent', row: row.row });
      } else await settle(row, { what: 'failed', id: row.id, error: toRowError(thrown) });
    }
  }

  /** When a row may have been sent before; undefined if it certainly was not. */
  function findSentAtMs({ row }: PlannedRow): number | undefined {
    return progress.hasGap ? options.createdAtMs : uncertain.get(row)?.atMs;
  }

  function send(row: PlannedRow, sentAtMs: number | undefined): Promise<RowOutcome> {
    const mayBeApplied = sentAtMs !== undefined;
    if (row.act === 'update') return applyUpdate(row, records, { mayBeApplied });
    if (row.act === 'delete') return applyDelete(row, records, { mayBeApplied });
    const idempotencyKey = `${options.jobId}-${row.row}`;
    return applyCreate(row, records, { idempotencyKey, sentAtMs, nowMs: nowMs(), isTaken: options.isTaken });
  }

  /**
   * The server may still be working on it: it is checked after all other rows. More such rows in succession than are
   * sent at a time mean that the server is gone.
   */
  function setAside(error: SalonError, { row }: PlannedRow, atMs: number): void {
    uncertain.set(row, { atMs });
    silence = unwrapUnknownResult(error);
    unanswered += 1;
    if (unanswered > concurrency) stop ??= silence;
  }

  async function settle(row: PlannedRow, outcome: RowOutcome): Promise<void> {
    uncertain.delete(row.row);
    unanswered = 0;
    await journal.append({ type: 'outcome', row: row.row, ...outcome });
    tally[outcome.what] += 1;
    options.onSettled?.(row, outcome);
  }
}

/** Rows that did not turn out as planned. */
export function countErrors({ failed, stale, doubtful }: OutcomeCounts): number {
  return failed + stale + doubtful;
}

async function* filter<Item>(
  items: AsyncIterable<Item>,
  isWanted: (item: Item) => boolean,
): AsyncGenerator<Item> {
  for await (const item of items) if (isWanted(item)) yield item;
}

function interruption(signal: AbortSignal): SalonError {
  return signal.reason instanceof SalonError ? signal.reason : new SalonError('interrupted', 'Interrupted.');
}

function tooManyErrors(errors: number): SalonError {
  return new SalonError('budget_exceeded', `Stopped: ${countOf(errors, 'rows')} failed.`, {
    hint: 'Fix the cause, then resume. The failure limit (--max-errors) starts again from zero.',
  });
}

interface IntentOptions extends Pick<ApplyPlanOptions, 'journal' | 'nowMs'> {
  readonly batchSize: number;
  /** Whether the intent of a row is on disk already. */
  readonly isLogged: (row: PlannedRow) => boolean;
  /** Once false, rows are passed on without logging. */
  readonly mayContinue: () => boolean;
}

/**
 * Yields rows whose intents are on disk. A flush costs more than everything else a row needs locally, so a batch
 * shares one. Intents of rows that were never yielded are revoked.
 */
async function* logIntents(
  rows: AsyncIterable<PlannedRow>,
  { journal, batchSize, nowMs, isLogged, mayContinue }: IntentOptions,
): AsyncGenerator<PlannedRow> {
  const source = rows[Symbol.asyncIterator]();
  let batch: PlannedRow[] = [];
  try {
    for (;;) {
      batch = await take(mayContinue() ? batchSize : 1);
      if (batch.length === 0) return;
      if (mayContinue()) await log(batch);
      for (let row = batch.shift(); row !== undefined; row = batch.shift()) yield row;
    }
  } finally {
    for (const row of batch) if (!isLogged(row)) await journal.append({ type: 'unsent', row: row.row });
    await source.return?.();
  }

  async function take(most: number): Promise<PlannedRow[]> {
    const taken: PlannedRow[] = [];
    while (taken.length < most) {
      const next = await source.next();
      if (next.done) break;
      taken.push(next.value);
    }
    return taken;
  }

  async function log(taken: readonly PlannedRow[]): Promise<void> {
    const fresh = taken.filter((row) => !isLogged(row));
    for (const { row } of fresh) await journal.append({ type: 'intent', row, atMs: nowMs() });
    if (fresh.length > 0) await journal.commit();
  }
}
