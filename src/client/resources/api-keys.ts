import {
  type ApiKey,
  type ApiKeyQuery,
  type ApiKeyRoll,
  type CreatedApiKey,
  apiKeyEndpoints as endpoints,
  type NewApiKey,
  type RolledApiKey,
} from '../../contract/api-key.ts';
import type { Fields } from '../fields.ts';
import { assertIdentifier } from '../http/request-path.ts';
import type { ApiContext } from '../pagination/page-requests.ts';
import type { PagedList } from '../pagination/paginate.ts';
import { createList, type ListOptions } from './list.ts';
import { requireRecord } from './record.ts';

type ApiKeyListQuery = Omit<ApiKeyQuery, 'page' | 'after'>;

/** The API keys of the account. */
export interface ApiKeyCollection {
  /** Lists keys, oldest first; by default active and expired ones. */
  list(query?: ApiKeyListQuery, options?: ListOptions): PagedList<ApiKey>;
  /** Returns the key in the record. It cannot be read later. */
  create(body: NewApiKey | Fields): Promise<CreatedApiKey>;
  /** Programs that use the key stop working at once. */
  revoke(id: string): Promise<void>;
  /** Returns a new key with the same rights. The former one stays valid until `former_expires_at`. */
  roll(id: string, body?: ApiKeyRoll): Promise<RolledApiKey>;
}

export function createApiKeyCollection(context: ApiContext): ApiKeyCollection {
  const { api } = context;
  return {
    list: createList<ApiKey>({ plural: 'API keys', list: endpoints.listApiKeys }, context),
    create: async (body) => requireRecord(await api.endpoint(endpoints.createApiKey, { body }), 'api_key'),
    async revoke(id) {
      assertIdentifier(id, 'API key');
      await api.endpoint(endpoints.revokeApiKey, { id });
    },
    async roll(id, body = {}) {
      assertIdentifier(id, 'API key');
      return requireRecord(await api.endpoint(endpoints.rollApiKey, { id, body }), 'api_key');
    },
  };
}
