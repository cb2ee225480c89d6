import type { ClientMerge, ReversedMerge } from '../../contract/client-merging.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import type { ApiContext } from '../api-context.ts';
import { assertIdentifier } from '../http/request-path.ts';
import { canBeLookedUp } from '../http/retry.ts';
import type { Fields } from '../json-object.ts';
import { createGuardedCall } from './collection.ts';
import { isMarkedDeleted, saysDeleted } from './confirm-write.ts';
import { assertFound } from './response-record.ts';
import { createUpdatable, type UpdatableCollection } from './update-record.ts';

const noun = 'client';

interface DeleteOptions {
  /** Cancels the client's upcoming appointments too. */
  readonly force?: boolean | undefined;
  /** Deletes only a record with this entity tag; otherwise throws `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

export interface MergeOptions {
  /** Merges into a record with this entity tag only. */
  readonly ifMatch?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

export interface NewMerge {
  readonly from: string;
  /** Fields of the merged record; the others are combined. */
  readonly fields?: Fields | undefined;
  /** The entity tag that `from` must have. */
  readonly fromIfMatch?: string | undefined;
}

export interface ClientCollection extends UpdatableCollection<'Client'> {
  delete(id: string, options?: DeleteOptions): Promise<void>;
  /**
   * Merges another client into this one. Throws `not_supported` where the server has no such endpoint,
   * `precondition_failed`, and `not_found` with the member `merged_into` for one that was merged before.
   */
  merge(id: string, merge: NewMerge, options?: MergeOptions): Promise<ClientMerge>;
  /** Reverses the latest merge, or that of one client. Throws `not_supported` and `merge_not_reversible`. */
  unmerge(id: string, from?: string, options?: MergeOptions): Promise<ReversedMerge>;
}

export function createClientCollection(context: ApiContext): ClientCollection {
  const collection = createUpdatable('Client', context);
  const call = createGuardedCall(endpoints.getClient, context);
  return {
    ...collection,
    async delete(id, { force = false, ifMatch } = {}) {
      assertIdentifier(id, noun);
      const query = force ? { force } : undefined;
      const response = await call(endpoints.deleteClient, { id, query }, ifMatch).catch(async (thrown) => {
        if (canBeLookedUp(thrown) && (await isGone(id))) return { status: 204, headers: {}, body: undefined };
        throw thrown;
      });
      const { itemPath } = context.dialect.current();
      // Of a deleted record, a server may send what is left.
      if (Array.isArray(response.body)) assertFound(response, { noun, id, itemPath });
      if (!saysDeleted(response, id) && (await isStillThere(id))) throw notDeleted(id, response.status);
    },
    async merge(id, { from, fields, fromIfMatch }, options = {}) {
      assertIdentifier(id, noun);
      const body = { from, fields, from_if_match: fromIfMatch };
      return send<ClientMerge>(endpoints.mergeClients, { id, body }, options);
    },
    async unmerge(id, from, options = {}) {
      assertIdentifier(id, noun);
      return send<ReversedMerge>(endpoints.unmergeClients, { id, body: { from } }, options);
    },
  };

  async function send<Result>(
    endpoint: Endpoint,
    request: { readonly id: string; readonly body: object },
    { ifMatch, idempotencyKey }: MergeOptions,
  ): Promise<Result> {
    return (await call(endpoint, { ...request, idempotencyKey }, ifMatch)).body as Result;
  }

  async function isStillThere(id: string): Promise<boolean> {
    const record = await collection.get(id, { searchesList: false }).catch(() => undefined);
    return record !== undefined && !isMarkedDeleted(record);
  }

  async function isGone(id: string): Promise<boolean> {
    const reading = collection.get(id).then(() => undefined);
    const error: unknown = await reading.catch((thrown: unknown) => thrown);
    return error instanceof SalonError && error.code === 'not_found' && error.status === 404;
  }
}

function notDeleted(id: string, status: number): SalonError {
  return new SalonError('refused', `The server responded with ${status}, but client ${id} still exists.`, {
    status,
    hint: 'The server may not let you delete it. Look at its response with --debug.',
    // It was read again, and a replica may lag.
    members: { in_doubt: true },
  });
}
