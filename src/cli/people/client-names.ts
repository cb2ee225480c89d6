import { forEachConcurrent } from '../../bulk/concurrent.ts';
import type { SalonClient } from '../../client/client.ts';
import type { Page, ResumePoint } from '../../client/pagination/page.ts';
import type { Client } from '../../contract/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { pageSizes } from '../../contract/limits.ts';
import { isUnavailable, type NameFields, nameOfClient, toText } from './names.ts';

export interface NameOptions {
  readonly client: SalonClient;
  /** Concurrent requests for single clients. */
  readonly concurrency: number;
  /** Receives the number of requests before more than one page is read. */
  readonly announce: (requests: number) => void;
  readonly warn: (text: string) => void;
}

/** Names of clients, each read once. */
export interface ClientNames extends AsyncDisposable {
  /**
   * The names of these clients by ID. Deleted clients are missing, and so is everybody if the key may not read
   * clients.
   */
  read(ids: Iterable<string>): Promise<ReadonlyMap<string, string>>;
  /** Whether the server lists clients, and to this API key; known after the first `read`. */
  isAvailable(): boolean;
}

/** Reads names of clients by ID, as `createClientNames` does. */
export async function readClientNames(
  ids: Iterable<string>,
  options: NameOptions,
): Promise<ReadonlyMap<string, string>> {
  await using names = createClientNames(options);
  return await names.read(ids);
}

/** Up to this many clients are read one by one without looking at the list first. */
const fewClients = 2;
/** Names kept in memory; the oldest are dropped first. */
const maxKept = 100_000;

/**
 * Reads names with the fewest requests: one per client, or the list page by page once that is cheaper. The list is
 * read from where it stopped the last time.
 */
export function createClientNames({ client, concurrency, announce, warn }: NameOptions): ClientNames {
  /** Null for a deleted client. */
  const known = new Map<string, string | null>();
  const list = createClientList(client);
  let [isListed, readsSingle, hasDropped, singles] = [true, true, false, 0];

  async function find(search: Search): Promise<void> {
    const { missing } = search;
    // An ID that cannot be part of a URL can only be found in the list.
    const isReadable = readsSingle && [...missing].every(isIdentifier);
    if (isReadable && singles + missing.size <= fewClients) await readSingly(search);
    if (missing.size === 0) return;
    if (!list.hasBegun()) {
      await readPage(search);
      if (missing.size > 0 && list.pagesLeft() > 0) announce(Math.min(missing.size, list.pagesLeft()));
    }
    // What was read one by one so far counts, or many small questions would cost more than the list.
    if (isReadable && singles + missing.size < list.pagesLeft()) await readSingly(search);
    while (missing.size > 0 && (await readPage(search)));
    if (isReadable && hasDropped) await readSingly(search);
    for (const id of missing) known.set(id, null);
  }

  async function readPage(search: Search): Promise<boolean> {
    const page = await list.next();
    add(page?.rows ?? [], search);
    return page !== undefined;
  }

  /** Stops early if the server does not read single clients. */
  async function readSingly(search: Search): Promise<void> {
    const { missing } = search;
    const work = async (id: string) => {
      singles += 1;
      try {
        add([await client.clients.get(id, { searchesList: false })], search);
      } catch (thrown) {
        if (!(thrown instanceof SalonError)) throw thrown;
        if (thrown.code === 'not_supported') readsSingle = false;
        else if (thrown.code !== 'not_found') throw thrown;
        else if (missing.delete(id)) known.set(id, null);
      }
    };
    const [first, ...rest] = missing;
    // The first request shows whether the server supports this at all.
    if (first !== undefined) await work(first);
    await forEachConcurrent(iterate(rest), { most: concurrency, mayGoOn: () => readsSingle, work });
  }

  function add(rows: readonly (NameFields & { readonly id: unknown })[], search: Search): void {
    for (const row of rows) {
      const id = toText(row.id);
      const name = nameOfClient(row);
      known.set(id, name);
      if (search.missing.delete(id) && name !== '') search.found.set(id, name);
    }
    for (const id of known.keys()) {
      if (known.size <= maxKept) break;
      known.delete(id);
      hasDropped = true;
    }
  }

  return {
    async read(ids) {
      const found = new Map<string, string>();
      const missing = new Set<string>();
      for (const id of ids) {
        const name = known.get(id);
        if (name) found.set(id, name);
        else if (name === undefined && id !== '') missing.add(id);
      }
      if (missing.size === 0 || !isListed) return found;
      try {
        await find({ missing, found });
      } catch (thrown) {
        if (!isUnavailable(thrown)) throw thrown;
        isListed = false;
        warn(`${thrown.message} Showing client IDs instead of names.`);
      }
      return found;
    },
    isAvailable: () => isListed,
    [Symbol.asyncDispose]: list.close,
  };
}

interface Search {
  readonly missing: Set<string>;
  readonly found: Map<string, string>;
}

interface ClientList {
  hasBegun(): boolean;
  /** The next page; undefined after the last one. */
  next(): Promise<Page<Client> | undefined>;
  /** Infinite while nobody knows. */
  pagesLeft(): number;
  close(): Promise<void>;
}

/** The list of clients, read as far as it is needed. */
function createClientList(client: SalonClient): ClientList {
  let rest: AsyncIterator<Page<Client>> | undefined;
  let [resume, left, hasBegun]: [ResumePoint | undefined, number, boolean] = [undefined, Infinity, false];

  async function readFirst(): Promise<Page<Client> | undefined> {
    hasBegun = true;
    // With a limit no further page is requested before it is known to be needed.
    for await (const page of client.clients.list(undefined, { limit: pageSizes.max })) {
      resume = page.resume;
      const more = (page.total ?? Number.POSITIVE_INFINITY) - page.rows.length;
      left = Math.ceil(more / Math.max(1, page.rows.length));
      return page;
    }
    left = 0;
    return undefined;
  }

  return {
    hasBegun: () => hasBegun,
    pagesLeft: () => left,
    async next() {
      if (!hasBegun) return readFirst();
      if (left === 0) return undefined;
      rest ??= client.clients.list(undefined, { from: resume })[Symbol.asyncIterator]();
      const { done, value } = await rest.next();
      left = done ? 0 : Math.max(1, left - 1);
      return done ? undefined : value;
    },
    async close() {
      await rest?.return?.();
    },
  };
}

async function* iterate(ids: readonly string[]): AsyncGenerator<string> {
  yield* ids;
}
