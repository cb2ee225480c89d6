import type { Appointment } from '../../contract/appointment.ts';
import type { Client } from '../../contract/client.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import { SalonError, type Violation } from '../../contract/errors.ts';
import { readUpcoming } from '../db/appointments.ts';
import type { Condition } from '../db/conditions.ts';
import type { Reader, Writer } from '../db/engine.ts';
import { eraseEvents } from '../db/events.ts';
import { eraseIdempotencyRecords } from '../db/idempotency.ts';
import { deleteRecord, insertRecord, readRecord, updateRecords } from '../db/records.ts';
import { readStylistStatus } from '../db/stylists.ts';
import type { NewRow } from '../db/tables.ts';
import { authorize } from './authorization.ts';
import { toAppointmentRow, toCancelled } from './booking.ts';
import {
  type ClientFields,
  findClientViolations,
  foldText,
  mergeClient,
  toClientFields,
  toClientRow,
  toDigits,
} from './client-record.ts';
import type { Context } from './context.ts';
import { recordBookingChange, recordEvent } from './events.ts';
import { assertStorableQuery, type PageOfCollection, readCollectionPage } from './list-page.ts';
import { assertIfMatch, createId, nextUpdatedAt, notFound } from './records.ts';
import { toStylistViolations } from './stylists.ts';
import { invalidBody, invalidQuery, parseRangeBound } from './validation.ts';

/** How many appointments a refused removal names. */
const mostNamed = 100;

/** What a client is changed by. */
export interface ClientUpdate {
  readonly change: BodyOf<'updateClient'>;
  /** The tags one of which the client must have; any will do where this is left out. */
  readonly ifMatch?: readonly string[] | undefined;
}

/** How a client is removed. */
export interface ClientRemoval {
  readonly force: boolean;
  readonly ifMatch?: readonly string[] | undefined;
}

/** One page of the clients a query asks for. Throws `invalid_parameter`. */
export async function listClients(
  context: Context,
  query: QueryOf<'listClients'>,
): Promise<PageOfCollection> {
  authorize(context.caller, 'listClients');
  assertStorableQuery(query);
  return readCollectionPage(context, { collection: 'clients', query, conditions: toConditions(query) });
}

export async function getClient(context: Context, id: string): Promise<Client> {
  authorize(context.caller, 'getClient');
  return (await readClient(context.database.reader, context, id)).client;
}

/** Adds a client. Throws `validation_failed`. */
export async function addClient(context: Context, body: BodyOf<'createClient'>): Promise<Client> {
  const { database, environment, caller } = context;
  authorize(caller, 'createClient');
  const fields = toClientFields(body);
  return database.transaction(async (tx) => {
    const now = environment.now().toISOString();
    await assertValid(tx, context, { fields, stylistChanged: true });
    const client = { id: createId('client', environment), ...fields, created_at: now, updated_at: now };
    await insertRecord(tx, 'clients', toClientRow(caller.account.id, client));
    await recordEvent(tx, context, { type: 'client.created', object: client });
    return client;
  });
}

/**
 * Changes the fields given and no others. A change that changes nothing leaves time and version as they are.
 * Throws `not_found`, `precondition_failed` and `validation_failed`.
 */
export async function updateClient(
  context: Context,
  id: string,
  { change, ifMatch }: ClientUpdate,
): Promise<Client> {
  const { database, environment, caller } = context;
  authorize(caller, 'updateClient');
  return database.transaction(async (tx) => {
    const { client } = await readClient(tx, context, id);
    assertIfMatch(client, ifMatch);
    const { id: _, created_at, updated_at: __, ...current } = client;
    const fields = mergeClient(current, change);
    if (JSON.stringify(fields) === JSON.stringify(current)) {
      return client;
    }
    const stylistChanged = fields.preferred_stylist_id !== current.preferred_stylist_id;
    await assertValid(tx, context, { fields, stylistChanged });
    const changed = { id, ...fields, created_at, updated_at: nextUpdatedAt(client, environment.now()) };
    await updateRecords(tx, 'clients', [toClientRow(caller.account.id, changed)]);
    await recordEvent(tx, context, { type: 'client.updated', former: client, object: changed });
    return changed;
  });
}

/**
 * Erases a client; past appointments keep the identifier. Upcoming ones are in the way, unless `force` cancels
 * them with it. Throws `not_found`, `precondition_failed` and `client_has_upcoming_appointments`.
 */
export async function deleteClient(
  context: Context,
  id: string,
  { force, ifMatch }: ClientRemoval,
): Promise<void> {
  const { database, environment, caller } = context;
  authorize(caller, 'deleteClient');
  const accountId = caller.account.id;
  await database.transaction(async (tx) => {
    const { client, seq } = await readClient(tx, context, id);
    assertIfMatch(client, ifMatch);
    const now = environment.now();
    const upcoming = await readUpcoming(tx, { accountId, clientId: id, afterMs: now.getTime() });
    if (upcoming.length > 0 && !force) {
      throw new SalonError(
        'client_has_upcoming_appointments',
        `The client ${id} has ${upcoming.length === 1 ? 'an upcoming appointment' : `${upcoming.length} upcoming appointments`}.`,
        { members: { appointment_ids: upcoming.slice(0, mostNamed).map((appointment) => appointment.id) } },
      );
    }
    await cancelAll(tx, context, upcoming);
    await deleteRecord(tx, { accountId, collection: 'clients' }, seq);
    await eraseIdempotencyRecords(tx, { accountId, clientId: id });
    await eraseEvents(tx, { accountId, clientId: id, nowMs: now.getTime() });
    await recordEvent(tx, context, { type: 'client.deleted', object: { id, deleted: true } });
  });
  await database.purge();
}

/** Cancels the appointments of a client who is removed. */
async function cancelAll(
  tx: Writer,
  context: Context,
  rows: readonly NewRow<'appointments'>[],
): Promise<void> {
  const accountId = context.caller.account.id;
  const changes = rows.map(({ record }) => {
    const former: Appointment = JSON.parse(record);
    return { former, object: toCancelled(former, 'client removed', context.environment.now()) };
  });
  const cancelled = changes.map(({ object }) => toAppointmentRow(accountId, object));
  await updateRecords(tx, 'appointments', cancelled);
  for (const change of changes) {
    await recordBookingChange(tx, context, change);
  }
}

function toConditions({ q, email, phone, updated_since }: QueryOf<'listClients'>): Condition[] {
  const conditions: Condition[] = [];
  const violations: Violation[] = [];
  if (q !== undefined) {
    conditions.push(toSearch(q));
  }
  if (email !== undefined) {
    conditions.push({ column: 'email', is: '=', value: email.toLowerCase() });
  }
  if (phone !== undefined) {
    const digits = toDigits(phone);
    if (digits === '') {
      violations.push({ parameter: 'phone', code: 'invalid_format', detail: 'phone has no digits.' });
    }
    conditions.push({ column: 'phone_digits', is: '=', value: digits });
  }
  if (updated_since !== undefined) {
    const ms = parseRangeBound(updated_since, 'begin');
    if (ms === undefined) {
      const detail = 'updated_since must be an RFC 3339 time with a zone, or a day.';
      violations.push({ parameter: 'updated_since', code: 'invalid_format', detail });
    }
    conditions.push({ column: 'updated_ms', is: '>=', value: ms ?? 0 });
  }
  if (violations.length > 0) {
    throw invalidQuery(violations);
  }
  return conditions;
}

/** Part of a name or an e-mail address; where it looks like a number, part of a phone number too. */
function toSearch(q: string): Condition {
  const byText: Condition = { column: 'search', contains: foldText(q) };
  const digits = toDigits(q);
  const looksLikePhone = digits !== '' && /^\+?[\d .\-()[\]]+$/.test(q);
  return looksLikePhone ? { anyOf: [byText, { column: 'phone_digits', contains: digits }] } : byText;
}

async function readClient(reader: Reader, { caller }: Context, id: string) {
  const found = await readRecord(reader, 'clients', { accountId: caller.account.id, id });
  if (found === undefined) {
    throw notFound('client', id);
  }
  const client: Client = JSON.parse(found.record);
  return { client, seq: found.seq };
}

async function assertValid(
  tx: Writer,
  { environment, caller }: Context,
  { fields, stylistChanged }: { fields: ClientFields; stylistChanged: boolean },
): Promise<void> {
  const violations = findClientViolations(fields, environment.now().toISOString().slice(0, 10));
  const stylistId = fields.preferred_stylist_id;
  if (stylistId !== null && stylistChanged) {
    const standing = await readStylistStatus(tx, { accountId: caller.account.id, id: stylistId });
    violations.push(...toStylistViolations('/preferred_stylist_id', standing));
  }
  if (violations.length > 0) {
    throw invalidBody(violations);
  }
}
