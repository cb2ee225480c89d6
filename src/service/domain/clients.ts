import type { Appointment } from '../../contract/appointment.ts';
import type { Client } from '../../contract/client.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import { toDigits } from '../../contract/phone-forms.ts';
import { toSearchTerms } from '../../contract/search-text.ts';
import type { Writer } from '../db/engine.ts';
import type { NewRow } from '../db/record-rows.ts';
import { readUpcoming } from '../db/records/appointments.ts';
import { deleteRecord, insertRecord } from '../db/records/records.ts';
import type { Condition } from '../db/rows.ts';
import { authorize } from './authorization.ts';
import { refuseDeletion, replaceBookings, toCancelled } from './booking.ts';
import { eraseClient } from './client-erasure.ts';
import type { Context } from './context.ts';
import { recordEvent } from './events.ts';
import {
  type CollectionQuery,
  type PageOfCollection,
  readCollectionPage,
  toConditions,
} from './list-page.ts';
import {
  createId,
  findStoredRecord,
  type IfMatch,
  isUnchanged,
  type RecordUpdate,
  type Replacement,
  replaceRecord,
  toStoredRow,
} from './records.ts';
import { checkStylistReference } from './stylists.ts';
import { assertValidBody, findUnstorable, invalidQuery, toStoredContact } from './validation.ts';

export interface ClientDeletion extends IfMatch {
  /** Cancels upcoming appointments instead of refusing. */
  readonly force: boolean;
}

/** The clients that match a query. Throws `invalid_parameter`. */
export function findClients({ caller }: Context, query: QueryOf<'listClients'>): CollectionQuery {
  authorize(caller, 'listClients');
  return { collection: 'clients', query, conditions: toClientConditions(query) };
}

/** One page of clients. Throws `invalid_parameter`. */
export async function listClients(
  context: Context,
  query: QueryOf<'listClients'>,
): Promise<PageOfCollection> {
  return readCollectionPage(context, findClients(context, query));
}

export async function getClient(context: Context, id: string): Promise<Client> {
  authorize(context.caller, 'getClient');
  const found = await findStoredRecord(context.database.reader, context.caller, {
    collection: 'clients',
    id,
  });
  return found.record;
}

/** Adds a client. Throws `validation_failed`. */
export async function addClient(context: Context, body: BodyOf<'createClient'>): Promise<Client> {
  const { database, environment, caller } = context;
  authorize(caller, 'createClient');
  const fields = toClientFields(body);
  return database.transaction({ accountId: caller.account.id }, async (tx) => {
    const now = environment.now().toISOString();
    await assertValid(tx, context, { fields, isNewStylist: true });
    const client = { id: createId('client', environment), ...fields, created_at: now, updated_at: now };
    await insertRecord(tx, 'clients', toStoredRow(caller.account.id, 'clients', client));
    await recordEvent(tx, context, { type: 'client.created', object: client });
    return client;
  });
}

/**
 * Changes the given fields. Nothing is written when all keep their value.
 * Throws `not_found`, `precondition_failed` and `validation_failed`.
 */
export async function updateClient(
  context: Context,
  id: string,
  { change, ifMatch }: RecordUpdate<BodyOf<'updateClient'>>,
): Promise<Client> {
  const { database, caller } = context;
  authorize(caller, 'updateClient');
  return database.transaction({ accountId: caller.account.id }, async (tx) => {
    const { record: former } = await findStoredRecord(tx, caller, { collection: 'clients', id, ifMatch });
    const object = mergeClient(former, change);
    if (isUnchanged(former, object)) {
      return former;
    }
    const isNewStylist = object.preferred_stylist_id !== former.preferred_stylist_id;
    await assertValid(tx, context, { fields: object, isNewStylist });
    return writeClient(tx, context, { former, object });
  });
}

/** Writes a changed client and its event. */
export async function writeClient(
  tx: Writer,
  context: Context,
  change: Replacement<Client>,
): Promise<Client> {
  const object = await replaceRecord(tx, context, { collection: 'clients', ...change });
  await recordEvent(tx, context, { type: 'client.updated', former: change.former, object });
  return object;
}

/**
 * Erases a client; past appointments keep the ID. Throws `not_found`, `precondition_failed` and, without `force`,
 * `client_has_upcoming_appointments`.
 */
export async function deleteClient(
  context: Context,
  id: string,
  { force, ifMatch }: ClientDeletion,
): Promise<undefined> {
  const { database, environment, caller } = context;
  authorize(caller, 'deleteClient');
  const accountId = caller.account.id;
  await database.transaction({ accountId: caller.account.id }, async (tx) => {
    const { record: client, seq } = await findStoredRecord(tx, caller, {
      collection: 'clients',
      id,
      ifMatch,
    });
    const ofClient = { accountId, clientId: id, afterMs: environment.now().getTime() };
    const upcoming = await readUpcoming(tx, ofClient);
    if (upcoming.length > 0 && !force) await refuseDeletion(tx, caller, { client, upcoming });
    // First, so that the events of the cancellations are sent and hold nothing personal.
    await eraseClient(tx, context, id);
    await cancelAll(tx, context, await readUpcoming(tx, ofClient));
    await deleteRecord(tx, { accountId, collection: 'clients' }, seq);
    await recordEvent(tx, context, { type: 'client.deleted', object: { id, deleted: true } });
  });
  database.requestPurge();
}

async function cancelAll(
  tx: Writer,
  context: Context,
  rows: readonly NewRow<'appointments'>[],
): Promise<void> {
  const changes = rows.map(({ record }) => {
    const former: Appointment = JSON.parse(record);
    return { former, object: toCancelled(former, 'client removed') };
  });
  await replaceBookings(tx, context, changes);
}

function toClientConditions(query: QueryOf<'listClients'>): Condition[] {
  const { q, email, phone } = query;
  const conditions = toConditions(query, {
    equal: [],
    statuses: [],
    ranges: [{ parameter: 'updated_since', edge: 'begin', column: 'updated_ms' }],
  });
  if (q !== undefined) {
    conditions.push(...toSearch(q));
  }
  if (email !== undefined) {
    conditions.push({ column: 'email', is: '=', value: email.toLowerCase() });
  }
  if (phone !== undefined) {
    const digits = toDigits(phone);
    if (digits === '') {
      throw invalidQuery([{ parameter: 'phone', code: 'invalid_format', detail: 'phone has no digits.' }]);
    }
    conditions.push({ column: 'phone_digits', is: '=', value: digits });
  }
  return conditions;
}

/** Words that are part of a name or email, in any order, or a part of a phone number. */
function toSearch(q: string): readonly Condition[] {
  return toSearchTerms(q).map((spellings) => ({
    anyOf: spellings.map((text) => ({ column: 'search', contains: text })),
  }));
}

/** Throws `validation_failed` for the given violations and for those of the fields. */
export async function assertValid(
  tx: Writer,
  { environment, caller }: Context,
  { fields, isNewStylist }: { fields: ClientFields; isNewStylist: boolean },
  others: readonly Violation[] = [],
): Promise<void> {
  const violations = [
    ...others,
    ...findClientViolations(fields, environment.now().toISOString().slice(0, 10)),
  ];
  const stylistId = fields.preferred_stylist_id;
  if (stylistId !== null && isNewStylist) {
    const key = { accountId: caller.account.id, id: stylistId };
    violations.push(...(await checkStylistReference(tx, '/preferred_stylist_id', key)));
  }
  assertValidBody(violations);
}

/** The fields of a client that callers can set. */
export type ClientFields = Omit<Client, 'id' | 'created_at' | 'updated_at'>;

const noFields: ClientFields = {
  first_name: null,
  last_name: null,
  email: null,
  phone: null,
  birthday: null,
  notes: null,
  preferred_stylist_id: null,
  tags: [],
  email_marketing_consent: false,
  sms_marketing_consent: false,
  external_id: null,
};

/** The fields of a new client, email and phone in stored form. */
function toClientFields(body: BodyOf<'createClient'>): ClientFields {
  return mergeClient(noFields, body);
}

/** Applies a change: missing fields stay, `null` clears, read-only fields are ignored. */
export function mergeClient<Fields extends ClientFields>(
  current: Fields,
  body: BodyOf<'updateClient'>,
): Fields {
  const { id, created_at, updated_at, ...change } = body;
  return { ...current, ...change, ...toStoredContact(change) };
}

/** Rules that a schema cannot express. `today` is the current day in UTC. */
export function findClientViolations(fields: ClientFields, today: string): Violation[] {
  const violations = findUnstorable(fields);
  const names = [fields.first_name, fields.last_name, fields.email, fields.phone];
  if (names.every((name) => name === null || name.trim() === '')) {
    const detail = 'A client needs at least one of first_name, last_name, email and phone.';
    violations.push({ pointer: '', code: 'required', detail });
  }
  if (fields.birthday !== null && fields.birthday > today) {
    violations.push({ pointer: '/birthday', code: 'out_of_range', detail: '/birthday is in the future.' });
  }
  return violations;
}
