import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import type { Phones } from '../../text/phone-reader.ts';
import type { CellRules } from '../input/cell-values.ts';
import type { DetectOptions } from '../input/detect-sheet.ts';
import { addsRecords, type EditOperation } from '../input/edit-fields.ts';
import { createProblemList } from '../input/validate-row.ts';
import { createInvalidSheetError, type SheetReport, validateSheet } from '../input/validate-sheet.ts';
import type { RowProblem, SheetRow } from '../sheet/sheet-form.ts';
import { copySheet } from './copy-sheet.ts';
import { type CurrentRecordsOptions, readCurrentRecords } from './current-records.ts';
import { openExistingAppointments } from './existing-appointments.ts';
import { type ExistingPeople, openExistingPeople } from './existing-people.ts';
import { openSheet, type SheetChecking, tellSheet } from './open-sheet.ts';
import { createPeopleReferences, type PeopleReferences } from './people-references.ts';
import { type Plan, type PlanFolder, writePlan } from './plan-file.ts';
import { type AccountIdentity, describeExisting, type PlannedRow } from './plan-format.ts';
import { writeImport } from './plan-import.ts';
import { planRow, toDifference } from './plan-row.ts';
import { type JoinedRow, openRecordJoin } from './record-join.ts';

/** Path of a sheet, or its bytes. */
export type SheetInput = string | AsyncIterable<Uint8Array>;

interface SheetPlanning
  extends Omit<SheetChecking, 'name'>,
    Pick<DetectOptions, 'name'>,
    Pick<CurrentRecordsOptions, 'concurrency'> {
  readonly readAccount: () => Promise<AccountIdentity>;
  readonly into: PlanFolder;
}

/**
 * Copies a sheet next to its plan, detects its form, validates it, reads the records it names and plans every row.
 * The rows are parsed and planned once, besides a first look for new appointments without a duration and for values in
 * columns that are not recognised. Throws `usage` with every fault in `violations`.
 */
export async function planSheet(input: SheetInput, given: SheetPlanning): Promise<Plan> {
  const { client, edit, into, now, allowNewFields, signal } = given;
  const { noun, verb, match } = edit;
  const isImport = verb === 'import';
  const { name = typeof input === 'string' ? basename(input) : 'sheet' } = given;
  const planning = { ...given, name };
  const { path, sha256 } = await copySheet(input, into.folder, signal);
  const sheet = await openSheet(path, planning);
  const { form, phones, rules } = sheet;
  using rows = openRecordJoin<SheetRow['cells']>(match, phones);
  const report = await validateSheet(path, form, { ...sheet, edit, now, allowNewFields, signal, rows });
  await tellSheet(report, sheet, planning);
  const leftOut = isImport ? report.rowProblems : undefined;
  const isFaulty = report.problemCount > 0 && leftOut === undefined;
  if (isFaulty && !mayBeCurrent(edit, report)) throw createInvalidSheetError(name, report, form);
  const [timedDays] = rules.timedDays();
  if (timedDays !== undefined && (await planning.confirmDays?.(timedDays))) rules.takeNearestDays();
  const account = await planning.readAccount();
  const current = await readCurrentRecords({ ...planning, noun, match, phones, join: rows });
  const refuse = (problems: ProblemList) => {
    if (problems.count === 0) return;
    throw createInvalidSheetError(
      name,
      { ...report, problems: problems.kept(), problemCount: problems.count },
      form,
    );
  };
  if (isFaulty) refuse(findChanging(report.problems, rows.joined(), rules));
  const references = createPeopleReferences(client, { ...planning, isImport });
  const isSearched = addsRecords(verb) && noun === 'clients' && planning.existing !== 'add';
  using people = isSearched ? openExistingPeople(client, phones, { byName: isImport }) : undefined;
  const invalidPhones: number[] = [];
  const head = {
    ...{ createdAt: now.toISOString(), edit, source: { name, sha256, form }, account },
    timeZone: noun === 'appointments' ? planning.timeZone : undefined,
    records: current.total ?? null,
  };
  const planned = rows.joined().map((row) => {
    const problem = leftOut?.get(row.row);
    if (problem !== undefined) return toRefused({ ...row, cells: row.item }, problem);
    const one = planRow(row, { verb, noun, match, rules, isComplete: current.isComplete });
    references.add(one);
    if (one.change !== undefined) people?.add({ ...row, fields: { ...one.change, id: row.item['id'] } });
    if (hasInvalidPhone(one, phones)) invalidPhones.push(one.line);
    return one;
  });
  const plan = await writePlan(into.planPath, head, planned);
  // A job keeps personal data for a month: once, in its plan.
  await rm(path);
  if (!(await references.resolve()) && !isImport) refuse(await findUnclear(plan, references));
  await searchPeople(people, planning);
  if (invalidPhones.length > 0) planning.onInvalidPhones?.(invalidPhones);
  if (isImport) return await finishImport(plan, { planning, rules, references, people });
  if (references.size === 0 && !people?.hasAny()) return plan;
  const skips = planning.existing === 'skip';
  return await writePlan(plan.path, plan.head, toFinal(plan.rows(), { references, people, skips }));
}

type ProblemList = ReturnType<typeof createProblemList>;

/** Whether a change is to a phone number that is possible, but not valid. Those of new records are known before. */
function hasInvalidPhone({ act, change }: PlannedRow, phones: Phones | undefined): boolean {
  const phone = act === 'update' ? change?.['phone'] : undefined;
  const { number, isValid = true } = typeof phone === 'string' ? (phones?.read(phone) ?? {}) : {};
  return number !== undefined && !isValid;
}

/** The cells that mean nobody, or several people. */
async function findUnclear(plan: Plan, references: PeopleReferences): Promise<ProblemList> {
  const problems = createProblemList();
  for await (const row of plan.rows()) references.findProblems(row).forEach(problems.add);
  return problems;
}

/** Searches who exists already. Throws `not_supported` where that must be known and cannot. */
async function searchPeople(
  people: ExistingPeople | undefined,
  { edit, existing, onUnsearched }: SheetPlanning,
): Promise<void> {
  const unsearched = await people?.search();
  if (unsearched === undefined) return;
  const isImport = edit.verb === 'import';
  if (existing !== 'skip' && !isImport) return onUnsearched?.(unsearched);
  throw new SalonError('not_supported', `Cannot tell which of these clients exist already: ${unsearched}`, {
    hint: isImport
      ? 'To add them all: salon clients create --file <file>'
      : 'To add them all, omit --skip-existing.',
  });
}

interface Lookups {
  readonly references: PeopleReferences;
  readonly people: ExistingPeople | undefined;
}

/** Writes the plan of an import, once it is known who is meant and what exists already. */
async function finishImport(
  plan: Plan,
  { planning, rules, references, people }: Lookups & { planning: SheetPlanning; rules: CellRules },
): Promise<Plan> {
  const resolve = (row: PlannedRow) => {
    const [problem] = references.findProblems(row);
    return problem === undefined ? references.apply(row) : toRefused(row, { ...problem, column: null });
  };
  const isBooking = planning.edit.noun === 'appointments';
  using booked = isBooking ? openExistingAppointments(planning.client) : undefined;
  await booked?.search(plan.rows(), resolve);
  const find = (planned: PlannedRow) => booked?.find(planned) ?? people?.findKnown(planned.row);
  return await writeImport(plan, { ...planning, rules, find, resolve });
}

/** The rows, once it is known whom they name, and who exists already. */
async function* toFinal(
  planned: AsyncIterable<PlannedRow>,
  { references, people, skips }: Lookups & { readonly skips: boolean },
): AsyncGenerator<PlannedRow> {
  for await (const row of planned) yield withExisting(references.apply(row), { people, skips });
}

/** A row of an import that is left out. */
function toRefused(
  { row, line, cells }: Pick<PlannedRow, 'row' | 'line' | 'cells'>,
  { column, code, reason }: RowProblem,
): PlannedRow {
  const refusal = { code, reason: column === null ? reason : `${column}: ${reason}` };
  return { row, line, act: 'refused', id: null, cells, refusal };
}

/** Whether what is wrong with a sheet may be what its records have, which the service or an earlier version accepted. */
function mayBeCurrent({ verb, match }: EditOperation, { problems, problemCount }: SheetReport): boolean {
  const isValue = ({ code, column }: RowProblem) => code === 'invalid_value' && column !== match;
  return verb === 'update' && problems.length === problemCount && problems.every(isValue);
}

/** The problems of cells that would change a record. */
function findChanging(
  problems: readonly RowProblem[],
  rows: Iterable<JoinedRow<SheetRow['cells']>>,
  rules: CellRules,
) {
  const lines = new Set(problems.map(({ line }) => line));
  const changing = createProblemList();
  for (const { line, item, found } of rows) {
    if (!lines.has(line)) continue;
    const { record = {} } = found ?? {};
    const change = toDifference(rules.toFields(item, record), record) ?? {};
    const isLeft = (problem: RowProblem) => problem.line === line && (problem.column ?? '') in change;
    problems.filter(isLeft).forEach(changing.add);
  }
  return changing;
}

function withExisting(
  planned: PlannedRow,
  { people, skips }: { readonly people: ExistingPeople | undefined; readonly skips: boolean },
): PlannedRow {
  const { row, line, act, cells } = planned;
  const existing = act === 'create' ? people?.find(row) : undefined;
  if (existing === undefined) return planned;
  const { id, differs } = existing;
  if (skips && differs === null) return { row, line, act: 'none', id, existing };
  const isUnclear = id !== null && (differs === 'several' || differs === 'unclear name');
  if (!skips || !isUnclear) return { ...planned, existing };
  const refusal = { code: 'ambiguous', reason: describeExisting(existing) } as const;
  return { row, line, act: 'refused', id: null, cells, refusal };
}
