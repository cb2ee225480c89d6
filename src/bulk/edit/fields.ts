import { newAppointment, readOnlyAppointmentFields } from '../../contract/appointment.ts';
import { newClient, readOnlyClientFields } from '../../contract/client.ts';
import type { Edit } from './edit.ts';

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
export function fieldsOf(noun: Edit['noun']): ReadonlyMap<string, ValueSchema> {
  return noun === 'clients' ? clientFields : appointmentFields;
}

/** Fields that a new record needs. */
export function requiredFieldsOf(noun: Edit['noun']): readonly string[] {
  return noun === 'clients' ? [] : newAppointment.required;
}

/** Fields of a record that only the server sets: sheets made from an export have them, and they are passed over. */
export function readOnlyFieldsOf(noun: Edit['noun']): readonly string[] {
  return noun === 'clients' ? readOnlyClientFields : readOnlyAppointmentFields;
}

const clientFields: ReadonlyMap<string, ValueSchema> = new Map(Object.entries(newClient.properties));
const appointmentFields: ReadonlyMap<string, ValueSchema> = new Map(
  Object.entries(newAppointment.properties),
);
