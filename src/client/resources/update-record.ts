import { assertIdentifier } from '../api-requester.ts';
import type { ListParts } from '../pagination/read-page.ts';
import type { Collection } from './collection.ts';
import { type Fields, toWritten, type Written } from './record.ts';
import type { ChangeableResource } from './resource.ts';
import { toWhole, updateWhole } from './update-whole.ts';

export interface UpdateOptions {
  /** Send the changes alone, for a server that is known to merge. */
  readonly partial?: boolean | undefined;
  /** The tag that the record must have; with another one it is not changed: `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

/**
 * Changes a record so that it comes out right whether the server merges or replaces: it is read first and sent
 * whole, unknown members with it. Where the server tags its records, a change that somebody makes in between is
 * not overwritten: `conflict` if it is of the same fields.
 */
export type Update<T, Change> = (
  id: string,
  change: Change | Fields,
  options?: UpdateOptions,
) => Promise<Written<T>>;

export function createUpdate<T extends object, Change extends Fields>(
  { noun, update: endpoint }: ChangeableResource,
  { call }: ListParts,
  { getTagged }: Pick<Collection<T, never, never>, 'getTagged'>,
): Update<T, Change> {
  return async (id, change, { partial = false, ifMatch } = {}) => {
    assertIdentifier(id, noun);
    if (partial) return send(change, ifMatch);
    if (ifMatch !== undefined) return send(toWhole((await getTagged(id)).record, change), ifMatch);
    return updateWhole({ name: `${noun} ${id}`, read: () => getTagged(id), send }, change);

    async function send(body: Fields, tag: string | undefined): Promise<Written<T>> {
      const answer = await call.endpoint(endpoint, { id, body, headers: toMatchHeaders(tag) });
      // Nothing to say is how some servers say that a change is made.
      return { ...toWritten<T>(answer, noun), id, outcome: answer.status === 202 ? 'accepted' : 'done' };
    }
  };
}

/** The header that binds a change to a record as it is known. */
export function toMatchHeaders(ifMatch: string | undefined): Record<string, string> | undefined {
  return ifMatch === undefined ? undefined : { 'if-match': ifMatch };
}
