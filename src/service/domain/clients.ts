import type { Appointment } from '../../contract/appointment.ts';
import type { Client } from '../../contract/client.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import { mayBePhone, tidyPhone, toDigits } from '../../text/phone-forms.ts';
import { toSearchTerms } from '../../text/search-text.ts';
import type { Writer } from '../db/engine.ts';
import { readUpcoming } from '../db/records/appointments.ts';
import { deleteRecord, insertRecord, readStylistStatus } from '../db/records/records.ts';
import type { Condition } from '../db/rows.ts';
import { authorize } from './authorization.ts';
import { refuseDeletion, replaceBookings, toCancelled } from './booking.ts';
import { eraseClient } from './client-erasure.ts';
import type { Context } from './context.ts';
import { recordEvent } from './events.ts';
import { type CollectionQuery, createLister, toConditions } from './list-page.ts';
import {
  createGetter,
  createStoredRecord,
  type IfMatch,
  isUnchanged,
  type RecordUpdate,
  type Replacement,
  replaceRecord,
  toStoredRow,
} from './records.ts';
import { readSettings } from './salon-settings.ts';
import { checkStylist } from './stylists.ts';
import { assertValidBody, findUnstorable, invalidParameter, toStoredContact } from './validation.ts';
import { transact, transactOn } from './write-record.ts';

/** The clients that match a query. Throws `invalid_parameter`. */
export async function findClients(
  { database, caller }: Context,
  query: QueryOf<'listClients'>,
): Promise<CollectionQuery> {
  authorize(caller, 'listClients');
  const [ofSearch = [], ofPhone = []] = await Promise.all([query.q, query.phone].map(readStoredDigits));
  return { collection: 'clients', query, conditions: toClientConditions(query, { ofSearch, ofPhone }) };

  /** The digits that clients of the salon may have a number with, which is stored as given; none for other texts. */
  async function readStoredDigits(written = ''): Promise<readonly string[]> {
    if (!mayBePhone(written)) return [];
    const { createPhones } = await import('../../text/phone-reader.ts');
    const { country } = await readSettings(database.reader, caller.account.id);
    return createPhones(country ?? undefined).toStoredDigits(written);
  }
}

export const listClients = createLister(findClients);

export const getClient = createGetter('getClient', 'clients');

/** Adds a client. Throws `validation_failed`. */
export async function addClient(context: Context, body: BodyOf<'createClient'>): Promise<Client> {
  const fields = mergeClient(noFields, body);
  return transact(context, 'createClient', async (tx) => {
    await assertValid(tx, context, { fields, isNewStylist: true });
    const client = createStoredRecord('client', fields, context.environment);
    await insertRecord(tx, 'clients', toStoredRow(context.caller.account.id, 'clients', client));
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
  const wanted = { collection: 'clients', id, ifMatch } as const;
  return transactOn(context, 'updateClient', wanted, async (tx, former) => {
    const object = mergeClient(former, change);
    if (isUnchanged(former, object)) return former;
    const isNewStylist = object.preferred_stylist_id !== former.preferred_stylist_id;
    await assertValid(tx, context, { fields: object, isNewStylist });
    return writeClient(tx, context, { former, object });
  });
}

/** Writes a changed client and its event. */
export async function writeClient(tx: Writer, context: Context, change: Replacement<Client>) {
  const object = await replaceRecord(tx, context, { collection: 'clients', ...change });
  await recordEvent(tx, context, { type: 'client.updated', former: change.former, object });
  return object;
}

/**
 * Erases a client; past appointments keep the ID. With `force`, upcoming ones are cancelled. Throws `not_found`,
 * `precondition_failed` and, without `force`, `client_has_upcoming_appointments`.
 */
export async function deleteClient(
  context: Context,
  id: string,
  { force, ifMatch }: IfMatch & { readonly force: boolean },
): Promise<undefined> {
  const { database, environment, caller } = context;
  const accountId = caller.account.id;
  const wanted = { collection: 'clients', id, ifMatch } as const;
  await transactOn(context, 'deleteClient', wanted, async (tx, client, { seq }) => {
    const ofClient = { accountId, clientId: id, afterMs: environment.now().getTime() };
    const upcoming = await readUpcoming(tx, ofClient);
    if (upcoming.length > 0 && !force) await refuseDeletion(tx, caller, { client, upcoming });
    // First, so that the events of the cancellations are sent and hold nothing personal.
    await eraseClient(tx, context, id);
    const cancellations = (await readUpcoming(tx, ofClient)).map(({ record }) => {
      const former: Appointment = JSON.parse(record);
      return { former, object: toCancelled(former, 'client removed') };
    });
    await replaceBookings(tx, context, cancellations);
    await deleteRecord(tx, { accountId, collection: 'clients' }, seq);
    await recordEvent(tx, context, { type: 'client.deleted', object: { id, deleted: true } });
  });
  database.requestPurge();
}

function toClientConditions(
  query: QueryOf<'listClients'>,
  storedDigits: Readonly<Record<'ofSearch' | 'ofPhone', readonly string[]>>,
): Condition[] {
  const { q, email, phone } = query;
  const conditions = toConditions(query, { ranges: { updated_since: 'updated_ms' } });
  if (q !== undefined) conditions.push(...toSearch(q, storedDigits.ofSearch));
  if (email !== undefined) conditions.push({ column: 'email', is: '=', value: email.toLowerCase() });
  if (phone !== undefined) {
    const digits = toDigits(tidyPhone(phone));
    if (digits === '') throw invalidParameter('phone', 'phone has no digits.');
    conditions.push({ column: 'phone_digits', isOneOf: [...new Set([digits, ...storedDigits.ofPhone])] });
  }
  return conditions;
}

/** Words that are part of a name or email, in any order, or a part of a phone number. */
function toSearch(q: string, storedDigits: readonly string[]): readonly Condition[] {
  return toSearchTerms(q, storedDigits).map((spellings) => ({
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
    const status = await readStylistStatus(tx, { accountId: caller.account.id, id: stylistId });
    violations.push(...checkStylist('/preferred_stylist_id', status));
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
