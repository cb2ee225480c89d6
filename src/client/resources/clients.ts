import type { ClientChange, Client as ClientRecord, NewClient } from '../../contract/client.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { assertIdentifier } from '../http/api-requester.ts';
import type { ApiContext } from '../pagination/page-requests.ts';
import { type Collection, createCollection, type ResourceQuery } from './collection.ts';
import { createUpdate, toMatchHeaders, type UpdatableResource, type Update } from './update.ts';

const resource: UpdatableResource = {
  noun: 'client',
  plural: 'clients',
  list: endpoints.listClients,
  get: endpoints.getClient,
  create: endpoints.createClient,
  update: endpoints.updateClient,
};

export interface DeleteOptions {
  /** Cancels the client's upcoming appointments too. */
  readonly force?: boolean | undefined;
  /** Deletes only a record with this entity tag; otherwise throws `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

type ClientQuery = ResourceQuery<'listClients'>;

export interface ClientCollection extends Collection<ClientRecord, ClientQuery, NewClient> {
  readonly update: Update<ClientRecord, ClientChange>;
  delete(id: string, options?: DeleteOptions): Promise<void>;
}

export function createClientCollection(context: ApiContext): ClientCollection {
  const collection = createCollection<ClientRecord, ClientQuery, NewClient>(resource, context);
  return {
    ...collection,
    update: createUpdate(resource, context, collection),
    async delete(id, { force = false, ifMatch } = {}) {
      assertIdentifier(id, resource.noun);
      const query = force ? { force } : undefined;
      await context.api.endpoint(endpoints.deleteClient, { id, query, headers: toMatchHeaders(ifMatch) });
    },
  };
}
