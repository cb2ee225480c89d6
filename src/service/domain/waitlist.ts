import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import { type WaitlistEntry, waitingStatuses, waitlistStatuses } from '../../contract/waitlist.ts';
import { minuteMs, parseInstant } from '../../time/time.ts';
import type { Writer } from '../db/engine.ts';
import { deleteRecord, hasRecord, insertRecord, readStylistStatus } from '../db/records/records.ts';
import type { Condition } from '../db/rows.ts';
import { eraseAuditValues, recordAudit } from './audit.ts';
import { assertOwn, authorize } from './authorization.ts';
import { eraseResults } from './client-erasure.ts';
import type { Context } from './context.ts';
import { recordChangeWithoutEvent } from './events.ts';
import { limitToOwn, readCollectionPage, toConditions, toDataJson } from './list-page.ts';
import {
  assertIfMatch,
  createGetter,
  createStoredRecord,
  type IfMatch,
  isUnchanged,
  type RecordUpdate,
  replaceRecord,
  toStoredRow,
} from './records.ts';
import { checkStylist } from './stylists.ts';
import { assertValidBody, findUnstorable, invalidParameter, toUtcSpan } from './validation.ts';
import { transact, transactOn } from './write-record.ts';

type Fields = Omit<WaitlistEntry, 'id' | 'created_at' | 'updated_at'>;

/** One page of the waiting list; for a stylist's key of those who wait for that stylist. Throws `invalid_parameter`. */
export async function listWaitlistEntries(context: Context, query: QueryOf<'listWaitlistEntries'>) {
  const access = authorize(context.caller, 'listWaitlistEntries');
  const nowMs = context.environment.now().getTime();
  const conditions = toConditions(query, {
    equal: query.fits_start === undefined ? ['client_id', 'stylist_id'] : ['client_id'],
    statuses: waitlistStatuses,
    ranges: { from: 'end_ms', to: 'start_ms' },
  }).flatMap((one) => ('isOneOf' in one ? toStatusConditions(one.isOneOf, nowMs) : [one]));
  if ((query.fits_start ?? query.fits_duration) !== undefined) conditions.push(...toFitConditions(query));
  const list = limitToOwn(context, access, { collection: 'waitlist_entries', query, conditions });
  // Entries expire without a new version.
  const { version: _, ...page } = await readCollectionPage(context, list);
  const entries: WaitlistEntry[] = JSON.parse(page.dataJson.toString());
  return { ...page, dataJson: toDataJson(entries.map((entry) => toShownEntry(entry, nowMs))) };
}

/** Rows whose entries have one of some statuses now. */
function toStatusConditions(wanted: readonly string[], nowMs: number): Condition[] {
  const open = waitingStatuses.filter((status) => wanted.includes(status));
  const booked = wanted.filter((status) => status === 'booked');
  const whilePassed = wanted.includes('expired') ? [...waitingStatuses, ...booked] : booked;
  return [
    { anyOf: [...toOneOf([...open, ...booked]), { column: 'end_ms', is: '<', value: nowMs + 1 }] },
    { anyOf: [...toOneOf(whilePassed), { column: 'end_ms', is: '>=', value: nowMs + 1 }] },
  ];
}

function toOneOf(statuses: readonly string[]): Condition[] {
  return statuses.length === 0 ? [] : [{ column: 'status', isOneOf: statuses }];
}

/** Rows whose span holds a time, for its stylist or for anyone. */
function toFitConditions({
  stylist_id,
  fits_start = '',
  fits_duration = 1,
}: QueryOf<'listWaitlistEntries'>): Condition[] {
  const start = parseInstant(fits_start);
  if (start === undefined) {
    throw invalidParameter('fits_start', 'fits_start must be an RFC 3339 time with a time zone.');
  }
  const isForAnyone: Condition = { column: 'stylist_id', isNull: true };
  const isFor = (value: string): Condition => ({ column: 'stylist_id', is: '=', value });
  return [
    ...(stylist_id === undefined ? [] : [{ anyOf: [isFor(stylist_id), isForAnyone] }]),
    { column: 'start_ms', is: '<', value: start.ms + 1 },
    { column: 'end_ms', is: '>=', value: start.ms + fits_duration * minuteMs },
  ];
}

/** An entry as it is now. It expires by itself, and has another entity tag from then on. */
export function toShownEntry(entry: WaitlistEntry, nowMs: number): WaitlistEntry {
  const toMs = Date.parse(entry.to);
  if (toMs > nowMs || !waitingStatuses.some((status) => status === entry.status)) return entry;
  const updatedMs = Math.max(toMs, Date.parse(entry.updated_at));
  return { ...entry, status: 'expired', updated_at: new Date(updatedMs).toISOString() };
}

const readStored = createGetter('getWaitlistEntry', 'waitlist_entries');

/** Throws `not_found`, also for an entry that is not for the stylist whom the key is limited to. */
export async function getWaitlistEntry(context: Context, id: string): Promise<WaitlistEntry> {
  return toShownEntry(await readStored(context, id), context.environment.now().getTime());
}

/** Adds a client to the waiting list. Throws `permission_denied` and `validation_failed`. */
export async function createWaitlistEntry(
  context: Context,
  body: BodyOf<'createWaitlistEntry'>,
): Promise<WaitlistEntry> {
  const { environment, caller } = context;
  const accountId = caller.account.id;
  return transact(context, 'createWaitlistEntry', async (tx, access) => {
    const { client_id, service, stylist_id = null, from, to, note = null, status = 'waiting' } = body;
    assertOwn(caller, access, stylist_id);
    const given = { client_id, service, stylist_id, from, to, note, status };
    const object = createStoredRecord('waitlist_entry', await validate(tx, context, given), environment);
    await insertRecord(tx, 'waitlist_entries', toStoredRow(accountId, 'waitlist_entries', object));
    await recordChangeWithoutEvent(tx, context, { action: 'waitlist_entry.created', id: object.id, object });
    return object;
  });
}

/** Changes the given fields. Throws `not_found`, `precondition_failed`, `permission_denied` and `validation_failed`. */
export async function updateWaitlistEntry(
  context: Context,
  id: string,
  { change, ifMatch }: RecordUpdate<BodyOf<'updateWaitlistEntry'>>,
): Promise<WaitlistEntry> {
  const { environment, caller } = context;
  const nowMs = environment.now().getTime();
  const wanted = { collection: 'waitlist_entries', id } as const;
  return transactOn(context, 'updateWaitlistEntry', wanted, async (tx, former, { access }) => {
    const shown = toShownEntry(former, nowMs);
    assertIfMatch(shown, ifMatch);
    const { id: _id, created_at, updated_at, ...given } = change;
    // Clients often send whole records back.
    const isEcho = given.status === 'expired' && shown.status === 'expired';
    const fields = { ...former, ...given, ...(isEcho ? { status: former.status } : {}) };
    assertOwn(caller, access, fields.stylist_id);
    const merged = await validate(tx, context, fields, former);
    if (isUnchanged(former, merged)) return shown;
    const object = await replaceRecord(tx, context, {
      ...{ collection: 'waitlist_entries', former, object: merged },
    });
    await recordChangeWithoutEvent(tx, context, { action: 'waitlist_entry.updated', id, former, object });
    return toShownEntry(object, nowMs);
  });
}

/**
 * Takes a client off the waiting list. The note is erased from the audit log and saved results, too. Throws `not_found`
 * and `precondition_failed`.
 */
export async function deleteWaitlistEntry(
  context: Context,
  id: string,
  { ifMatch }: IfMatch = {},
): Promise<undefined> {
  const { environment, caller } = context;
  const accountId = caller.account.id;
  const wanted = { collection: 'waitlist_entries', id } as const;
  await transactOn(context, 'deleteWaitlistEntry', wanted, async (tx, record, { seq }) => {
    assertIfMatch(toShownEntry(record, environment.now().getTime()), ifMatch);
    await deleteRecord(tx, { accountId, collection: 'waitlist_entries' }, seq);
    await recordAudit(tx, context, {
      action: 'waitlist_entry.deleted',
      id,
      former: { ...record, note: null },
    });
    await eraseAuditValues(tx, environment, { accountId, subject: { kind: 'record', id } });
    await eraseResults(tx, { accountId, clientId: record.client_id, records: new Set([id]) });
  });
}

/** Rules that a schema cannot express. Returns the fields with times in UTC. Throws `validation_failed`. */
async function validate<Wanted extends Fields>(
  tx: Writer,
  { environment, caller }: Context,
  wanted: Wanted,
  former?: Fields,
): Promise<Wanted> {
  const accountId = caller.account.id;
  const { client_id: clientId, stylist_id: stylistId, service, note, status } = wanted;
  const violations: Violation[] = findUnstorable({ service, note });
  if (clientId !== former?.client_id && !(await hasRecord(tx, 'clients', { accountId, id: clientId }))) {
    const detail = '/client_id is not the ID of a client.';
    violations.push({ pointer: '/client_id', code: 'not_found', detail });
  }
  if (stylistId !== null && stylistId !== former?.stylist_id) {
    violations.push(
      ...checkStylist('/stylist_id', await readStylistStatus(tx, { accountId, id: stylistId })),
    );
  }
  if (status === 'expired') {
    const detail = '/status cannot be set to expired: an entry expires by itself.';
    violations.push({ pointer: '/status', code: 'out_of_range', detail });
  }
  const span = toUtcSpan(wanted, ['from', 'to'], violations);
  if (span.to !== former?.to && Date.parse(span.to) <= environment.now().getTime()) {
    violations.push({ pointer: '/to', code: 'out_of_range', detail: '/to has passed.' });
  }
  assertValidBody(violations);
  return { ...wanted, ...span };
}
