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
export function createRowCheck(form: SheetForm, { edit, timeZone, now }: SheetChecking) {
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

/** Names columns that nobody knows, each of them once. */
export interface ColumnCheck {
  /** Of a CSV, whose columns are all in its heading. */
  checkHeading(faults: FaultList): void;
  /** Of the other formats, where every row names its own. */
  checkRow(row: SheetRow, faults: FaultList): void;
  ignored(): readonly string[];
}

/** Other names that are remembered; a sheet with more is refused in any case. */
const mostNames = 10_000;

export function createColumnCheck(
  form: SheetForm,
  { edit, knownFields = [], allowNewFields = false }: SheetChecking,
): ColumnCheck {
  const passedOver: ReadonlySet<string> = new Set(readOnlyFieldsOf(edit.noun));
  const known = new Set([...fieldsOf(edit.noun).keys(), ...passedOver, ...knownFields]);
  const seen = new Set<string>();
  const ignored = new Set<string>();

  function check(name: string, line: number, faults: FaultList): void {
    if (seen.has(name) || seen.size === mostNames) return;
    seen.add(name);
    if (isIgnored(name)) ignored.add(name);
    else if (!known.has(name) && !(allowNewFields && isUsable(name))) {
      faults.add({
        line,
        column: name,
        code: 'unknown_field',
        reason: `${edit.noun} have no field ${name}.`,
      });
    }
  }

  function isIgnored(name: string): boolean {
    if (edit.verb !== 'create' && name === edit.match) return false;
    return edit.verb === 'delete' || passedOver.has(name);
  }

  return {
    checkHeading(faults) {
      if (form.columns === null) return;
      const line = form.hasSeparatorLine ? 2 : 1;
      for (const name of form.columns) check(name, line, faults);
      const { match, verb } = edit;
      if (verb !== 'create' && !form.columns.includes(match)) {
        const reason = `There is no column ${match}, by which a row names its record.`;
        faults.add({ line, column: match, code: 'required', reason });
      }
    },
    checkRow({ cells, line }, faults) {
      if (form.columns === null) for (const name of Object.keys(cells)) check(name, line, faults);
    },
    ignored: () => [...ignored],
  };
}

/** Whether a field may be called so: every object of the language has some names from its birth. */
function isUsable(name: string): boolean {
  return !(name in Object.prototype);
}

/** By what a sheet is checked. */
export interface SheetChecking {
  readonly edit: EditOperation;
  /** Fields beyond the contract's that were seen in the server's own records. */
  readonly knownFields?: Iterable<string> | undefined;
  /** Whether fields that nobody knows are let through. */
  readonly allowNewFields?: boolean | undefined;
  readonly now: Date;
  /** IANA name of the zone that times without one are in. */
  readonly timeZone: string;
  /** Where long lists of keys are kept; the system's folder for temporary files unless said otherwise. */
  readonly spillFolder?: string | undefined;
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
