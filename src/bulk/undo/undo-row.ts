import type { Fields } from '../../client/http/decode.ts';
import { toQuote } from '../../client/http/quote.ts';
import { keyOf } from '../../client/pagination/page.ts';
import { toWhole } from '../../client/resources/update.ts';
import type { RowResult } from '../apply/row-results.ts';
import type { CellRules } from '../edit/cell-rules.ts';
import type { PlannedRow } from '../edit/planned-row.ts';
import type { Pair } from '../plan/current/pairing.ts';
import { findRefusal, type Search } from '../plan/refusal.ts';

export interface UndoSearch extends Search {
  readonly isSameValue: CellRules['isSameValue'];
}

/** Plans what puts a row back, given the record as it is now. */
export function planUndo(pair: Pair<RowResult>, undo: UndoSearch): PlannedRow {
  const { act } = pair.item.planned;
  if (act === 'create') return takeBack(pair, undo);
  return act === 'delete' ? bringBack(pair) : putBack(pair, undo);
}

/** A change is put back where its fields still are as the job left them. */
function putBack(pair: Pair<RowResult>, undo: UndoSearch): PlannedRow {
  const { row, line, key: id, found, item } = pair;
  const { change = {}, before = {} } = item.planned;
  const refusal = findRefusal(pair, undo);
  if (found === undefined || refusal !== undefined) return refuse(pair, refusal);
  const { record } = found;
  const left: Fields = { ...change, ...item.outcome?.after };
  const isBack = (field: string) => undo.isSameValue(before[field] ?? null, record[field], field);
  const moved = Object.keys(change).filter((field) => !isBack(field));
  if (moved.length === 0) return { row, line, act: 'none', id };
  const refused = refuseChanged(pair, { record, left, fields: moved, undo });
  if (refused !== undefined) return refused;
  const back = Object.fromEntries(moved.map((field) => [field, before[field] ?? null]));
  return { row, line, act: 'update', id, change: back, before: record, cells: { id, ...back } };
}

/** A new record is removed where nobody has changed it since. */
function takeBack(pair: Pair<RowResult>, undo: UndoSearch): PlannedRow {
  const { row, line, key: id, found, item } = pair;
  if (id === null) {
    const reason = `It is not known which ${undo.noun.replace(/s$/, '')} line ${line} has made.`;
    return refuse(pair, { code: 'not_found', reason });
  }
  if (found === undefined) return { row, line, act: 'none', id };
  const { record } = found;
  const left = item.outcome?.after ?? item.planned.change ?? {};
  const isSameMoment = left['updated_at'] !== undefined && left['updated_at'] === record['updated_at'];
  const fields = isSameMoment ? [] : Object.keys(toWhole(left, {}));
  const refused = refuseChanged(pair, { record, left, fields, undo });
  return refused ?? { row, line, act: 'delete', id, before: record, cells: { id } };
}

/** A record that was removed is made again, under an identifier of its own. */
function bringBack({ row, line, found, item }: Pair<RowResult>): PlannedRow {
  if (found !== undefined) return { row, line, act: 'none', id: keyOf(found.record) };
  const change = toWhole(item.planned.before ?? {}, {});
  return { row, line, act: 'create', id: null, change, cells: change };
}

interface Comparison {
  readonly record: Fields;
  /** What the job left behind. */
  readonly left: Fields;
  readonly fields: readonly string[];
  readonly undo: UndoSearch;
}

function refuseChanged(
  pair: Pair<RowResult>,
  { record, left, fields, undo }: Comparison,
): PlannedRow | undefined {
  const changed = fields.find((field) => !undo.isSameValue(left[field] ?? null, record[field], field));
  if (changed === undefined) return undefined;
  const reason = `${changed} is ${show(record[changed])} now; the job had left ${show(left[changed])}.`;
  return refuse(pair, { code: 'changed_since', reason });
}

function refuse({ row, line, key: id }: Pair<RowResult>, refusal: PlannedRow['refusal']): PlannedRow {
  return { row, line, act: 'refused', id, cells: { id }, ...(refusal === undefined ? {} : { refusal }) };
}

function show(value: unknown): string {
  return toQuote(JSON.stringify(value ?? null), 80);
}
