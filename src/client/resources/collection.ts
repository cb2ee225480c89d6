import type { QueryOf } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { assertIdentifier, type QueryValues } from '../http/api-requester.ts';
import type { Fields } from '../http/decode.ts';
import type { ListParts } from '../pagination/page-fetcher.ts';
import type { PagedList } from '../pagination/paginate.ts';
import { createList, type ListOptions } from './list.ts';
import { requireTagged, type Tagged, toWritten, type Written } from './record.ts';
import type { Resource } from './resource.ts';

/** Filters and order of a list; `per_page` is the size wanted, the pages themselves are walked. */
export type ListQuery<Op extends 'listAppointments' | 'listClients' | 'listStylists' | 'listPayments'> = Omit<
  QueryOf<Op>,
  'page' | 'after'
>;

export interface GetOptions {
  /** Whether the list is searched where the server reads no single records; if not, `not_supported` is thrown. */
  readonly searchesList?: boolean | undefined;
}

export interface CreateOptions {
  /** Sent as `Idempotency-Key`; a fresh one is made where it is left out. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * What every kind of record can do. `New` says what a record is made from, other servers may want other fields;
 * `Created` is the record as it comes back then, where more is told of it than later.
 */
export interface Collection<T, Query, New, Created = T> {
  list(query?: Query, options?: ListOptions): PagedList<T>;
  get(id: string, options?: GetOptions): Promise<T>;
  /** The same, with the tag that a change can be bound to. */
  getTagged(id: string, options?: GetOptions): Promise<Tagged<T>>;
  create(body: New | Fields, options?: CreateOptions): Promise<Written<Created>>;
}

export function createCollection<T, Query extends QueryValues, New extends Fields, Created = T>(
  kind: Resource,
  parts: ListParts,
  list: Collection<T, Query, New>['list'] = createList<T>(kind, parts),
): Collection<T, Query, New, Created> {
  const { call, observe } = parts;
  return { list, get: async (id, options) => (await getTagged(id, options)).record, getTagged, create };

  async function getTagged(id: string, { searchesList = true }: GetOptions = {}): Promise<Tagged<T>> {
    assertIdentifier(id, kind.noun);
    try {
      return requireTagged<T>(await call.endpoint(kind.get, { id }), kind.noun);
    } catch (thrown) {
      if (!(thrown instanceof SalonError) || thrown.code !== 'not_supported' || !searchesList) throw thrown;
      observe({ type: 'warning', message: `${thrown.message} The list is searched instead.` });
      return { record: await findInList(list(), kind.noun, id), etag: undefined };
    }
  }

  async function create(body: Fields, { idempotencyKey }: CreateOptions = {}): Promise<Written<Created>> {
    const headers = idempotencyKey === undefined ? undefined : { 'idempotency-key': idempotencyKey };
    return toWritten<Created>(await call.endpoint(kind.create, { body, headers }), kind.noun);
  }
}

async function findInList<T>(pages: PagedList<T>, noun: string, id: string): Promise<T> {
  for await (const { rows } of pages) {
    const row = rows.find((candidate) => (candidate as Fields | null)?.['id'] === id);
    if (row !== undefined) return row;
  }
  throw new SalonError('not_found', `There is no ${noun} ${id}.`, { members: { resource: noun, id } });
}
