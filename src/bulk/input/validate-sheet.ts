import { tmpdir } from 'node:os';
import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf, renderCount } from '../../contract/numbers.ts';
import type { RowFault, SheetForm } from '../sheet/sheet-form.ts';
import { openDuplicateKeys } from './duplicate-keys.ts';
import { type EditOperation, fieldsOf, toMatchKey } from './edit-fields.ts';
import { readSheet } from './read-sheet.ts';
import {
  createColumnCheck,
  createFaultList,
  createRowCheck,
  type FaultList,
  type SheetChecking,
} from './validate-row.ts';

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

export interface SalonChecking extends Omit<SheetChecking, 'knownFields'> {
  readonly client: SalonClient;
}

/**
 * Checks every row of a sheet. Fields that the contract does not know are looked for in a record of the server's before
 * they are refused; `known` are all that may be used.
 */
export async function checkForSalon(
  path: string,
  form: SheetForm,
  { client, ...checking }: SalonChecking,
): Promise<{ readonly check: SheetCheck; readonly known: readonly string[] }> {
  const { edit } = checking;
  const ofContract = [...fieldsOf(edit.noun).keys()];
  const check = await checkSheet(path, form, checking);
  if (!check.faults.some(({ code }) => code === 'unknown_field')) return { check, known: ofContract };
  const known = [...new Set([...ofContract, ...(await readFieldNames(client, edit))])];
  return { check: await checkSheet(path, form, { ...checking, knownFields: known }), known };
}

async function readFieldNames(client: SalonClient, { noun }: EditOperation): Promise<readonly string[]> {
  for await (const { rows } of client[noun].list({}, { limit: 1 })) {
    const [record] = rows as readonly (object | undefined)[];
    return Object.keys(record ?? {});
  }
  return [];
}

export interface SheetFaults {
  /** The sheet as people know it. */
  readonly name: string;
  /** The first of them. */
  readonly faults: readonly RowFault[];
  readonly count: number;
  /** Columns that may be used. */
  readonly known: readonly string[];
}

/** The refusal of a sheet: every fault with its line and column. Nothing was sent. */
export function refuseSheet({ name, faults, count, known }: SheetFaults): SalonError {
  const violations = faults.map(({ line, column, code, reason }) => ({
    parameter: column === null ? `${name}:${line}` : `${name}:${line}:${column}`,
    code,
    detail: reason,
  }));
  const more = count > faults.length ? `, the first ${renderCount(faults.length)} of them here` : '';
  const places = count === 1 ? 'one place' : countOf(count, 'places');
  return new SalonError('usage', `${name} is wrong in ${places}${more}; nothing was sent.`, {
    hint: faults.some(({ code }) => code === 'unknown_field')
      ? `Correct the sheet, or allow new columns with --allow-new-fields. The fields are: ${known.join(', ')}.`
      : 'Correct the sheet and run the command again.',
    violations,
  });
}
