import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/json-object.ts';
import type { ClientMerge } from '../../contract/client-merging.ts';
import { isUnavailable, SalonError } from '../../contract/errors.ts';
import { isJsonNumber, parseJson } from '../../text/json.ts';
import { countOf } from '../../text/numbers.ts';
import { needsCheck, pickFields, sendRow, toRowError } from '../apply/apply-row.ts';
import { createRemoteRecords } from '../apply/remote-records.ts';
import type { RowResult } from '../apply/results.ts';
import { runSteps, type SendStep, type StepsResult } from '../apply/run-steps.ts';
import { createTakenIdCheck, journalEnd } from '../apply/step-job.ts';
import { emptyOutcomeCounts, type RowError, type RowOutcome } from '../jobs/journal.ts';
import { isSent } from '../plan/plan-format.ts';
import { type MergeStep, type OpenMergeJob, readMergeResults } from './merge-job.ts';
import { readAppointmentsOf, sendMerge } from './plan-merge.ts';

export interface RunMergeOptions {
  readonly client: SalonClient;
  readonly concurrency: number;
  readonly now: () => Date;
  /** Stops sending when it fires; requests in flight finish. */
  readonly signal?: AbortSignal | undefined;
}

export interface MergeResult extends StepsResult {
  readonly results: readonly RowResult[];
  /** What the endpoint of the server moved in this run. */
  readonly moved: ClientMerge['moved'] | undefined;
}

/** Executes what is left of a merge and journals how the run ended. */
export async function runMerge(opened: OpenMergeJob, options: RunMergeOptions): Promise<MergeResult> {
  const { plan, progress, journal, journalPath } = opened;
  let end: StepsResult = { tally: { ...emptyOutcomeCounts, ...progress.tally }, stop: undefined };
  let moved: MergeResult['moved'];
  if (progress.state !== 'done') {
    const sender =
      plan.method === 'updates'
        ? sendSingle(opened, options)
        : sendWhole(opened, options, (counts) => (moved = counts));
    end = await runPhases(opened, options, sender);
    await journalEnd(journal, end.stop, options.now());
  }
  return { ...end, moved, results: await readMergeResults(plan, journalPath) };
}

/**
 * Executes the steps kind by kind: first the fields, which may be refused, then the appointments, last the deletion.
 * Steps of one kind are sent side by side.
 */
async function runPhases(
  opened: OpenMergeJob,
  { client, concurrency, now, signal }: RunMergeOptions,
  send: SendStep<MergeStep>,
): Promise<StepsResult> {
  const { job, plan, progress, journal, journalPath } = opened;
  const tally = { ...emptyOutcomeCounts, ...progress.tally };
  async function fail(steps: readonly MergeStep[], error: RowError): Promise<void> {
    for (const { row, id } of steps) {
      await journal.append({ type: 'outcome', row, what: 'failed', id, error });
      tally.failed += 1;
    }
  }
  for (const steps of toPhases(plan.steps)) {
    const [first] = steps;
    if (first === undefined) continue;
    const results = await readMergeResults(plan, journalPath);
    if (first.row > 1 && results.some(isFailedStart)) break;
    const objection = first.act === 'delete' ? await findObjection(opened, results, client) : undefined;
    if (objection !== undefined) {
      const left = steps.filter(({ row }) => !progress.settled.has(row));
      await fail(left, { code: 'conflict', message: objection, status: null, requestId: null });
      continue;
    }
    const restoredId = results.find(({ planned }) => planned.act === 'create')?.outcome?.id ?? undefined;
    const rows = steps.map((step) => withRestoredId(step, plan.from, restoredId));
    const unconfirmed = new Map(
      [...progress.unconfirmed].filter(([row]) => rows.some((one) => one.row === row)),
    );
    const end = await runSteps({
      readSteps: () => rows,
      send,
      progress: { ...progress, unconfirmed, tally },
      createdAtMs: Date.parse(job.createdAt),
      journal,
      concurrency,
      stopsUnconfirmed: plan.method !== 'updates',
      nowMs: () => now().getTime(),
      signal,
    });
    Object.assign(tally, end.tally);
    if (end.stop === undefined) continue;
    // The rest of the merge does not depend on refusals that concern every appointment.
    const canBeMoved = end.stop.code !== 'method_not_allowed' && !isUnavailable(end.stop);
    if (first.noun !== 'appointments' || canBeMoved) return end;
    const outcomes = await readMergeResults(plan, journalPath);
    const settled = new Set(
      outcomes.flatMap(({ planned, outcome }) => (outcome === undefined ? [] : planned.row)),
    );
    await fail(
      rows.filter(({ row }) => !settled.has(row)),
      toRowError(end.stop),
    );
  }
  return { tally, stop: undefined };
}

/** Sends changes of single records. */
function sendSingle(
  { job, journalPath }: OpenMergeJob,
  { client, now }: RunMergeOptions,
): SendStep<MergeStep> {
  const recordsOf = (noun: MergeStep['noun']) =>
    createRemoteRecords(client, { noun, verb: 'update', match: 'id', force: false });
  const records = { clients: recordsOf('clients'), appointments: recordsOf('appointments') };
  const toKey = ({ row }: { readonly row: number }) => `${job.id}-${row}`;
  const sending = { toKey, nowMs: () => now().getTime(), isTaken: createTakenIdCheck(journalPath) };
  return (step, sentAtMs) => sendRow(step, sentAtMs, { ...sending, records: records[step.noun] });
}

/**
 * Sends a merge, or its reversal, that the server executes as a whole. Where an earlier request may have been executed,
 * the other client shows it: it exists either before or after.
 */
function sendWhole(
  { job, plan }: OpenMergeJob,
  { client }: RunMergeOptions,
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

/** Steps in order, those of one kind together. */
function toPhases(steps: readonly MergeStep[]): MergeStep[][] {
  const sent = steps.filter(isSent);
  return [...Map.groupBy(sent, ({ noun, act }) => `${noun} ${act}`).values()];
}

/** Where the fields are refused, or a deleted client cannot be restored, nothing else is changed. */
function isFailedStart(result: RowResult): boolean {
  return result.planned.row === 1 && !isGood(result);
}

/** Whether a step is done, or there was nothing to do. */
export function isGood({ planned, outcome }: RowResult): boolean {
  if (planned.act === 'none') return true;
  return outcome !== undefined && ['done', 'accepted', 'unchanged'].includes(outcome.what);
}

/** Why the other client must not be deleted, if there is a reason. */
async function findObjection(
  { plan, job }: OpenMergeJob,
  results: readonly RowResult[],
  client: SalonClient,
): Promise<string | undefined> {
  if (plan.deletesAnyway) return undefined;
  const left = results.filter((result) => result.planned.act === 'update' && !isGood(result));
  const booked = left.length > 0 ? [] : await readAppointmentsOf(client, job.work.from);
  const count = left.length + (booked?.length ?? 0);
  if (count === 0) return undefined;
  return `${job.work.names.from} was not deleted: ${countOf(count, 'appointments')} could not be moved.`;
}

/** On a server that gives a restored client another ID, appointments go back to that. */
function withRestoredId(step: MergeStep, from: Fields, restoredId: string | undefined): MergeStep {
  if (restoredId === undefined || step.noun !== 'appointments' || restoredId === String(from['id']))
    return step;
  const id = isJsonNumber(from['id']) ? parseJson(restoredId) : restoredId;
  const change = Object.fromEntries(Object.keys(step.change ?? {}).map((field) => [field, id]));
  return { ...step, change };
}
