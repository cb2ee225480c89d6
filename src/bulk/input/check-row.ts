import { isIdentifier } from '../../contract/identifiers.ts';
import { clearing, createCellRules } from './cell-values.ts';
import { findValueFault } from './check-value.ts';
import { fieldsOf, requiredFieldsOf, toMatchKey } from './edit-fields.ts';
import type { FaultList } from './fault-list.ts';
import type { SheetChecking } from './sheet-checking.ts';
import type { RowFault, SheetForm, SheetRow } from './sheet-form.ts';

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
