import { isIdentifier } from '../../contract/identifiers.ts';
import type { RowFault, SheetForm, SheetRow } from '../sheet/sheet-form.ts';
import { clearing, createCellRules } from './cell-values.ts';
import {
  type EditOperation,
  fieldsOf,
  readOnlyFieldsOf,
  requiredFieldsOf,
  toMatchKey,
} from './edit-fields.ts';
import { findValueFault } from './validate-value.ts';

type Fault = Omit<RowFault, 'line'>;

/** One of them a client must have. */
const names = ['first_name', 'last_name', 'email', 'phone'];

/** Checks every row by itself: the record it names, its values, and what a new record needs. */
export function createRowCheck(form: SheetForm, { edit, timeZone, now }: ValidationOptions) {
  const { noun, verb, match } = edit;
  const fields = fieldsOf(noun);
  const required = requiredFieldsOf(noun);
  const rules = createCellRules({ format: form.format, noun, timeZone });
  const today = now.toISOString().slice(0, 10);
  // A column that is missing is said once, of the heading.
  const isMatched = verb !== 'create' && form.columns?.includes(match) !== false;

  return (row: SheetRow, faults: FaultList): void => {
    const found = [
      ...(isMatched ? checkMatch(row.cells[match]) : []),
      ...(verb === 'delete' ? [] : checkValues(row.cells)),
    ];
    for (const fault of found) faults.add({ line: row.line, ...fault });
  };

  function checkMatch(cell: unknown): Fault[] {
    const key = toMatchKey(match, cell);
    if (key === undefined || (form.format === 'csv' && key === clearing)) {
      return [{ column: match, code: 'required', reason: 'The row does not say which record it is about.' }];
    }
    if (match !== 'id' || isIdentifier(key)) return [];
    const reason = `${JSON.stringify(key.slice(0, 80))} cannot be an identifier.`;
    return [{ column: match, code: 'invalid_value', reason }];
  }

  function checkValues(cells: SheetRow['cells']): Fault[] {
    const found: Fault[] = [];
    const values = new Map<string, unknown>();
    for (const [name, cell] of Object.entries(cells)) {
      const value = rules.toValue(cell, name, undefined);
      if (value === undefined) continue;
      values.set(name, value);
      const reason = findValueFault(value, fields.get(name)) ?? findLateBirthday(name, value);
      if (reason !== undefined) found.push({ column: name, code: 'invalid_value', reason });
    }
    return verb === 'create' ? [...found, ...checkRequired(values)] : found;
  }

  function findLateBirthday(name: string, value: unknown): string | undefined {
    const isLate = noun === 'clients' && name === 'birthday' && typeof value === 'string' && value > today;
    return isLate ? 'Is in the future.' : undefined;
  }

  function checkRequired(values: ReadonlyMap<string, unknown>): Fault[] {
    const isNamed = names.some((name) => String(values.get(name) ?? '').trim() !== '');
    if (noun === 'clients' && !isNamed) {
      const reason = 'A client needs at least one of first_name, last_name, email and phone.';
      return [{ column: null, code: 'required', reason }];
    }
    return required
      .filter((name) => !values.has(name))
      .map((name) => ({ column: name, code: 'required', reason: `A new record needs a ${name}.` }));
  }
}

/** Finds unknown and ignored columns, each once. */
export interface ColumnCheck {
  /** The columns that neither the contract nor `knownFields` has. */
  findUnknown(names: Iterable<string>): readonly string[];
  ignored(): readonly string[];
}

/** A sheet with more column names is refused anyway. */
const mostNames = 10_000;

export function createColumnCheck({ edit, allowNewFields = false }: ValidationOptions): ColumnCheck {
  const readOnly: ReadonlySet<string> = new Set(readOnlyFieldsOf(edit.noun));
  const fields = fieldsOf(edit.noun);
  const seen = new Set<string>();
  const ignored = new Set<string>();

  function isUnknown(name: string): boolean {
    if (seen.has(name) || seen.size === mostNames) return false;
    seen.add(name);
    const isIgnored = !isMatched(name) && (edit.verb === 'delete' || readOnly.has(name));
    if (isIgnored) ignored.add(name);
    // Every JavaScript object inherits some names.
    const isUsable = allowNewFields && !(name in Object.prototype);
    return !isIgnored && !fields.has(name) && !readOnly.has(name) && !isUsable;
  }

  function isMatched(name: string): boolean {
    return edit.verb !== 'create' && name === edit.match;
  }

  return {
    findUnknown: (names) => [...names].filter(isUnknown),
    ignored: () => [...ignored],
  };
}

export interface ValidationOptions {
  readonly edit: EditOperation;
  /** Whether fields that neither the contract nor the server knows are accepted. */
  readonly allowNewFields?: boolean | undefined;
  readonly now: Date;
  /** IANA name of the zone of times without one. */
  readonly timeZone: string;
}

/** Counts all faults and keeps the first ones. */
export interface FaultList {
  add(fault: RowFault): void;
  readonly count: number;
  /** By line; those of one line in the order in which they were found. */
  kept(): readonly RowFault[];
}

const mostKept = 1_000;

export function createFaultList(): FaultList {
  const kept: RowFault[] = [];
  let count = 0;
  return {
    add(fault) {
      count += 1;
      // Parts of a text keep the whole of it in memory, here a piece of the file for every fault.
      if (kept.length < mostKept) kept.push(JSON.parse(JSON.stringify(fault)));
    },
    get count() {
      return count;
    },
    kept: () => kept.toSorted((one, other) => one.line - other.line),
  };
}
