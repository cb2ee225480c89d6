import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/fields.ts';
import { SalonError } from '../../contract/errors.ts';
import { isJsonNumber, parseJson } from '../../contract/json.ts';
import { countOf } from '../../contract/numbers.ts';
import { type ApplyResult, applyPlan } from '../apply/apply-plan.ts';
import { toRowError } from '../apply/apply-row.ts';
import { createTakenIdCheck } from '../apply/edit-job.ts';
import { createRemoteRecords } from '../apply/remote-records.ts';
import { type RowResult, readRowResults } from '../apply/results.ts';
import type { RowOutcome } from '../jobs/journal-entries.ts';
import type { OpenMergeJob } from './merge-job.ts';
import type { MergePlan, MergeStep } from './merge-plan.ts';
import { readAppointmentsOf } from './plan-merge.ts';
import { type EndpointResult, runEndpoint } from './run-endpoint.ts';

export interface RunMergeOptions {
  readonly client: SalonClient;
  readonly concurrency: number;
  readonly now: () => Date;
  /** Stops sending when it fires; requests in flight finish. */
  readonly signal?: AbortSignal | undefined;
}

export interface MergeResult extends EndpointResult {
  readonly results: readonly RowResult[];
  readonly wasDone: boolean;
}

/** Executes what is left of a merge and journals how the run ended. */
export async function runMerge(opened: OpenMergeJob, options: RunMergeOptions): Promise<MergeResult> {
  const { plan, progress, journal } = opened;
  const { client, now } = options;
  if (progress.isDone) {
    return { tally: progress.tally, stop: undefined, results: await readMergeResults(opened), wasDone: true };
  }
  const end: EndpointResult =
    plan.method === 'updates'
      ? await runUpdates(opened, options)
      : await runEndpoint(opened, { client, nowMs: () => now().getTime() });
  const at = now().toISOString();
  if (end.stop === undefined) await journal.append({ type: 'done', at });
  // If the journal cannot be written, it has no end entry.
  else
    await journal
      .append({ type: 'stopped', at, code: end.stop.code, message: end.stop.message })
      .catch(() => {});
  await journal.commit().catch(() => {});
  return { ...end, results: await readMergeResults(opened), wasDone: false };
}

export async function readMergeResults({
  plan,
  journalPath,
}: {
  readonly plan: MergePlan;
  readonly journalPath: string;
}): Promise<RowResult[]> {
  const results: RowResult[] = [];
  for await (const result of readRowResults(toRows(plan.steps), journalPath)) results.push(result);
  return results;
}

async function* toRows(steps: readonly MergeStep[]): AsyncGenerator<MergeStep> {
  yield* steps;
}

/**
 * Changes single records: first the fields, which may be refused, then the appointments, last the deletion. Steps of
 * one kind are sent side by side.
 */
async function runUpdates(opened: OpenMergeJob, options: RunMergeOptions): Promise<ApplyResult> {
  const { job, plan, progress, journal, journalPath } = opened;
  const { client, concurrency, now, signal } = options;
  let tally = progress.tally;
  for (const steps of toPhases(plan.steps)) {
    const [first] = steps;
    if (first === undefined) continue;
    const results = await readMergeResults(opened);
    if (first.row > 1 && results.some(isFailedStart)) break;
    const objection = first.act === 'delete' ? await findObjection(opened, results, client) : undefined;
    if (objection !== undefined) {
      if (progress.isSettled(first.row)) continue;
      const error = { code: 'conflict', message: objection, status: null, requestId: null };
      await journal.append({ type: 'outcome', row: first.row, what: 'failed', id: first.id, error });
      tally = { ...tally, failed: tally.failed + 1 };
      continue;
    }
    const restoredId = results.find(({ planned }) => planned.act === 'create')?.outcome?.id ?? undefined;
    const rows = steps.map((step) => withRestoredId(step, plan.from, restoredId));
    const uncertain = new Map([...progress.uncertain].filter(([row]) => rows.some((one) => one.row === row)));
    const end = await applyPlan({
      jobId: job.id,
      readRows: () => toRows(rows),
      progress: { ...progress, uncertain, tally },
      createdAtMs: Date.parse(job.createdAt),
      journal,
      records: createRemoteRecords(client, { noun: first.noun, verb: 'update', match: 'id', force: false }),
      concurrency,
      maxErrors: null,
      nowMs: () => now().getTime(),
      signal,
      isTaken: createTakenIdCheck(journalPath),
    });
    tally = { ...end.tally };
    if (end.stop === undefined) continue;
    if (first.noun !== 'appointments' || !cannotBeMoved.has(end.stop.code)) return end;
    tally.failed += await settleUnmoved(opened, rows, end.stop);
  }
  return { tally, stop: undefined };
}

/** Refusals that concern every appointment. The rest of the merge does not depend on them. */
const cannotBeMoved: ReadonlySet<string> = new Set([
  'not_supported',
  'method_not_allowed',
  'insufficient_scope',
  'permission_denied',
]);

/** Gives the error to every step without an outcome. Returns how many there are. */
async function settleUnmoved(
  opened: OpenMergeJob,
  steps: readonly MergeStep[],
  error: SalonError,
): Promise<number> {
  const results = await readMergeResults(opened);
  const settled = results.filter(({ outcome }) => outcome !== undefined).map(({ planned }) => planned.row);
  const left = steps.filter(({ row }) => !settled.includes(row));
  for (const { row, id } of left) {
    await opened.journal.append({ type: 'outcome', row, what: 'failed', id, error: toRowError(error) });
  }
  return left.length;
}

/** Steps in order, those of one kind together. */
function toPhases(steps: readonly MergeStep[]): MergeStep[][] {
  const sent = steps.filter(({ act }) => act !== 'none' && act !== 'refused');
  return [...Map.groupBy(sent, ({ noun, act }) => `${noun} ${act}`).values()];
}

/** Where the fields are refused, or a deleted client cannot be restored, nothing else is changed. */
function isFailedStart({ planned, outcome }: RowResult): boolean {
  return planned.row === 1 && planned.act !== 'none' && !isGood(outcome);
}

function isGood(outcome: RowOutcome | undefined): boolean {
  return outcome !== undefined && ['done', 'accepted', 'unchanged'].includes(outcome.what);
}

/** Why the other client must not be deleted, if there is a reason. */
async function findObjection(
  { plan, job }: OpenMergeJob,
  results: readonly RowResult[],
  client: SalonClient,
): Promise<string | undefined> {
  if (plan.deletesAnyway) return undefined;
  const left = results.filter(({ planned, outcome }) => planned.act === 'update' && !isGood(outcome));
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

/** Rebuilds the error of a step that the server refused. */
export function toStepError({ outcome }: RowResult): SalonError | undefined {
  const { error } = { ...outcome };
  if (error === undefined) return undefined;
  const { code, message, status, requestId } = error;
  return new SalonError(code as SalonError['code'], message, {
    status: status ?? undefined,
    requestId: requestId ?? undefined,
  });
}
