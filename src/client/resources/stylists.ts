import type { Appointment } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import type { NewStylist, Stylist, StylistChange } from '../../contract/stylist.ts';
import type { Page } from '../pagination/page.ts';
import type { ListParts } from '../pagination/page-fetcher.ts';
import type { PagedList } from '../pagination/paginate.ts';
import { type Collection, createCollection, type ListQuery } from './collection.ts';
import { createList, type ListOptions } from './list.ts';
import { stylistResource } from './resource.ts';
import { createUpdate, type Update } from './update.ts';

type StylistQuery = ListQuery<'listStylists'>;

export interface StylistListOptions extends ListOptions {
  /** Whether appointments are searched for stylists where the server has none; if not, `not_supported` is thrown. */
  readonly searchesAppointments?: boolean | undefined;
}

export interface StylistCollection extends Collection<Stylist, StylistQuery, NewStylist> {
  /** Where the server has no stylists of its own, the list is of those its appointments name: identifiers alone. */
  list(query?: StylistQuery, options?: StylistListOptions): PagedList<Stylist>;
  readonly update: Update<Stylist, StylistChange>;
}

export function createStylistCollection(
  parts: ListParts,
  appointments: { list(): PagedList<Appointment> },
): StylistCollection {
  const listOwn = createList<Stylist>(stylistResource, parts);
  const collection = createCollection<Stylist, StylistQuery, NewStylist>(stylistResource, parts, list);
  return { ...collection, update: createUpdate(stylistResource, parts, collection) };

  function list(query?: StylistQuery, options: StylistListOptions = {}): PagedList<Stylist> {
    const own = listOwn(query, options);
    if (options.searchesAppointments === false) return own;
    return { ...own, [Symbol.asyncIterator]: () => readOwnOrNamed(own, options) };
  }

  async function* readOwnOrNamed(
    own: PagedList<Stylist>,
    options: ListOptions,
  ): AsyncGenerator<Page<Stylist>, void> {
    try {
      yield* own;
    } catch (thrown) {
      if (!(thrown instanceof SalonError) || thrown.code !== 'not_supported') throw thrown;
      const message = `${thrown.message} These are the stylists that its appointments name.`;
      parts.observe({ type: 'warning', message });
      yield toPage(await findNamed(), options);
    }
  }

  /** A salon has few stylists, however many appointments. */
  async function findNamed(): Promise<readonly string[]> {
    const ids = new Set<string>();
    for await (const { rows } of appointments.list()) {
      for (const { stylist_id } of rows) if (typeof stylist_id === 'string') ids.add(stylist_id);
    }
    return [...ids].sort();
  }
}

function toPage(ids: readonly string[], { limit = ids.length }: ListOptions): Page<Stylist> {
  const rows = ids.slice(0, limit).map((id) => ({ id }) as Stylist);
  return { rows, page: 1, total: ids.length, version: undefined, resume: undefined };
}
