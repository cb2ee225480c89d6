import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { closest, didYouMean } from '../../text/closest.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import type { Phones } from '../../text/phone-reader.ts';
import { otherPhone, type RowProblem, type SheetForm, type SheetRow } from '../sheet/sheet-form.ts';
import { isBlankCell } from './cell-values.ts';
import { type EditOperation, fieldsOf, toMatchKey } from './edit-fields.ts';
import { describeTargets, isTaken, toMapFlag } from './map-columns.ts';
import { readSheet } from './read-sheet.ts';
import { notePhone, type PhoneNote } from './spreadsheet-numbers.ts';
import {
  createColumnValidator,
  createProblemList,
  createRowValidator,
  hasColumn,
  type ValidationOptions,
} from './validate-row.ts';

/** Result of validating a whole sheet. */
export interface SheetReport {
  readonly rows: number;
  readonly problemCount: number;
  /** The first thousand, by line. */
  readonly problems: readonly RowProblem[];
  /** Rows without the last cells, which are blank. */
  readonly shortRows: number;
  /** Columns that are not sent: only the server sets them, or the operation does not use them. */
  readonly ignoredColumns: readonly string[];
  /** Cells of lists that have commas, which separate nothing, but no semicolon: how many in each field. */
  readonly commaCells: ReadonlyMap<string, number>;
  /** How many phone numbers there are of each kind to be told about, and the first five lines with them. */
  readonly phoneNotes: ReadonlyMap<PhoneNote, { readonly count: number; readonly lines: readonly number[] }>;
  /** Rows of new appointments that last as long as their service usually does. */
  readonly serviceDurations: number;
  /** Fields that a column may name. */
  readonly knownFields: readonly string[];
}

export interface SheetValidation extends ValidationOptions {
  /** Names of the fields that the server's own records have; read when a column is unknown to the contract. */
  readonly readFieldNames: () => Promise<readonly string[]>;
  readonly rows: RowStore;
  readonly phones?: Phones | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Keeps the rows for planning, and finds those that name the same record. */
interface RowStore {
  /** `key` identifies the record; null for a row that names none. */
  addRow(row: {
    readonly row: number;
    readonly line: number;
    readonly key: string | null;
    readonly item: SheetRow['cells'];
  }): void;
  duplicates(field?: 'external_id'): Iterable<{ readonly line: number; readonly firstLine: number }>;
}

/** Reads a sheet once: validates every row by itself and keeps it in `rows`. Memory does not grow with the rows. */
export async function validateSheet(
  path: string,
  form: SheetForm,
  validation: SheetValidation,
): Promise<SheetReport> {
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
    const line = form.hasSeparatorLine ? 2 : 1;
    const fields = form.fields ?? form.columns;
    await checkColumns(
      fields.filter((field) => !isTaken(field, [])),
      line,
    );
    if (edit.verb !== 'create' && !hasColumn(form, edit.match)) {
      const reason = `Column ${edit.match} is missing: it identifies the record to change.`;
      problems.add({ line, column: edit.match, code: 'required', reason });
    }
  }
  const lists = [...fieldsOf(edit.noun)].filter(([, { type }]) => type === 'array').map(([name]) => name);
  const commaCells = new Map<string, number>();
  const phoneNotes = new Map<PhoneNote, { count: number; lines: number[] }>();
  let [count, serviceDurations, shortRows] = [0, 0, 0];
  for await (const { number, line, cells, problem, width } of readSheet(path, form, validation.signal)) {
    count += 1;
    if (problem !== undefined) {
      problems.add(problem);
      continue;
    }
    if (form.columns === null) await checkColumns(Object.keys(cells), line);
    for (const name of lists) {
      if (hasCommas(cells[name])) commaCells.set(name, (commaCells.get(name) ?? 0) + 1);
    }
    const cell = isBlankCell(cells['phone']) ? cells[otherPhone] : cells['phone'];
    if (validation.phones !== undefined && typeof cell === 'string' && !isBlankCell(cell)) {
      for (const note of notePhone(cell, validation.phones, edit.verb === 'create')) {
        const { count: former, lines } = phoneNotes.get(note) ?? { count: 0, lines: [] };
        phoneNotes.set(note, { count: former + 1, lines: former < 5 ? [...lines, line] : lines });
      }
    }
    if (validation.services !== undefined && isBlankCell(cells['duration'])) serviceDurations += 1;
    validation.rules.startLine(line);
    for (const found of checkRow({ number, line, cells, width })) problems.add({ line, ...found });
    if (width !== undefined) shortRows += 1;
    const key =
      edit.verb === 'create' ? null : (toMatchKey(edit.match, cells[edit.match], validation.phones) ?? null);
    rows.addRow({ row: number, line, key, item: cells });
  }
  for (const { field, cells } of validation.rules.contradictions()) {
    const [one, other] = cells.toSorted((a, b) => a.line - b.line);
    if (one === undefined || other === undefined) continue;
    const reason = `${other.cell} is ${other.order.replace('-', ' ')}, but ${one.cell} on line ${one.line} is ${one.order.replace('-', ' ')}. Write all dates of the column in one way.`;
    problems.add({ line: other.line, column: field, code: 'invalid_value', reason });
  }
  const isNew = edit.verb === 'create';
  const unique = isNew ? 'external_id' : edit.match;
  for (const { line, firstLine } of rows.duplicates(isNew ? 'external_id' : undefined)) {
    const reason = `Line ${firstLine} has the same ${unique}.`;
    problems.add({ line, column: unique, code: 'duplicate', reason });
  }
  return {
    rows: count,
    problemCount: problems.count,
    problems: problems.kept(),
    ignoredColumns: columns.ignored(),
    shortRows,
    commaCells,
    phoneNotes,
    serviceDurations,
    knownFields: [...known],
  };
}

function hasCommas(cell: unknown): boolean {
  return typeof cell === 'string' && cell.includes(',') && !cell.includes(';') && !cell.startsWith('[');
}

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
  const flags = headings.map((heading) => toMapFlag(heading, closest(heading, knownFields)));
  const known = `Fields: ${describeTargets(knownFields)}.`;
  const start = isUnknown ? 'If its first row is data, put headings above it. ' : '';
  const mapping = `${start}Say what the columns have: ${flags.join(' ')}. Or use --ignore-columns or --allow-new-fields. ${known}`;
  const others = columns === null ? `Fix the file, or use --allow-new-fields. ${known}` : mapping;
  const count = `${name} has ${countOf(problemCount, 'errors')}`;
  const first = problemCount > problems.length ? `; the first ${renderCount(problems.length)}:` : '.';
  return new SalonError(
    'usage',
    isUnknown ? `${name} has no column that is recognised.` : `${count}${first}`,
    { hint: unknown.length > 0 ? others : 'Fix the file and run the command again.', violations },
  );
}
