import { fieldsOf, readOnlyFieldsOf } from './edit-fields.ts';
import type { FaultList } from './fault-list.ts';
import type { SheetChecking } from './sheet-checking.ts';
import type { SheetForm, SheetRow } from './sheet-form.ts';

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
