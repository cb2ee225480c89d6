import { identifierPrefixes } from '../../contract/identifiers.ts';

/** The fields of records with personal data of their client, or of a person who signs in. Of a client itself, all are. */
const personalFields: Readonly<Record<string, readonly string[]>> = {
  user: ['name'],
  membership: ['email'],
  invitation: ['email'],
  appointment: ['notes', 'cancellation_reason'],
  payment: ['reference'],
};

/** Fields of clients that are no personal data. */
const impersonal = ['id', 'created_at', 'updated_at'];

export function isPersonal(resource: string, field: string): boolean {
  if (resource === 'client') return !impersonal.includes(field);
  return personalFields[resource]?.includes(field) ?? false;
}

/** The client whose personal data a record holds: the client itself, an appointment or a payment. */
export function findRecordClient(record: unknown): string | null {
  if (typeof record !== 'object' || record === null) return null;
  if ('client_id' in record && typeof record.client_id === 'string') return record.client_id;
  if (!('id' in record) || typeof record.id !== 'string') return null;
  return record.id.startsWith(identifierPrefixes.client) ? record.id : null;
}

/** The members of an appointment or payment, or of a part of one, that have to be cleared to erase its client. */
export function findPersonal(resource: string, record: object): Record<string, null> {
  const found = Object.entries(record).filter(
    ([field, value]) => value !== null && isPersonal(resource, field),
  );
  return Object.fromEntries(found.map(([field]) => [field, null]));
}
