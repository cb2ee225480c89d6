import { isStorable, schemaFormats } from '../../contract/formats.ts';
import { type ExactNumber, isJsonNumber, isSameJson } from '../../contract/json.ts';
import type { ValueSchema } from './edit-fields.ts';

/** A sentence about the first rule of the contract that a value breaks; undefined if it is valid. */
export function findValueProblem(value: unknown, schema: ValueSchema | undefined): string | undefined {
  if (!isStorableValue(value)) return 'Contains invalid characters.';
  if (schema === undefined) return undefined;
  const rule = findBrokenRule(value, schema);
  if (rule === undefined) return undefined;
  return value === null ? 'Cannot be cleared.' : `Must ${rule}, not ${show(value)}.`;
}

/** The first rule of a schema that a value breaks; continues "must". */
function findBrokenRule(value: unknown, schema: ValueSchema): string | undefined {
  if (!isOfTypes(value, schema.type)) return `be ${nameType(schema.type)}`;
  if (typeof value === 'string') return findBrokenTextRule(value, schema);
  if (isJsonNumber(value)) return findBrokenNumberRule(Number(value), schema);
  return Array.isArray(value) ? findBrokenListRule(value, schema) : undefined;
}

function isOfTypes(value: unknown, types: ValueSchema['type']): boolean {
  return typeof types === 'string' ? isOfType(value, types) : types.some((type) => isOfType(value, type));
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list, such as vip;new',
  boolean: 'true or false',
  integer: 'a whole number',
  string: 'text',
};

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return isJsonNumber(value) && isWhole(value);
  return typeof value === type;
}

function isWhole(value: number | ExactNumber): boolean {
  return Number.isInteger(Number(value)) && isSameJson(value, Number(value));
}

/** What the contract lists first is what a person may write; the other is null. */
function nameType(types: ValueSchema['type']): string {
  const [type = ''] = [types].flat();
  return typeNames[type] ?? type;
}

function findBrokenTextRule(text: string, schema: ValueSchema): string | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, enum: allowed, format = '' } = schema;
  if (allowed !== undefined && !allowed.includes(text)) return `be one of ${allowed.join(', ')}`;
  // JSON Schema counts characters, not halves of surrogate pairs.
  const length = text.length > maxLength ? Array.from(text).length : text.length;
  if (length < minLength) return `have at least ${count(minLength, 'character')}`;
  if (length > maxLength) return `have at most ${count(maxLength, 'character')}`;
  const known = schemaFormats[format];
  return known === undefined || known.matches(text) ? undefined : `be ${known.description}`;
}

function findBrokenNumberRule(value: number, schema: ValueSchema): string | undefined {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  if (value < minimum) return `be at least ${minimum}`;
  return value > maximum ? `be at most ${maximum}` : undefined;
}

function findBrokenListRule(list: readonly unknown[], schema: ValueSchema): string | undefined {
  const { maxItems = Number.POSITIVE_INFINITY, items } = schema;
  if (list.length > maxItems) return `have at most ${count(maxItems, 'entry')}`;
  if (items === undefined) return undefined;
  const broken = list.map((item) => findBrokenRule(item, items)).find((rule) => rule !== undefined);
  return broken === undefined ? undefined : `${broken} in each entry`;
}

function isStorableValue(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  return !Array.isArray(value) || value.every(isStorableValue);
}

/** Length of a value in a message. */
const shownLength = 60;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

function count(amount: number, noun: string): string {
  if (amount === 1) return `1 ${noun}`;
  return `${amount} ${noun === 'entry' ? 'entries' : `${noun}s`}`;
}
