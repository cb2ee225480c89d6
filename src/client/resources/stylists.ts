import type { Appointment } from '../../contract/appointment.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { toIdText } from '../../contract/identifiers.ts';
import type { NewStylist, Stylist, StylistChange } from '../../contract/stylist.ts';
import type { ApiContext } from '../api-context.ts';
import type { Page } from '../pagination/page.ts';
import { type PagedList, readWhole } from '../pagination/paginate.ts';
import { type Collection, createCollection, type ResourceQuery } from './collection.ts';
import { createList, type ListOptions } from './list.ts';
import { createUpdate, type UpdatableResource, type Update } from './update-record.ts';

const resource: UpdatableResource = {
  noun: 'stylist',
  plural: 'stylists',
  list: endpoints.listStylists,
  get: endpoints.getStylist,
  create: endpoints.createStylist,
  update: endpoints.updateStylist,
};

type StylistQuery = ResourceQuery<'listStylists'>;

interface StylistListOptions extends ListOptions {
  /** Whether to search appointments if the server has no list of stylists; otherwise throws `not_supported`. */
  readonly searchesAppointments?: boolean | undefined;
}

export interface StylistCollection extends Collection<Stylist, StylistQuery, NewStylist> {
  /** If the server has no list of stylists, lists those named in appointments, with only their IDs. */
  list(query?: StylistQuery, options?: StylistListOptions): PagedList<Stylist>;
  readonly update: Update<Stylist, StylistChange>;
}

export function createStylistCollection(context: ApiContext): StylistCollection {
  const listStylists = createList<Stylist>(resource, context);
  const collection = createCollection<Stylist, StylistQuery, NewStylist>(resource, context, list);
  return { ...collection, update: createUpdate(resource, context, { ...collection, list: listStylists }) };

  function list(
    query?: StylistQuery,
    { searchesAppointments = true, ...options }: StylistListOptions = {},
  ): PagedList<Stylist> {
    const stylists = listStylists(query, options);
    if (!searchesAppointments) return stylists;
    return { ...stylists, [Symbol.asyncIterator]: () => readPages(stylists, options) };
  }

  async function* readPages(
    stylists: PagedList<Stylist>,
    options: ListOptions,
  ): AsyncGenerator<Page<Stylist>, void> {
    try {
      yield* stylists;
    } catch (thrown) {
      if (!(thrown instanceof SalonError) || thrown.code !== 'not_supported') throw thrown;
      const message = `${thrown.message} Listing the stylists named in appointments instead.`;
      context.observe({ type: 'warning', message });
      yield toPage(await findInAppointments(), options);
    }
  }

  async function findInAppointments(): Promise<readonly string[]> {
    const list = createList<Appointment>(
      { plural: 'appointments', list: endpoints.listAppointments },
      context,
    );
    const ids = new Set<string>();
    for await (const { rows } of readWhole(list(), 'appointments')) {
      for (const { stylist_id } of rows) ids.add(toIdText(stylist_id) ?? '');
    }
    ids.delete('');
    return [...ids].sort();
  }
}

function toPage(ids: readonly string[], { limit = ids.length }: ListOptions): Page<Stylist> {
  const rows = ids.slice(0, limit).map((id) => ({ id }) as Stylist);
  return { rows, page: 1, total: ids.length, version: undefined, resume: undefined };
}
