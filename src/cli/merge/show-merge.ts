import type { PlannedMerge, PlannedUnmerge } from '../../bulk/merge/plan-merge.ts';
import { toCellText } from '../../bulk/sheet/cell-text.ts';
import { isFields } from '../../client/json-object.ts';
import { type ClientMerge, type CombinedField, mergeReversibleDays } from '../../contract/client-merging.ts';
import { isSameJson } from '../../text/json.ts';
import { countOf } from '../../text/numbers.ts';
import { quote } from '../../text/quote.ts';
import { renderDocument, type TextStyle } from '../output/document.ts';
import { toHeading } from '../output/field-words.ts';

/** Names for people: of the client that stays, and of the other one. */
export interface MergeNames {
  readonly into: string;
  readonly from: string;
}

/** Characters shown of a value. */
const maxShownLength = 60;

/** The fields in which the records differ, or the result differs from them. */
export function findDiffering(fields: readonly CombinedField[]): readonly CombinedField[] {
  return fields.filter(({ kept, other, result }) => !isSameJson(kept, other) || !isSameJson(kept, result));
}

/** What a merge does, in lines: the fields and their rules, what moves, and what becomes of the other client. */
export function describeMerge(
  planned: PlannedMerge,
  names: MergeNames,
  {
    stylists,
    about,
    ...style
  }: TextStyle & { readonly stylists: ReadonlyMap<string, string>; readonly about: MergeNames },
): string {
  const { plan } = planned;
  const toLine = (...parts: unknown[]) => parts.filter(Boolean).join(', ');
  const isShown = ({ other, rule }: CombinedField) => rule !== 'kept' || (other !== null && other !== '');
  const differing = findDiffering(planned.fields).filter(isShown);
  const lines: [label: string, text: string][] = [
    ['Stays', toLine(names.into, plan.into['id'], about.into)],
    ['Goes', toLine(names.from, plan.from['id'], about.from)],
    ...differing.map((one): [string, string] => [
      toLabel(one.field),
      describeField(withNames(one, stylists)),
    ]),
    ['Moves', describeMoves(planned)],
  ];
  const fields = lines.map(([label, text]) => ({ label, lines: [text] }));
  const heading = `Merge ${names.from} into ${names.into}:`;
  const text = [`  ${names.from} is archived, and erased after ${mergeReversibleDays} days.`];
  return renderDocument([{ heading, fields, indent: 2, text }], style).trimEnd();
}

function toLabel(field: string): string {
  return toHeading(field === stylistField ? 'preferred_stylist' : field);
}

export const stylistField = 'preferred_stylist_id';

function withNames(field: CombinedField, stylists: ReadonlyMap<string, string>): CombinedField {
  if (field.field !== stylistField) return field;
  const nameOf = (id: unknown) => stylists.get(String(id)) ?? id;
  const { kept, other, result } = field;
  return { ...field, kept: nameOf(kept), other: nameOf(other), result: nameOf(result) };
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

function describeMoves({ appointments, payments }: MovedCounts): string {
  const hidden = Object.entries({ appointments, payments }).flatMap(([name, count]) =>
    count === undefined ? [name] : [],
  );
  const known = describeRecords({ appointments, payments });
  const unknown = hidden.length === 0 ? '' : `${hidden.join(' and ')} that this key may not see`;
  const none = appointments === undefined ? '' : 'no appointments';
  return [known || none, unknown].filter((part) => part !== '').join(', and ');
}

/** `3 appointments and 1 payment`; empty if there are none. */
export function describeRecords(moved: MovedCounts): string {
  const { appointments, payments, waitlist_entries: waiting } = moved;
  const counts = Object.entries({ appointments, payments, 'waitlist entries': waiting });
  const texts = counts.flatMap(([name, count]) => (count ? [countOf(count, name)] : []));
  return new Intl.ListFormat('en-GB').format(texts);
}

type MovedCounts = Pick<PlannedMerge, 'appointments' | 'payments'> &
  Partial<Pick<ClientMerge['moved'], 'waitlist_entries'>>;

/** What the undo of a merge does. */
export function describeUnmerge({ checked }: PlannedUnmerge, names: MergeNames): string {
  const lines = [
    `Undo the merge of ${names.from} into ${names.into}:`,
    `  ${names.from} is restored under the same ID.`,
  ];
  if (checked === undefined) return lines.join('\n');
  lines.push(`  Moves back: ${describeRecords(checked.moved) || 'no appointments'}.`);
  if (checked.kept_fields.length > 0)
    lines.push(`  Changed since, and kept: ${checked.kept_fields.map(toLabel).join(', ')}.`);
  return lines.join('\n');
}

function show(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null || value === undefined || value === '') return 'none';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.join(', ') || 'none';
  return quote(
    isFields(value) ? JSON.stringify(value) : toCellText(value).replaceAll('\n', ' / '),
    maxShownLength,
  );
}
