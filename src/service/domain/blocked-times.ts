import {
  type BlockedTime,
  maxListedConflicts,
  type WrittenBlockedTime,
} from '../../contract/blocked-time.ts';
import type { QueryOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import type { Access } from '../../contract/roles.ts';
import type { Writer } from '../db/engine.ts';
import { findAffected } from '../db/records/appointments.ts';
import { readStylistStatus } from '../db/records/records.ts';
import { assertOwn, authorize, permissionDenied } from './authorization.ts';
import { toShownBlock } from './booking.ts';
import type { Caller, Context } from './context.ts';
import { limitToOwn, readCollectionPage, toConditions, toDataJson } from './list-page.ts';
import { createGetter } from './records.ts';
import { createWrites } from './stored-resource.ts';
import { checkStylist } from './stylists.ts';
import { assertValidBody, findUnstorable, toUtcSpan } from './validation.ts';

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
  const list = limitToOwn(context, access, { collection: 'blocked_times', query, conditions });
  const page = await readCollectionPage(context, list);
  if (caller.role !== 'viewer') return page;
  const blocks: BlockedTime[] = JSON.parse(page.dataJson.toString());
  return { ...page, dataJson: toDataJson(blocks.map((block) => toShownBlock(caller, block))) };
}

export const getBlockedTime = createGetter('getBlockedTime', 'blocked_times', toShown);

function toShown(block: BlockedTime, { caller }: Context): BlockedTime {
  return toShownBlock(caller, block);
}

/**
 * Appointments in blocked time stay, and the result of a write names them; of a booking at the same instant, either it is
 * among them, or it is refused.
 */
export const {
  add: createBlockedTime,
  change: updateBlockedTime,
  remove: deleteBlockedTime,
} = createWrites({
  name: 'BlockedTime',
  collection: 'blocked_times',
  assertMayWrite,
  validate,
  respond: withAffected,
});

/** Time of the whole salon is for owners and managers; a stylist's key blocks time of that stylist alone. */
function assertMayWrite(caller: Caller, access: Access, { stylist_id: stylistId }: Fields): void {
  const managesAll = caller.role === 'owner' || caller.role === 'manager';
  if (stylistId === null && !managesAll) throw permissionDenied(caller, 'stylists.write');
  assertOwn(caller, access, stylistId);
}

async function validate<Wanted extends Fields>(
  tx: Writer,
  { caller }: Context,
  { wanted, former }: { readonly wanted: Wanted; readonly former?: Fields },
): Promise<Wanted> {
  const accountId = caller.account.id;
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

async function withAffected(
  tx: Writer,
  { caller }: Context,
  { object: block }: { readonly object: BlockedTime },
): Promise<WrittenBlockedTime> {
  const { stylist_id: stylistId, start_time, end_time } = block;
  const time = {
    accountId: caller.account.id,
    stylistId,
    startMs: Date.parse(start_time),
    endMs: Date.parse(end_time),
  };
  const { ids, count } = await findAffected(tx, time, maxListedConflicts);
  return { ...block, affected_appointment_ids: ids, affected_count: count };
}
