import {
  type ClientChange,
  type Client as ClientRecord,
  type NewClient,
  readOnlyClientFields,
} from '../contract/client.ts';
import { endpoints } from '../contract/endpoints.ts';
import { assertIdentifier } from './call.ts';
import { type Collection, createCollection, type ListQuery } from './collection.ts';
import { clientKind } from './kind.ts';
import { type Fields, unwrapRecord, type Written } from './record.ts';
import type { ListParts } from './walk/read-page.ts';

export interface UpdateOptions {
  readonly partial?: boolean | undefined;
}

export interface DeleteOptions {
  /** Cancel the client's upcoming appointments too. */
  readonly force?: boolean | undefined;
}

export interface ClientCollection extends Collection<ClientRecord, ListQuery<'listClients'>, NewClient> {
  /**
   * Changes a record so that it comes out right whether the server merges or replaces: it is read first and sent
   * whole, unknown members with it.
   */
  update(id: string, change: ClientChange | Fields, options?: UpdateOptions): Promise<Written<ClientRecord>>;
  delete(id: string, options?: DeleteOptions): Promise<void>;
}

export function createClientCollection(parts: ListParts): ClientCollection {
  const collection = createCollection<ClientRecord, ListQuery<'listClients'>, NewClient>(clientKind, parts);
  return {
    ...collection,
    async update(id, change, { partial = false } = {}) {
      assertIdentifier(id, clientKind.noun);
      const body = partial ? change : { ...toWritable(await collection.get(id)), ...change };
      const answer = await parts.call.endpoint(endpoints.updateClient, { id, body });
      return {
        outcome: answer.status === 202 ? 'accepted' : 'done',
        id,
        record: unwrapRecord(answer.body, clientKind.noun) as ClientRecord | undefined,
      };
    },
    async delete(id, { force = false } = {}) {
      assertIdentifier(id, clientKind.noun);
      const query = force ? { force } : undefined;
      await parts.call.endpoint(endpoints.deleteClient, { id, query });
    },
  };
}

function toWritable(record: ClientRecord): Fields {
  const readOnly: readonly string[] = readOnlyClientFields;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !readOnly.includes(name)));
}
