import { cleanText } from '../messages/clean-text.ts';
import type { CellRenderer } from './cell.ts';
import { type Column, columnsOf } from './columns.ts';
import type { Row } from './printer.ts';

/** One field of a record for people: a name, and its value in lines. */
export interface Field {
  readonly label: string;
  /** None where there is no value. */
  readonly lines: readonly string[];
  readonly kind: Column['kind'];
}

export interface FieldContext {
  readonly renderCell: CellRenderer;
  /** The record that the field is of. */
  readonly row: Row;
  /** Stands behind instants; left out where it is said otherwise. */
  readonly timeZone?: string | undefined;
}

/** A field of a record, or one for each member of an object: `account.name`. */
export function toFields(value: unknown, column: Column, context: FieldContext): readonly Field[] {
  return toFieldsAt(value, column, { ...context, depth: 0 });
}

const deepest = 3;

function toFieldsAt(
  value: unknown,
  { key, kind }: Column,
  context: FieldContext & { readonly depth: number },
): readonly Field[] {
  const { renderCell, row, timeZone, depth } = context;
  if (isObject(value) && depth < deepest && Object.keys(value).length > 0) {
    const inner = { ...context, row: value, depth: depth + 1 };
    return columnsOf(value).flatMap((member) =>
      toFieldsAt(value[member.key], { ...member, key: `${key}.${member.key}` }, inner),
    );
  }
  const label = cleanText(key);
  const isAbsent = value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  if (isAbsent) return [{ label, kind, lines: [] }];
  if (kind === 'text' && typeof value === 'string') {
    return [{ label, kind, lines: value.split(/\r?\n/).map(cleanText) }];
  }
  const text = renderCell(value, kind, row);
  const isZoned = kind === 'instant' && text !== value && timeZone !== undefined;
  return [{ label, kind, lines: [isZoned ? `${text} (${timeZone})` : text] }];
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
