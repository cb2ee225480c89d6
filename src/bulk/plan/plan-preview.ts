import type { Plan } from './plan-file.ts';
import { isEmpty, type PlannedRow, type Refusal } from './planned-row.ts';

/** One field that would change or be set, or a record that would go. */
export interface PlannedChange {
  readonly line: number;
  readonly act: 'create' | 'update' | 'delete';
  /** Null for a new record. */
  readonly id: string | null;
  /** What people know the record by; null where it has nothing of that kind. */
  readonly name: string | null;
  /** Null for a record that would go. */
  readonly field: string | null;
  readonly old: unknown;
  readonly new: unknown;
}

export interface PlannedRefusal extends Refusal {
  readonly line: number;
  readonly id: string | null;
}

/** What the first rows change that change something, a list for each, in memory for that many. */
export function readPreview(plan: Plan, { most }: { readonly most: number }): Promise<PlannedChange[][]> {
  return takeFirst(plan, most, (row) => {
    const changes = toChanges(row);
    return changes.length === 0 ? undefined : changes;
  });
}

/** The first rows that a plan refuses. */
export function readRefusals(plan: Plan, { most }: { readonly most: number }): Promise<PlannedRefusal[]> {
  return takeFirst(plan, most, ({ line, id, refusal }) => refusal && { line, id, ...refusal });
}

/** Lines of the first rows that would overwrite what somebody has changed since the sheet was exported. */
export function readOverwriting(plan: Plan, { most }: { readonly most: number }): Promise<number[]> {
  return takeFirst(plan, most, ({ line, isOverwriting }) => (isOverwriting ? line : undefined));
}

async function takeFirst<Shown>(
  plan: Plan,
  most: number,
  show: (row: PlannedRow) => Shown | undefined,
): Promise<Shown[]> {
  const shown: Shown[] = [];
  if (most === 0) return shown;
  for await (const row of plan.rows()) {
    const one = show(row);
    if (one !== undefined) shown.push(one);
    if (shown.length === most) break;
  }
  return shown;
}

/** What a row changes, a field each; of a new record the fields that have a value. */
export function toChanges({ line, id, act, change = {}, before }: PlannedRow): PlannedChange[] {
  if (act === 'none' || act === 'refused') return [];
  const name = nameOf(before ?? change);
  if (act === 'delete') return [{ line, act, id, name, field: null, old: null, new: null }];
  const changes = Object.entries(change).map(([field, value]) => {
    return { line, act, id, name, field, old: before?.[field] ?? null, new: value };
  });
  return act === 'create' ? changes.filter((one) => !isEmpty(one.new)) : changes;
}

/** What people know a record by. */
function nameOf(record: NonNullable<PlannedRow['before']>): string | null {
  const texts = (fields: readonly string[]) =>
    fields.map((field) => record[field]).filter((value) => typeof value === 'string' && value !== '');
  const name = texts(['first_name', 'last_name']).join(' ');
  const [other] = texts(['email', 'phone', 'service', 'external_id']);
  return name === '' ? ((other as string | undefined) ?? null) : name;
}
