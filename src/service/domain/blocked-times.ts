import {
  type BlockedTime,
  maxListedConflicts,
  type WrittenBlockedTime,
} from '../../contract/blocked-time.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import type { Access } from '../../contract/roles.ts';
import type { Reader, Writer } from '../db/engine.ts';
import { findAffected } from '../db/records/appointments.ts';
import { deleteRecord, insertRecord, readStylistStatus } from '../db/records/records.ts';
import { eraseAuditValues, recordAudit } from './audit.ts';
import { assertOwn, authorize, permissionDenied } from './authorization.ts';
import { toShownBlock } from './booking.ts';
import { eraseResults } from './client-erasure.ts';
import type { Caller, Context } from './context.ts';
import { recordChangeWithoutEvent } from './events.ts';
import { readCollectionPage, toConditions, toDataJson } from './list-page.ts';
import {
  assertIfMatch,
  createStoredRecord,
  findStoredRecord,
  type IfMatch,
  isUnchanged,
  notFound,
  type RecordUpdate,
  replaceRecord,
  toStoredRow,
} from './records.ts';
import { checkStylist } from './stylists.ts';
import { assertValidBody, findUnstorable, toUtcSpan } from './validation.ts';
import { transact } from './write-record.ts';

type Fields = Omit<BlockedTime, 'id' | 'created_at' | 'updated_at'>;

/**
 * One page of blocked times; for a stylist's key those of the stylist and of the whole salon. Throws
 * `invalid_parameter`.
 */
export async function listBlockedTimes(context: Context, query: QueryOf<'listBlockedTimes'>) {
  const { caller } = context;
  const access = authorize(caller, 'listBlockedTimes');
  const ranges = { from: 'end_ms', to: 'start_ms' } as const;
  const conditions = toConditions(query, { equal: ['stylist_id'], ranges });
  const stylistId = access === 'own' ? (caller.stylistId ?? '') : undefined;
  if (stylistId !== undefined) {
    const isOwn = { column: 'stylist_id', is: '=', value: stylistId } as const;
    conditions.unshift({ anyOf: [isOwn, { column: 'stylist_id', isNull: true }] });
  }
  const list = { collection: 'blocked_times', query, conditions, stylistId } as const;
  const page = await readCollectionPage(context, list);
  if (caller.role !== 'viewer') return page;
  const blocks: BlockedTime[] = JSON.parse(page.dataJson.toString());
  return { ...page, dataJson: toDataJson(blocks.map((block) => toShownBlock(caller, block))) };
}

/** Throws `not_found`, also for what is blocked for another stylist when the key is limited to one. */
export async function getBlockedTime(context: Context, id: string): Promise<BlockedTime> {
  const access = authorize(context.caller, 'getBlockedTime');
  const { record } = await findBlock(context.database.reader, context, { id, access });
  return toShownBlock(context.caller, record);
}

/**
 * Blocks time. Appointments in it stay, and the result names them; of a booking at the same instant, either it is
 * among them, or it is refused. Throws `permission_denied` and `validation_failed`.
 */
export async function createBlockedTime(
  context: Context,
  body: BodyOf<'createBlockedTime'>,
): Promise<WrittenBlockedTime> {
  const { environment, caller } = context;
  const { stylist_id, start_time, end_time, reason = 'other', note = null } = body;
  const accountId = caller.account.id;
  return transact(context, 'createBlockedTime', async (tx, access) => {
    assertMayBlock(caller, access, stylist_id);
    const given = { stylist_id, start_time, end_time, reason, note };
    const object = createStoredRecord('blocked_time', await validate(tx, accountId, given), environment);
    await insertRecord(tx, 'blocked_times', toStoredRow(accountId, 'blocked_times', object));
    await recordChangeWithoutEvent(tx, context, { action: 'blocked_time.created', id: object.id, object });
    return withAffected(tx, accountId, object);
  });
}

/** Changes the given fields. Throws `not_found`, `precondition_failed`, `permission_denied` and `validation_failed`. */
export async function updateBlockedTime(
  context: Context,
  id: string,
  { change, ifMatch }: RecordUpdate<BodyOf<'updateBlockedTime'>>,
): Promise<WrittenBlockedTime> {
  const { caller } = context;
  const accountId = caller.account.id;
  return transact(context, 'updateBlockedTime', async (tx, access) => {
    const { record: former } = await findBlock(tx, context, { id, access, ifMatch });
    const { id: _id, created_at, updated_at, ...given } = change;
    const wanted = { ...former, ...given };
    assertMayBlock(caller, access, former.stylist_id);
    assertMayBlock(caller, access, wanted.stylist_id);
    const merged = await validate(tx, accountId, wanted, former);
    if (isUnchanged(former, merged)) return withAffected(tx, accountId, former);
    const object = await replaceRecord(tx, context, { collection: 'blocked_times', former, object: merged });
    await recordChangeWithoutEvent(tx, context, { action: 'blocked_time.updated', id, former, object });
    return withAffected(tx, accountId, object);
  });
}

/**
 * Unblocks time. Its notes are erased from the audit log and saved results, too. Throws `not_found` and
 * `precondition_failed`.
 */
export async function deleteBlockedTime(
  context: Context,
  id: string,
  { ifMatch }: IfMatch = {},
): Promise<undefined> {
  const { environment, caller } = context;
  const accountId = caller.account.id;
  await transact(context, 'deleteBlockedTime', async (tx, access) => {
    const { record, seq } = await findBlock(tx, context, { id, access, ifMatch });
    assertMayBlock(caller, access, record.stylist_id);
    await deleteRecord(tx, { accountId, collection: 'blocked_times' }, seq);
    await recordAudit(tx, context, { action: 'blocked_time.deleted', id, former: { ...record, note: null } });
    await eraseAuditValues(tx, environment, { accountId, subject: { kind: 'record', id } });
    await eraseResults(tx, { accountId, clientId: id });
  });
}

/** What is blocked for the whole salon is there for every stylist. */
async function findBlock(
  reader: Reader,
  { caller }: Context,
  { id, access, ifMatch }: IfMatch & { readonly id: string; readonly access: Access },
) {
  const found = await findStoredRecord(reader, caller, { collection: 'blocked_times', id });
  const isOwn = [null, caller.stylistId].includes(found.record.stylist_id);
  if (access === 'own' && !isOwn) throw notFound('blocked_time', id);
  assertIfMatch(found.record, ifMatch);
  return found;
}

/** Time of the whole salon is for owners and managers; a stylist's key blocks time of that stylist alone. */
function assertMayBlock(caller: Caller, access: Access, stylistId: string | null): void {
  const managesAll = caller.role === 'owner' || caller.role === 'manager';
  if (stylistId === null && !managesAll) throw permissionDenied(caller, 'stylists.write');
  assertOwn(caller, access, stylistId);
}

/** Rules that a schema cannot express. Returns the fields with times in UTC. Throws `validation_failed`. */
async function validate<Wanted extends Fields>(
  tx: Writer,
  accountId: string,
  wanted: Wanted,
  former?: Fields,
): Promise<Wanted> {
  const { stylist_id: stylistId, note } = wanted;
  const violations: Violation[] = findUnstorable({ note });
  if (stylistId !== null && stylistId !== former?.stylist_id) {
    const status = await readStylistStatus(tx, { accountId, id: stylistId });
    violations.push(...checkStylist('/stylist_id', status));
  }
  const span = toUtcSpan(wanted, ['start_time', 'end_time'], violations);
  assertValidBody(violations);
  return { ...wanted, ...span };
}

async function withAffected(tx: Writer, accountId: string, block: BlockedTime): Promise<WrittenBlockedTime> {
  const { stylist_id: stylistId, start_time, end_time } = block;
  const time = { accountId, stylistId, startMs: Date.parse(start_time), endMs: Date.parse(end_time) };
  const { ids, count } = await findAffected(tx, time, maxListedConflicts);
  return { ...block, affected_appointment_ids: ids, affected_count: count };
}
