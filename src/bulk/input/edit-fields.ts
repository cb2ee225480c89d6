import { type Fields, toTags } from '../../client/json-object.ts';
import {
  newAppointment,
  type OnConflict,
  onConflicts,
  readOnlyAppointmentFields,
} from '../../contract/appointment.ts';
import { newClient, readOnlyClientFields } from '../../contract/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { isStorable, normaliseEmail, normalisePhone, schemaFormats } from '../../contract/formats.ts';
import { toIdText } from '../../contract/identifiers.ts';
import { isJsonNumber, isSameJson } from '../../text/json.ts';
import { countOf } from '../../text/numbers.ts';
import type { Phones } from '../../text/phone-reader.ts';
import { foldText } from '../../text/search-text.ts';

/** The part of JSON Schema that the contract's bodies use. */
export interface ValueSchema {
  readonly type: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: ValueSchema;
}

/** Fields that an edit can set, by name. */
export function fieldsOf(noun: EditOperation['noun']): ReadonlyMap<string, ValueSchema> {
  return noun === 'clients' ? clientFields : appointmentFields;
}

/** Required fields of a new record. */
export function requiredFieldsOf(noun: EditOperation['noun']): readonly string[] {
  return noun === 'clients' ? [] : newAppointment.required;
}

/** Fields that only the server sets, and names beside IDs; they are ignored in a sheet that was exported. */
export function readOnlyFieldsOf(noun: EditOperation['noun']): readonly string[] {
  return noun === 'clients'
    ? [...readOnlyClientFields, 'preferred_stylist_name']
    : [...readOnlyAppointmentFields, 'client_name', 'client_phone', 'client_email', 'stylist_name'];
}

const clientFields: ReadonlyMap<string, ValueSchema> = new Map(Object.entries(newClient.properties));
const appointmentFields: ReadonlyMap<string, ValueSchema> = new Map(
  Object.entries(newAppointment.properties),
);

/**
 * The key that matches a cell with a field of a record: email addresses ignore case, and phone numbers are what `phones`
 * dials. Undefined for a blank value.
 */
export function toMatchKey(field: string, value: unknown, phones?: Phones): string | undefined {
  const text = toIdText(value)?.trim();
  if (text === undefined) return undefined;
  const number = field === 'phone' ? phones?.read(text).number : undefined;
  if (number !== undefined) return number;
  const key = normalisers[field]?.(text) ?? text;
  return key === '' ? undefined : key;
}

export const normalisers: Readonly<Record<string, (text: string) => string>> = {
  email: normaliseEmail,
  phone: normalisePhone,
};

/** What a bulk edit does to the records that a sheet names. */
export interface EditOperation {
  readonly noun: 'clients' | 'appointments';
  readonly verb: 'create' | 'update' | 'delete' | 'import';
  /** The field that identifies the record of a row, `id` by default. Not used by creates. */
  readonly match: string;
  /** Whether a delete cancels upcoming appointments. */
  readonly force: boolean;
  /** Whether an import replaces values of known records; by default it fills blank ones. */
  readonly overwrites?: boolean | undefined;
  /** Saved with the appointments that are cancelled. */
  readonly reason?: string | undefined;
  /** Of appointments that are booked or moved together: one after the other, where they are not one request. */
  readonly onConflict?: OnConflict | undefined;
}

/** Whether a sheet has new records: all of them, or, in an import, those that are not known. */
export function addsRecords(verb: EditOperation['verb']): boolean {
  return verb === 'create' || verb === 'import';
}

/** How people name an operation: appointments are cancelled instead of deleted. */
export function toVerbName({ noun, verb }: Pick<EditOperation, 'noun' | 'verb'>): string {
  return noun === 'appointments' && verb === 'delete' ? 'cancel' : verb;
}

/** Members of a write that control it and are no fields of the record. */
export function isWriteOption(name: string): boolean {
  return ['allow_overlap', 'allow_blocked', 'allow_early'].includes(name);
}

/** Whether a value read from a file is an operation. */
export function isOperation(value: unknown): value is EditOperation {
  const { noun, verb, match, force, ...others } = { ...(value as Partial<EditOperation> | null) };
  const { reason = '', onConflict = 'skip' } = others;
  const isNamed = ['clients', 'appointments'].includes(String(noun)) && typeof match === 'string';
  const isVerb = ['create', 'update', 'delete', 'import'].includes(String(verb));
  const isKnown = isVerb && onConflicts.includes(onConflict);
  return isNamed && isKnown && typeof force === 'boolean' && typeof reason === 'string';
}

/** A sentence about the first rule of the contract that a value breaks; undefined if it is valid. */
export function findValueProblem(value: unknown, schema: ValueSchema | undefined): string | undefined {
  if (!isStorableValue(value)) return 'Contains invalid characters.';
  if (schema === undefined) return undefined;
  const rule = findBrokenRule(value, schema);
  if (rule === undefined) return undefined;
  if (value === null) return 'Cannot be cleared.';
  const text = JSON.stringify(value) ?? String(value);
  return `Must ${rule}, not ${text.length > 60 ? `${text.slice(0, 60)}…` : text}.`;
}

/** The first rule of a schema that a value breaks; continues "must". */
function findBrokenRule(value: unknown, schema: ValueSchema): string | undefined {
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
  // What the contract lists first is what a person may write; the other is null.
  const [type = ''] = types;
  if (!types.some((one) => isOfType(value, one))) return `be ${typeNames[type] ?? type}`;
  if (typeof value === 'string') return findBrokenTextRule(value, schema);
  if (isJsonNumber(value)) {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
    if (Number(value) < minimum) return `be at least ${minimum}`;
    return Number(value) > maximum ? `be at most ${maximum}` : undefined;
  }
  return Array.isArray(value) ? findBrokenListRule(value, schema) : undefined;
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
  if (type !== 'integer') return typeof value === type;
  return isJsonNumber(value) && Number.isInteger(Number(value)) && isSameJson(value, Number(value));
}

function findBrokenTextRule(text: string, schema: ValueSchema): string | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, enum: allowed, format = '' } = schema;
  if (allowed !== undefined && !allowed.includes(text)) return `be one of ${allowed.join(', ')}`;
  // JSON Schema counts characters, not halves of surrogate pairs.
  const length = text.length > maxLength ? Array.from(text).length : text.length;
  if (length < minLength) return `have at least ${countOf(minLength, 'characters')}`;
  if (length > maxLength) return `have at most ${countOf(maxLength, 'characters')}`;
  const known = schemaFormats[format];
  return known === undefined || known.matches(text) ? undefined : `be ${known.description}`;
}

function findBrokenListRule(list: readonly unknown[], schema: ValueSchema): string | undefined {
  const { maxItems = Number.POSITIVE_INFINITY, items } = schema;
  if (list.length > maxItems) return `have at most ${countOf(maxItems, 'entries')}`;
  if (items === undefined) return undefined;
  const broken = list.map((item) => findBrokenRule(item, items)).find((rule) => rule !== undefined);
  return broken === undefined ? undefined : `${broken} in each entry`;
}

function isStorableValue(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  return !Array.isArray(value) || value.every(isStorableValue);
}

/** Tags to add to a client's own and to remove from them. Case and accents do not make another tag. */
export interface TagChanges {
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
}

export function changesTags({ addTags = [], removeTags = [] }: TagChanges): boolean {
  return addTags.length + removeTags.length > 0;
}

/** Throws `usage` for a tag that cannot be one, that is both added and removed, or if `set` has tags, too. */
export function assertTagChanges({ addTags = [], removeTags = [] }: TagChanges, set: Fields): void {
  if (Object.hasOwn(set, 'tags')) {
    throw new SalonError('usage', 'Tags can be set, or added and removed, not both.');
  }
  const removed = new Set(removeTags.map(foldText));
  const both = addTags.find((tag) => removed.has(foldText(tag)));
  if (both !== undefined) throw new SalonError('usage', `The tag ${both} cannot be both added and removed.`);
  const schema = fieldsOf('clients').get('tags')?.items;
  for (const tag of [...addTags, ...removeTags]) {
    const problem = tag.trim() === '' ? 'Must not be blank.' : findValueProblem(tag, schema);
    if (problem !== undefined) throw new SalonError('usage', `"${tag}" cannot be a tag. ${problem}`);
  }
}

/** A client's tags after the changes, the others in their order; the same list if nothing changes. */
export function applyTagChanges(
  { tags }: Fields,
  { addTags = [], removeTags = [] }: TagChanges,
): readonly string[] {
  const current = toTags(tags ?? null);
  if (current === undefined) {
    throw new SalonError('not_supported', 'The tags of clients on this server are not a list of texts.', {
      hint: 'Set them with --set tags:=… instead.',
    });
  }
  const removed = new Set(removeTags.map(foldText));
  const kept = current.filter((tag) => !removed.has(foldText(tag)));
  const known = new Set(kept.map(foldText));
  const added = addTags.filter((tag) => known.size < known.add(foldText(tag)).size).map((tag) => tag.trim());
  return added.length === 0 && kept.length === current.length ? current : [...kept, ...added];
}
