import type { Fields } from '../../client/json-object.ts';
import { isJsonNumber, isSameJson, parseJson, tryParseJson } from '../../text/json.ts';
import type { Phones } from '../../text/phone-reader.ts';
import { createZoneClock, parseDay, parseInstant, toMinutes } from '../../time/time.ts';
import { formulaError, hasOtherMarks, isExportOf, parseCellList, toCellText } from '../sheet/cell-text.ts';
import {
  hasTextCells,
  isLeftOut,
  lastNamePrefix,
  otherPhone,
  type SheetForm,
  UnclearCell,
} from '../sheet/sheet-form.ts';
import { readStatusWord } from './column-words.ts';
import { createCompletion, type ServiceDuration } from './complete-fields.ts';
import {
  type EditOperation,
  fieldsOf,
  normalisers,
  readOnlyFieldsOf,
  type ValueSchema,
} from './edit-fields.ts';
import { createColumnDates } from './local-dates.ts';
import {
  createNameReader,
  type NameOrder,
  type NameSplit,
  nameOrders,
  showsName,
  withPrefix,
} from './person-names.ts';
import { findRuin, isMojibakeOf } from './ruined-text.ts';
import { isNumberOf, parseAmount, readPhone } from './spreadsheet-numbers.ts';
import { createPendingNotes, parseYesNo } from './yes-and-no.ts';

export interface CellRulesOptions
  extends Pick<SheetForm, 'format' | 'currencies' | 'countsFrom1904'>,
    Partial<Pick<SheetForm, 'delimiter' | 'parts'>> {
  readonly noun: EditOperation['noun'];
  /** IANA name of the zone of times without one. */
  readonly timeZone: string;
  /** What `tomorrow 15:00` counts from; if undefined, a cell cannot say that. */
  readonly now?: Date | undefined;
  /** Reads phone numbers; without it, they stay as written. */
  readonly phones?: Phones | undefined;
  /** Where names are split that can be split in several ways. */
  readonly splitNames?: NameSplit | undefined;
  /** Whether the phones that are not taken go to the notes. */
  readonly keepsPhones?: boolean | undefined;
  /** How long a new appointment takes, where its row does not say it. */
  readonly services?: readonly ServiceDuration[] | undefined;
  /** Whether the server takes a birthday without a year; by default it does. */
  readonly takesNoYear?: boolean | undefined;
}

const nameFields = ['first_name', 'last_name'];

/** A cell that clears its field. */
export const clearMarker = '\\N';

/**
 * Converts the cells of a sheet to values. In a CSV or worksheet a blank cell leaves the field, `\N` clears it, a cell
 * that shows the current value keeps it, and others are parsed by the field's type. A cell that cannot be parsed stays
 * text, which validation refuses; one with several meanings is an `UnclearCell`. In JSON, values are used unchanged and
 * null clears.
 */
export function createCellRules({
  format,
  delimiter = null,
  currencies = {},
  noun,
  timeZone,
  now,
  countsFrom1904,
  phones,
  splitNames,
  takesNoYear,
  ...more
}: CellRulesOptions) {
  const fields = fieldsOf(noun);
  const readOnly = new Set(readOnlyFieldsOf(noun));
  const isText = hasTextCells(format);
  const names = createNameReader(splitNames);
  const consents = createPendingNotes();
  const clock = createZoneClock(timeZone);
  const { toDay, toInstant, showsInstant, orders, ...dates } = createColumnDates(clock, {
    now,
    countsFrom1904,
    takesNoYear,
  });
  const complete = createCompletion(more, { clock, toInstant });
  let splitsCommas = false;

  /**
   * The value of a cell; undefined if it leaves the field, or the field is read-only. `onRepair` is called for a cell
   * that a spreadsheet program has damaged and that is read as the current value.
   */
  function toValue(
    cell: unknown,
    field: string,
    current: unknown,
    onRepair?: (field: string) => void,
  ): unknown {
    if (cell === undefined || readOnly.has(field)) return undefined;
    const schema = fields.get(field);
    if (cell === null) return toCleared(schema, current);
    if (!isText || typeof cell !== 'string') return cell;
    if (cell.trim() === '') return undefined;
    if (isExportOf(cell, current, delimiter)) return current;
    if (cell === clearMarker) return toCleared(schema, current);
    if (formulaError.test(cell.trim())) return toFormulaError(cell.trim());
    if (delimiter === '\t' && hasOtherMarks(cell, current))
      return new UnclearCell('has marks such as ⏎, which may stand for line breaks. Export into a file: -o');
    const hasValue = current !== undefined && current !== null;
    const text = toCellText(current);
    // Gnumeric takes an apostrophe at the start for its own.
    if (hasValue && (isMojibakeOf(text, cell) || text === `'${cell}`)) {
      onRepair?.(field);
      return current;
    }
    const value = parseCell(cell, field, schema, current);
    const ruin = findRuin(value, current, nameFields.includes(field));
    if (ruin !== undefined) return ruin;
    if (typeof current !== 'string') return value;
    const isLost = value === cell.trim() && value !== current && isNumberOf(current, cell);
    const isPhone = field === 'phone' && value === current && !isSameValue(cell.trim(), current, field);
    if (isLost || isPhone) onRepair?.(field);
    return isLost ? current : value;
  }

  function parseCell(
    cell: string,
    field: string,
    schema: ValueSchema | undefined,
    current: unknown,
  ): unknown {
    const currency = Object.hasOwn(currencies, field) ? currencies[field] : undefined;
    if (currency !== undefined) return parseAmount(cell.trim(), currency, current);
    if (schema === undefined) {
      const text = typeof current === 'string' ? current : '';
      if (parseDay(text) !== undefined) return toDay(cell.trim(), field, current);
      if (parseInstant(text) !== undefined) return toInstant(cell.trim(), field, current);
      return parseLikeCurrent(cell, current);
    }
    if (schema.type === 'boolean' && consents.note(cell.trim(), field)) return undefined;
    if (schema.format === 'salon-birthday') return toDay(cell.trim(), field, current);
    if (schema.format === 'date-time') return toInstant(cell.trim(), field, current);
    return schema.format === 'salon-phone' && phones !== undefined
      ? readPhone(cell, current, phones)
      : parseBySchema(
          splitsCommas && hasCommasOnly(cell) ? cell.replaceAll(',', ';') : cell,
          field,
          schema,
          current,
        );
  }

  /** The fields that the cells of a row have values for. `record` has the current ones. */
  function toFields(cells: Fields, record: Fields, onRepair?: (field: string) => void): Fields {
    const values: [string, unknown][] = [];
    for (const [key, cell] of Object.entries(cells)) {
      const order = isText ? nameOrders.find((fields) => fields === key) : undefined;
      if (order !== undefined) values.push(...toNames(cell, order, record, onRepair));
      else if (isText && key === otherPhone) {
        const isWanted = isBlankCell(cells['phone']) && isBlankCell(record['phone']);
        if (isWanted) values.push(['phone', toValue(cell, 'phone', undefined)]);
      } else if (!isText || !(isLeftOut(key) || key === lastNamePrefix))
        values.push([key, toValue(cell, key, record[key], onRepair)]);
    }
    const given = Object.fromEntries(values.filter(([, value]) => value !== undefined));
    const { [lastNamePrefix]: prefix } = cells;
    const { last_name: last } = given;
    if (typeof prefix === 'string' && typeof last === 'string') given['last_name'] = withPrefix(prefix, last);
    return isText ? complete(given, cells, record) : given;
  }

  function toNames(
    cell: unknown,
    order: NameOrder,
    record: Fields,
    onRepair?: (field: string) => void,
  ): [string, unknown][] {
    if (typeof cell !== 'string' || cell.trim() === '') return [];
    const { first_name: currentFirst, last_name: currentLast } = record;
    if (cell === clearMarker) return nameFields.map((field) => [field, null]);
    if (showsName(cell, currentFirst, currentLast)) return [];
    const current = [currentFirst, currentLast].filter((name) => typeof name === 'string').join(' ');
    if (isMojibakeOf(current, cell)) {
      onRepair?.('first_name');
      return [];
    }
    const readName = () => findRuin(cell, current, true) ?? names.read(cell, order);
    const name = formulaError.test(cell.trim()) ? toFormulaError(cell.trim()) : readName();
    const { first, last } = name instanceof UnclearCell ? { first: name, last: name } : name;
    return [
      ['first_name', first === '' ? undefined : first],
      ['last_name', last === '' ? undefined : last],
    ];
  }

  return {
    toValue,
    toFields,
    names: names.report,
    /** From now on, commas separate the entries of a list. */
    splitCommas() {
      splitsCommas = true;
    },
    pending: consents.pending,
    ...dates,
    /** Whether a cell shows an instant, as precisely as it shows one. */
    showsInstant: (cell: unknown, instant: unknown) =>
      isSameValue(cell, instant, 'updated_at') ||
      (isText && typeof cell === 'string' && showsInstant(cell, instant)),
    /** How the columns that were read write dates with slashes. */
    dayOrders: orders,
  };
}

/** Whether `current` equals `wanted` once the service has normalised it. */
export function isSameValue(wanted: unknown, current: unknown, field: string): boolean {
  if (isSameJson(wanted ?? null, current ?? null)) return true;
  const isTime = field === 'start_time' || field === 'updated_at';
  const toMs = (text: string) => parseInstant(text)?.ms ?? text;
  const normalise = isTime ? toMs : normalisers[field];
  if (normalise === undefined || typeof wanted !== 'string' || typeof current !== 'string') return false;
  return normalise(wanted) === normalise(current);
}

/** Whether a cell of a list has commas, but nothing that separates entries. */
export function hasCommasOnly(cell: unknown): cell is string {
  return typeof cell === 'string' && cell.includes(',') && !cell.includes(';') && !cell.startsWith('[');
}

function toFormulaError(error: string): UnclearCell {
  return new UnclearCell(`${error} is the error of a formula, not a value.`, error);
}

function toCleared(schema: ValueSchema | undefined, current: unknown): unknown {
  const isList = schema === undefined ? Array.isArray(current) : schema.type === 'array';
  return isList ? [] : null;
}

function parseBySchema(cell: string, field: string, schema: ValueSchema, current: unknown): unknown {
  const bare = cell.trim();
  if (schema.type === 'array') return toTidyList(tryParse(cell, parseCellList), current);
  if (schema.type === 'boolean') return parseYesNo(bare) ?? cell;
  if (field === 'status') return readStatusWord(bare) ?? bare;
  if (field === 'price') return /^-?\d+$/.test(bare) ? (parseNumber(bare) ?? cell) : cell;
  if (schema.type === 'integer') return toMinutes(bare.replace(/[.,]0+$/, '')) ?? cell;
  const isReference = ['client_id', 'stylist_id', 'preferred_stylist_id'].includes(field);
  const isFreeText = schema.format === undefined && schema.enum === undefined && !isReference;
  return isFreeText ? cell : bare;
}

/** Drops blanks around entries, and empty and repeated entries. Current entries stay as they are. */
function toTidyList(list: unknown, current: unknown): unknown {
  if (!Array.isArray(list)) return list;
  const present = new Set<unknown>(Array.isArray(current) ? current : []);
  const entries = list.map((entry) =>
    typeof entry === 'string' && !present.has(entry) ? entry.trim() : entry,
  );
  const tidy = [...new Set(entries)].filter((entry) => entry !== '');
  return tidy.length === 0 ? list : tidy;
}

/** A field that the contract does not have is parsed as the type of its current value. */
function parseLikeCurrent(cell: string, current: unknown): unknown {
  if (typeof current === 'boolean') return parseYesNo(cell.trim()) ?? cell;
  if (isJsonNumber(current)) return parseNumber(cell.trim()) ?? cell;
  if (Array.isArray(current)) return tryParse(cell, parseCellList);
  return typeof current === 'object' && current !== null ? tryParse(cell, parseJson) : cell;
}

/** Parses a number with all its digits, also as people write it: `+5`, `05`, `.5`, `5.`. */
function parseNumber(cell: string): unknown {
  const text = cell
    .replace(/^\+/, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^-?(?=\.)/, '$&0')
    .replace(/\.$/, '');
  const value = tryParseJson(text);
  return isJsonNumber(value) ? value : undefined;
}

function tryParse(cell: string, parse: (cell: string) => unknown): unknown {
  try {
    return parse(cell);
  } catch {
    return cell;
  }
}

export type CellRules = ReturnType<typeof createCellRules>;

export function isBlankCell(cell: unknown): boolean {
  return cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');
}
