import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { didYouMean } from '../../text/closest.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import type { Phones } from '../../text/phone-reader.ts';
import {
  isLeftOut,
  otherPhone,
  type RowProblem,
  type SheetForm,
  type SheetRow,
} from '../sheet/sheet-form.ts';
import { hasCommasOnly, isBlankCell } from './cell-values.ts';
import { lacksDuration } from './complete-fields.ts';
import { addsRecords, type EditOperation, fieldsOf, toMatchKey } from './edit-fields.ts';
import type { AsideRow } from './find-headings.ts';
import { findOrganisation } from './join-cells.ts';
import { describeTargets, isTaken, toMapFlag } from './map-columns.ts';
import { readSheet } from './read-sheet.ts';
import { notePhone, type PhoneNote } from './spreadsheet-numbers.ts';
import {
  createColumnValidator,
  createProblemList,
  createRowValidator,
  hasColumn,
  maxKept,
  type ValidationOptions,
} from './validate-row.ts';

export interface SheetValidation extends ValidationOptions {
  /** Names of the fields that the server's own records have; read when a column is unknown to the contract. */
  readonly readFieldNames: () => Promise<readonly string[]>;
  /** Keeps the rows for planning, and finds those that name the same record. */
  readonly rows: {
    /** `key` identifies the record; null for a row that names none. */
    addRow(
      row: Pick<RowProblem, 'line'> & { row: number; key: string | null; item: SheetRow['cells'] },
    ): void;
    duplicates(
      field?: 'external_id',
      options?: { withoutId?: boolean },
    ): Iterable<{ row: number; line: number; firstLine: number }>;
  };
  readonly phones?: Phones | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads a sheet once: validates every row by itself and keeps it in `rows`. Memory does not grow with the rows. */
export async function validateSheet(path: string, form: SheetForm, validation: SheetValidation) {
  const { edit, rows } = validation;
  const problems = createProblemList();
  const columns = createColumnValidator(validation);
  const checkRow = createRowValidator(form, validation);
  const known = new Set(fieldsOf(edit.noun).keys());
  let isServerAsked = false;

  async function checkColumns(names: Iterable<string>, line: number): Promise<void> {
    const unknown = columns.findUnknown(names);
    if (unknown.length > 0 && !isServerAsked) {
      isServerAsked = true;
      for (const name of await validation.readFieldNames()) known.add(name);
    }
    for (const column of unknown.filter((name) => !known.has(name))) {
      const reason = `${edit.noun} have no field ${column}.${didYouMean(column, [...known])}`;
      problems.add({ line, column, code: 'unknown_field', reason });
    }
  }

  if (form.columns !== null) {
    const line = form.headingLine;
    const fields = form.fields ?? form.columns;
    await checkColumns(
      fields.filter((field) => !isTaken(field, [])),
      line,
    );
    if (!addsRecords(edit.verb) && !hasColumn(form, edit.match)) {
      const reason = `Column ${edit.match} is missing: it identifies the record to change.`;
      problems.add({ line, column: edit.match, code: 'required', reason });
    }
  }
  const lists = [...fieldsOf(edit.noun)].filter(([, { type }]) => type === 'array').map(([name]) => name);
  /** Cells of lists that have commas, which separate nothing, but no semicolon: how many in each field. */
  const commaCells = new Map<string, { readonly count: number; readonly example: string }>();
  /** How many phone numbers there are of each kind to be told about, and the first five lines with them. */
  const phoneNotes = new Map<PhoneNote, { count: number; lines: number[] }>();
  let [count, serviceDurations, shortRows] = [0, 0, 0];
  /** Problems of single rows, where these can be left out, by the number of the row. */
  const rowProblems = new Map<number, RowProblem>();
  let ofRows = 0;
  const addOfRow = (row: number, problem: RowProblem) => {
    problems.add(problem);
    // After a cell that is missing, others may be in the wrong column.
    if (problem.code === 'width') return;
    ofRows += 1;
    if (rowProblems.size < maxKept) rowProblems.set(row, rowProblems.get(row) ?? problem);
  };
  /** Rows with a value in a column that is left out, by its name. */
  const leftOutRows = new Map<string, number>();
  const organisations: string[] = [];
  const asides = { count: 0, rows: [] as AsideRow[] };
  const addAside = (row: AsideRow) => {
    asides.count += 1;
    if (asides.rows.length < 5) asides.rows.push(row);
  };
  const read = readSheet(path, form, validation.signal, addAside);
  for await (const { number, line, cells, problem, width } of read) {
    count += 1;
    if (problem !== undefined) {
      if (problem.code === 'invalid_value') {
        addOfRow(number, problem);
        rows.addRow({ row: number, line, key: null, item: cells });
      } else problems.add(problem);
      continue;
    }
    if (form.columns === null) await checkColumns(Object.keys(cells), line);
    const organisation = findOrganisation(cells, form);
    if (organisation !== undefined) {
      organisations.push(organisation);
      continue;
    }
    for (const name in form.columns === null ? {} : cells) {
      if (isLeftOut(name) && !isBlankCell(cells[name]))
        leftOutRows.set(name, (leftOutRows.get(name) ?? 0) + 1);
    }
    for (const name of lists) {
      const cell = cells[name];
      if (!hasCommasOnly(cell)) continue;
      const { count: former = 0, example = cell } = commaCells.get(name) ?? {};
      commaCells.set(name, { count: former + 1, example });
    }
    const cell = isBlankCell(cells['phone']) ? cells[otherPhone] : cells['phone'];
    if (validation.phones !== undefined && typeof cell === 'string' && !isBlankCell(cell)) {
      for (const note of notePhone(cell, validation.phones, addsRecords(edit.verb))) {
        const { count: former, lines } = phoneNotes.get(note) ?? { count: 0, lines: [] };
        phoneNotes.set(note, { count: former + 1, lines: former < 5 ? [...lines, line] : lines });
      }
    }
    if (validation.services !== undefined && lacksDuration(cells, form)) serviceDurations += 1;
    validation.rules.startLine(line);
    for (const found of checkRow({ number, line, cells, width })) addOfRow(number, { line, ...found });
    if (width !== undefined) shortRows += 1;
    const key = addsRecords(edit.verb)
      ? null
      : (toMatchKey(edit.match, cells[edit.match], validation.phones) ?? null);
    rows.addRow({ row: number, line, key, item: cells });
  }
  for (const { field, cells } of validation.rules.contradictions()) {
    const [one, other] = cells.toSorted((a, b) => a.line - b.line);
    if (one === undefined || other === undefined) continue;
    const reason = `${other.cell} is ${other.order.replace('-', ' ')}, but ${one.cell} on line ${one.line} is ${one.order.replace('-', ' ')}. Write all dates of the column in one way.`;
    problems.add({ line: other.line, column: field, code: 'invalid_value', reason });
  }
  const isNew = addsRecords(edit.verb);
  const unique = isNew ? 'external_id' : edit.match;
  for (const { row, line, firstLine } of rows.duplicates(isNew ? 'external_id' : undefined, {
    withoutId: edit.verb === 'import',
  })) {
    const reason = `Line ${firstLine} has the same ${unique}.`;
    addOfRow(row, { line, column: unique, code: 'duplicate', reason });
  }
  return {
    rows: count,
    problemCount: problems.count,
    /** The first thousand, by line. */
    problems: problems.kept(),
    /** Undefined if another problem is in the way of reading the rows, or there are none without one. */
    rowProblems:
      ofRows === problems.count && ofRows <= maxKept && rowProblems.size < count ? rowProblems : undefined,
    /** Columns that are not sent: only the server sets them, or the operation does not use them. */
    ignoredColumns: columns.ignored(),
    /** Rows that are no records: how many, and the first five. */
    asides,
    /** Rows without the last cells, which are blank. */
    shortRows,
    commaCells,
    phoneNotes,
    leftOutRows,
    /** Names of organisations, whose rows are left out. */
    organisations,
    /** Rows of new appointments that last as long as their service usually does. */
    serviceDurations,
    /** Fields that a column may name. */
    knownFields: [...known],
  };
}

/** Result of validating a whole sheet. */
export type SheetReport = Awaited<ReturnType<typeof validateSheet>>;

/** Names of the fields of the first record that a server lists. */
export async function readFieldNames(
  client: SalonClient,
  noun: EditOperation['noun'],
): Promise<readonly string[]> {
  for await (const { rows } of client[noun].list({}, { limit: 1 })) {
    const [record] = rows as readonly (object | undefined)[];
    return Object.keys(record ?? {});
  }
  return [];
}

/** The `usage` error for a sheet with problems: each with its line and column in `violations`. */
export function createInvalidSheetError(
  name: string,
  { problems, problemCount, knownFields }: Pick<SheetReport, 'problems' | 'problemCount' | 'knownFields'>,
  { columns, fields }: Pick<SheetForm, 'columns' | 'fields'>,
): SalonError {
  const unknown = problems.filter(({ code }) => code === 'unknown_field').map(({ column }) => column ?? '');
  // Without any column that is known, all rows lack what they need.
  const isUnknown = unknown.length > 0 && unknown.length === columns?.length;
  const shown = isUnknown ? problems.filter(({ column }) => column !== null) : problems;
  const violations = shown.map(({ line, column, code, reason }) => ({
    parameter: column === null ? `${name}:${line}` : `${name}:${line}:${column}`,
    code,
    detail: reason,
  }));
  const headings = unknown.map((field) => columns?.[fields?.indexOf(field) ?? -1] ?? field);
  // Spelling says nothing of what a column has.
  const flags = headings.map((heading) => toMapFlag(heading));
  const known = `Fields: ${describeTargets(knownFields)}.`;
  const start = isUnknown
    ? 'If its first row is data, put headings above it. Write after = what the columns have'
    : 'Leave them out, or write after = what they have';
  const mapping = `${start}: ${flags.join(' ')}. Or use --ignore-columns or --allow-new-fields. ${known}`;
  const others = columns === null ? `Fix the file, or use --allow-new-fields. ${known}` : mapping;
  const count = `${name} has ${countOf(problemCount, 'errors')}`;
  const first = problemCount > problems.length ? `; the first ${renderCount(problems.length)}:` : '.';
  return new SalonError(
    'usage',
    isUnknown ? `${name} has no column that is recognised.` : `${count}${first}`,
    { hint: unknown.length > 0 ? others : 'Fix the file and run the command again.', violations },
  );
}
