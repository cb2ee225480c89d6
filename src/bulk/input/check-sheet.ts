import { tmpdir } from 'node:os';
import { createColumnCheck } from './check-columns.ts';
import { createRowCheck } from './check-row.ts';
import { openDuplicateKeys } from './duplicate-keys.ts';
import { type EditOperation, toMatchKey } from './edit-fields.ts';
import { createFaultList, type FaultList } from './fault-list.ts';
import { readSheet } from './read-sheet.ts';
import type { SheetChecking } from './sheet-checking.ts';
import type { RowFault, SheetForm } from './sheet-form.ts';

/** What a check of a whole sheet has found. */
export interface SheetCheck {
  readonly rows: number;
  /** All of them. */
  readonly faultCount: number;
  /** The first thousand, by line. */
  readonly faults: readonly RowFault[];
  /** Columns that are passed over, since only the server sets them or the edit has no use for them. */
  readonly ignoredColumns: readonly string[];
}

/**
 * Goes through all rows of a sheet and names everything that is wrong with them by itself, before anything is sent.
 * Memory does not grow with the rows.
 */
export async function checkSheet(
  path: string,
  form: SheetForm,
  checking: SheetChecking,
): Promise<SheetCheck> {
  const { edit, spillFolder = tmpdir() } = checking;
  const faults = createFaultList();
  const columns = createColumnCheck(form, checking);
  const checkRow = createRowCheck(form, checking);
  using keys = openDuplicateKeys(spillFolder);
  columns.checkHeading(faults);
  let rows = 0;
  for await (const row of readSheet(path, form)) {
    rows += 1;
    if (row.fault !== undefined) {
      faults.add(row.fault);
      continue;
    }
    columns.checkRow(row, faults);
    checkRow(row, faults);
    const key = toKey(row.cells, edit);
    if (key !== undefined) keys.note(key);
  }
  await nameDuplicates(path, form, { edit, suspects: keys.suspects(), faults });
  return { rows, faultCount: faults.count, faults: faults.kept(), ignoredColumns: columns.ignored() };
}

/** Creates look for no record, so that none can be meant twice. */
function toKey(cells: Readonly<Record<string, unknown>>, { verb, match }: EditOperation): string | undefined {
  return verb === 'create' ? undefined : toMatchKey(match, cells[match]);
}

async function nameDuplicates(
  path: string,
  form: SheetForm,
  { edit, suspects, faults }: { edit: EditOperation; suspects: ReadonlySet<string>; faults: FaultList },
): Promise<void> {
  if (suspects.size === 0) return;
  const firstLines = new Map<string, number>();
  for await (const { line, cells, fault } of readSheet(path, form)) {
    const key = toKey(cells, edit);
    if (fault !== undefined || key === undefined || !suspects.has(key)) continue;
    const firstLine = firstLines.get(key);
    if (firstLine === undefined) firstLines.set(key, line);
    else {
      const reason = `Line ${firstLine} has the same ${edit.match}.`;
      faults.add({ line, column: edit.match, code: 'duplicate', reason });
    }
  }
}
