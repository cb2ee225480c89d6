import { forEachConcurrent } from '../../bulk/concurrent.ts';
import type { SalonClient } from '../../client/client.ts';
import type { Page, ResumePoint } from '../../client/pagination/page.ts';
import type { Client } from '../../contract/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { pageSizes } from '../../contract/limits.ts';
import { type ClientContact, isUnavailable, type NameFields, toContact, toText } from './names.ts';

export interface NameOptions {
  readonly client: SalonClient;
  /** Concurrent requests for single clients. */
  readonly concurrency: number;
  /** Receives the number of requests before more than one page is read. */
  readonly announce: (requests: number) => void;
  readonly warn: (text: string) => void;
}

/** Names and contact details of clients, each read once. */
export interface ClientNames extends AsyncDisposable {
  /** Reads those of these clients, unless they are known. */
  load(ids: Iterable<string>): Promise<void>;
  /** Null for a deleted client; undefined if the key may not read clients. */
  contactOf(id: string): ClientContact | null | undefined;
  /** Whether the server lists clients, and to this API key; known after the first `load`. */
  isAvailable(): boolean;
}

/** Clients by ID: null for a deleted client. Empty if the key may not read clients. */
export async function readClientContacts(
  wanted: Iterable<string>,
  options: NameOptions,
): Promise<ReadonlyMap<string, ClientContact | null>> {
  const ids = new Set(wanted);
  await using names = createClientNames(options);
  await names.load(ids);
  return new Map(
    [...ids].flatMap((id) => {
      const contact = names.contactOf(id);
      return contact === undefined ? [] : [[id, contact] as const];
    }),
  );
}

/** Up to this many clients are read one by one without looking at the list first. */
const fewClients = 2;
/** Names kept in memory; the oldest are dropped first. */
const maxKept = 200_000;

/**
 * Reads names with the fewest requests: one per client, or the list page by page once that is cheaper. The list is
 * read from where it stopped the last time.
 */
export function createClientNames({ client, concurrency, announce, warn }: NameOptions): ClientNames {
  /** Null for a deleted client. */
  const known = new Map<string, ClientContact | null>();
  const list = createClientList(client);
  let [isListed, readsSingle, hasDropped, singles] = [true, true, false, 0];

  async function find(missing: Set<string>): Promise<void> {
    // An ID that cannot be part of a URL can only be found in the list.
    const isReadable = readsSingle && [...missing].every(isIdentifier);
    if (isReadable && singles + missing.size <= fewClients) await readSingly(missing);
    if (missing.size === 0) return;
    if (!list.hasBegun()) {
      await readPage(missing);
      if (missing.size > 0 && list.pagesLeft() > 0) announce(Math.min(missing.size, list.pagesLeft()));
    }
    // What was read one by one so far counts, or many small questions would cost more than the list.
    if (isReadable && singles + missing.size < list.pagesLeft()) await readSingly(missing);
    while (missing.size > 0 && (await readPage(missing)));
    if (isReadable && hasDropped) await readSingly(missing);
    for (const id of missing) known.set(id, null);
  }

  async function readPage(missing: Set<string>): Promise<boolean> {
    const page = await list.next();
    add(page?.rows ?? [], missing);
    return page !== undefined;
  }

  /** Stops early if the server does not read single clients. */
  async function readSingly(missing: Set<string>): Promise<void> {
    const work = async (id: string) => {
      singles += 1;
      try {
        add([await client.clients.get(id, { searchesList: false })], missing);
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
    await forEachConcurrent(rest, { most: concurrency, mayGoOn: () => readsSingle, work });
  }

  function add(rows: readonly (NameFields & { readonly id: unknown })[], missing: Set<string>): void {
    for (const row of rows) {
      const id = toText(row.id);
      known.set(id, toContact(row));
      missing.delete(id);
    }
  }

  function dropOldest(): void {
    for (const id of known.keys()) {
      if (known.size <= maxKept) break;
      known.delete(id);
      hasDropped = true;
    }
  }

  return {
    async load(ids) {
      const missing = new Set<string>();
      for (const id of ids) if (id !== '' && !known.has(id)) missing.add(id);
      if (missing.size === 0 || !isListed) return;
      dropOldest();
      try {
        await find(missing);
      } catch (thrown) {
        if (!isUnavailable(thrown)) throw thrown;
        isListed = false;
        warn(`${thrown.message} Clients' names and phones are not shown.`);
      }
    },
    contactOf: (id) => known.get(id),
    isAvailable: () => isListed,
    [Symbol.asyncDispose]: list.close,
  };
}

/** The list of clients, read as far as it is needed. */
function createClientList(client: SalonClient) {
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
    /** Infinite while unknown. */
    pagesLeft: () => left,
    /** The next page; undefined after the last one. */
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
