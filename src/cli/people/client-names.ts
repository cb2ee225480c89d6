import { forEachConcurrent } from '../../bulk/concurrent.ts';
import type { SalonClient } from '../../client/client.ts';
import { takeFirst } from '../../client/pagination/paginate.ts';
import { isUnavailable, SalonError } from '../../contract/errors.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { pageSizes } from '../../contract/limits.ts';
import { reportCost } from '../messages/request-cost.ts';
import type { CommandContext } from '../session/command-context.ts';
import { type ClientContact, type NameFields, toContact, toText } from './names.ts';

interface NameOptions {
  /** Whether the number of requests is reported before more than one page is read; default: yes. */
  readonly reportsCost?: boolean;
  /** Says that names cannot be read; default: a warning. */
  readonly warn?: (text: string) => void;
}

/** Clients by ID: null for a deleted client. Empty if the key may not read clients. */
export async function readClientContacts(
  wanted: Iterable<string>,
  context: CommandContext,
  options?: NameOptions,
): Promise<ReadonlyMap<string, ClientContact | null>> {
  const ids = new Set(wanted);
  await using names = await openClientNames(context, options);
  await names.load(ids);
  const contacts = new Map<string, ClientContact | null>();
  for (const id of ids) {
    const contact = names.contactOf(id);
    if (contact !== undefined) contacts.set(id, contact);
  }
  return contacts;
}

/** Names that are only read beside something else: what they cost, and that they cannot be read, is not announced. */
export function openQuietNames(context: CommandContext): Promise<ClientNames> {
  return openClientNames(context, { reportsCost: false, warn: context.messages.verbose });
}

/** Up to this many clients are read one by one without looking at the list first. */
const fewClients = 2;
/** Names kept in memory; the oldest are dropped first. */
const maxKept = 200_000;

/** Names and contact details of clients, each read once. */
export type ClientNames = Awaited<ReturnType<typeof openClientNames>>;

/**
 * Reads names with the fewest requests: one per client, or the list page by page once that is cheaper. The list is
 * read from where it stopped the last time.
 */
export async function openClientNames(
  context: CommandContext,
  { reportsCost = true, warn = context.messages.warn }: NameOptions = {},
) {
  const client = await context.client();
  const { concurrency, rate, timeZone } = (await context.session()).settings;
  /** Null for a deleted client. */
  const known = new Map<string, ClientContact | null>();
  let pages = readPages(client);
  /** Undefined before the first one is read; infinite if the server does not say. */
  let pagesLeft: number | undefined;
  let [isListed, readsSingle, hasDropped, singles] = [true, true, false, 0];

  async function find(missing: Set<string>): Promise<void> {
    // An ID that cannot be part of a URL can only be found in the list.
    const isReadable = readsSingle && [...missing].every(isIdentifier);
    if (isReadable && singles + missing.size <= fewClients) await readSingly(missing);
    if (missing.size === 0) return;
    if (pagesLeft === undefined) {
      pagesLeft = await readPage(missing);
      if (missing.size > 0 && pagesLeft > 0) announce(Math.min(missing.size, pagesLeft));
    }
    // What was read one by one so far counts, or many small questions would cost more than the list.
    if (isReadable && singles + missing.size < pagesLeft) await readSingly(missing);
    while (missing.size > 0 && pagesLeft > 0) pagesLeft = await readPage(missing);
    if (isReadable && hasDropped) await readSingly(missing);
    for (const id of missing) known.set(id, null);
  }

  function announce(records: number): void {
    if (!reportsCost) return;
    const nowMs = context.io.now().getTime();
    const limits = { limit: client.limits(), perHour: rate?.value };
    reportCost({ records, perPage: 1, ...limits, nowMs, timeZone: timeZone.value }, context.messages);
  }

  async function readPage(missing: Set<string>): Promise<number> {
    const { value: page } = await pages.next();
    if (!page) return 0;
    const { rows, total = Number.POSITIVE_INFINITY } = page;
    add(rows, missing);
    if (pagesLeft !== undefined) return Math.max(1, pagesLeft - 1);
    return Math.ceil((total - rows.length) / Math.max(1, rows.length));
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
    await forEachConcurrent(rest, { most: concurrency.value, mayGoOn: () => readsSingle, work });
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
    /** Reads those of these clients, unless they are known. */
    async load(ids: Iterable<string>) {
      const missing = new Set<string>();
      for (const id of ids) if (id !== '' && !known.has(id)) missing.add(id);
      if (missing.size === 0 || !isListed) return;
      dropOldest();
      try {
        await find(missing);
      } catch (thrown) {
        // A list that failed has ended: what it did not reach is not deleted.
        await pages.return();
        [pages, pagesLeft] = [readPages(client), undefined];
        if (!isUnavailable(thrown)) throw thrown;
        isListed = false;
        warn(`${thrown.message} Clients' names and phones are not shown.`);
      }
    },
    /** Null for a deleted client; undefined if the key may not read clients. */
    contactOf: (id: string) => known.get(id),
    /** Whether the server lists clients, and to this API key; known after the first `load`. */
    isAvailable: () => isListed,
    async [Symbol.asyncDispose]() {
      await pages.return();
    },
  };
}

/** The list of clients. With a limit no second page is requested before it is known to be needed. */
async function* readPages(client: SalonClient) {
  const first = await takeFirst(client.clients.list(undefined, { limit: pageSizes.max }));
  if (first === undefined) return;
  yield first;
  yield* client.clients.list(undefined, { from: first.resume });
}
