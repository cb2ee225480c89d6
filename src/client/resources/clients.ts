import type { ClientChange, Client as ClientRecord, NewClient } from '../../contract/client.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { assertIdentifier } from '../http/api-requester.ts';
import type { ListParts } from '../pagination/page-fetcher.ts';
import { type Collection, createCollection, type ListQuery } from './collection.ts';
import { clientResource } from './resource.ts';
import { createUpdate, toMatchHeaders, type Update } from './update.ts';

export interface DeleteOptions {
  /** Cancel the client's upcoming appointments too. */
  readonly force?: boolean | undefined;
  /** The tag that the record must have; with another one it is not removed: `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

export interface ClientCollection extends Collection<ClientRecord, ListQuery<'listClients'>, NewClient> {
  readonly update: Update<ClientRecord, ClientChange>;
  delete(id: string, options?: DeleteOptions): Promise<void>;
}

export function createClientCollection(parts: ListParts): ClientCollection {
  const collection = createCollection<ClientRecord, ListQuery<'listClients'>, NewClient>(
    clientResource,
    parts,
  );
  return {
    ...collection,
    update: createUpdate(clientResource, parts, collection),
    async delete(id, { force = false, ifMatch } = {}) {
      assertIdentifier(id, clientResource.noun);
      const query = force ? { force } : undefined;
      await parts.call.endpoint(endpoints.deleteClient, { id, query, headers: toMatchHeaders(ifMatch) });
    },
  };
}
