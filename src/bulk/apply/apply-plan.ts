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
  mayHaveBeenApplied,
  stopsJob,
  toCause,
  toRowError,
} from './apply-row.ts';
import type { EditProgress } from './edit-progress.ts';
import type { RemoteRecords } from './remote-records.ts';

export interface Applying {
  readonly jobId: string;
  /** Reads the plan from its beginning; it may be asked for twice. */
  readonly readRows: () => AsyncIterable<PlannedRow>;
  /** What an earlier run has done. */
  readonly progress: EditProgress;
  readonly journal: Journal<EditEntry>;
  readonly records: RemoteRecords;
  /** Rows that are worked on at once. */
  readonly width: number;
  /** Rows whose intents go to disk together, all of them in doubt after a kill; `width` where it is left out. */
  readonly atOnce?: number | undefined;
  readonly maxErrors: number | null;
  readonly now: () => number;
  /** Nothing new is begun once it fires; what is under way is waited for. */
  readonly signal?: AbortSignal | undefined;
  readonly isTaken: (id: string) => Promise<boolean>;
  readonly settled?: (row: PlannedRow, outcome: RowOutcome) => void;
}

export interface ApplyEnd {
  readonly tally: OutcomeCounts;
  /** Why rows are left; undefined where it is known of every row what became of it. */
  readonly stop: SalonError | undefined;
}

/**
 * Carries out what is left of a plan. Before a row is sent its intent is on disk, and after its answer the outcome:
 * whatever ends this process, a later run knows of every row that it is done, that it was never sent, or that the
 * server has to be asked. An update may be sent again identically; a create is repeated only with a key that the
 * server honours. Rejects with what is no SalonError.
 */
export async function applyPlan(applying: Applying): Promise<ApplyEnd> {
  const { progress, journal, records, width, maxErrors, now, signal } = applying;
  const tally = { ...progress.tally };
  const inDoubt = new Map(progress.inDoubt);
  /** Rows in succession of which no answer tells what became of them, and why that is so of the newest. */
  let unanswered = 0;
  let silence: SalonError | undefined;
  let stop: SalonError | undefined;

  try {
    const areLeft = await pass(
      ({ row, act }) => act !== 'none' && act !== 'refused' && !progress.isSettled(row),
    );
    if (mayGoOn() && inDoubt.size > 0) await pass(({ row }) => inDoubt.has(row));
    if (areLeft || inDoubt.size > 0) stop ??= findHalt();
    await journal.commit();
  } catch (thrown) {
    // The journal can no longer be written, or the plan no longer be read.
    if (!(thrown instanceof SalonError)) throw thrown;
    stop ??= thrown;
  }
  if (inDoubt.size > 0) stop ??= silence;
  return { tally, stop };

  /** Works on rows, and answers whether any of them are left. */
  async function pass(isLeft: (row: PlannedRow) => boolean): Promise<boolean> {
    const rows = announceRows(filter(applying.readRows(), isLeft), {
      journal,
      atOnce: applying.atOnce ?? width,
      nowMs: now,
      isAnnounced: ({ row }) => inDoubt.has(row),
      mayGoOn,
    });
    const left = await forEachConcurrent(rows, { most: width, mayGoOn, work: applyRow });
    for (const { row } of left) if (!inDoubt.has(row)) await journal.append({ type: 'unsent', row });
    return left.length > 0;
  }

  function mayGoOn(): boolean {
    return stop === undefined && findHalt() === undefined;
  }

  /** Why nothing new is begun; of failures it tells those that have come by now. */
  function findHalt(): SalonError | undefined {
    if (signal?.aborted) return interruption(signal);
    const errors = countErrors(tally);
    return maxErrors !== null && errors >= maxErrors ? tooManyErrors(errors) : undefined;
  }

  async function applyRow(row: PlannedRow): Promise<void> {
    const doubt = inDoubt.get(row.row);
    const atMs = doubt?.atMs ?? now();
    try {
      await settle(row, await act(row, doubt?.atMs));
    } catch (thrown) {
      if (!(thrown instanceof SalonError)) throw thrown;
      await takeError(thrown, { row, atMs, wasInDoubt: doubt !== undefined });
    }
  }

  function act(row: PlannedRow, doubtfulSinceMs: number | undefined): Promise<RowOutcome> {
    const isInDoubt = doubtfulSinceMs !== undefined;
    if (row.act === 'update') return applyUpdate(row, records, { isInDoubt });
    if (row.act === 'delete') return applyDelete(row, records, { isInDoubt });
    const key = `${applying.jobId}-${row.row}`;
    return applyCreate(row, records, { key, doubtfulSinceMs, nowMs: now(), isTaken: applying.isTaken });
  }

  async function takeError(
    error: SalonError,
    {
      row,
      atMs,
      wasInDoubt,
    }: { readonly row: PlannedRow; readonly atMs: number; readonly wasInDoubt: boolean },
  ): Promise<void> {
    if (mayHaveBeenApplied(error)) setAside(error, { row, atMs });
    else if (stopsJob(error)) {
      stop ??= error;
      if (!wasInDoubt) await journal.append({ type: 'unsent', row: row.row });
    } else await settle(row, { what: 'failed', id: row.id, error: toRowError(error) });
  }

  /**
   * The server may still be at it: it is asked again when all the others are done. More rows in succession than are
   * worked on at once show that the server is gone.
   */
  function setAside(
    error: SalonError,
    { row, atMs }: { readonly row: PlannedRow; readonly atMs: number },
  ): void {
    inDoubt.set(row.row, { atMs });
    silence = toCause(error);
    unanswered += 1;
    if (unanswered > width) stop ??= silence;
  }

  async function settle(row: PlannedRow, outcome: RowOutcome): Promise<void> {
    inDoubt.delete(row.row);
    unanswered = 0;
    await journal.append({ type: 'outcome', row: row.row, ...outcome });
    tally[outcome.what] += 1;
    applying.settled?.(row, outcome);
  }
}

/** Rows that did not become as planned. */
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
  const rows = `${countOf(errors, 'rows')} ${errors === 1 ? 'has' : 'have'}`;
  return new SalonError('budget_exceeded', `${rows} failed: nothing more was sent.`, {
    hint: 'Look at why first. As many again may fail once it goes on; --max-errors says how many.',
  });
}

export interface Announcing {
  readonly journal: Journal<EditEntry>;
  /** Rows whose intents go to disk together. */
  readonly atOnce: number;
  readonly nowMs: () => number;
  /** Whether it is written down already that a row is about to be sent. */
  readonly isAnnounced: (row: PlannedRow) => boolean;
  /** Once this says no, rows only pass by. */
  readonly mayGoOn: () => boolean;
}

/**
 * Hands rows out whose intents are on disk. Flushing costs more than all else that a row needs of this machine, so
 * many share one. What was announced and not handed out is taken back.
 */
export async function* announceRows(
  rows: AsyncIterable<PlannedRow>,
  { journal, atOnce, nowMs, isAnnounced, mayGoOn }: Announcing,
): AsyncGenerator<PlannedRow> {
  const source = rows[Symbol.asyncIterator]();
  let waiting: PlannedRow[] = [];
  try {
    for (;;) {
      waiting = await take(mayGoOn() ? atOnce : 1);
      if (waiting.length === 0) return;
      if (mayGoOn()) await announce(waiting);
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) yield row;
    }
  } finally {
    for (const row of waiting) if (!isAnnounced(row)) await journal.append({ type: 'unsent', row: row.row });
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

  async function announce(taken: readonly PlannedRow[]): Promise<void> {
    const fresh = taken.filter((row) => !isAnnounced(row));
    for (const { row } of fresh) await journal.append({ type: 'intent', row, atMs: nowMs() });
    if (fresh.length > 0) await journal.commit();
  }
}
