import type { Delivery, LoggedDelivery, Redelivery, RedeliveryCount } from '../../contract/delivery.ts';
import { webhookEndpoints as endpoints, type RotatedSecret, type Webhook } from '../../contract/webhook.ts';
import type { ApiContext } from '../api-context.ts';
import { assertIdentifier } from '../http/request-path.ts';
import type { Fields } from '../json-object.ts';
import type { PagedList } from '../pagination/paginate.ts';
import { createActs, createCollection, createDelete, type Delete, type ResourceQuery } from './collection.ts';
import { createList, type ListOptions } from './list.ts';
import { createUpdate, type UpdatableCollection } from './update-record.ts';

type DeliveryListQuery = ResourceQuery<'listDeliveries'>;
type LoggedDeliveryListQuery = ResourceQuery<'listAllDeliveries'>;

/** The event types that the service offers. */
export interface EventTypes {
  readonly types: readonly string[];
  readonly patterns: readonly string[];
}

/** Creating a webhook returns its secret in the record. It cannot be read later. */
export interface WebhookCollection extends Omit<UpdatableCollection<'Webhook'>, 'get' | 'getTagged'> {
  get(id: string): Promise<Webhook>;
  /** Pending deliveries are lost. */
  readonly delete: Delete;
  /** Returns a new secret. It cannot be read later. The old one stays valid until `former_secret_until`. */
  rotateSecret(id: string): Promise<RotatedSecret>;
  /** Queues a `webhook.test` event. See `deliveries` for its result. */
  test(id: string): Promise<Delivery>;
  /** Lists the deliveries of a webhook, oldest first. */
  deliveries(id: string, query?: DeliveryListQuery, options?: ListOptions): PagedList<Delivery>;
  /** Lists the deliveries of all webhooks, oldest first; with status `no_webhook`, events that none was subscribed to. */
  allDeliveries(query?: LoggedDeliveryListQuery, options?: ListOptions): PagedList<LoggedDelivery>;
  /** Sends the event of a delivery again. */
  redeliver(deliveryId: string): Promise<Delivery>;
  /** Sends the events of several deliveries of a webhook again. */
  redeliverSome(id: string, which: Redelivery | Fields): Promise<RedeliveryCount>;
  eventTypes(): Promise<EventTypes>;
}

export function createWebhookCollection(context: ApiContext): WebhookCollection {
  const { api } = context;
  const act = createActs(context);
  const collection = createCollection('Webhook', context);
  const { list, create } = collection;
  // A server that cannot return one webhook has no list of them either.
  const getTagged = (id: string) => collection.getTagged(id, { searchesList: false });
  return {
    list,
    get: async (id) => (await getTagged(id)).record,
    create,
    update: createUpdate('Webhook', context, { list, getTagged }),
    delete: createDelete('Webhook', context),
    rotateSecret: act(endpoints.rotateWebhookSecret, 'webhook', 'secret'),
    test: act(endpoints.testWebhook, 'webhook', 'delivery'),
    deliveries(id, query, options) {
      assertIdentifier(id, 'webhook');
      const { path } = endpoints.listDeliveries;
      const list = { ...endpoints.listDeliveries, path: path.replace(':id', () => id) };
      return createList<Delivery>({ plural: 'deliveries', list }, context)(query, options);
    },
    allDeliveries: createList<LoggedDelivery>(
      { plural: 'deliveries', list: endpoints.listAllDeliveries },
      context,
    ),
    redeliver: act(endpoints.redeliver, 'delivery', 'delivery'),
    redeliverSome: act(endpoints.redeliverSome, 'webhook', 'count'),
    async eventTypes() {
      const { body } = await api.endpoint(endpoints.listEventTypes);
      const { data: types, patterns } = body as { data: string[]; patterns: string[] };
      return { types, patterns };
    },
  };
}
