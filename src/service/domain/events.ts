import type { Appointment, AppointmentStatus } from '../../contract/appointment.ts';
import type { Client } from '../../contract/client.ts';
import { apiVersion } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import {
  type BookingEvent,
  type ClientChangeEvent,
  type ClientRemovalEvent,
  type EventType,
  matchesEvent,
  type PaymentEvent,
} from '../../contract/events.ts';
import type { Payment } from '../../contract/payment.ts';
import { insertEvent, type LastEvent, type LogEnds, readLogEnds } from '../db/deliveries/events.ts';
import type { Writer } from '../db/engine.ts';
import type { CollectionKey } from '../db/pages.ts';
import { readSubscriptions } from '../db/records/webhooks.ts';
import { type AuditedAction, recordAudit } from './audit.ts';
import type { Caller, Context } from './context.ts';
import { toStorageQuota } from './limits.ts';
import { createId, type Replacement } from './records.ts';

/** A change of a record: its new state and, when it existed before, its former one. */
type ChangedRecord =
  | ChangeOf<BookingEvent['type'], Appointment>
  | ChangeOf<PaymentEvent['type'], Payment>
  | ChangeOf<ClientChangeEvent['type'], Client>
  | { readonly type: ClientRemovalEvent['type']; readonly object: ClientRemovalEvent['data']['object'] };

interface ChangeOf<Type extends EventType, Item> {
  readonly type: Type;
  readonly object: Item;
  readonly former?: Item;
}

interface EventPayload {
  readonly type: EventType;
  readonly data: object;
  /** The client whose personal data it contains, and the one that the record belonged to before. */
  readonly clientId?: string | null;
  readonly formerClientId?: string | null;
}

type EventContext = Pick<Context, 'environment' | 'caller' | 'source' | 'skipsLogs'>;

/** There is no event for pending. */
const statusEvents: Readonly<Record<AppointmentStatus, BookingEvent['type']>> = {
  pending: 'booking.updated',
  confirmed: 'booking.confirmed',
  arrived: 'booking.arrived',
  in_service: 'booking.started',
  completed: 'booking.completed',
  cancelled: 'booking.cancelled',
  no_show: 'booking.no_show',
};

const slotFields = ['start_time', 'stylist_id', 'duration'] as const;

/** Reads what a change of a record follows. Nothing may be added to the logs between this and the change. */
export async function readLogs(tx: Writer, key: CollectionKey) {
  const ends = await readLogEnds(tx, key);
  return { ends, subscriptions: ends.hasWebhook ? await readSubscriptions(tx, key.accountId) : [] };
}

/** Where an account's logs end and who listens, as of an open transaction. */
export type Logs = Awaited<ReturnType<typeof readLogs>>;

/**
 * Writes the event of a change, its deliveries and its audit entry, in the transaction of the change. The logs may have
 * been read already.
 */
export async function recordEvent(
  tx: Writer,
  context: EventContext,
  change: ChangedRecord,
  { logs, ...audited }: Partial<Pick<AuditedAction, 'action' | 'details'>> & { readonly logs?: Logs } = {},
): Promise<Pick<LogEnds, 'event' | 'entry'>> {
  const { environment, caller } = context;
  const accountId = caller.account.id;
  const { ends, subscriptions } =
    logs ?? (await readLogs(tx, { accountId, collection: `${toResource(change.type)}s` }));
  assertStorageQuota(caller.account, { type: change.type, storedBytes: ends.storedBytes });
  if (context.skipsLogs) return ends;
  const webhookIds = subscriptions
    .filter(({ events }) => matchesEvent(JSON.parse(events), change.type))
    .map(({ id }) => id);
  const written = { accountId, webhookIds, ...toPayload(change) };
  const { event } = await writeEvent(tx, environment, written, ends.event);
  return { event, entry: await recordAudit(tx, context, { ...toAct(change), ...audited }, ends) };
}

/** Writes the event of a changed appointment. */
export async function recordBookingChange(
  tx: Writer,
  context: EventContext,
  change: Replacement<Appointment>,
): Promise<void> {
  await recordEvent(tx, context, { type: toBookingEvent(change.former, change.object), ...change });
}

/**
 * Writes an event for the given webhooks behind the last one. Returns its place, and the IDs of its deliveries. Without
 * webhooks the event has no body.
 */
export async function writeEvent(
  tx: Writer,
  environment: Context['environment'],
  {
    accountId,
    webhookIds,
    type,
    data,
    ...clients
  }: EventPayload & { accountId: string; webhookIds: readonly string[] },
  last: LastEvent | undefined,
): Promise<{ readonly event: LastEvent; readonly deliveryIds: readonly string[] }> {
  const now = environment.now();
  const id = createId('event', environment);
  const message = { id, type, timestamp: now.toISOString(), api_version: apiVersion, data };
  const body = webhookIds.length === 0 ? null : JSON.stringify(message);
  const deliveries = webhookIds.map((webhook_id) => ({ id: createId('delivery', environment), webhook_id }));
  const { clientId = null, formerClientId = null } = body === null ? {} : clients;
  const row = { id, account_id: accountId, type, created_ms: now.getTime(), body };
  const about = { client_id: clientId, former_client_id: formerClientId };
  const event = await insertEvent(tx, last, { ...row, ...about }, deliveries);
  return { event, deliveryIds: deliveries.map((delivery) => delivery.id) };
}

/** The one event of a change: a new status wins over a new slot, a new slot over other edits. */
export function toBookingEvent(former: Appointment, current: Appointment): BookingEvent['type'] {
  if (former.status !== current.status) return statusEvents[current.status];
  const isMoved = slotFields.some((field) => former[field] !== current[field]);
  return isMoved ? 'booking.rescheduled' : 'booking.updated';
}

function toPayload(change: ChangedRecord): EventPayload {
  const { type, object } = change;
  const former = 'former' in change ? change.former : undefined;
  const previous = former === undefined ? {} : { previous_attributes: toPreviousAttributes(former, object) };
  const data = { resource: toResource(type), object, ...previous };
  if (type === 'client.deleted') return { type, data };
  if (!('client_id' in object)) return { type, data, clientId: object.id };
  const formerClientId = former === undefined || !('client_id' in former) ? null : former.client_id;
  const isMoved = formerClientId !== object.client_id;
  return { type, data, clientId: object.client_id, formerClientId: isMoved ? formerClientId : null };
}

function toAct(change: ChangedRecord): AuditedAction {
  const { type, object } = change;
  const action = `${toResource(type)}.${type.split('.')[1]}` as const;
  if (type === 'client.deleted') return { action, id: object.id };
  return { action, id: object.id, object, former: 'former' in change ? change.former : undefined };
}

function toResource(type: ChangedRecord['type']): 'appointment' | 'payment' | 'client' {
  const [family] = type.split('.');
  return family === 'booking' ? 'appointment' : family === 'payment' ? 'payment' : 'client';
}

/** The former values of changed fields, without `updated_at`. */
function toPreviousAttributes(former: object, object: object): Record<string, unknown> {
  const current = new Map<string, unknown>(Object.entries(object));
  return Object.fromEntries(
    Object.entries(former).filter(
      ([name, value]) => name !== 'updated_at' && JSON.stringify(value) !== JSON.stringify(current.get(name)),
    ),
  );
}

/** Changes that have no event. */
type ChangeWithoutEvent =
  | 'stylist.created'
  | 'stylist.updated'
  | 'salon.updated'
  | 'webhook.created'
  | 'blocked_time.created'
  | 'blocked_time.updated'
  | 'service.created'
  | 'service.updated'
  | 'waitlist_entry.created'
  | 'waitlist_entry.updated';

/** Existing records can be changed a little longer, so that a salon can finish its day. */
const changesShare = 1.1;

/** What frees a place, in the calendar or in the database, is never refused. */
const neverRefused: readonly string[] = ['booking.cancelled', 'client.deleted', 'webhook.test'];

/** Throws `storage_quota_exceeded` when an account stores too much for a change. */
function assertStorageQuota(
  { hourlyLimit }: Pick<Caller['account'], 'hourlyLimit'>,
  { type, storedBytes }: { readonly type: EventType | ChangeWithoutEvent; readonly storedBytes: number },
): void {
  const quota = toStorageQuota(hourlyLimit);
  const share = type.endsWith('.created') ? 1 : changesShare;
  if (storedBytes <= quota * share || neverRefused.includes(type)) return;
  const text = `The account stores ${toMebibytes(storedBytes)} of ${toMebibytes(quota)} MiB.`;
  throw new SalonError('storage_quota_exceeded', text, {
    members: { stored_bytes: storedBytes, quota_bytes: quota },
  });
}

/** Writes the audit entry of a change without an event, in its transaction. Throws `storage_quota_exceeded`. */
export async function recordChangeWithoutEvent(
  tx: Writer,
  context: EventContext,
  act: AuditedAction & { readonly action: ChangeWithoutEvent },
): Promise<void> {
  const { account } = context.caller;
  // Only what the account stores matters, which is the same for every collection.
  const { storedBytes } = await readLogEnds(tx, { accountId: account.id, collection: 'clients' });
  assertStorageQuota(account, { type: act.action, storedBytes });
  await recordAudit(tx, context, act);
}

function toMebibytes(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20);
}
