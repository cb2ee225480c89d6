import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import type { SalonService } from '../../contract/salon-service.ts';
import type { Phones } from '../../text/phone-reader.ts';
import { type AmountReading, readCurrencies } from '../input/amount-columns.ts';
import { type CellRules, createCellRules } from '../input/cell-values.ts';
import { lacksDuration } from '../input/complete-fields.ts';
import { type DetectOptions, detectSheetForm } from '../input/detect-sheet.ts';
import { addsRecords, type EditOperation, fieldsOf, readOnlyFieldsOf } from '../input/edit-fields.ts';
import type { NameSplit } from '../input/person-names.ts';
import { readSheet } from '../input/read-sheet.ts';
import type { UnusualDays } from '../input/unusual-days.ts';
import { createProblemList, hasColumn } from '../input/validate-row.ts';
import {
  createInvalidSheetError,
  readFieldNames,
  type SheetReport,
  validateSheet,
} from '../input/validate-sheet.ts';
import type { RowProblem, SheetForm, SheetRow } from '../sheet/sheet-form.ts';
import { copySheet } from './copy-sheet.ts';
import { type CurrentRecordsOptions, readCurrentRecords } from './current-records.ts';
import { openExistingAppointments } from './existing-appointments.ts';
import { type ExistingPeople, openExistingPeople } from './existing-people.ts';
import { createPeopleReferences } from './people-references.ts';
import { type Plan, type PlanFolder, writePlan } from './plan-file.ts';
import { type AccountIdentity, describeExisting, type PlannedRow } from './plan-format.ts';
import { type ImportReading, writeImport } from './plan-import.ts';
import { planRow, toDifference } from './plan-row.ts';
import { type JoinedRow, openRecordJoin } from './record-join.ts';

/** Path of a sheet, or its bytes. */
export type SheetInput = string | AsyncIterable<Uint8Array>;

/** A sheet as detected and validated. */
export interface CheckedSheet extends SheetReport {
  readonly name: string;
  readonly form: SheetForm;
  /** How columns write dates with slashes. */
  readonly dayOrders: ReturnType<CellRules['dayOrders']>;
  readonly names: ReturnType<CellRules['names']>;
  /** Cells that stand for no day, such as 0001-01-01, and are left blank. */
  readonly emptyDays: readonly UnusualDays[];
  /** Whether commas separate tags. */
  readonly splitsCommas: boolean;
  /** Cells with a yes or no that is not given yet, by field. */
  readonly pending: ReturnType<CellRules['pending']>;
  /** IANA name of the zone of times without one. */
  readonly timeZone: string;
  /** How phones without a country code were read. */
  readonly phones: Pick<Phones, 'country' | 'callingCode'> | undefined;
}

/** How to read a sheet, and what to tell about it. */
export interface SheetReading
  extends AmountReading,
    ImportReading,
    Pick<CurrentRecordsOptions, 'onProgress'> {
  readonly allowNewFields?: boolean | undefined;
  /** Where names of several words are split; without it, rows with them are refused. */
  readonly splitNames?: NameSplit | undefined;
  /** Whether the phones of a row that are not taken go to the notes, with their labels. */
  readonly keepsPhones?: boolean | undefined;
  /** Reads the ISO 3166 code of the salon's country; called for sheets with phone numbers. */
  readonly readCountry?: (() => Promise<string | undefined>) | undefined;
  /** Reads the services of the salon; called for new appointments without a duration. */
  readonly readServices?: (() => Promise<readonly SalonService[] | undefined>) | undefined;
  /**
   * What becomes of new clients who exist already: `skip` leaves out their rows and those that repeat an earlier row,
   * `add` does not look for them. By default they are added, too, and the plan names them.
   */
  readonly existing?: 'skip' | 'add' | undefined;
  /**
   * Called where a column of days has times of day; resolves with whether each is the day that begins nearest to it.
   * Otherwise rows with them are refused.
   */
  readonly confirmDays?: ((days: UnusualDays) => Promise<boolean>) | undefined;
  /** Called where tags have commas and no semicolon; resolves with whether commas separate them. */
  readonly confirmCommas?: ((cells: { count: number; example: string }) => Promise<boolean>) | undefined;
  /** Called once the sheet is validated, before faults are thrown. */
  readonly onSheet?: ((sheet: CheckedSheet) => void) | undefined;
  /** Called with the lines that change a phone number to one that its country does not seem to have. */
  readonly onInvalidPhones?: ((lines: readonly number[]) => void) | undefined;
  /** Called with the reason if it is unknown which new clients exist already. */
  readonly onUnsearched?: ((reason: string) => void) | undefined;
}

interface SheetPlanning extends DetectOptions, SheetReading, Pick<CurrentRecordsOptions, 'concurrency'> {
  readonly client: SalonClient;
  readonly readAccount: () => Promise<AccountIdentity>;
  readonly edit: EditOperation;
  /** IANA name of the zone of times without one. */
  readonly timeZone: string;
  readonly into: PlanFolder;
  readonly now: Date;
}

/**
 * Copies a sheet next to its plan, detects its form, validates it, reads the records it names and plans every row.
 * The rows are parsed and planned once, besides a first look for new appointments without a duration and for values in
 * columns that are not recognised. Throws `usage` with every fault in `violations`.
 */
export async function planSheet(input: SheetInput, planning: SheetPlanning): Promise<Plan> {
  const { client, edit, into, timeZone, now, onSheet, splitNames } = planning;
  const { noun, verb, match } = edit;
  const isImport = verb === 'import';
  const { name = typeof input === 'string' ? basename(input) : 'sheet' } = planning;
  const { path, sha256 } = await copySheet(input, into.folder, planning.signal);
  const knownFields = [...fieldsOf(noun).keys(), ...readOnlyFieldsOf(noun), match];
  let serverFields: Promise<readonly string[]> | undefined;
  const readNames = () => (serverFields ??= readFieldNames(client, noun));
  const found = await detectSheetForm(path, {
    ...planning,
    name,
    knownFields,
    readFieldNames: readNames,
    toContract: client.dialect(noun).map?.toContract,
    recognises: verb === 'delete' || planning.allowNewFields === true ? undefined : noun,
    asksUnknown: verb !== 'delete' && planning.allowNewFields !== true,
  });
  const amounts = { ...planning, name, knownFields, readFieldNames: readNames };
  const currencies = verb === 'delete' ? undefined : await readCurrencies(path, found, amounts);
  const form = currencies === undefined ? found : { ...found, currencies };
  const readsPhones =
    noun === 'clients' && (verb !== 'delete' || match === 'phone') && hasColumn(form, 'phone');
  const phones = readsPhones
    ? (await import('../../text/phone-reader.ts')).createPhones(await planning.readCountry?.())
    : undefined;
  const services = await readServices(path, form, planning);
  const { keepsPhones } = planning;
  const takesNoYear = client.dialect(noun).birthdayWithoutYear !== null;
  const rules = createCellRules({
    ...{ ...form, noun, timeZone, now, phones, splitNames, keepsPhones, services, takesNoYear },
  });
  using rows = openRecordJoin<SheetRow['cells']>(match, phones);
  const sheet = await validateSheet(path, form, {
    edit,
    now,
    rules,
    phones,
    services,
    allowNewFields: planning.allowNewFields,
    readFieldNames: readNames,
    signal: planning.signal,
    rows,
  });
  const names = rules.names();
  const [commas] = sheet.commaCells.values();
  const splitsCommas = commas !== undefined && (await planning.confirmCommas?.(commas)) === true;
  if (splitsCommas) rules.splitCommas();
  onSheet?.({
    ...sheet,
    name,
    form,
    dayOrders: rules.dayOrders(),
    ...{ emptyDays: rules.emptyDays(), pending: rules.pending() },
    splitsCommas,
    ...{ names, timeZone, phones },
  });
  const leftOut = isImport ? sheet.rowProblems : undefined;
  if (sheet.problemCount > 0 && leftOut === undefined && !mayBeCurrent(edit, sheet))
    throw createInvalidSheetError(name, sheet, form);
  const [timedDays] = rules.timedDays();
  if (timedDays !== undefined && (await planning.confirmDays?.(timedDays))) rules.takeNearestDays();
  const account = await planning.readAccount();
  const { total, isComplete } = await readCurrentRecords({
    ...planning,
    noun,
    match,
    phones,
    join: rows,
  });
  if (sheet.problemCount > 0 && leftOut === undefined) {
    const changing = findChanging(sheet.problems, rows.joined(), rules);
    const report = { ...sheet, problems: changing.kept(), problemCount: changing.count };
    if (changing.count > 0) throw createInvalidSheetError(name, report, form);
  }
  const head = {
    ...{ createdAt: now.toISOString(), edit, source: { name, sha256, form }, account },
    timeZone: noun === 'appointments' ? timeZone : undefined,
  };
  const references = createPeopleReferences(client, { ...planning, isImport });
  const isSearched = addsRecords(verb) && noun === 'clients' && planning.existing !== 'add';
  using people = isSearched ? openExistingPeople(client, phones, { byName: isImport }) : undefined;
  const invalidPhones: number[] = [];
  const plan = await writePlan(
    into.planPath,
    { ...head, records: total ?? null },
    rows.joined().map((row) => {
      const problem = leftOut?.get(row.row);
      if (problem !== undefined) return toRefused({ ...row, cells: row.item }, problem);
      const planned = planRow(row, { verb, noun, match, rules, isComplete });
      const { act, change } = planned;
      references.add(planned);
      if (change !== undefined) people?.add({ ...row, fields: { ...change, id: row.item['id'] } });
      const phone = act === 'update' ? change?.['phone'] : undefined;
      const { number, isValid = true } = typeof phone === 'string' ? (phones?.read(phone) ?? {}) : {};
      // It is possible, but not valid. Those of new records are known before.
      if (number !== undefined && !isValid) invalidPhones.push(planned.line);
      return planned;
    }),
  );
  // A job keeps personal data for a month: once, in its plan.
  await rm(path);
  if (!(await references.resolve()) && !isImport) {
    const problems = createProblemList();
    for await (const row of plan.rows()) references.findProblems(row).forEach(problems.add);
    const report = { ...sheet, problems: problems.kept(), problemCount: problems.count };
    if (problems.count > 0) throw createInvalidSheetError(name, report, form);
  }
  const unsearched = await people?.search();
  const skips = planning.existing === 'skip';
  if (unsearched !== undefined && (skips || isImport))
    throw new SalonError('not_supported', `Cannot tell which of these clients exist already: ${unsearched}`, {
      hint: isImport
        ? 'To add them all: salon clients create --file <file>'
        : 'To add them all, omit --skip-existing.',
    });
  if (unsearched !== undefined) planning.onUnsearched?.(unsearched);
  if (invalidPhones.length > 0) planning.onInvalidPhones?.(invalidPhones);
  if (isImport) {
    const resolve = (row: PlannedRow) => {
      const [problem] = references.findProblems(row);
      return problem === undefined ? references.apply(row) : toRefused(row, { ...problem, column: null });
    };
    using booked = noun === 'appointments' ? openExistingAppointments(client) : undefined;
    await booked?.search(plan.rows(), resolve);
    const find = (planned: PlannedRow) => booked?.find(planned) ?? people?.findKnown(planned.row);
    return await writeImport(plan, { ...planning, rules, find, resolve });
  }
  if (references.size === 0 && !people?.hasAny()) return plan;
  return await writePlan(plan.path, plan.head, toFinal(plan.rows()));

  /** The rows, once it is known whom they name, and who exists already. */
  async function* toFinal(planned: AsyncIterable<PlannedRow>): AsyncGenerator<PlannedRow> {
    for await (const row of planned) yield withExisting(references.apply(row), { people, skips });
  }
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

/** The services that say how long new appointments take whose rows do not; undefined if all do, or no service is listed. */
async function readServices(path: string, form: SheetForm, planning: SheetPlanning) {
  const { edit, signal } = planning;
  if (edit.noun === 'clients' || !addsRecords(edit.verb)) return undefined;
  for await (const { cells } of readSheet(path, form, signal)) {
    if (!lacksDuration(cells, form)) continue;
    return (await planning.readServices?.())?.filter(({ active }) => active);
  }
  return undefined;
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
