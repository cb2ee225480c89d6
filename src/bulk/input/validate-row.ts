import type { Fields } from '../../client/json-object.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { toAddress } from '../sheet/cell-text.ts';
import {
  hasTextCells,
  type RowProblem,
  type SheetForm,
  type SheetRow,
  UnclearCell,
} from '../sheet/sheet-form.ts';
import { explainPrice } from './amount-columns.ts';
import { type CellRules, clearMarker } from './cell-values.ts';
import type { ServiceDuration } from './complete-fields.ts';
import {
  addsRecords,
  type EditOperation,
  fieldsOf,
  findValueProblem,
  readOnlyFieldsOf,
  requiredFieldsOf,
  toMatchKey,
} from './edit-fields.ts';
import { targetOf } from './join-cells.ts';
import { explainNoDay } from './local-dates.ts';

type Problem = Omit<RowProblem, 'line'>;

/** A client needs one of them. */
const names = ['first_name', 'last_name', 'email', 'phone'];

/** Validates one row by itself: its match key, its values, and the required fields of a new record. */
export function createRowValidator(
  form: SheetForm,
  { edit, rules, now, services, allowNewFields = false }: ValidationOptions,
) {
  const { noun, verb, match } = edit;
  const fields = fieldsOf(noun);
  const required = requiredFieldsOf(noun);
  const isText = hasTextCells(form.format);
  const today = now.toISOString().slice(0, 10);
  // A missing column is reported once, for the header.
  const isMatched = !addsRecords(verb) && hasColumn(form, match);

  return (row: SheetRow): readonly Problem[] => {
    const found = [
      ...(isMatched ? checkMatch(row.cells[match]) : []),
      ...(verb === 'delete' ? [] : checkValues(row)),
    ];
    const isMisplaced = row.width !== undefined && (found.length > 0 || !fitsColumns(row.cells));
    return isMisplaced ? [row.width] : found;
  };

  function checkMatch(cell: unknown): Problem[] {
    const key = toMatchKey(match, cell);
    if (key === undefined || (isText && key === clearMarker)) {
      return [{ column: match, code: 'required', reason: 'The row does not identify a record.' }];
    }
    if (match !== 'id' || isIdentifier(key)) return [];
    const reason = `${JSON.stringify(key.slice(0, 80))} is not a valid ID.`;
    return [{ column: match, code: 'invalid_value', reason }];
  }

  function checkValues({ line, cells }: SheetRow): Problem[] {
    const found: Problem[] = [];
    const values = rules.toFields(cells, {});
    for (const [name, value] of Object.entries(values)) {
      // Planning knows the whole column and the current value.
      if (value instanceof UnclearCell) {
        if (value.error !== undefined)
          found.push({ column: name, code: 'invalid_value', reason: explainError(value, name, line) });
        continue;
      }
      const isLate = noun === 'clients' && name === 'birthday' && typeof value === 'string' && value > today;
      const schema = fields.get(name);
      const isNoPrice = isText && schema !== undefined && name === 'price' && typeof value === 'string';
      const reason =
        (isText && schema?.format === 'salon-birthday' ? explainNoDay(String(value)) : undefined) ??
        (isNoPrice ? explainPrice(value, form.currencies?.['price']) : undefined) ??
        (isText && name === 'duration' && typeof value === 'string' ? explainNoDuration(value) : undefined) ??
        findValueProblem(value, schema) ??
        (isLate ? 'Is in the future.' : undefined);
      if (reason !== undefined) found.push({ column: name, code: 'invalid_value', reason });
    }
    return addsRecords(verb) ? [...found, ...checkRequired(values)] : found;
  }

  function explainError({ reason, error }: UnclearCell, field: string, line: number): string {
    const index = (form.fields ?? form.columns ?? []).indexOf(field);
    if (form.format !== 'xlsx' || index === -1) return reason;
    return `Cell ${toAddress(index, line)} has no value: its formula gives ${error}.`;
  }

  function checkRequired(values: Fields): Problem[] {
    const hasText = (name: string) => String(values[name] ?? '').trim() !== '';
    // Another server may have other names for them.
    const isNamed =
      names.some(hasText) ||
      (allowNewFields && Object.keys(values).some((name) => !fields.has(name) && hasText(name)));
    if (noun === 'clients' && !isNamed) {
      const reason = 'A client needs at least one of first_name, last_name, email and phone.';
      return [{ column: null, code: 'required', reason }];
    }
    const whyNoDuration =
      services === undefined
        ? ' This server has no list of services that says how long they take.'
        : ` The list of services has no ${JSON.stringify(values['service'] ?? '')}.`;
    return required
      .filter((name) => !Object.hasOwn(values, name))
      .map((name) => ({
        column: name,
        code: 'required',
        reason: `A new record needs a ${name}.${name === 'duration' ? whyNoDuration : ''}`,
      }));
  }
}

const freeTexts = ['first_name', 'last_name', 'service', 'notes'];

/** Whether the cells of a short row are where they belong: after a missing one, or a line break, some are not. */
function fitsColumns(cells: SheetRow['cells']): boolean {
  const filled = Object.entries(cells).filter(([, cell]) => cell !== '');
  const texts = filled.filter(([name]) => freeTexts.includes(name));
  if (texts.some(([, cell]) => /^(?:\S+@\S+|[\d\s()+/.:-]{5,})$/.test(String(cell)))) return false;
  return filled.length > 1 || texts.length === 0;
}

function explainNoDuration(cell: string): string {
  const unit = /^\d*[.,]\d+$/.test(cell.trim())
    ? `${cell} may be minutes, hours or days`
    : `${cell} is no duration`;
  return `${unit}: write minutes, such as 45, or a time, such as 0:45.`;
}

/** Whether a sheet with headings has a column for a field; true for other sheets. */
export function hasColumn({ fields, columns, parts = [] }: SheetForm, field: string): boolean {
  return (fields ?? columns)?.includes(field) !== false || parts.some(({ role }) => targetOf(role) === field);
}

/** A sheet with more column names is refused anyway. */
const maxNames = 10_000;

/** Finds unknown and ignored columns, each once. */
export function createColumnValidator({ edit, allowNewFields = false }: ValidationOptions) {
  const readOnly: ReadonlySet<string> = new Set(readOnlyFieldsOf(edit.noun));
  const fields = fieldsOf(edit.noun);
  const seen = new Set<string>();
  const ignored = new Set<string>();

  function isUnknown(name: string): boolean {
    if (seen.has(name) || seen.size === maxNames) return false;
    seen.add(name);
    const isMatched = !addsRecords(edit.verb) && name === edit.match;
    const isIgnored = !isMatched && (edit.verb === 'delete' || readOnly.has(name));
    if (isIgnored) ignored.add(name);
    // Every JavaScript object inherits some names.
    const isUsable = allowNewFields && !(name in Object.prototype);
    return !isIgnored && !fields.has(name) && !readOnly.has(name) && !isUsable;
  }

  return {
    /** The columns that the contract does not have. */
    findUnknown: (names: Iterable<string>) => [...names].filter(isUnknown),
    ignored: () => [...ignored],
  };
}

export interface ValidationOptions {
  readonly edit: EditOperation;
  /** Whether fields that neither the contract nor the server knows are accepted. */
  readonly allowNewFields?: boolean | undefined;
  readonly now: Date;
  /** Of the salon, if rows are new appointments without a duration. */
  readonly services?: readonly ServiceDuration[] | undefined;
  /** Also used for planning: they know how the sheet's columns write dates once it is validated. */
  readonly rules: CellRules;
}

export const maxKept = 1_000;

/** Counts all problems and keeps the first thousand. */
export function createProblemList() {
  const kept: RowProblem[] = [];
  let count = 0;
  return {
    add(problem: RowProblem) {
      count += 1;
      // A substring keeps its whole string in memory: here a chunk of the file per problem.
      if (kept.length < maxKept) kept.push(JSON.parse(JSON.stringify(problem)));
    },
    get count() {
      return count;
    },
    /** Sorted by line. */
    kept: () => kept.toSorted((one, other) => one.line - other.line),
  };
}
