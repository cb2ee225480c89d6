import { toQuote } from '../../client/http/quote.ts';
import { keyOf } from '../../client/pagination/page.ts';
import type { Fields } from '../../client/resources/record.ts';
import type { CellRules } from '../edit/cell-rules.ts';
import type { Edit } from '../edit/edit.ts';
import type { PlannedRow, Refusal } from '../edit/planned-row.ts';
import type { SheetRow } from '../sheet/sheet-form.ts';
import type { Pair } from './current/pairing.ts';
import { hasLostLetters } from './lost-letters.ts';
import { isEmpty } from './plan-counts.ts';
import { findRefusal, type Search } from './refusal.ts';

export interface RowPlanning extends Search {
  readonly verb: Edit['verb'];
  readonly rules: CellRules;
}

/** Plans a new record. */
export function planCreate({ number, line, cells }: SheetRow, rules: CellRules): PlannedRow {
  const change = toFields(cells, {}, rules);
  return { row: number, line, act: 'create', id: null, change, cells };
}

/** Plans what a row does to the record it names. */
export function planChange(pair: Pair<SheetRow>, { verb, rules, ...search }: RowPlanning): PlannedRow {
  const { row, line, key, found } = pair;
  const { cells } = pair.item;
  const refusal = findRefusal(pair, search);
  if (found === undefined || refusal !== undefined) {
    const id = search.match === 'id' ? key : null;
    return { row, line, act: 'refused', id, cells, ...(refusal === undefined ? {} : { refusal }) };
  }
  const before = found.record;
  const id = keyOf(before);
  if (verb === 'delete') return { row, line, act: 'delete', id, before, cells };
  const { [search.match]: _key, ...asked } = cells;
  const change = toDifference(toFields(asked, before, rules), before, rules);
  if (change === undefined) return { row, line, act: 'none', id };
  const lost = findLostLetters(change, before);
  if (lost !== undefined) return { row, line, act: 'refused', id, cells, refusal: lost };
  const isOverwriting = isStale(cells['updated_at'], before['updated_at'], rules);
  return { row, line, act: 'update', id, change, before, cells, ...(isOverwriting ? { isOverwriting } : {}) };
}

/** Whether a sheet has seen a record at another time than that of its newest change. */
function isStale(seen: unknown, changed: unknown, { isSameValue }: CellRules): boolean {
  if (changed === undefined || isEmpty(seen)) return false;
  return !isSameValue(seen, changed, 'updated_at');
}

/** A row that would spoil what it did not mean to touch. */
function findLostLetters(change: Fields, before: Fields): Refusal | undefined {
  const field = Object.keys(change).find((name) => hasLostLetters(change[name], before[name]));
  if (field === undefined) return undefined;
  const [now, then] = [before[field], change[field]].map((value) => toQuote(String(value), 40));
  const reason = `The ${field} "${now}" would become "${then}": save the sheet as UTF-8, which keeps all letters.`;
  return { code: 'lost_letters', reason };
}

/** The fields that a row sets. */
function toFields(cells: Fields, record: Fields, { toValue }: CellRules): Fields {
  const values = Object.entries(cells).map(
    ([field, cell]) => [field, toValue(cell, field, record[field])] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function toDifference(fields: Fields, record: Fields, { isSameValue }: CellRules): Fields | undefined {
  const differing = Object.entries(fields).filter(
    ([field, wanted]) => !isSameValue(wanted, record[field], field),
  );
  return differing.length === 0 ? undefined : Object.fromEntries(differing);
}
