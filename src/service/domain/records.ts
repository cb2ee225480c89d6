import { ulid } from 'ulid';
import type { Appointment } from '../../contract/appointment.ts';
import type { BlockedTime } from '../../contract/blocked-time.ts';
import type { Client } from '../../contract/client.ts';
import type { Operation } from '../../contract/endpoints.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import { type IdentifierKind, identifierPrefixes, kindOfId } from '../../contract/identifiers.ts';
import { type Payment, toPaymentState } from '../../contract/payment.ts';
import type { Access } from '../../contract/roles.ts';
import type { SalonService } from '../../contract/salon-service.ts';
import type { Stylist } from '../../contract/stylist.ts';
import type { WaitlistEntry } from '../../contract/waitlist.ts';
import type { Webhook } from '../../contract/webhook.ts';
import type { TimeSpan } from '../../time/time.ts';
import type { Reader, Writer } from '../db/engine.ts';
import { type CollectionName, type DerivedColumns, type DerivedRow, recordNames } from '../db/record-rows.ts';
import { foldedColumns } from '../db/records/folded-columns.ts';
import { readRecord, readRecordTexts, updateRecords } from '../db/records/records.ts';
import { readArchivedClient } from '../db/records/removed-clients.ts';
import { authorize } from './authorization.ts';
import type { Caller, Context, Environment } from './context.ts';

/** What each list contains. */
export interface RecordTypes {
  clients: Client;
  appointments: Appointment;
  stylists: Stylist;
  payments: Payment;
  webhooks: Webhook;
  blocked_times: BlockedTime;
  services: SalonService;
  waitlist_entries: WaitlistEntry;
}

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

/** A new record with the given fields. */
export function createStoredRecord<Fields extends object>(
  kind: IdentifierKind,
  fields: Fields,
  environment: Environment,
) {
  const now = environment.now().toISOString();
  return { id: createId(kind, environment), ...fields, created_at: now, updated_at: now };
}

/** The error for an ID that the account has no record of. IDs of other accounts are not found either. */
export function notFound(resource: IdentifierKind, id: string): SalonError {
  const name = resource === 'api_key' ? 'API key' : resource.replace('_', ' ');
  return new SalonError('not_found', `No ${name} with ID ${id}.`, { members: { resource, id } });
}

const toColumns: {
  readonly [Name in CollectionName]: (record: RecordTypes[Name]) => DerivedColumns[Name];
} = {
  ...foldedColumns,
  appointments(appointment) {
    const { client_id, stylist_id, status } = appointment;
    const { startMs, endMs } = toTimeRange(appointment);
    const payment = toPaymentState(appointment);
    return { client_id, stylist_id, status, start_ms: startMs, end_ms: endMs, payment };
  },
  stylists: ({ active }) => ({ active: active ? 1 : 0 }),
  payments: ({ client_id, appointment_id, status }) => ({ client_id, appointment_id, status }),
  webhooks: ({ active, events }) => ({ active: active ? 1 : 0, events: JSON.stringify(events) }),
  blocked_times: ({ stylist_id, start_time, end_time }) => ({
    stylist_id,
    start_ms: Date.parse(start_time),
    end_ms: Date.parse(end_time),
  }),
  waitlist_entries: ({ client_id, stylist_id, status, from, to }) => ({
    ...{ client_id, stylist_id, status },
    start_ms: Date.parse(from),
    end_ms: Date.parse(to),
  }),
};

/** The row of a record, without its position and what does not follow from the record. */
export function toStoredRow<Name extends CollectionName>(
  accountId: string,
  collection: Name,
  record: RecordTypes[Name],
): DerivedRow<Name> {
  return {
    account_id: accountId,
    id: record.id,
    created_ms: Date.parse(record.created_at),
    updated_ms: Date.parse(record.updated_at),
    record: JSON.stringify(record),
    ...toColumns[collection](record),
  };
}

/** When an appointment starts and ends; the end is exclusive. */
export function toTimeRange(appointment: Pick<Appointment, 'start_time' | 'duration'>): TimeSpan {
  const startMs = Date.parse(appointment.start_time);
  return { startMs, endMs: startMs + appointment.duration * 60_000 };
}

export interface WantedRecord<Name extends CollectionName> extends IfMatch {
  readonly collection: Name;
  readonly id: string;
  /** With `own`, records of other stylists are not found. */
  readonly access?: Access;
}

/** What is blocked for the whole salon is blocked for every stylist. A key without a stylist finds nothing. */
function isOfStylist(collection: CollectionName, id: string | null | undefined, stylistId: string | null) {
  return collection === 'blocked_times' && id === null ? true : (id ?? '') === stylistId;
}

/**
 * A record of the account, and its position in the list. Throws `precondition_failed`, and `not_found`, which for an
 * archived client names the one that it was merged into.
 */
export async function findStoredRecord<Name extends CollectionName>(
  reader: Reader,
  { account, stylistId }: Pick<Caller, 'account' | 'stylistId'>,
  { collection, id, access = 'all', ifMatch }: WantedRecord<Name>,
): Promise<{ readonly record: RecordTypes[Name]; readonly seq: number }> {
  const key = { accountId: account.id, id };
  const row = await readRecord(reader, collection, key);
  if (row === undefined || (access === 'own' && !isOfStylist(collection, row.stylist_id, stylistId))) {
    const merge = collection === 'clients' ? await readArchivedClient(reader, key) : undefined;
    throw toMerged(notFound(recordNames[collection], id), merge?.into_id);
  }
  const record: RecordTypes[Name] = JSON.parse(row.record);
  assertIfMatch(record, ifMatch);
  return { record, seq: row.seq };
}

/**
 * The function that returns a record. It throws `not_found`, also for a record of another stylist where an API key is
 * limited to one.
 */
export function createGetter<Name extends CollectionName>(
  operation: Operation,
  collection: Name,
  show = (record: RecordTypes[Name], _context: Context) => record,
) {
  return async (context: Context, id: string): Promise<RecordTypes[Name]> => {
    const { database, caller } = context;
    const access = authorize(caller, operation);
    const wanted = { collection, id, access };
    return show((await findStoredRecord(database.reader, caller, wanted)).record, context);
  };
}

function toMerged(error: SalonError, intoId: string | undefined): SalonError {
  if (intoId === undefined) return error;
  const message = `${error.message} It was merged into ${intoId}.`;
  return withContext(error, { message, members: { ...error.members, merged_into: intoId } });
}

/** The records of a client, in creation order. */
export async function readAllOfClient(
  reader: Reader,
  { accountId, clientId }: { readonly accountId: string; readonly clientId: string },
): Promise<{ appointments: Appointment[]; payments: Payment[]; waitlist: WaitlistEntry[] }> {
  const where = { account_id: accountId, client_id: clientId };
  const read = async (collection: 'appointments' | 'payments' | 'waitlist_entries') =>
    (await readRecordTexts(reader, collection, where)).map((text) => JSON.parse(text));
  return {
    appointments: await read('appointments'),
    payments: await read('payments'),
    waitlist: await read('waitlist_entries'),
  };
}

/** A record before and after a change. */
export interface Replacement<Item> {
  readonly former: Item;
  readonly object: Item;
}

/** Replaces records of one list, each with a later `updated_at`. Raises the version of the list once. */
export async function replaceRecords<Name extends CollectionName>(
  tx: Writer,
  { environment, caller }: Pick<Context, 'environment' | 'caller'>,
  { collection, changes }: { collection: Name; changes: readonly Replacement<RecordTypes[Name]>[] },
): Promise<Replacement<RecordTypes[Name]>[]> {
  const now = environment.now();
  const replaced = changes.map(({ former, object }) => ({
    former,
    object: { ...object, updated_at: nextUpdatedAt(former, now) },
  }));
  const rows = replaced.map(({ object }) => toStoredRow(caller.account.id, collection, object));
  await updateRecords(tx, collection, rows);
  return replaced;
}

/** Replaces one record. Returns it with its new `updated_at`. */
export async function replaceRecord<Name extends CollectionName>(
  tx: Writer,
  context: Pick<Context, 'environment' | 'caller'>,
  { collection, ...change }: Replacement<RecordTypes[Name]> & { collection: Name },
): Promise<RecordTypes[Name]> {
  const [replaced = change] = await replaceRecords(tx, context, { collection, changes: [change] });
  return replaced.object;
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

/**
 * The fields of records with personal data of their client, of a stylist, or of a person who signs in. Of a client
 * itself, all are.
 */
const personalFields: Readonly<Record<string, readonly string[]>> = {
  user: ['name'],
  membership: ['email'],
  invitation: ['email'],
  appointment: ['notes', 'cancellation_reason'],
  payment: ['reference'],
  blocked_time: ['note'],
  waitlist_entry: ['note'],
};

/** Fields of clients that are no personal data. */
const impersonal = ['id', 'created_at', 'updated_at'];

export function isPersonal(resource: string, field: string): boolean {
  if (resource === 'client') return !impersonal.includes(field);
  return personalFields[resource]?.includes(field) ?? false;
}

/** The client whose personal data a record holds: the client itself, an appointment or a payment; or a blocked time. */
export function findRecordSubject(record: unknown): string | null {
  if (typeof record !== 'object' || record === null) return null;
  if ('client_id' in record && typeof record.client_id === 'string') return record.client_id;
  if (!('id' in record) || typeof record.id !== 'string') return null;
  return ['client', 'blocked_time'].includes(kindOfId(record.id) ?? '') ? record.id : null;
}

/** The members of an appointment or payment, or of a part of one, that have to be cleared to erase its client. */
export function findPersonal(resource: string, record: object): Record<string, null> {
  const found = Object.entries(record).filter(
    ([field, value]) => value !== null && isPersonal(resource, field),
  );
  return Object.fromEntries(found.map(([field]) => [field, null]));
}
