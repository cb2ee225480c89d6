import { isDeepStrictEqual } from 'node:util';
import { readOnlyClientFields } from '../../contract/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { assertIdentifier } from '../http/api-requester.ts';
import type { Fields } from '../http/decode.ts';
import { toQuote } from '../http/quote.ts';
import type { ListParts } from '../pagination/page-fetcher.ts';
import type { Collection } from './collection.ts';
import { type Tagged, toWritten, type Written } from './record.ts';
import type { ChangeableResource } from './resource.ts';

/** How a record is read and written back. */
export interface WholeUpdate<T> {
  readonly read: () => Promise<Tagged<T>>;
  /** Writes the record; with a tag only if it still has that. */
  readonly send: (body: Fields, ifMatch: string | undefined) => Promise<Written<T>>;
  /** What the record is called, for a sentence. */
  readonly name: string;
}

/**
 * Reads a record, changes it and sends it whole. Where the server knows tags, nobody's change is lost: if the
 * record was changed in between it is read again, and sent if the fields to be changed are still what they were.
 * Throws `conflict` with their values if they are not, and `precondition_failed` if it happens twice.
 */
export async function updateWhole<T extends object>(
  { read, send, name }: WholeUpdate<T>,
  change: Fields,
): Promise<Written<T>> {
  const old = await read();
  try {
    return await send(toWhole(old.record, change), toStrongTag(old.etag));
  } catch (thrown) {
    if (!(thrown instanceof SalonError) || thrown.code !== 'precondition_failed') throw thrown;
    const present = await read();
    const fields = findChanged(change, old.record as Fields, present.record as Fields);
    if (fields.length > 0) throw changedMeanwhile(name, fields, thrown);
    return send(toWhole(present.record, change), toStrongTag(present.etag));
  }
}

/** What is written so that a record comes out changed on any server: all of it but what only the service sets. */
export function toWhole(record: object, change: Fields): Fields {
  const readOnly: readonly string[] = readOnlyClientFields;
  const kept = Object.entries(record).filter(([name]) => !readOnly.includes(name));
  return { ...Object.fromEntries(kept), ...change };
}

interface ChangedField {
  readonly field: string;
  readonly old: unknown;
  readonly present: unknown;
}

/** Fields that somebody else has changed, and not to what they are to become. */
function findChanged(change: Fields, old: Fields, present: Fields): ChangedField[] {
  return Object.entries(change)
    .map(([field, wanted]) => ({ field, wanted, old: old[field] ?? null, present: present[field] ?? null }))
    .filter((one) => !isDeepStrictEqual(one.present, one.old) && !isDeepStrictEqual(one.present, one.wanted))
    .map(({ wanted: _, ...one }) => one);
}

function changedMeanwhile(name: string, fields: readonly ChangedField[], cause: SalonError): SalonError {
  const said = fields.map((one) => `${one.field} was ${toText(one.old)} and is ${toText(one.present)} now`);
  return new SalonError('conflict', `The ${name} was changed meanwhile: ${said.join('; ')}.`, {
    status: cause.status,
    hint: 'Look at it, and change it again if that still is right.',
    requestId: cause.requestId,
    members: { fields },
    cause,
  });
}

function toText(value: unknown): string {
  return toQuote(JSON.stringify(value), 80);
}

/** A weak tag never matches, so a change must not be bound to one. */
function toStrongTag(etag: string | undefined): string | undefined {
  return etag?.startsWith('"') ? etag : undefined;
}

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
