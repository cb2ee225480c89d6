import type { Plan } from './plan-read.ts';
import type { PlannedRow, Refusal } from './planned-row.ts';

/** One field that would change, or a record that would go. */
export interface PlannedChange {
  readonly line: number;
  readonly act: 'create' | 'update' | 'delete';
  /** Null for a new record. */
  readonly id: string | null;
  /** Null for a record that would go: `old` then says whose it is. */
  readonly field: string | null;
  readonly old: unknown;
  readonly new: unknown;
}

export interface PlannedRefusal extends Refusal {
  readonly line: number;
  readonly id: string | null;
}

/** The first changes of a plan, a field each, in memory for that many. */
export function readPreview(plan: Plan, { most }: { readonly most: number }): Promise<PlannedChange[]> {
  return takeFirst(plan, most, toChanges);
}

/** The first rows that a plan refuses. */
export function readRefusals(plan: Plan, { most }: { readonly most: number }): Promise<PlannedRefusal[]> {
  return takeFirst(plan, most, ({ line, id, refusal }) =>
    refusal === undefined ? [] : [{ line, id, ...refusal }],
  );
}

async function takeFirst<Shown>(
  plan: Plan,
  most: number,
  show: (row: PlannedRow) => readonly Shown[],
): Promise<Shown[]> {
  const shown: Shown[] = [];
  if (most === 0) return shown;
  for await (const row of plan.rows()) {
    shown.push(...show(row).slice(0, most - shown.length));
    if (shown.length >= most) break;
  }
  return shown;
}

/** What a row changes, a field each. */
export function toChanges({ line, id, act, change = {}, before }: PlannedRow): PlannedChange[] {
  if (act === 'none' || act === 'refused') return [];
  if (act === 'delete') return [{ line, act, id, field: null, old: nameOf(before), new: null }];
  return Object.entries(change).map(([field, value]) => ({
    line,
    act,
    id,
    field,
    old: before?.[field] ?? null,
    new: value,
  }));
}

/** What people know a record by. */
function nameOf(record: PlannedRow['before']): string | null {
  const texts = (fields: readonly string[]) =>
    fields.map((field) => record?.[field]).filter((value) => typeof value === 'string' && value !== '');
  const name = texts(['first_name', 'last_name']).join(' ');
  const [other] = texts(['email', 'phone', 'service', 'external_id']);
  return name === '' ? ((other as string | undefined) ?? null) : name;
}
