import type { Appointment, AppointmentStatus } from '../../contract/appointment.ts';
import type { Client } from '../../contract/client.ts';
import { apiVersion } from '../../contract/endpoints.ts';
import {
  type BookingEvent,
  type ClientChangeEvent,
  type ClientRemovalEvent,
  type EventType,
  matchesEvent,
  type PaymentEvent,
} from '../../contract/events.ts';
import type { Payment } from '../../contract/payment.ts';
import type { Writer } from '../db/engine.ts';
import { insertEvent } from '../db/events.ts';
import { readSubscriptions } from '../db/webhooks.ts';
import type { Context } from './context.ts';
import { createId } from './records.ts';

/** What happened to a record: how it is now and, where it had been there before, how it was. */
export type RecordChange =
  | ChangeOf<BookingEvent['type'], Appointment>
  | ChangeOf<PaymentEvent['type'], Payment>
  | ChangeOf<ClientChangeEvent['type'], Client>
  | { readonly type: ClientRemovalEvent['type']; readonly object: ClientRemovalEvent['data']['object'] };

interface ChangeOf<Type extends EventType, Item> {
  readonly type: Type;
  readonly object: Item;
  readonly former?: Item;
}

/** Whom an event is for: the account it happened in, and each webhook that is told. */
interface EventTarget {
  readonly accountId: string;
  readonly webhookIds: readonly string[];
}

/** What is told of a change, before it has a name and a time. */
interface EventPayload {
  readonly type: EventType;
  readonly data: object;
  /** The client whose personal data is in it. */
  readonly clientId?: string;
}

/**
 * Writes the event of a change and its deliveries, in the change's own transaction: both are there or neither.
 * Belongs to a change that has been made, so the caller leaves it out where nothing changed.
 */
export async function recordEvent(
  tx: Writer,
  { environment, caller }: Pick<Context, 'environment' | 'caller'>,
  change: RecordChange,
): Promise<void> {
  const accountId = caller.account.id;
  const listeners = await readSubscriptions(tx, accountId);
  const told = listeners.filter(({ events }) => matchesEvent(JSON.parse(events), change.type));
  const webhookIds = told.map(({ id }) => id);
  await writeEvent(tx, environment, { accountId, webhookIds, ...toMessage(change) });
}

/** The same for a change of an appointment that had been there before. */
export function recordBookingChange(
  tx: Writer,
  context: Pick<Context, 'environment' | 'caller'>,
  change: { readonly former: Appointment; readonly object: Appointment },
): Promise<void> {
  return recordEvent(tx, context, { type: toBookingEvent(change.former, change.object), ...change });
}

/** Writes an event for the webhooks named and no others, and answers the identifiers of its deliveries. */
export async function writeEvent(
  tx: Writer,
  environment: Context['environment'],
  { accountId, webhookIds, type, data, clientId }: EventTarget & EventPayload,
): Promise<string[]> {
  const now = environment.now();
  const id = createId('event', environment);
  const body = JSON.stringify({ id, type, timestamp: now.toISOString(), api_version: apiVersion, data });
  const deliveries = webhookIds.map((webhookId) => ({
    id: createId('delivery', environment),
    webhook_id: webhookId,
  }));
  const row = { id, account_id: accountId, type, created_ms: now.getTime(), body };
  await insertEvent(tx, { ...row, client_id: clientId ?? null }, deliveries);
  return deliveries.map((delivery) => delivery.id);
}

function toMessage(change: RecordChange): EventPayload {
  const { type, object } = change;
  const former = 'former' in change ? change.former : undefined;
  const previous = former === undefined ? {} : { previous_attributes: toPreviousAttributes(former, object) };
  const data = { resource: toResource(type), object, ...previous };
  const isPersonal = type === 'client.created' || type === 'client.updated';
  return { type, data, ...(isPersonal ? { clientId: object.id } : {}) };
}

function toResource(type: RecordChange['type']): 'appointment' | 'payment' | 'client' {
  const [family] = type.split('.');
  return family === 'booking' ? 'appointment' : family === 'payment' ? 'payment' : 'client';
}

/** The fields that were otherwise before; `updated_at` always was, so it says nothing. */
function toPreviousAttributes(former: object, object: object): Record<string, unknown> {
  const present = new Map<string, unknown>(Object.entries(object));
  return Object.fromEntries(
    Object.entries(former).filter(
      ([name, value]) => name !== 'updated_at' && JSON.stringify(value) !== JSON.stringify(present.get(name)),
    ),
  );
}

/** Becoming pending again is told as an update: there is no event of its own for it. */
const statusEvents: Readonly<Record<AppointmentStatus, BookingEvent['type']>> = {
  pending: 'booking.updated',
  confirmed: 'booking.confirmed',
  arrived: 'booking.arrived',
  in_service: 'booking.started',
  completed: 'booking.completed',
  cancelled: 'booking.cancelled',
  no_show: 'booking.no_show',
};

/** Fields that decide when and with whom the time is taken. */
const slotFields = ['start_time', 'stylist_id', 'duration'] as const;

/** The one event of a change that changed something: a status wins over a move, a move over other edits. */
export function toBookingEvent(former: Appointment, present: Appointment): BookingEvent['type'] {
  if (former.status !== present.status) {
    return statusEvents[present.status];
  }
  const isMoved = slotFields.some((field) => former[field] !== present[field]);
  return isMoved ? 'booking.rescheduled' : 'booking.updated';
}
