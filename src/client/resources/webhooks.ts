import type { Delivery, DeliveryQuery, Redelivery, RedeliveryCount } from '../../contract/delivery.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import {
  type CreatedWebhook,
  webhookEndpoints as endpoints,
  type NewWebhook,
  type RotatedSecret,
  type Webhook,
  type WebhookChange,
  type WebhookQuery,
} from '../../contract/webhook.ts';
import { type ApiRequester, assertIdentifier } from '../http/api-requester.ts';
import type { ApiResponse, Fields } from '../http/decode.ts';
import type { ListParts } from '../pagination/page-fetcher.ts';
import type { PagedList } from '../pagination/paginate.ts';
import { type CreateOptions, createCollection } from './collection.ts';
import { createList, type ListOptions } from './list.ts';
import { requireRecord, type Tagged, type Written } from './record.ts';
import { webhookResource } from './resource.ts';
import { createUpdate, toMatchHeaders, type Update } from './update.ts';

type WebhookListQuery = Omit<WebhookQuery, 'page' | 'after'>;
type DeliveryListQuery = Omit<DeliveryQuery, 'page' | 'after'>;

/** What a server says can be asked for; one of another make has names of its own. */
export interface EventTypes {
  readonly types: readonly string[];
  readonly patterns: readonly string[];
}

export interface WebhookCollection {
  list(query?: WebhookListQuery, options?: ListOptions): PagedList<Webhook>;
  get(id: string): Promise<Webhook>;
  /** The secret is in the record that comes back, and never again. */
  create(body: NewWebhook | Fields, options?: CreateOptions): Promise<Written<CreatedWebhook>>;
  readonly update: Update<Webhook, WebhookChange>;
  /** What is on its way to it is lost. With `ifMatch` only if it still has that tag, else `precondition_failed`. */
  delete(id: string, options?: { readonly ifMatch?: string | undefined }): Promise<void>;
  /** The secret is told here and never again; the one before it signs beside it until `former_secret_until`. */
  rotateSecret(id: string): Promise<RotatedSecret>;
  /** Sends a `webhook.test` event. It is on its way when this resolves: what came of it is in `deliveries`. */
  test(id: string): Promise<Delivery>;
  /** What was sent to one webhook, in the order it was made in. */
  deliveries(id: string, query?: DeliveryListQuery, options?: ListOptions): PagedList<Delivery>;
  /** Sends the event of one delivery once more. */
  redeliver(deliveryId: string): Promise<Delivery>;
  /** The same for the deliveries of a webhook that were made in a time. */
  redeliverSome(id: string, which: Redelivery | Fields): Promise<RedeliveryCount>;
  eventTypes(): Promise<EventTypes>;
}

export function createWebhookCollection(given: ListParts): WebhookCollection {
  const parts = { ...given, call: withHint(given.call) };
  const { call } = parts;
  const collection = createCollection<Webhook, WebhookListQuery, NewWebhook, CreatedWebhook>(
    webhookResource,
    parts,
  );
  // A server that cannot be asked for one webhook has no list of them either.
  const getTagged = (id: string): Promise<Tagged<Webhook>> =>
    collection.getTagged(id, { searchesList: false });
  return {
    list: collection.list,
    get: async (id) => (await getTagged(id)).record,
    create: collection.create,
    update: createUpdate<Webhook, WebhookChange>(webhookResource, parts, { getTagged }),
    async delete(id, { ifMatch } = {}) {
      assertIdentifier(id, 'webhook');
      await call.endpoint(endpoints.deleteWebhook, { id, headers: toMatchHeaders(ifMatch) });
    },
    async rotateSecret(id) {
      assertIdentifier(id, 'webhook');
      return requireRecord<RotatedSecret>(
        await call.endpoint(endpoints.rotateWebhookSecret, { id }),
        'secret',
      );
    },
    async test(id) {
      assertIdentifier(id, 'webhook');
      return requireRecord<Delivery>(await call.endpoint(endpoints.testWebhook, { id }), 'delivery');
    },
    deliveries(id, query, options) {
      assertIdentifier(id, 'webhook');
      const { path } = endpoints.listDeliveries;
      const list = { ...endpoints.listDeliveries, path: path.replace(':id', id) };
      return createList<Delivery>({ plural: 'deliveries', list }, parts)(query, options);
    },
    async redeliver(id) {
      assertIdentifier(id, 'delivery');
      return requireRecord<Delivery>(await call.endpoint(endpoints.redeliver, { id }), 'delivery');
    },
    async redeliverSome(id, body) {
      assertIdentifier(id, 'webhook');
      return requireRecord<RedeliveryCount>(
        await call.endpoint(endpoints.redeliverSome, { id, body }),
        'count',
      );
    },
    eventTypes: async () => toEventTypes(await call.endpoint(endpoints.listEventTypes)),
  };
}

/** Where a server cannot be told where to send its events, what works without is named. */
function withHint(call: ApiRequester): ApiRequester {
  return {
    ...call,
    async endpoint(endpoint, parcel) {
      try {
        return await call.endpoint(endpoint, parcel);
      } catch (thrown) {
        if (!(thrown instanceof SalonError) || thrown.code !== 'not_supported') throw thrown;
        const hint =
          'Tell it in its own way where to send events; salon webhooks listen and salon webhooks verify work with that.';
        throw withContext(thrown, { hint });
      }
    },
  };
}

function toEventTypes({ body, status }: ApiResponse): EventTypes {
  const { data, patterns }: Fields = Object(body);
  if (isTexts(data)) return { types: data, patterns: isTexts(patterns) ? patterns : data };
  throw new SalonError('unexpected_response', `The server answered ${status} without a list of events.`, {
    status,
  });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
