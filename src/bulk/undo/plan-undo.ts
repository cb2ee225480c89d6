import { readStatus } from '../../client/appointment-status.ts';
import type { Fields } from '../../client/json-object.ts';
import { keyOf } from '../../client/pagination/page.ts';
import { toNewRecord } from '../../client/resources/update-record.ts';
import { isFinal } from '../../contract/appointment.ts';
import { quote } from '../../text/quote.ts';
import { assertNotUndone } from '../apply/related-jobs.ts';
import { type RowResult, readRowResults } from '../apply/results.ts';
import { isSameValue } from '../input/cell-values.ts';
import { type EditOperation, readOnlyFieldsOf } from '../input/edit-fields.ts';
import { assertNotRunning, journalPath } from '../jobs/job-folder.ts';
import { mayHaveChanged } from '../jobs/journal.ts';
import { assertPlanFits } from '../plan/check-plan.ts';
import { type CurrentRecordsOptions, readCurrentRecords } from '../plan/current-records.ts';
import { openJobPlan, type Plan, type PlanFolder, readEditJob, writePlan } from '../plan/plan-file.ts';
import type { AccountIdentity, PlannedRow } from '../plan/plan-format.ts';
import { findRefusal, type RecordMatch } from '../plan/plan-row.ts';
import { type JoinedRow, openRecordJoin, type RecordJoin } from '../plan/record-join.ts';

export interface UndoPlanning extends Pick<CurrentRecordsOptions, 'client' | 'concurrency' | 'onProgress'> {
  readonly readAccount: () => Promise<AccountIdentity>;
  readonly into: PlanFolder;
  readonly now: Date;
  /** Whether appointments come back even if the stylist is away. */
  readonly allowBlocked?: boolean;
}

/**
 * Plans the undo of a job: restores fields that are still as the job left them, deletes records it created if they are
 * unchanged, and creates deleted records again. Throws `conflict` while the job is running and for deletes that were
 * undone before, `usage` for another account.
 */
export async function planUndo(root: string, id: string, planning: UndoPlanning): Promise<Plan> {
  const { readAccount, into, now } = planning;
  const job = await readEditJob(root, id);
  await assertNotRunning(root, id);
  // Restored records have new IDs: only the jobs show that a delete was undone.
  const isUndo = job.work.undoes !== null;
  if (job.work.edit.verb === 'delete' || (job.work.edit.verb === 'import' && isUndo))
    await assertNotUndone(root, id);
  const plan = await openJobPlan(root, id);
  const account = await readAccount();
  assertPlanFits(plan.head, account);
  const edit = toUndoOperation(plan.head.edit);
  using rows = openRecordJoin<RowResult>('id');
  await addResults(rows, readRowResults(plan.rows(), journalPath(root, id)));
  const { noun, match } = edit;
  const readOnly = [...planning.client.dialect(noun).readOnlyFields, ...readOnlyFieldsOf(noun)];
  const { total, isComplete } = await readCurrentRecords({ ...planning, noun, match, join: rows });
  const source = { ...plan.head.source, name: `job ${id}` };
  return await writePlan(
    into.planPath,
    { createdAt: now.toISOString(), edit, source, account, records: total ?? null },
    (edit.onConflict ? [...rows.joined()].reverse() : rows.joined()).map((joined, at) => {
      const undone = planUndoRow(joined, { noun, match, isComplete, readOnly });
      const planned = edit.onConflict ? { ...undone, row: at + 1 } : undone;
      const isAllowed = planning.allowBlocked === true && noun === 'appointments' && planned.change;
      return isAllowed ? { ...planned, change: { ...planned.change, allow_blocked: true } } : planned;
    }),
  );
}

export function toUndoOperation({ noun, verb, onConflict }: EditOperation): EditOperation {
  // What has moved together goes back in turn, the last one first: one may have the time of another.
  const isInTurn = verb === 'update' && onConflict !== undefined;
  const opposite = { create: 'delete', update: 'update', delete: 'create', import: 'import' } as const;
  return { noun, verb: opposite[verb], match: 'id', force: false, ...(isInTurn && { onConflict: 'skip' }) };
}

/** Adds the rows that the job changed or may have changed. */
export async function addResults(
  rows: RecordJoin<RowResult>,
  results: AsyncIterable<RowResult>,
): Promise<void> {
  for await (const item of results) {
    const { planned, outcome } = item;
    if (outcome === undefined || !mayHaveChanged(outcome)) continue;
    rows.addRow({ row: planned.row, line: planned.line, key: outcome.id ?? planned.id, item });
  }
}

export interface UndoMatch extends RecordMatch {
  /** Fields that only the server sets, besides those of the contract. */
  readonly readOnly: readonly string[];
}

/** Plans the undo of one row from its current record. */
export function planUndoRow(joined: JoinedRow<RowResult>, match: UndoMatch): PlannedRow {
  const { act } = joined.item.planned;
  if (act === 'create') return undoCreate(joined, match);
  return act === 'delete' ? undoDelete(joined, match) : undoUpdate(joined, match);
}

function undoUpdate(joined: JoinedRow<RowResult>, match: RecordMatch): PlannedRow {
  const { row, line, key: id, found, item } = joined;
  const { change = {}, before = {} } = item.planned;
  const refusal = findRefusal(joined, match);
  if (found === undefined || refusal !== undefined) return refuse(joined, refusal);
  const { record } = found;
  const left: Fields = { ...change, ...item.outcome?.after };
  const isBack = (field: string) => isSameValue(before[field] ?? null, record[field], field);
  const fields = Object.keys(change).filter((field) => !isBack(field));
  if (fields.length === 0) return { row, line, act: 'none', id };
  const refused = refuseChanged(joined, { record, left, fields });
  if (refused !== undefined) return refused;
  const status = readStatus(record['status']);
  // No server takes an appointment back from a final status.
  if (match.noun === 'appointments' && fields.includes('status') && status !== undefined && isFinal(status)) {
    const reason = `${status} is final. Book it again.`;
    return refuse(joined, { code: 'invalid_status_transition', reason });
  }
  const back = Object.fromEntries(fields.map((field) => [field, before[field] ?? null]));
  return { row, line, act: 'update', id, change: back, before: record, cells: { id, ...back } };
}

function undoCreate(joined: JoinedRow<RowResult>, match: UndoMatch): PlannedRow {
  const { row, line, key: id, found, item } = joined;
  if (id === null) {
    const reason = `It is unknown which ${match.noun.replace(/s$/, '')} line ${line} created.`;
    return refuse(joined, { code: 'not_found', reason });
  }
  if (found === undefined || isCancelled(found.record, match.noun)) return { row, line, act: 'none', id };
  const { record } = found;
  const left = item.outcome?.after ?? item.planned.change ?? {};
  const isUntouched = left['updated_at'] !== undefined && left['updated_at'] === record['updated_at'];
  const fields = isUntouched ? [] : Object.keys(toNewRecord(left, match.readOnly));
  const refused = refuseChanged(joined, { record, left, fields });
  return refused ?? { row, line, act: 'delete', id, before: record, cells: { id } };
}

/** A deleted record comes back under a new ID, and so does a cancelled appointment. */
function undoDelete(
  { row, line, found, item }: JoinedRow<RowResult>,
  { noun, readOnly }: UndoMatch,
): PlannedRow {
  if (found !== undefined && !isCancelled(found.record, noun)) {
    return { row, line, act: 'none', id: keyOf(found.record) };
  }
  const change = toNewRecord(item.planned.before ?? {}, readOnly);
  return { row, line, act: 'create', id: null, change, cells: change, upcoming: item.planned.upcoming };
}

/** An appointment is cancelled instead of deleted, and stays so. */
function isCancelled({ status }: Fields, noun: EditOperation['noun']): boolean {
  return noun === 'appointments' && readStatus(status) === 'cancelled';
}

/** `left`: the values that the job left. */
function refuseChanged(
  joined: JoinedRow<RowResult>,
  { record, left, fields }: { record: Fields; left: Fields; fields: readonly string[] },
): PlannedRow | undefined {
  const changed = fields.find((field) => !isSameValue(left[field] ?? null, record[field], field));
  if (changed === undefined) return undefined;
  const reason = `${changed} is now ${show(record[changed])}; the job set ${show(left[changed])}.`;
  return refuse(joined, { code: 'changed_since', reason });
}

function refuse(
  { row, line, key: id, found }: JoinedRow<RowResult>,
  refusal: PlannedRow['refusal'],
): PlannedRow {
  return { row, line, act: 'refused', id, cells: { id }, before: found?.record, refusal };
}

function show(value: unknown): string {
  return quote(JSON.stringify(value ?? null), 80);
}
