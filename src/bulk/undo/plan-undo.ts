import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/http/decode.ts';
import { toQuote } from '../../client/http/quote.ts';
import { keyOf } from '../../client/pagination/page.ts';
import { toWhole } from '../../client/resources/update.ts';
import { assertNotUndone, stillRunning } from '../apply/edit-job.ts';
import { type RowResult, readRowResults } from '../apply/results.ts';
import { type CellRules, isSameValue } from '../input/cell-values.ts';
import type { AccountIdentity, EditOperation } from '../input/edit-fields.ts';
import { jobPath, journalPath } from '../jobs/job-folder.ts';
import { isJobLocked } from '../jobs/job-lock.ts';
import type { RowOutcome } from '../jobs/journal-entries.ts';
import { assertPlanFits } from '../plan/plan-checks.ts';
import { openPlan, type Plan, writePlan } from '../plan/plan-file.ts';
import { openJobPlan, type PlanFolder, readEditJob } from '../plan/plan-folder.ts';
import { findRefusal, type RecordMatch } from '../plan/plan-row.ts';
import { type DraftParts, openDraft, type PlanDraft } from '../plan/plan-rows.ts';
import type { PlannedRow } from '../plan/planned-row.ts';
import type { JoinedRow, KeyedRow } from '../plan/record-join.ts';

export interface UndoPlanning extends DraftParts {
  /** What the job did. */
  readonly edit: EditOperation;
  /** What became of its rows, in their order. */
  readonly results: AsyncIterable<RowResult>;
  readonly isSameValue: CellRules['isSameValue'];
}

/** What takes an edit back. */
export function toUndoEdit({ noun, verb }: EditOperation): EditOperation {
  const opposite = { create: 'delete', update: 'update', delete: 'create' } as const;
  return { noun, verb: opposite[verb], match: 'id', force: false };
}

/**
 * Plans what puts back all that a job has done, or may have done: a change where the fields still are as the job
 * left them, a new record where nobody has changed it since, a removed one as a new one. What is back already is
 * left alone, and rows of which the job changed nothing are left out.
 */
export function openUndoDraft(undoing: UndoPlanning): Promise<PlanDraft> {
  const { isSameValue } = undoing;
  const { noun, match } = toUndoEdit(undoing.edit);
  return openDraft<RowResult>({
    ...undoing,
    noun,
    match,
    rows: toKeyed(undoing.results),
    plan: (pair, isSure) => planUndo(pair, { noun, match, isSure, isSameValue }),
  });
}

const mayHaveChanged: ReadonlySet<RowOutcome['what']> = new Set(['done', 'accepted', 'doubtful']);

async function* toKeyed(results: AsyncIterable<RowResult>): AsyncGenerator<KeyedRow<RowResult>> {
  for await (const item of results) {
    const { planned, outcome } = item;
    if (outcome === undefined || !mayHaveChanged.has(outcome.what)) continue;
    yield { row: planned.row, line: planned.line, key: outcome.id ?? planned.id, item };
  }
}

export interface JobUndo {
  readonly client: SalonClient;
  readonly account: AccountIdentity;
  readonly into: PlanFolder;
  readonly now: Date;
}

/**
 * Plans what takes a job back. Throws `conflict` while it is running, and for removals that were taken back before, `usage`
 * for another account.
 */
export async function planJobUndo(
  root: string,
  id: string,
  { client, account, into, now }: JobUndo,
): Promise<Plan> {
  const job = await readEditJob(root, id);
  if (await isJobLocked(jobPath(root, id))) throw stillRunning(id);
  // What was removed and came back has another identifier: only the jobs themselves can tell that it has.
  if (job.work.edit.verb === 'delete') await assertNotUndone(root, id);
  const done = await openJobPlan(root, id);
  assertPlanFits(done.head, account);
  const { edit, source } = done.head;
  using draft = await openUndoDraft({
    client,
    edit,
    results: readRowResults(done.rows(), journalPath(root, id)),
    isSameValue,
    folder: into.folder,
  });
  const createdAt = now.toISOString();
  const records = { records: draft.records };
  const head = { createdAt, edit: toUndoEdit(edit), source: { ...source, name: `job ${id}` }, account };
  await writePlan(into.planPath, { ...head, ...records }, draft.rows);
  return openPlan(into.planPath);
}

export interface UndoSearch extends RecordMatch {
  readonly isSameValue: CellRules['isSameValue'];
}

/** Plans what puts a row back, given the record as it is now. */
export function planUndo(pair: JoinedRow<RowResult>, undo: UndoSearch): PlannedRow {
  const { act } = pair.item.planned;
  if (act === 'create') return takeBack(pair, undo);
  return act === 'delete' ? bringBack(pair) : putBack(pair, undo);
}

/** A change is put back where its fields still are as the job left them. */
function putBack(pair: JoinedRow<RowResult>, undo: UndoSearch): PlannedRow {
  const { row, line, key: id, found, item } = pair;
  const { change = {}, before = {} } = item.planned;
  const refusal = findRefusal(pair, undo);
  if (found === undefined || refusal !== undefined) return refuse(pair, refusal);
  const { record } = found;
  const left: Fields = { ...change, ...item.outcome?.after };
  const isBack = (field: string) => undo.isSameValue(before[field] ?? null, record[field], field);
  const moved = Object.keys(change).filter((field) => !isBack(field));
  if (moved.length === 0) return { row, line, act: 'none', id };
  const refused = refuseChanged(pair, { record, left, fields: moved, undo });
  if (refused !== undefined) return refused;
  const back = Object.fromEntries(moved.map((field) => [field, before[field] ?? null]));
  return { row, line, act: 'update', id, change: back, before: record, cells: { id, ...back } };
}

/** A new record is removed where nobody has changed it since. */
function takeBack(pair: JoinedRow<RowResult>, undo: UndoSearch): PlannedRow {
  const { row, line, key: id, found, item } = pair;
  if (id === null) {
    const reason = `It is not known which ${undo.noun.replace(/s$/, '')} line ${line} has made.`;
    return refuse(pair, { code: 'not_found', reason });
  }
  if (found === undefined) return { row, line, act: 'none', id };
  const { record } = found;
  const left = item.outcome?.after ?? item.planned.change ?? {};
  const isSameMoment = left['updated_at'] !== undefined && left['updated_at'] === record['updated_at'];
  const fields = isSameMoment ? [] : Object.keys(toWhole(left, {}));
  const refused = refuseChanged(pair, { record, left, fields, undo });
  return refused ?? { row, line, act: 'delete', id, before: record, cells: { id } };
}

/** A record that was removed is made again, under an identifier of its own. */
function bringBack({ row, line, found, item }: JoinedRow<RowResult>): PlannedRow {
  if (found !== undefined) return { row, line, act: 'none', id: keyOf(found.record) };
  const change = toWhole(item.planned.before ?? {}, {});
  return { row, line, act: 'create', id: null, change, cells: change };
}

interface Comparison {
  readonly record: Fields;
  /** What the job left behind. */
  readonly left: Fields;
  readonly fields: readonly string[];
  readonly undo: UndoSearch;
}

function refuseChanged(
  pair: JoinedRow<RowResult>,
  { record, left, fields, undo }: Comparison,
): PlannedRow | undefined {
  const changed = fields.find((field) => !undo.isSameValue(left[field] ?? null, record[field], field));
  if (changed === undefined) return undefined;
  const reason = `${changed} is ${show(record[changed])} now; the job had left ${show(left[changed])}.`;
  return refuse(pair, { code: 'changed_since', reason });
}

function refuse({ row, line, key: id }: JoinedRow<RowResult>, refusal: PlannedRow['refusal']): PlannedRow {
  return { row, line, act: 'refused', id, cells: { id }, ...(refusal === undefined ? {} : { refusal }) };
}

function show(value: unknown): string {
  return toQuote(JSON.stringify(value ?? null), 80);
}
