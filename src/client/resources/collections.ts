import {
  type ApiKey,
  type ApiKeyRoll,
  apiKeyEndpoints,
  type CreatedApiKey,
  type KeyUsage,
  type NewApiKey,
  type RolledApiKey,
} from '../../contract/api-key.ts';
import { type AuditEntry, auditEndpoints } from '../../contract/audit.ts';
import type { ApiContext } from '../api-context.ts';
import { assertIdentifier } from '../http/request-path.ts';
import { type Fields, isFields } from '../json-object.ts';
import type { PagedList } from '../pagination/paginate.ts';
import { createAppointmentCollection } from './appointments.ts';
import { createClientCollection } from './clients.ts';
import { createActs, createDelete, type Delete, type ResourceQuery } from './collection.ts';
import { createList, type ListOptions } from './list.ts';
import { createPaymentCollection } from './payments.ts';
import { noRecord, requireRecord } from './response-record.ts';
import { createSalonResource } from './salon.ts';
import { createUpdatable, type UpdatableCollection } from './update-record.ts';
import { createWebhookCollection } from './webhooks.ts';

/** The resources of a service. */
export type Collections = ReturnType<typeof createCollections>;

export type StylistCollection = UpdatableCollection<'Stylist'>;

type DeletableName = 'BlockedTime' | 'Service' | 'WaitlistEntry';

export type DeletableCollection<Name extends DeletableName> = UpdatableCollection<Name> & {
  readonly delete: Delete;
};

export function createCollections(context: ApiContext) {
  const createDeletable = <Name extends DeletableName>(name: Name): DeletableCollection<Name> => ({
    ...createUpdatable(name, context),
    delete: createDelete(name, context),
  });
  return createOnDemand({
    appointments: () => createAppointmentCollection(context),
    blockedTimes: () => createDeletable('BlockedTime'),
    clients: () => createClientCollection(context),
    salon: () => createSalonResource(context),
    services: () => createDeletable('Service'),
    stylists: (): StylistCollection => createUpdatable('Stylist', context),
    payments: () => createPaymentCollection(context),
    waitlist: () => createDeletable('WaitlistEntry'),
    webhooks: () => createWebhookCollection(context),
    apiKeys: () => createApiKeyCollection(context),
    audit: () => createAuditLog(context),
  });
}

/** Creates each resource when it is first used: a program needs one or two of them. */
function createOnDemand<Resources extends object>(
  creators: {
    readonly [Name in keyof Resources]: () => Resources[Name];
  },
): Readonly<Resources> {
  const resources = {} as Resources;
  for (const name of Object.keys(creators) as (keyof Resources)[]) {
    let created: Resources[typeof name] | undefined;
    const get = () => (created ??= creators[name]());
    Object.defineProperty(resources, name, { get, enumerable: true, configurable: true });
  }
  return resources;
}

/** Who did what, as the service recorded it. */
function createAuditLog(context: ApiContext) {
  const list = createList<AuditEntry>({ plural: 'entries', list: auditEndpoints.listAuditLog }, context);
  return {
    /** Lists entries, oldest first unless sorted. Throws `not_supported` where the server has no audit log. */
    list: (query?: ResourceQuery<'listAuditLog'>, options?: ListOptions) => list(query, options),
  };
}

/** The API keys of the account. */
export interface ApiKeyCollection {
  /** Lists keys, oldest first; by default active and expired ones. */
  list(query?: ResourceQuery<'listApiKeys'>, options?: ListOptions): PagedList<ApiKey>;
  /** The requests of the current hour by key and app. Throws `not_supported` where the server does not count them. */
  usage(): Promise<KeyUsage>;
  /** Returns the key in the record. It cannot be read later. */
  create(body: NewApiKey | Fields): Promise<CreatedApiKey>;
  /** Programs that use the key stop working at once. */
  revoke(id: string): Promise<void>;
  /** Returns a new key with the same rights. The former one stays valid until `former_expires_at`. */
  roll(id: string, body?: ApiKeyRoll): Promise<RolledApiKey>;
}

function createApiKeyCollection(context: ApiContext): ApiKeyCollection {
  const { api } = context;
  const roll = createActs(context)<RolledApiKey>(apiKeyEndpoints.rollApiKey, 'API key', 'api_key');
  return {
    list: createList<ApiKey>({ plural: 'API keys', list: apiKeyEndpoints.listApiKeys }, context),
    async usage() {
      const response = await api.endpoint(apiKeyEndpoints.getKeyUsage, { isUnlimited: true });
      const { body } = response;
      if (isFields(body) && Array.isArray(body['data'])) return body as KeyUsage;
      throw noRecord(response, 'usage');
    },
    create: async (body) =>
      requireRecord(await api.endpoint(apiKeyEndpoints.createApiKey, { body }), 'api_key'),
    async revoke(id) {
      assertIdentifier(id, 'API key');
      await api.endpoint(apiKeyEndpoints.revokeApiKey, { id });
    },
    roll: (id, body = {}) => roll(id, body),
  };
}
