import type { ClientChange, Client as ClientRecord, NewClient } from '../contract/client.ts';
import { endpoints } from '../contract/endpoints.ts';
import { assertIdentifier } from './call.ts';
import { type Collection, createCollection, type ListQuery } from './collection.ts';
import { clientKind } from './kind.ts';
import { type Fields, toWritten, type Written } from './record.ts';
import { toWhole, updateWhole } from './update-whole.ts';
import type { ListParts } from './walk/read-page.ts';

export interface UpdateOptions {
  /** Send the changes alone, for a server that is known to merge. */
  readonly partial?: boolean | undefined;
  /** The tag that the record must have; with another one it is not changed: `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

export interface DeleteOptions {
  /** Cancel the client's upcoming appointments too. */
  readonly force?: boolean | undefined;
  /** The tag that the record must have; with another one it is not removed: `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

export interface ClientCollection extends Collection<ClientRecord, ListQuery<'listClients'>, NewClient> {
  /**
   * Changes a record so that it comes out right whether the server merges or replaces: it is read first and sent
   * whole, unknown members with it. Where the server tags its records, a change that somebody makes in between is
   * not overwritten: `conflict` if it is of the same fields.
   */
  update(id: string, change: ClientChange | Fields, options?: UpdateOptions): Promise<Written<ClientRecord>>;
  delete(id: string, options?: DeleteOptions): Promise<void>;
}

export function createClientCollection(parts: ListParts): ClientCollection {
  const collection = createCollection<ClientRecord, ListQuery<'listClients'>, NewClient>(clientKind, parts);
  return {
    ...collection,
    async update(id, change, { partial = false, ifMatch } = {}) {
      assertIdentifier(id, clientKind.noun);
      if (partial) return send(id, change, ifMatch);
      if (ifMatch !== undefined) return send(id, toWhole(await collection.get(id), change), ifMatch);
      const name = `${clientKind.noun} ${id}`;
      const read = () => collection.getTagged(id);
      return updateWhole({ name, read, send: (body, tag) => send(id, body, tag) }, change);
    },
    async delete(id, { force = false, ifMatch } = {}) {
      assertIdentifier(id, clientKind.noun);
      const query = force ? { force } : undefined;
      await parts.call.endpoint(endpoints.deleteClient, { id, query, headers: toHeaders(ifMatch) });
    },
  };

  async function send(id: string, body: Fields, ifMatch: string | undefined): Promise<Written<ClientRecord>> {
    const answer = await parts.call.endpoint(endpoints.updateClient, {
      id,
      body,
      headers: toHeaders(ifMatch),
    });
    const written = toWritten<ClientRecord>(answer, clientKind.noun);
    // Nothing to say is how some servers say that a change is made.
    return { ...written, id, outcome: answer.status === 202 ? 'accepted' : 'done' };
  }
}

function toHeaders(ifMatch: string | undefined): Record<string, string> | undefined {
  return ifMatch === undefined ? undefined : { 'if-match': ifMatch };
}
