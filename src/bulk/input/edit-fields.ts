import { newAppointment, readOnlyAppointmentFields } from '../../contract/appointment.ts';
import { newClient, readOnlyClientFields } from '../../contract/client.ts';
import { normaliseEmail, normalisePhone } from '../../contract/formats.ts';

/** What the contract says of a value: the few words of JSON Schema that its bodies use. */
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

/** The fields of the contract that an edit may set, by name. */
export function fieldsOf(noun: EditOperation['noun']): ReadonlyMap<string, ValueSchema> {
  return noun === 'clients' ? clientFields : appointmentFields;
}

/** Fields that a new record needs. */
export function requiredFieldsOf(noun: EditOperation['noun']): readonly string[] {
  return noun === 'clients' ? [] : newAppointment.required;
}

/** Fields of a record that only the server sets: sheets made from an export have them, and they are passed over. */
export function readOnlyFieldsOf(noun: EditOperation['noun']): readonly string[] {
  return noun === 'clients' ? readOnlyClientFields : readOnlyAppointmentFields;
}

const clientFields: ReadonlyMap<string, ValueSchema> = new Map(Object.entries(newClient.properties));
const appointmentFields: ReadonlyMap<string, ValueSchema> = new Map(
  Object.entries(newAppointment.properties),
);

/**
 * What a value is found by, the same for a cell and for the record's own field: e-mail addresses without regard to
 * case, phone numbers without what only makes them easier to read. Undefined for what names nothing.
 */
export function toMatchKey(field: string, value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  const key = forms[field]?.(text) ?? text;
  return key === '' ? undefined : key;
}

const forms: Readonly<Record<string, (text: string) => string>> = {
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
}
