import { decimalsOf } from '../../contract/numbers.ts';
import { cleanText } from '../messages/clean-text.ts';
import { type Column, type ColumnKind, columnsOf, type Row } from './columns.ts';

/** A value of a record as people read it, cleaned and on one line; nothing at all for null. */
export type CellRenderer = (value: unknown, kind: ColumnKind, row: Row) => string;

export function createCellRenderer({ timeZone }: { readonly timeZone: string }): CellRenderer {
  const renderInstant = createInstantRenderer(timeZone);
  return (value, kind, row) => {
    if (value === null || value === undefined) return '';
    if (kind === 'activity' && value === false) return renderInactive(row['disabled_reason']);
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (kind === 'minutes' && typeof value === 'number') return renderMinutes(value);
    if (kind === 'amount' && typeof value === 'number') return renderAmount(value, row['currency']);
    if (typeof value === 'string') return cleanText(kind === 'instant' ? renderInstant(value) : value);
    if (Array.isArray(value) && value.every(isScalar)) return cleanText(value.join(', '));
    return typeof value === 'object' ? cleanText(renderNested(value)) : String(value);
  };
}

/** Who was switched off without asking for it is told why. */
function renderInactive(reason: unknown): string {
  return typeof reason === 'string' ? `no (${cleanText(reason)})` : 'no';
}

function isScalar(value: unknown): boolean {
  return value !== null && typeof value !== 'object';
}

function renderNested(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // A foreign server may nest deeper than the stack is; the rest of the record is still worth seeing.
    if (error instanceof RangeError) return '(nested too deeply to show)';
    throw error;
  }
}

/** Minor units as people read them, `45.00 EUR`; the bare number where its currency says nothing of decimals. */
export function renderAmount(minorUnits: number, currency: unknown): string {
  const decimals = typeof currency === 'string' ? decimalsOf(currency) : undefined;
  if (decimals === undefined || !Number.isSafeInteger(minorUnits)) return String(minorUnits);
  const digits = String(Math.abs(minorUnits)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${minorUnits < 0 ? '-' : ''}${whole}${fraction} ${currency}`;
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;
const shown = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/;

/**
 * Instants as the wall of a zone shows them, `2026-11-21 09:30`. The zone is not in the text: who prints it
 * says it beside. What is no instant stays as it is.
 */
export function createInstantRenderer(timeZone: string): (iso: string) => string {
  // Sweden writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return (iso) => {
    const instantMs = rfc3339.test(iso) ? Date.parse(iso) : Number.NaN;
    if (Number.isNaN(instantMs)) return iso;
    const text = format.format(instantMs);
    return shown.test(text) ? text : iso;
  };
}

/** One instant in a zone. For many, `createInstantRenderer` is far cheaper. */
export function renderInstant(iso: string, { timeZone }: { readonly timeZone: string }): string {
  return createInstantRenderer(timeZone)(iso);
}

/** A length such as `45 min`, `2 h` or `1 h 30 min`; what is no length stays as it is. */
export function renderMinutes(minutes: number): string {
  if (!Number.isSafeInteger(minutes) || minutes < 0) return String(minutes);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

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
