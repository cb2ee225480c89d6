import type { QueryOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import { type WaitlistEntry, waitingStatuses, waitlistStatuses } from '../../contract/waitlist.ts';
import { minuteMs, parseInstant } from '../../time/time.ts';
import type { Writer } from '../db/engine.ts';
import { hasRecord, readStylistStatus } from '../db/records/records.ts';
import type { Condition } from '../db/rows.ts';
import { assertOwn, authorize } from './authorization.ts';
import type { Context } from './context.ts';
import { limitToOwn, readCollectionPage, toConditions, toDataJson } from './list-page.ts';
import { createGetter } from './records.ts';
import { createWrites } from './stored-resource.ts';
import { checkStylist } from './stylists.ts';
import { assertValidBody, findUnstorable, invalidParameter, toUtcSpan } from './validation.ts';

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

export const getWaitlistEntry = createGetter('getWaitlistEntry', 'waitlist_entries', toShown);

function toShown(entry: WaitlistEntry, { environment }: Context): WaitlistEntry {
  return toShownEntry(entry, environment.now().getTime());
}

export const {
  add: createWaitlistEntry,
  change: updateWaitlistEntry,
  remove: deleteWaitlistEntry,
} = createWrites({
  name: 'WaitlistEntry',
  collection: 'waitlist_entries',
  assertMayWrite: (caller, access, { stylist_id }) => assertOwn(caller, access, stylist_id),
  validate,
  show: toShown,
  respond: async (_tx, context, { object }) => toShown(object, context),
});

async function validate<Wanted extends Omit<WaitlistEntry, 'id' | 'created_at' | 'updated_at'>>(
  tx: Writer,
  context: Context,
  { wanted, former }: { readonly wanted: Wanted; readonly former?: WaitlistEntry },
): Promise<Wanted> {
  const accountId = context.caller.account.id;
  const { client_id: clientId, stylist_id: stylistId, service, note } = wanted;
  // Clients often send whole records back.
  const isEcho = former !== undefined && toShown(former, context).status === wanted.status;
  const status = isEcho ? former.status : wanted.status;
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
  if (span.to !== former?.to && Date.parse(span.to) <= context.environment.now().getTime()) {
    violations.push({ pointer: '/to', code: 'out_of_range', detail: '/to has passed.' });
  }
  assertValidBody(violations);
  return { ...wanted, ...span, status };
}
