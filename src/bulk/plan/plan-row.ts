import type { Fields } from '../../client/http/decode.ts';
import { toQuote } from '../../client/http/quote.ts';
import { keyOf } from '../../client/pagination/page.ts';
import type { CellRules } from '../input/cell-values.ts';
import type { EditOperation } from '../input/edit-fields.ts';
import type { SheetRow } from '../sheet/sheet-form.ts';
import { isEmpty, type PlannedRow, type Refusal } from './planned-row.ts';
import type { JoinedRow } from './record-join.ts';

export interface RowPlanning extends RecordMatch {
  readonly verb: EditOperation['verb'];
  readonly rules: CellRules;
}

/** Plans a new record. */
export function planCreate({ number, line, cells }: SheetRow, rules: CellRules): PlannedRow {
  const change = toFields(cells, {}, rules);
  return { row: number, line, act: 'create', id: null, change, cells };
}

/** Plans what a row does to the record it names. */
export function planChange(pair: JoinedRow<SheetRow>, { verb, rules, ...search }: RowPlanning): PlannedRow {
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

export interface RecordMatch {
  readonly noun: EditOperation['noun'];
  readonly match: string;
  /** Whether a record that was not found is certain not to be there. */
  readonly isSure: boolean;
}

/** Why a row cannot be used: it names no record, one of several, or one that another row names too. */
export function findRefusal(
  pair: JoinedRow<unknown>,
  { noun, match, isSure }: RecordMatch,
): Refusal | undefined {
  const one = noun.replace(/s$/, '');
  const { key, lines, found } = pair;
  if (key === null) return { code: 'not_found', reason: `The row has no ${match} to find a ${one} by.` };
  if (lines.length > 1) {
    return { code: 'ambiguous', reason: `Lines ${join(lines)} name the same ${one}.` };
  }
  const shown = toQuote(key, 80);
  if (found === undefined) {
    const named = match === 'id' ? shown : `with the ${match} ${shown}`;
    const reason = isSure
      ? `There is no ${one} ${named}.`
      : `No ${one} ${named} was found, in a list that could not be read at one moment.`;
    return { code: 'not_found', reason };
  }
  if (found.ids.length === 1) return undefined;
  return { code: 'ambiguous', reason: `More than one ${one} has the ${match} ${shown}: ${join(found.ids)}.` };
}

function join(names: readonly (string | number)[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/**
 * Whether a text is another one in which letters have become question marks: what spreadsheet programs leave of
 * `Jiří` when they save a CSV in an encoding without `ř`. Some write one for each half of an emoji.
 */
export function hasLostLetters(wanted: unknown, present: unknown): boolean {
  if (typeof wanted !== 'string' || typeof present !== 'string' || wanted === present) return false;
  return isSpoiled(wanted.split(''), present.split('')) || isSpoiled([...wanted], [...present]);
}

function isSpoiled(wanted: readonly string[], present: readonly string[]): boolean {
  const mayBe = (found: string | undefined, letter: string) =>
    found === letter || (found === '?' && letter > '\u007f');
  return wanted.length === present.length && present.every((letter, index) => mayBe(wanted[index], letter));
}
