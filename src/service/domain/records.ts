import { ulid } from 'ulid';
import { SalonError } from '../../contract/errors.ts';
import { type IdentifierKind, identifierPrefixes } from '../../contract/identifiers.ts';
import type { Environment } from './context.ts';

/** Random characters of a ULID; the others are the time. */
const randomLength = 16;

interface Versioned {
  readonly updated_at: string;
}

/** The entity tags of `If-Match`; without them, any record matches. */
export interface IfMatch {
  readonly ifMatch?: readonly string[] | undefined;
}

/** The fields to change. */
export interface RecordUpdate<Fields> extends IfMatch {
  readonly change: Fields;
}

/** A new ID: the kind's prefix and a lower-case ULID. */
export function createId(kind: IdentifierKind, environment: Environment): string {
  const bytes = environment.random(randomLength);
  let next = 0;
  const random = () => (bytes[next++] ?? 0) / 256;
  return identifierPrefixes[kind] + ulid(environment.now().getTime(), random).toLowerCase();
}

/** The error for an ID that the account has no record of. IDs of other accounts are not found either. */
export function notFound(resource: IdentifierKind, id: string): SalonError {
  const name = resource === 'api_key' ? 'API key' : resource.replace('_', ' ');
  return new SalonError('not_found', `No ${name} with ID ${id}.`, { members: { resource, id } });
}

/** The columns that the rows of all kinds of records have. */
export function toRecordColumns(
  accountId: string,
  record: Versioned & { readonly id: string; readonly created_at: string },
) {
  return {
    account_id: accountId,
    id: record.id,
    created_ms: Date.parse(record.created_at),
    updated_ms: Date.parse(record.updated_at),
    record: JSON.stringify(record),
  };
}

/** The entity tag of a record (RFC 9110), made of `updated_at`, so that lists contain it too. */
export function toEntityTag({ updated_at }: Versioned): string {
  return `"${updated_at}"`;
}

/** Throws `precondition_failed` with the current tag when `If-Match` names others. */
export function assertIfMatch(record: Versioned, ifMatch: readonly string[] | undefined): void {
  const etag = toEntityTag(record);
  if (ifMatch !== undefined && !ifMatch.includes(etag)) {
    const detail = `The record was changed at ${record.updated_at}. Read it again before you change it.`;
    throw new SalonError('precondition_failed', detail, { members: { etag } });
  }
}

/** Whether a merge has changed nothing. The order of fields is that of the record. */
export function isUnchanged(record: object, merged: object): boolean {
  return JSON.stringify(record) === JSON.stringify(merged);
}

/** The `updated_at` of a change: now, but always later than the previous one, so that entity tags are unique. */
export function nextUpdatedAt({ updated_at }: Versioned, now: Date): string {
  return new Date(Math.max(now.getTime(), Date.parse(updated_at) + 1)).toISOString();
}

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
