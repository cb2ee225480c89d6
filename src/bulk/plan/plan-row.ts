import type { Fields } from '../../client/json-object.ts';
import { keyOf } from '../../client/pagination/page.ts';
import { quote } from '../../text/quote.ts';
import { type CellRules, isSameValue } from '../input/cell-values.ts';
import { addsRecords, type EditOperation, isWriteOption } from '../input/edit-fields.ts';
import { hasLostLetters } from '../input/ruined-text.ts';
import { type SheetRow, UnclearCell } from '../sheet/sheet-form.ts';
import { isLocalTime, isShownBlank, type PlannedRow, type Refusal } from './plan-format.ts';
import type { JoinedRow } from './record-join.ts';

/** Plans one row of a sheet: its cells, and the record it names. */
export function planRow(
  joined: JoinedRow<SheetRow['cells']>,
  planning: RecordMatch & Pick<EditOperation, 'verb'> & { readonly rules: CellRules },
): PlannedRow {
  const { verb, rules, match } = planning;
  const { row, line, key, found, item: cells } = joined;
  if (addsRecords(verb)) {
    const change = rules.toFields(cells, {});
    const unclear = findUnclear(change);
    if (unclear !== undefined) return { row, line, act: 'refused', id: null, cells, refusal: unclear };
    return { row, line, act: 'create', id: null, change, cells };
  }
  const refusal = findRefusal(joined, planning);
  if (found === undefined || refusal !== undefined) {
    const id = match === 'id' ? key : null;
    return { row, line, act: 'refused', id, cells, refusal };
  }
  const before = found.record;
  const id = keyOf(before);
  if (verb === 'delete') return { row, line, act: 'delete', id, before, cells };
  const { [match]: _key, ...values } = cells;
  const repaired = new Set<string>();
  const fields = rules.toFields(values, before, (field) => repaired.add(field));
  const change = toDifference(fields, before);
  const repairs = repaired.size === 0 ? undefined : [...repaired];
  const keepsStart = isLocalTime(cells['start_time']) || undefined;
  if (change === undefined) return { row, line, act: 'none', id, repairs, keepsStart };
  const lost = findUnclear(change) ?? findLostLetters(change, before);
  if (lost !== undefined) return { row, line, act: 'refused', id, cells, refusal: lost };
  const [shown, changed] = [cells['updated_at'], before['updated_at']];
  // The sheet shows the record at another time than that of its latest change.
  const isOverwriting = changed !== undefined && !isShownBlank(shown) && !rules.showsInstant(shown, changed);
  const overwriting = isOverwriting || undefined;
  return { row, line, act: 'update', id, change, before, cells, isOverwriting: overwriting, repairs };
}

/** A cell that has several meanings. */
export function findUnclear(change: Fields): Refusal | undefined {
  for (const [field, value] of Object.entries(change)) {
    if (value instanceof UnclearCell) return { code: 'unclear', reason: `${field}: ${value.reason}` };
  }
  return undefined;
}

/** A change that would replace letters by question marks. */
export function findLostLetters(change: Fields, before: Fields): Refusal | undefined {
  const field = Object.keys(change).find((name) => hasLostLetters(change[name], before[name]));
  if (field === undefined) return undefined;
  const [now, then] = [before[field], change[field]].map((value) => quote(String(value), 40));
  const reason = `${field} "${now}" would become "${then}". Save the file as UTF-8.`;
  return { code: 'lost_letters', reason };
}

/** The fields that get another value; undefined if none does. */
export function toDifference(fields: Fields, record: Fields): Fields | undefined {
  const differing = Object.entries(fields).filter(
    ([field, wanted]) =>
      (isWriteOption(field) && wanted === true) || !isSameValue(wanted, record[field], field),
  );
  return differing.every(([field]) => isWriteOption(field)) ? undefined : Object.fromEntries(differing);
}

export interface RecordMatch {
  readonly noun: EditOperation['noun'];
  readonly match: string;
  /** Whether a record that was not found certainly does not exist. */
  readonly isComplete: boolean;
}

/** Why a row cannot be applied: it names no record, several, or one that another row names too. */
export function findRefusal(
  joined: JoinedRow<unknown>,
  { noun, match, isComplete }: RecordMatch,
): Refusal | undefined {
  const one = noun.replace(/s$/, '');
  const { key, lines, found } = joined;
  if (key === null) return { code: 'not_found', reason: `The row has no ${match}.` };
  if (lines.length > 1)
    return { code: 'ambiguous', reason: `Lines ${joinNames(lines)} are for the same ${one}.` };
  if (found?.ids.length === 1) return undefined;
  const name = `${one} with ${match === 'id' ? 'ID' : match} ${quote(key, 80)}`;
  if (found === undefined) {
    const reason = isComplete ? `No ${name}.` : `No ${name} found (the list changed while it was read).`;
    return { code: 'not_found', reason };
  }
  return { code: 'ambiguous', reason: `More than one ${name}: ${joinNames(found.ids)}.` };
}

function joinNames(names: readonly (string | number)[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
