import { readOnlyClientFields } from '../../contract/client.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type BodyOf, endpoints, type ResponseOf } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import type { SettableOf } from '../../contract/schemas.ts';
import { isSameJson } from '../../text/json.ts';
import { quote } from '../../text/quote.ts';
import type { ApiContext } from '../api-context.ts';
import type { ApiResponse } from '../http/decode.ts';
import { assertIdentifier } from '../http/request-path.ts';
import { canBeLookedUp } from '../http/retry.ts';
import type { Fields } from '../json-object.ts';
import {
  type Collection,
  type CollectionOf,
  createCollection,
  createGuardedCall,
  type ResourceName,
  resourceOf,
} from './collection.ts';
import { confirmWrite, findDifferences } from './confirm-write.ts';
import { assertFound, type Tagged, toChanged, type Written } from './response-record.ts';
import { toWrittenTimes } from './written-times.ts';

interface UpdateOptions {
  /** Sends only the changed fields. Use it for a server that is known to merge them. */
  readonly partial?: boolean | undefined;
  /** Changes only a record with this entity tag; otherwise throws `precondition_failed`. */
  readonly ifMatch?: string | undefined;
  /** The record as it was read, so that it is not read again. */
  readonly current?: object | undefined;
}

/**
 * Changes a record. Reads it first and sends all of it, so that the result is right whether the server merges or
 * replaces. If the server supports entity tags, a concurrent change to other fields is kept, and one to the same
 * fields throws `conflict`. Throws `precondition_failed` if the record changes twice meanwhile.
 */
type Update<T, Change> = (
  id: string,
  change: Change | Fields,
  options?: UpdateOptions,
) => Promise<Written<T>>;

/** How the records are read. */
type Reading = Pick<Collection<object, never, never>, 'list' | 'getTagged'>;

type UpdatableName = Exclude<ResourceName, 'Payment'>;

type UpdateOf<Name extends UpdatableName> = Update<
  ResponseOf<`update${Name}`>,
  SettableOf<BodyOf<`update${Name}`>>
>;

/** The operations of a resource whose records can be changed. */
export type UpdatableCollection<Name extends UpdatableName> = CollectionOf<Name> & {
  readonly update: UpdateOf<Name>;
};

export function createUpdatable<Name extends UpdatableName>(
  name: Name,
  context: ApiContext,
): UpdatableCollection<Name> {
  const collection = createCollection(name, context);
  return { ...collection, update: createUpdate(name, context, collection as unknown as Reading) };
}

export function createUpdate<Name extends UpdatableName>(
  name: Name,
  context: ApiContext,
  { list, getTagged }: Reading,
): UpdateOf<Name> {
  type T = ResponseOf<`update${Name}`>;
  const { noun, plural, get } = resourceOf(name);
  const endpoint: Endpoint = endpoints[`update${name}`];
  const { dialect, forms } = context;
  const call = createGuardedCall(get, context);
  return async (id, named, { partial = false, ifMatch, current: known } = {}) => {
    assertIdentifier(id, noun);
    // A record that was read by another process has the contract's names.
    if (known !== undefined || 'status' in named) await forms?.settle(plural, list());
    const isPartial = partial || dialect.of(plural).partialUpdates;
    const whole = isPartial || known !== undefined ? undefined : await getTagged(id);
    const shape = dialect.of(plural);
    const { map } = shape;
    const given = map?.adopt(named) ?? named;
    // A server that keeps other fields replaces what contains a field.
    const containers = isPartial ? (map?.containersOf(given) ?? []) : [];
    const old = containers.length > 0 && known === undefined ? await getTagged(id) : whole;
    const current = (known ?? old?.record) as Fields | undefined;
    const timed = toWrittenTimes(given, { plural, current }, context);
    const change = (await forms?.apply(plural, timed, list())) ?? timed;
    if (old === undefined) return send(toBody(known ?? {}), ifMatch, known);
    if (ifMatch !== undefined) return send(toBody(old.record), ifMatch, old.record);
    try {
      return await send(toBody(old.record), old.etag, old.record);
    } catch (thrown) {
      if (!(thrown instanceof SalonError) || thrown.code !== 'precondition_failed') throw thrown;
      const now = await getTagged(id);
      const fields = findConflicts(change, old.record as Fields, now.record as Fields);
      if (fields.length > 0) throw conflict(`${noun} ${id}`, fields, thrown);
      return send(toBody(now.record), now.etag, now.record);
    }

    function toBody(record: object): Fields {
      if (!isPartial) return toFullRecord(record, change, shape.readOnlyFields);
      const kept = Object.entries(record).filter(([name]) => containers.includes(name));
      return { ...Object.fromEntries(kept), ...change };
    }

    async function send(body: Fields, tag: string | undefined, before?: object): Promise<Written<T>> {
      let response: ApiResponse;
      try {
        response = await call(endpoint, { id, body }, tag);
        assertFound(response, { noun, id, itemPath: shape.itemPath });
      } catch (thrown) {
        const now = canBeLookedUp(thrown) ? await read().catch(() => undefined) : undefined;
        const fields = before as Fields | undefined;
        if (now === undefined || findDifferences(change, fields, now.record as Fields).length > 0)
          throw thrown;
        return { outcome: 'done', id, ...now, before };
      }
      const written = toChanged<T>(response, { noun, id, shape });
      const { status } = response;
      return { ...(await confirmWrite(written, { noun, status, sent: change, before, read })), before };
    }

    function read(): Promise<Tagged<T>> {
      return getTagged(id, { searchesList: false }) as Promise<Tagged<T>>;
    }
  };
}

/**
 * The whole record with its changes, for a server that may replace it: with the times of its creation and last change,
 * which our service ignores and another one may lose.
 */
export function toFullRecord(record: object, change: Fields, readOnly: readonly string[] = []): Fields {
  return { ...omitMembers(record, ['id', ...readOnly]), ...change };
}

/** The fields of a record without those that a server sets for a new one. */
export function toNewRecord(record: object, readOnly: readonly string[] = []): Fields {
  return omitMembers(record, [...readOnlyClientFields, ...readOnly]);
}

function omitMembers(record: object, names: readonly string[]): Fields {
  const others = Object.entries(record).filter(
    ([name]) => !names.includes(name) && !hypermedia.includes(name) && !name.includes('@odata.'),
  );
  return Object.fromEntries(others);
}

/** Members of HAL, which are never fields. */
const hypermedia = ['_links', '_embedded'];

/** Fields that someone else changed to another value. */
function findConflicts(change: Fields, old: Fields, current: Fields) {
  return Object.entries(change).flatMap(([field, wanted]) => {
    const conflict = { field, old: old[field] ?? null, present: current[field] ?? null };
    const isUnchanged = isSameJson(conflict.present, conflict.old);
    return isUnchanged || isSameJson(conflict.present, wanted) ? [] : [conflict];
  });
}

function conflict(name: string, fields: ReturnType<typeof findConflicts>, cause: SalonError): SalonError {
  const render = (value: unknown) => quote(JSON.stringify(value), 80);
  const changes = fields.map((one) => `${one.field} from ${render(one.old)} to ${render(one.present)}`);
  return new SalonError('conflict', `Someone else changed the ${name}: ${changes.join('; ')}.`, {
    status: cause.status,
    hint: 'Check the record, then try again if your change is still right.',
    requestId: cause.requestId,
    members: { fields },
    cause,
  });
}
