import type { Fields } from '../../client/json-object.ts';
import type { Plan } from './plan-file.ts';
import {
  countChanges,
  type ExistingPerson,
  isShownBlank,
  type PlannedRow,
  type Refusal,
} from './plan-format.ts';

/** One field that would change, or a record that would be deleted. */
export interface PlannedChange {
  readonly line: number;
  readonly act: 'create' | 'update' | 'delete';
  /** Null for a new record. */
  readonly id: string | null;
  /** The record's name, else email address, phone number, service or external ID. */
  readonly name: string | null;
  /** Null for a delete. */
  readonly field: string | null;
  readonly old: unknown;
  readonly new: unknown;
  /** The name of the person whose ID is new, if the sheet named one. */
  readonly person?: string;
}

export interface RefusedRow extends Refusal {
  readonly line: number;
  readonly id: string | null;
  /** The record, where it was found. */
  readonly record: Fields | undefined;
}

/** The first rows of each kind. */
export interface PlanPreview {
  /** Changes by row. */
  readonly changes: readonly (readonly PlannedChange[])[];
  /** The records of `changes`: as they are, or new ones as they will be. */
  readonly records: readonly (Fields | undefined)[];
  readonly refusals: readonly RefusedRow[];
  /** Lines of updates that overwrite changes made since the sheet was exported. */
  readonly overwrites: readonly number[];
  /** New clients who exist already. */
  readonly existing: readonly (ExistingPerson & { readonly at: number })[];
}

/** Reads at most `most` rows of each kind. */
export async function readPreview(plan: Plan, { most }: { readonly most: number }): Promise<PlanPreview> {
  const changes: PlannedChange[][] = [];
  const records: (Fields | undefined)[] = [];
  const refusals: RefusedRow[] = [];
  const overwrites: number[] = [];
  const existing: (ExistingPerson & { readonly at: number })[] = [];
  const { refused, overwrites: stale, existing: known = 0, skipped = 0 } = plan.counts;
  const sizes = [countChanges(plan.counts), refused, stale, known + skipped];
  let left = sizes.reduce((sum, size) => sum + Math.min(size, most), 0);
  const take = <Value>(list: Value[], value: Value) => {
    if (list.length === most) return;
    list.push(value);
    left -= 1;
  };
  for await (const row of left === 0 ? [] : plan.rows()) {
    const { line, id, refusal, isOverwriting } = row;
    if (refusal !== undefined) take(refusals, { line, id, ...refusal, record: row.before });
    else if (row.act !== 'none') {
      if (changes.length < most) records.push(row.before ?? row.change);
      take(changes, toChanges(row));
    }
    if (isOverwriting) take(overwrites, line);
    if (row.existing !== undefined) take(existing, { ...row.existing, at: line });
    if (left === 0) break;
  }
  return { changes, records, refusals, overwrites, existing };
}

/** The fields that a row changes; of a new record those with a value. */
export function toChanges({ line, id, act, change = {}, before, people = {} }: PlannedRow): PlannedChange[] {
  if (act === 'none' || act === 'refused') return [];
  const name = people['client_id'] ?? nameOf(before ?? change);
  if (act === 'delete') return [{ line, act, id, name, field: null, old: null, new: null }];
  const changes = Object.entries(change).map(([field, value]) => {
    const person = people[field] === undefined ? {} : { person: people[field] };
    return { line, act, id, name, field, old: before?.[field] ?? null, new: value, ...person };
  });
  return act === 'create' ? changes.filter((one) => !isShownBlank(one.new)) : changes;
}

function nameOf(record: NonNullable<PlannedRow['before']>): string | null {
  const texts = (fields: readonly string[]) =>
    fields.map((field) => record[field]).filter((value) => typeof value === 'string' && value !== '');
  const name = texts(['first_name', 'last_name']).join(' ');
  const [other] = texts(['email', 'phone', 'service', 'external_id']);
  return name === '' ? ((other as string | undefined) ?? null) : name;
}
