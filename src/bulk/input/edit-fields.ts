import { newAppointment, readOnlyAppointmentFields } from '../../contract/appointment.ts';
import { newClient, readOnlyClientFields } from '../../contract/client.ts';
import { normaliseEmail, normalisePhone } from '../../contract/formats.ts';
import { toIdText } from '../../contract/identifiers.ts';

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
    : [...readOnlyAppointmentFields, 'client_name', 'stylist_name'];
}

const clientFields: ReadonlyMap<string, ValueSchema> = new Map(Object.entries(newClient.properties));
const appointmentFields: ReadonlyMap<string, ValueSchema> = new Map(
  Object.entries(newAppointment.properties),
);

/**
 * The key that matches a cell with a field of a record: email addresses ignore case, phone numbers ignore spaces and
 * punctuation. Undefined for a blank value.
 */
export function toMatchKey(field: string, value: unknown): string | undefined {
  const text = toIdText(value)?.trim();
  if (text === undefined) return undefined;
  const key = normalisers[field]?.(text) ?? text;
  return key === '' ? undefined : key;
}

const normalisers: Readonly<Record<string, (text: string) => string>> = {
  email: normaliseEmail,
  phone: normalisePhone,
};

/** What a bulk edit does to the records that a sheet names. */
export interface EditOperation {
  readonly noun: 'clients' | 'appointments';
  readonly verb: 'create' | 'update' | 'delete';
  /** The field that identifies the record of a row, `id` by default. Not used by creates. */
  readonly match: string;
  /** Whether a delete cancels upcoming appointments. */
  readonly force: boolean;
  /** Saved with the appointments that are cancelled. */
  readonly reason?: string | undefined;
}

/** How people name an operation: appointments are cancelled instead of deleted. */
export function toVerbName({ noun, verb }: Pick<EditOperation, 'noun' | 'verb'>): string {
  return noun === 'appointments' && verb === 'delete' ? 'cancel' : verb;
}

/** Members of a write that control it and are no fields of the record. */
export function isWriteOption(name: string): boolean {
  return name === 'allow_overlap' || name === 'allow_early';
}

const nouns: readonly unknown[] = ['clients', 'appointments'] satisfies EditOperation['noun'][];
const verbs: readonly unknown[] = ['create', 'update', 'delete'] satisfies EditOperation['verb'][];

/** Whether a value read from a file is an operation. */
export function isOperation(value: unknown): value is EditOperation {
  const { noun, verb, match, force, reason = '' } = { ...(value as Partial<EditOperation> | null) };
  return (
    nouns.includes(noun) &&
    verbs.includes(verb) &&
    typeof match === 'string' &&
    typeof force === 'boolean' &&
    typeof reason === 'string'
  );
}
