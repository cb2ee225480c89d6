import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Fields } from '../../client/json-object.ts';
import type { Person } from '../../client/references/person.ts';
import { toIdText } from '../../contract/identifiers.ts';
import { isSameJson } from '../../text/json.ts';
import { type EditOperation, toVerbName } from '../input/edit-fields.ts';
import type { EditJob } from '../jobs/job.ts';
import { type EditEntry, mayHaveChanged, type RowOutcome, readEntries } from '../jobs/journal.ts';
import { createPartialFile } from '../jobs/partial-file.ts';
import type { Plan } from '../plan/plan-file.ts';
import { describeExisting, isSent, type PlannedRow } from '../plan/plan-format.ts';
import { isLeftOut, plainCsv, type SheetForm, toWrittenFormat } from '../sheet/sheet-form.ts';
import { createSheetWriter } from '../sheet/sheet-text.ts';
import { pickFields, unknownOutcome } from './apply-row.ts';
import type { OpenStepJob } from './step-job.ts';

/** A planned row and its outcome; undefined if it was not sent. */
export interface RowResult {
  readonly planned: PlannedRow;
  readonly outcome: RowOutcome | undefined;
}

/**
 * Merges the journal of an edit with its plan, in plan order. Only outcomes that came out of order are held in memory.
 * A row that was about to be sent and has no outcome is doubtful.
 */
export async function* readRowResults(
  rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>,
  journal: string,
): AsyncGenerator<RowResult> {
  const entries = readEntries<EditEntry>(journal, { skipsDamage: true });
  const ahead = new Map<number, RowOutcome>();
  const inFlight = new Set<number>();
  let hasGap = false;
  for await (const planned of rows) {
    yield { planned, outcome: isSent(planned) ? await take(planned) : undefined };
  }

  async function take({ row, id }: PlannedRow): Promise<RowOutcome | undefined> {
    while (!ahead.has(row)) {
      const next = await entries.next();
      if (next.done) {
        // Later calls return no value.
        hasGap ||= next.value?.hasGap === true;
        if (inFlight.has(row))
          return unknownOutcome(
            'It may have been sent, and its result is unknown. Resume the job to check it.',
            id,
          );
        if (!hasGap) return undefined;
        return unknownOutcome('The journal of the job is damaged. Resume the job to check the result.', id);
      }
      const { entry } = next.value;
      if (entry.type === 'intent') inFlight.add(entry.row);
      if (entry.type === 'unsent' || entry.type === 'outcome') inFlight.delete(entry.row);
      if (entry.type === 'outcome') {
        const { type, row: of, ...outcome } = entry;
        ahead.set(of, outcome);
      }
    }
    const outcome = ahead.get(row);
    ahead.delete(row);
    return outcome;
  }
}

/** The result of a row, as in `results.csv`. */
export interface ResultRow {
  readonly line: number;
  /** Null for a record that was not created. */
  readonly id: string | null;
  readonly result: string;
  /** The fields to change: as planned from, as planned, and as the record has them if not as planned. */
  readonly old: Fields | null;
  readonly planned: Fields | null;
  readonly present: Fields | null;
  readonly code: string | null;
  readonly detail: string | null;
  readonly request_id: string | null;
}

const resultColumns: readonly (keyof ResultRow)[] = [
  ...(['line', 'id', 'result', 'old', 'planned', 'present'] as const),
  ...(['code', 'detail', 'request_id'] as const),
];

const doneAs = { create: 'created', update: 'updated', delete: 'deleted' } as const;

export function toResultRow(
  { planned, outcome }: RowResult,
  edit: Pick<EditOperation, 'noun' | 'verb'>,
): ResultRow {
  const { line, change, before, refusal, existing } = planned;
  const isSkipped = planned.act === 'none' && existing !== undefined;
  const code = outcome?.error?.code ?? refusal?.code;
  const isUpdate = planned.act === 'update' && change !== undefined && before !== undefined;
  return {
    line,
    id: outcome?.id ?? planned.id,
    result: isSkipped ? 'left_out' : toResult(planned.act, outcome, edit),
    old: isUpdate ? pickFields(before, change) : null,
    planned: change ?? null,
    present: outcome?.present ?? null,
    code: code ?? null,
    detail: outcome?.error?.message ?? refusal?.reason ?? (isSkipped ? describeExisting(existing) : null),
    request_id: outcome?.error?.requestId ?? null,
  };
}

/** Whether a row did not turn out as planned, or may not have. */
export function isFailed({ planned, outcome }: RowResult): boolean {
  return planned.act === 'refused' || ['failed', 'stale', 'doubtful'].includes(outcome?.what ?? '');
}

/** The fields that were saved although the row failed. */
function findSaved({ planned: { change = {}, before = {} }, outcome }: RowResult): string[] {
  const { what, after } = outcome ?? {};
  if (what !== 'failed' || after === undefined) return [];
  return Object.keys(change).filter((name) => !isSameJson(after[name] ?? null, before[name] ?? null));
}

function toResult(
  act: PlannedRow['act'],
  outcome: RowOutcome | undefined,
  edit: Pick<EditOperation, 'noun' | 'verb'>,
): string {
  if (act === 'none') return 'unchanged';
  if (act === 'refused') return 'refused';
  if (outcome === undefined) return 'not_sent';
  if (outcome.what !== 'done') return outcome.what;
  return toVerbName(edit) === 'cancel' ? 'cancelled' : doneAs[act];
}

/** Reads clients by ID for the rows of appointments; those it leaves out are not described. */
export type ReadContacts = (
  ids: readonly string[],
) => Promise<(id: string) => Pick<Person, 'name' | 'phone' | 'email'> | null | undefined>;

/** Paths of the report files. */
export interface Reports {
  readonly results: string;
  /** The failed rows in the format of the sheet, ready to fix and run again; undefined if none failed. */
  readonly failed: string | undefined;
  /** Whether an undo would have anything to do. */
  readonly isUndoable: boolean;
  /** How often each field was saved in rows that failed. */
  readonly saved: ReadonlyMap<string, number>;
}

/** People open a report in a spreadsheet program: formulas are guarded, and the line ends tell a reader so. */
const safe = { isGuarded: true, lineEnd: '\r\n' } as const;

/** Cards and events are written as a CSV of the columns that are taken. */
function toFailedForm(form: SheetForm): SheetForm {
  const { format, columns, fields = [] } = form;
  if (format === 'csv') return { ...form, ...safe };
  if (format !== 'vcard' && format !== 'icalendar') return form;
  const isTaken = (_: unknown, index: number) => !isLeftOut(fields[index] ?? '');
  const own = { columns: columns?.filter(isTaken) ?? [], fields: fields.filter(isTaken) };
  return { ...plainCsv, ...safe, hasByteOrderMark: true, ...own };
}

/** Writes the result of every row, and the failed rows. Throws `output_failed`. */
export async function writeReports(
  { job, plan, journalPath, folder }: OpenStepJob<EditJob, Plan>,
  givenContacts: ReadContacts | undefined,
): Promise<Reports> {
  const { source, edit } = plan.head;
  const { form } = source;
  const readContacts = edit.noun === 'appointments' ? givenContacts : undefined;
  const contactFields = readContacts && ['client_name', 'client_phone', 'client_email'];
  const columns = [...resultColumns, ...(contactFields ?? [])];
  const describe = readContacts && ((rows: readonly Fields[]) => addContacts(rows, readContacts));
  const resultForm = { ...plainCsv, ...safe, columns };
  await using results = await openReport(join(folder, 'results.csv'), resultForm, describe);
  const failedForm = toFailedForm(form);
  // Only the plan of a sheet has rows that can be written as one.
  await using failed =
    job.work.undoes === null
      ? await openReport(join(folder, `failed.${toWrittenFormat(failedForm.format)}`), failedForm)
      : undefined;
  let hasFailed = false;
  let isUndoable = false;
  const saved = new Map<string, number>();
  for await (const result of readRowResults(plan.rows(), journalPath)) {
    const { before, change } = result.planned;
    const clientId = toIdText(before?.['client_id']) ?? toIdText(change?.['client_id']);
    await results.add({ ...toResultRow(result, edit), client_id: clientId ?? null });
    for (const field of findSaved(result)) saved.set(field, (saved.get(field) ?? 0) + 1);
    isUndoable ||= result.outcome?.what !== 'doubtful' && mayHaveChanged(result.outcome);
    const { act } = result.planned;
    // One that is doubtful, or created in part, may be done.
    const mayBeDone = act === 'create' ? mayHaveChanged(result.outcome) : result.outcome?.what === 'doubtful';
    if (failed === undefined || !isFailed(result) || mayBeDone) continue;
    await failed.add(result.planned.cells ?? {});
    hasFailed = true;
  }
  await results.finish();
  await failed?.finish();
  return { results: results.path, failed: hasFailed ? failed?.path : undefined, isUndoable, saved };
}

/** Whom to call about a row of appointments. */
async function addContacts(rows: readonly Fields[], readContacts: ReadContacts): Promise<readonly Fields[]> {
  const idOf = (row: Fields) => toIdText(row['client_id']) ?? '';
  const contactOf = await readContacts([...new Set(rows.map(idOf))].filter((id) => id !== ''));
  return rows.map((row) => {
    const { name = '', phone = '', email = '' } = contactOf(idOf(row)) ?? {};
    return { ...row, client_name: name, client_phone: phone, client_email: email };
  });
}

/** Rows written at once. */
const rowsPerBlock = 256;

/** A report file; it replaces an earlier one when finished. */
async function openReport(
  path: string,
  form: SheetForm,
  describe: (rows: readonly Fields[]) => Promise<readonly Fields[]> = async (rows) => rows,
) {
  const writer = await createSheetWriter(form);
  const file = await createPartialFile({ path, realPath: path, mode: 0o600 }, randomUUID());
  let rows: Fields[] = [];
  await file.write(await writer.begin());
  return {
    path,
    async add(row: Fields): Promise<void> {
      if (rows.push(row) < rowsPerBlock) return;
      await file.write(await writer.rows(await describe(rows)));
      rows = [];
    },
    async finish(): Promise<void> {
      await file.write(await writer.rows(await describe(rows)));
      await file.write(await writer.end());
      await file.commit();
    },
    [Symbol.asyncDispose]: () => file.discard(),
  };
}
