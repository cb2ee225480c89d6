import type { PlannedMerge } from '../../bulk/merge/plan-merge.ts';
import type { PlannedUnmerge } from '../../bulk/merge/plan-unmerge.ts';
import { toCellText } from '../../bulk/sheet/cell-text.ts';
import { type Fields, isFields } from '../../client/fields.ts';
import { quote } from '../../client/http/quote.ts';
import { mergeReversibleDays } from '../../contract/client-merge.ts';
import type { CombinedField } from '../../contract/combine-clients.ts';
import { isSameJson } from '../../contract/json.ts';
import { countOf } from '../../contract/numbers.ts';

/** Names for people: of the client that stays, and of the other one. */
export interface MergeNames {
  readonly into: string;
  readonly from: string;
}

/** Characters shown of a value. */
const mostCharacters = 60;

/** What a merge does, in lines: the fields and their rules, what moves, and what becomes of the other client. */
export function describeMerge(planned: PlannedMerge, names: MergeNames): string {
  const { plan, fields } = planned;
  const differing = fields.filter(
    ({ kept, other, result }) => !isSameJson(kept, other) || !isSameJson(kept, result),
  );
  return [
    `Merge ${names.from} (${plan.from['id']}) into ${names.into} (${plan.into['id']}):`,
    ...(differing.length === 0 ? ['  All fields are the same.'] : alignFields(differing)),
    ...describeMoves(planned),
    ...describeEnd(planned, names),
  ].join('\n');
}

function alignFields(fields: readonly CombinedField[]): string[] {
  const width = Math.max(...fields.map(({ field }) => field.length));
  return fields.map((one) => `  ${toWords(one.field).padEnd(width)}  ${describeField(one)}`);
}

function describeField({ kept, other, result, rule }: CombinedField): string {
  const dropped = rule === 'chosen' && isSameJson(result, other) ? kept : other;
  const lost = isSameJson(result, dropped) || dropped === null ? '' : `, not ${show(dropped)}`;
  switch (rule) {
    case 'first wins':
      return `${show(result)} (kept${lost})`;
    case 'chosen':
      return `${show(result)} (chosen${lost})`;
    case 'stricter':
      return `${show(result)} (both must agree)`;
    default:
      return `${show(result)} (${rule})`;
  }
}

function describeMoves({ plan, appointments, payments }: PlannedMerge): string[] {
  const moved = {
    appointments: appointments.length,
    payments: plan.method === 'merge' && typeof payments === 'number' ? payments : null,
  };
  const hidden =
    plan.method === 'merge' && payments === 'hidden' ? ', and payments that this key may not see' : '';
  return [`  Moves: ${describeRecords(moved) || 'no appointments'}${hidden}.`];
}

/** `3 appointments and 1 payment`; empty if there are none. */
export function describeRecords({
  appointments,
  payments,
}: {
  readonly appointments: number | null;
  readonly payments: number | null;
}): string {
  const parts = [
    ...(appointments ? [countOf(appointments, 'appointments')] : []),
    ...(payments ? [countOf(payments, 'payments')] : []),
  ];
  return parts.join(' and ');
}

function describeEnd({ plan, unmovable }: PlannedMerge, names: MergeNames): string[] {
  if (plan.method === 'merge') {
    return [`  ${names.from} is archived, and erased after ${mergeReversibleDays} days.`];
  }
  const isDeleted = plan.steps.some(({ act }) => act === 'delete');
  return [
    '  This server has no endpoint for merges: records are changed one by one.',
    ...unmovable.map((what) => `  Cannot be moved: ${what}.`),
    isDeleted
      ? `  ${names.from} is deleted${plan.deletesAnyway ? '' : ' if everything could be moved'}. An undo adds ${names.from} again, with another ID.`
      : `  ${names.from} is kept, because not everything can be moved; --delete-anyway deletes it.`,
  ];
}

/** What the undo of a merge does. */
export function describeUnmerge({ plan, checked }: PlannedUnmerge, names: MergeNames): string {
  const lines = [`Undo the merge of ${names.from} into ${names.into}:`];
  if (checked !== undefined) {
    lines.push(`  ${names.from} is restored under the same ID.`);
    lines.push(`  Moves back: ${describeRecords(checked.moved) || 'no appointments'}.`);
    if (checked.kept_fields.length > 0) {
      lines.push(`  Changed since, and kept: ${checked.kept_fields.map(toWords).join(', ')}.`);
    }
    return lines.join('\n');
  }
  const back = plan.steps.filter(({ act, noun }) => act === 'update' && noun === 'appointments').length;
  if (plan.steps.some(({ act }) => act === 'create'))
    lines.push(`  ${names.from} is added again, with another ID.`);
  lines.push(`  Moves back: ${countOf(back, 'appointments')}.`);
  for (const { noun, act, change } of plan.steps) {
    if (noun === 'clients' && act === 'update') lines.push(...describeReset(change ?? {}));
  }
  for (const { refusal } of plan.steps) if (refusal !== undefined) lines.push(`  Kept: ${refusal.reason}`);
  return lines.join('\n');
}

function describeReset(change: Fields): string[] {
  return Object.entries(change).map(([field, value]) => `  ${toWords(field)}: ${show(value)} again`);
}

function toWords(field: string): string {
  return field.replaceAll('_', ' ');
}

function show(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null || value === undefined || value === '') return 'none';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.join(', ') || 'none';
  return quote(
    isFields(value) ? JSON.stringify(value) : toCellText(value).replaceAll('\n', ' / '),
    mostCharacters,
  );
}
