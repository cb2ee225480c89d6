import { isDeepStrictEqual } from 'node:util';
import { normaliseEmail, normalisePhone } from '../../contract/formats.ts';
import { createZoneClock, parseInstant, toMinutes, type ZoneClock } from '../../contract/time.ts';
import { addExcelGuard, parseCellList, toCellText } from '../sheet/cell-text.ts';
import type { SheetForm } from '../sheet/sheet-form.ts';
import { type EditOperation, fieldsOf, readOnlyFieldsOf, type ValueSchema } from './edit-fields.ts';

export interface CellRulesOptions {
  readonly format: SheetForm['format'];
  readonly noun: EditOperation['noun'];
  /** IANA name of the zone that times without one are in. */
  readonly timeZone: string;
}

/** What a cell says to empty a field. */
export const clearing = '\\N';

/**
 * How the cells of a sheet become values. In a CSV a blank cell leaves the field, `\N` clears it, a cell that says
 * what the record says already keeps that, and the others are read by the field's type. What cannot be read stays
 * text, for the check to refuse. In the JSON forms a value is what it is, and null clears.
 */
export function createCellRules({ format, noun, timeZone }: CellRulesOptions): CellRules {
  const fields = fieldsOf(noun);
  const readOnly = new Set(readOnlyFieldsOf(noun));
  let clock: ZoneClock | undefined;
  const openClock = () => (clock ??= createZoneClock(timeZone));

  function toValue(cell: unknown, field: string, present: unknown): unknown {
    if (cell === undefined || readOnly.has(field)) return undefined;
    const schema = fields.get(field);
    if (cell === null) return toCleared(schema, present);
    if (format !== 'csv' || typeof cell !== 'string') return cell;
    if (cell.trim() === '') return undefined;
    if (says(cell, present)) return present;
    if (cell === clearing) return toCleared(schema, present);
    return schema === undefined ? likePresent(cell, present) : bySchema(cell, { field, schema, openClock });
  }

  return { toValue, isSameValue };
}

/** Whether a record that has `present` is as `wanted` asks, in the form in which the service keeps it. */
export function isSameValue(wanted: unknown, present: unknown, field: string): boolean {
  if (isDeepStrictEqual(wanted ?? null, present ?? null)) return true;
  const normalise = keptForms[field];
  if (normalise === undefined || typeof wanted !== 'string' || typeof present !== 'string') return false;
  return normalise(wanted) === normalise(present);
}

const keptForms: Readonly<Record<string, (text: string) => unknown>> = {
  email: normaliseEmail,
  phone: normalisePhone,
  start_time: toMs,
  updated_at: toMs,
};

function toMs(text: string): unknown {
  return parseInstant(text)?.ms ?? text;
}

/** Whether a cell is what an export writes for a value, also one for Excel. */
function says(cell: string, present: unknown): boolean {
  const text = toCellText(present);
  return text === cell || addExcelGuard(text) === cell;
}

function toCleared(schema: ValueSchema | undefined, present: unknown): unknown {
  const isList = schema === undefined ? Array.isArray(present) : schema.type === 'array';
  return isList ? [] : null;
}

interface CellContext {
  readonly field: string;
  readonly schema: ValueSchema;
  readonly openClock: () => ZoneClock;
}

function bySchema(cell: string, { field, schema, openClock }: CellContext): unknown {
  const bare = cell.trim();
  if (schema.type === 'array') return readList(cell);
  if (schema.type === 'boolean') return parseBoolean(bare) ?? cell;
  if (schema.type === 'integer') return toMinutes(bare) ?? cell;
  if (schema.format === 'date-time') return toInstant(bare, openClock);
  const isFreeText = schema.format === undefined && schema.enum === undefined && !refersToRecord(field);
  return isFreeText ? cell : bare;
}

/** A field that is not of the contract takes the type of what the record has there. */
function likePresent(cell: string, present: unknown): unknown {
  if (typeof present === 'boolean') return parseBoolean(cell.trim()) ?? cell;
  if (typeof present === 'number') return Number.isFinite(Number(cell)) ? Number(cell) : cell;
  if (Array.isArray(present)) return readList(cell);
  return typeof present === 'object' && present !== null ? readJson(cell) : cell;
}

function readList(cell: string): unknown {
  try {
    return parseCellList(cell);
  } catch {
    return cell;
  }
}

function readJson(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

function refersToRecord(field: string): boolean {
  return ['client_id', 'stylist_id', 'preferred_stylist_id'].includes(field);
}

/** A time without a zone is what the clock on the wall shows: the first such instant, where there are two. */
function toInstant(cell: string, openClock: () => ZoneClock): string {
  const [, day, minute, rest = ':00'] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?$/i.exec(cell) ?? [];
  const wall = parseInstant(`${day}T${minute}${rest}Z`);
  if (wall === undefined) return cell;
  return new Date(openClock().earliest(wall.ms)).toISOString().replace('.000Z', 'Z');
}

/** How cells of a sheet become values of records. */
export interface CellRules {
  /**
   * The value a cell asks for, given what the record has now; undefined where it leaves that
   * alone, or may not change it.
   */
  toValue(cell: unknown, field: string, present: unknown): unknown;
  /** Whether a record that has `present` is as `wanted` asks. */
  isSameValue(wanted: unknown, present: unknown, field: string): boolean;
}

/** How people and spreadsheet programs write yes and no: Excel puts TRUE into the language of the machine. */
const words = {
  yes: [
    'true',
    'yes',
    '1',
    'wahr',
    'ja',
    'vrai',
    'oui',
    'verdadero',
    'sí',
    'si',
    'vero',
    'sì',
    'verdadeiro',
    'sim',
    'waar',
  ],
  no: ['false', 'no', '0', 'falsch', 'nein', 'faux', 'non', 'falso', 'não', 'onwaar', 'nee'],
} as const;

const meanings: ReadonlyMap<string, boolean> = new Map([
  ...words.yes.map((word) => [word, true] as const),
  ...words.no.map((word) => [word, false] as const),
]);

/** Whether a word says yes or no, in any case of its letters; undefined where it says neither. */
export function parseBoolean(word: string): boolean | undefined {
  return meanings.get(word.normalize('NFC').toLowerCase());
}
