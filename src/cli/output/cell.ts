import { type Fields, isFields } from '../../client/json-object.ts';
import { decimalsOf } from '../../contract/currencies.ts';
import { describeAction, describeChanges } from '../../contract/describe-audit.ts';
import { cleanText } from '../../text/clean-text.ts';
import { type ExactNumber, isJsonNumber, isSameJson, renderJson } from '../../text/json.ts';
import { renderDecimal } from '../../text/numbers.ts';
import { toIsoDay } from '../../time/local-days.ts';
import { dayMs } from '../../time/time.ts';
import { type Column, type ColumnKind, columnsOf } from './columns.ts';
import { toHeading } from './field-words.ts';

/** Turns a value into clean text on one line; empty for null. */
export type CellRenderer = (value: unknown, kind: ColumnKind, row: Fields) => string;

/** A field of a record for people. */
export interface Field {
  readonly label: string;
  /** Empty if there is no value. */
  readonly lines: readonly string[];
  readonly kind: ColumnKind;
}

export interface FieldOptions {
  readonly renderCell: CellRenderer;
  readonly row: Fields;
  /** Appended to times. */
  readonly timeZone?: string | undefined;
  /** How many objects the field is in. */
  readonly depth?: number;
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;
const localTime = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/;
/** Objects nested deeper than this are printed as JSON. */
const maxDepth = 3;

export interface CellStyle {
  /** IANA name of the time zone for times; a table prints it below their headings. */
  readonly timeZone: string;
  /** Of prices, which do not name it. */
  readonly currency?: string | undefined;
}

export function createCellRenderer({ timeZone, currency }: CellStyle): CellRenderer {
  const renderInstant = createInstantRenderer(timeZone);
  return (value, kind, row) => {
    if (value === null || value === undefined) return '';
    if (kind === 'activity' && value === false) {
      // A webhook that the service disabled shows the reason.
      const reason = row['disabled_reason'];
      return typeof reason === 'string' ? `no (${cleanText(reason)})` : 'no';
    }
    if (kind === 'action' && typeof value === 'string') return cleanText(describeAction(value));
    if (kind === 'changes') return cleanText(describeChanges(row, renderInstant));
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (isJsonNumber(value)) return renderNumber(value, kind, row['currency'] ?? currency);
    if (typeof value === 'string') {
      const text = kind === 'instant' || kind === 'value' ? renderInstant(value) : value;
      return cleanText(kind === 'instant' && value === row['end_time'] ? toEndText(text) : text);
    }
    if (Array.isArray(value) && value.every(isScalar)) return cleanText(value.join(', '));
    return typeof value === 'object' ? cleanText(renderNested(value)) : String(value);
  };
}

/**
 * Local time without its zone, such as `2026-11-21 09:30`; print the zone beside it. Other text is returned unchanged.
 */
export function createInstantRenderer(timeZone: string): (iso: string) => string {
  // Swedish dates have the form of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return (iso) => {
    const instantMs = rfc3339.test(iso) ? Date.parse(iso) : Number.NaN;
    if (Number.isNaN(instantMs)) return iso;
    const text = format.format(instantMs);
    return localTime.test(text) ? text : iso;
  };
}

/** One instant. For many, `createInstantRenderer` is much faster. */
export function renderInstant(iso: string, { timeZone }: { readonly timeZone: string }): string {
  return createInstantRenderer(timeZone)(iso);
}

/** The digits as received, except where minutes and amounts have a form of their own. */
function renderNumber(number: number | ExactNumber, kind: ColumnKind, currency: unknown): string {
  const isSafe = Number.isSafeInteger(Number(number)) && isSameJson(number, Number(number));
  if (isSafe && kind === 'minutes') return renderMinutes(Number(number));
  if (isSafe && kind === 'amount') return renderAmount(Number(number), currency);
  return String(number);
}

/** `45 min`, `2 h` or `1 h 30 min`; the bare number if it is not a duration. */
export function renderMinutes(minutes: number): string {
  if (!Number.isSafeInteger(minutes) || minutes < 0) return String(minutes);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** Minor units as `45.00 EUR`; as `4500 minor units` for an unknown currency. */
export function renderAmount(minorUnits: number, currency: unknown): string {
  const decimals = typeof currency === 'string' ? decimalsOf(currency) : undefined;
  if (!Number.isSafeInteger(minorUnits)) return String(minorUnits);
  if (decimals === undefined) return `${minorUnits}${currency ? ` ${currency}` : ''} minor units`;
  return `${renderDecimal(minorUnits, decimals)} ${currency}`;
}

/** A field of a record, or one for each member of an object, such as `account.name`. */
export function flattenField(value: unknown, { key, kind }: Column, options: FieldOptions): readonly Field[] {
  const { renderCell, row, timeZone, depth = 0 } = options;
  if (isFields(value) && depth < maxDepth && Object.keys(value).length > 0) {
    const inner = { ...options, row: value, depth: depth + 1 };
    return columnsOf(value).flatMap((member) =>
      flattenField(value[member.key], { ...member, key: `${key}.${member.key}` }, inner),
    );
  }
  const label = toHeading(key);
  const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return [{ label, kind, lines: [] }];
  if (kind === 'text' && typeof value === 'string') {
    return [{ label, kind, lines: value.split(/\r?\n/).map(cleanText) }];
  }
  const text = renderCell(value, kind, row);
  const hasZone = kind === 'instant' && text !== value && timeZone !== undefined;
  return [{ label, kind, lines: [hasZone ? `${text} (${timeZone})` : text] }];
}

/** What ends at midnight ends at 24:00 of its last day. */
function toEndText(text: string): string {
  const [day = '', clock] = text.split(' ');
  return clock === '00:00' ? `${toIsoDay(Date.parse(day) - dayMs)} 24:00` : text;
}

function renderNested(value: object): string {
  try {
    return renderJson(value);
  } catch (error) {
    // Nested deeper than the stack allows; the rest of the record is still printed.
    if (error instanceof RangeError) return '(nested too deeply to show)';
    throw error;
  }
}

function isScalar(value: unknown): boolean {
  return value !== null && (typeof value !== 'object' || isJsonNumber(value));
}
