import type { Endpoint } from '../../contract/endpoint.ts';
import {
  type BodyOf,
  endpoints,
  type Operation,
  type QueryOf,
  type ResponseOf,
} from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { toIdText } from '../../contract/identifiers.ts';
import type { ApiContext } from '../api-context.ts';
import { toSentFields } from '../dialect/record-form.ts';
import type { EndpointOptions } from '../http/api-requester.ts';
import type { ApiResponse } from '../http/decode.ts';
import { assertIdentifier } from '../http/request-path.ts';
import { canBeLookedUp, toUnknownResult } from '../http/retry.ts';
import type { Fields } from '../json-object.ts';
import { type PagedList, readWhole } from '../pagination/paginate.ts';
import { readHeader } from '../response-headers.ts';
import { confirmWrite, findCreated, saysCreated } from './confirm-write.ts';
import { createList, type ListOptions } from './list.ts';
import {
  assertFound,
  assertRequested,
  noRecord,
  recordNotFound,
  requireRecord,
  type Tagged,
  toCreated,
  unwrapRecord,
  type Written,
} from './response-record.ts';
import { isOtherForm } from './stored-value.ts';
import { toWrittenTimes } from './written-times.ts';

/** The resources of records, as the operations of the contract name them. */
export type ResourceName =
  | 'Appointment'
  | 'BlockedTime'
  | 'Client'
  | 'Payment'
  | 'Service'
  | 'Stylist'
  | 'WaitlistEntry'
  | 'Webhook';

/** Several of a kind, as `WaitlistEntries`. */
type PluralOf<Name extends string> = Name extends `${infer Stem}y` ? `${Stem}ies` : `${Name}s`;

/** The endpoints and names of a resource. */
type Resource = ReturnType<typeof resourceOf>;

export function resourceOf(name: ResourceName) {
  const noun = name.replaceAll(/\B[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
  return {
    ...{ noun, plural: toPlural(noun) },
    list: endpoints[`list${toPlural(name)}`] as Endpoint,
    get: endpoints[`get${name}`] as Endpoint,
    create: endpoints[`create${name}`] as Endpoint,
  };
}

function toPlural<Name extends string>(name: Name) {
  return `${name.replace(/y$/, 'ie')}s` as PluralOf<Name>;
}

/** Filters and order of a list. `per_page` is the page size; pagination is automatic. */
export type ResourceQuery<List extends Operation> = Omit<QueryOf<List>, 'page' | 'after'>;

interface GetOptions {
  /** Whether to search the list if the server cannot read a single record; otherwise throws `not_supported`. */
  readonly searchesList?: boolean | undefined;
}

export interface CreateRecordOptions {
  /** Sent as `Idempotency-Key`; a new one by default. */
  readonly idempotencyKey?: string | undefined;
  /** Whether to search the list for the record if the result is unknown; true by default. */
  readonly looksUp?: boolean | undefined;
}

/** The operations of every resource. `Created` is the record returned by `create`, which may have more fields. */
export interface Collection<T, Query, New, Created = T> {
  list(query?: Query, options?: ListOptions): PagedList<T>;
  get(id: string, options?: GetOptions): Promise<T>;
  /** `get` with the entity tag, which `ifMatch` takes. */
  getTagged(id: string, options?: GetOptions): Promise<Tagged<T>>;
  create(body: New | Fields, options?: CreateRecordOptions): Promise<Written<Created>>;
}

/** The operations of a resource with the types of its endpoints. */
export type CollectionOf<Name extends ResourceName> = Collection<
  ResponseOf<`get${Name}`>,
  ResourceQuery<`list${PluralOf<Name>}`>,
  BodyOf<`create${Name}`>,
  ResponseOf<`create${Name}`>
>;

export function createCollection<Name extends ResourceName>(
  name: Name,
  context: ApiContext,
): CollectionOf<Name> {
  type T = ResponseOf<`get${Name}`>;
  type Created = ResponseOf<`create${Name}`>;
  const resource = resourceOf(name);
  const list = createList<T>(resource, context) as CollectionOf<Name>['list'];
  const { api, dialect, forms, observe, now } = context;
  const { noun, plural } = resource;
  const shape = () => dialect.of(plural);
  return { list, get: async (id, options) => (await getTagged(id, options)).record, getTagged, create };

  async function getTagged(id: string, { searchesList = true }: GetOptions = {}): Promise<Tagged<T>> {
    assertIdentifier(id, noun);
    try {
      const response = await api.endpoint(resource.get, { id });
      assertFound(response, { noun, id, itemPath: shape().itemPath });
      const record = requireRecord<T>(response, noun, await shapeOf(response));
      assertRequested(record, noun, id);
      return { record, etag: readHeader(response.headers, 'etag') };
    } catch (thrown) {
      if (!(thrown instanceof SalonError) || thrown.code !== 'not_supported' || !searchesList) throw thrown;
      observe({ type: 'warning', message: `${thrown.message} Searching the list instead.` });
      return { record: await findInList(list(), resource, id), etag: undefined };
    }
  }

  /** The dialect, with the names that the record in a response shows. */
  async function shapeOf({ body }: ApiResponse) {
    const record = forms && unwrapRecord(body, noun, { ...shape(), map: undefined });
    if (record !== undefined) await forms?.learnRecord(plural, record);
    return shape();
  }

  async function create(
    named: Fields,
    { idempotencyKey, looksUp = true }: CreateRecordOptions = {},
  ): Promise<Written<Created>> {
    if ('status' in named) await forms?.settle(plural, list());
    const given = shape().map?.adopt(named) ?? named;
    const timed = toWrittenTimes(given, { plural }, context);
    const body = (await forms?.apply(plural, timed, list())) ?? timed;
    const sentAtMs = now();
    let response: ApiResponse;
    let written: Written<Created>;
    try {
      response = await api.endpoint(resource.create, { body, idempotencyKey });
      written = toCreated<Created>(response, noun, await shapeOf(response));
      if (!saysCreated(written, response.status, body))
        throw toUnknownResult(noRecord(response, noun), 'POST');
    } catch (thrown) {
      const search = { body, sentAtMs, isSame: isOtherForm };
      const [record, ...others] =
        looksUp && canBeLookedUp(thrown)
          ? await findCreated(
              (query) => list(query as Parameters<CollectionOf<Name>['list']>[0]),
              search,
            ).catch(() => [])
          : [];
      const id = toIdText(record?.['id']);
      if (id === undefined || others.length > 0) throw thrown;
      return { outcome: 'done', id, record: record as Created, etag: undefined };
    }
    // Only the server sets these; a record that is copied from another has them, too.
    const { id: _id, created_at: _createdAt, ...sent } = toSentFields(body, shape());
    const read = (id: string) => getTagged(id, { searchesList: false });
    return confirmWrite<unknown>(written, {
      ...{ noun, status: response.status, sent, isNew: true, read },
    }) as Promise<Written<Created>>;
  }
}

async function findInList<T>(list: PagedList<T>, { noun, plural }: Resource, id: string): Promise<T> {
  for await (const { rows } of readWhole(list, plural)) {
    const row = rows.find((candidate) => toIdText((candidate as Fields | null)?.['id']) === id);
    if (row !== undefined) return row;
  }
  throw recordNotFound(noun, id);
}

/**
 * Calls endpoints for a record that must still have an entity tag. Throws `precondition_failed` otherwise. A proxy that
 * compresses makes a tag weak or adds a suffix, so the tag is sent as the server gave it out. Where that is rejected
 * although the record still has the tag, the server's own tags are weak and never match (RFC 9110, 13.1.1): the tag is
 * compared here, just before the write, with a warning.
 */
export function createGuardedCall(read: Endpoint, { api, observe }: ApiContext) {
  let tagsNeverMatch = false;

  return async (endpoint: Endpoint, options: EndpointOptions, ifMatch: string | undefined) => {
    const original = ifMatch === undefined ? undefined : toOriginalTag(ifMatch);
    if (original === ifMatch) return call(original);
    if (!tagsNeverMatch) {
      try {
        return await call(original);
      } catch (thrown) {
        const isRejected = thrown instanceof SalonError && thrown.code === 'precondition_failed';
        if (!isRejected || (await readTag()) !== ifMatch) throw thrown;
        tagsNeverMatch = true;
        observe({ type: 'warning', message: weakTagsWarning });
      }
    } else if ((await readTag()) !== ifMatch) {
      throw new SalonError('precondition_failed', 'The record has changed since it was read.');
    }
    return call(undefined);

    function call(tag: string | undefined): Promise<ApiResponse> {
      const headers = tag === undefined ? options.headers : { ...options.headers, 'if-match': tag };
      return api.endpoint(endpoint, { ...options, headers });
    }

    async function readTag(): Promise<string | undefined> {
      // A cache could return an old version.
      const fresh = { id: options.id, headers: { 'cache-control': 'no-cache' } };
      return readHeader((await api.endpoint(read, fresh)).headers, 'etag');
    }
  };
}

/** Makes the methods that call an endpoint of one record, and return what its response has. */
export function createActs({ api }: ApiContext) {
  return <Result>(endpoint: Endpoint, noun: string, expected: string) =>
    async (id: string, body?: object): Promise<Result> => {
      assertIdentifier(id, noun);
      return requireRecord<Result>(await api.endpoint(endpoint, { id, body }), expected);
    };
}

/** With `ifMatch`, throws `precondition_failed` if the entity tag has changed. */
export type Delete = (id: string, options?: { readonly ifMatch?: string | undefined }) => Promise<void>;

/** Deletes a record, where a success needs no confirmation. */
export function createDelete(
  name: 'BlockedTime' | 'Service' | 'WaitlistEntry' | 'Webhook',
  context: ApiContext,
): Delete {
  const { noun, get } = resourceOf(name);
  const call = createGuardedCall(get, context);
  return async (id, { ifMatch } = {}) => {
    assertIdentifier(id, noun);
    await call(endpoints[`delete${name}`], { id }, ifMatch);
  };
}

const weakTagsWarning =
  'This server has weak entity tags only: a change that someone else makes at the same moment cannot be detected.';

/** Undoes what compression does to a tag: nginx makes it `W/"x"`, Apache and Caddy `"x-gzip"`. */
export function toOriginalTag(tag: string): string {
  return tag.replace(/^W\//, '').replace(/-(?:gzip|br|zstd|deflate)"$/, '"');
}
