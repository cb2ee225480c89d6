import { forEachConcurrent } from '../../bulk/concurrent.ts';
import type { SalonClient } from '../../client/client.ts';
import type { ResumePoint } from '../../client/pagination/page.ts';
import { readWhole } from '../../client/pagination/whole-list.ts';
import { closest } from '../../contract/closest.ts';
import { SalonError } from '../../contract/errors.ts';
import { isIdentifier, toIdText } from '../../contract/identifiers.ts';
import { pageSizes } from '../../contract/limits.ts';
import type { Stylist } from '../../contract/stylist.ts';

export interface NamedStylist {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
}

export interface NameOptions {
  readonly client: SalonClient;
  /** Concurrent requests for single clients. */
  readonly concurrency: number;
  /** Receives the number of requests before more than one page is read. */
  readonly announce: (requests: number) => void;
  readonly warn: (text: string) => void;
}

/** Fields that may name a person; a server may send anything in them. */
export interface NameFields {
  readonly first_name?: unknown;
  readonly last_name?: unknown;
  readonly email?: unknown;
  readonly phone?: unknown;
}

/** A client's full name, else their email address or phone number; empty if there is none. */
export function nameOfClient(record: NameFields): string {
  return fullName(record) || toText(record.email) || toText(record.phone);
}

/** A string or number as text; empty for anything else a server may send. */
export function toText(value: unknown): string {
  return toIdText(value) ?? '';
}

/** Whether the server does not offer a list, or not to this API key. */
export function isUnavailable(thrown: unknown): thrown is SalonError {
  return thrown instanceof SalonError && unavailable.has(thrown.code);
}

const unavailable: ReadonlySet<string> = new Set([
  'not_supported',
  'insufficient_scope',
  'permission_denied',
]);

/** Up to this many clients are read one by one without looking at the list first. */
const fewClients = 2;

/**
 * Reads names of clients by ID with the fewest requests: one per client, or the list page by page, whichever is
 * fewer. Deleted clients are missing from the result, and so is everyone if the key may not read clients.
 */
export async function readClientNames(
  ids: Iterable<string>,
  options: NameOptions,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const missing = new Set(ids);
  missing.delete('');
  try {
    await findNames({ ...options, missing, names });
  } catch (thrown) {
    if (!isUnavailable(thrown)) throw thrown;
    options.warn(`${thrown.message} Showing client IDs instead of names.`);
  }
  return names;
}

/** Reads all stylists; undefined if the server does not list them. */
export async function readStylistNames(
  client: SalonClient,
  explain: (text: string) => void,
): Promise<readonly NamedStylist[] | undefined> {
  const stylists: NamedStylist[] = [];
  try {
    const list = client.stylists.list({}, { searchesAppointments: false });
    for await (const { rows } of readWhole(list, 'stylists')) {
      stylists.push(...rows.map(toNamedStylist));
    }
    return stylists;
  } catch (thrown) {
    if (!isUnavailable(thrown)) throw thrown;
    explain(`${thrown.message} Only stylists with appointments are known.`);
    return undefined;
  }
}

/** Finds stylists by ID or name, in the order given. Throws `not_found`, or `usage` if a name is ambiguous. */
export function pickStylists(
  references: readonly string[],
  known: readonly NamedStylist[] | undefined,
): readonly NamedStylist[] {
  const picked = references.map((text) => {
    if (known === undefined) return { id: text, name: text, active: true };
    return known.find(({ id }) => id === text) ?? findByName(text, known);
  });
  return [...new Map(picked.map((stylist) => [stylist.id, stylist])).values()];
}

interface NameSearch extends NameOptions {
  readonly missing: Set<string>;
  readonly names: Map<string, string>;
}

async function findNames(search: NameSearch): Promise<void> {
  const { missing, announce } = search;
  // An ID that cannot be part of a URL can only be found in the list.
  const areReadable = [...missing].every(isIdentifier);
  if (areReadable && missing.size <= fewClients && (await readOneByOne(search))) return;
  const { pages, resume } = await readFirstPage(search);
  if (missing.size === 0 || pages === 0) return;
  announce(Math.min(missing.size, pages));
  if (areReadable && missing.size < pages && (await readOneByOne(search))) return;
  for await (const { rows } of search.client.clients.list(undefined, { from: resume })) {
    addNames(rows, search);
    if (missing.size === 0) return;
  }
}

/** Returns false if the server does not read single clients. */
async function readOneByOne(search: NameSearch): Promise<boolean> {
  const { client, concurrency, missing } = search;
  let isSupported = true;
  const work = async (id: string) => {
    try {
      addNames([await client.clients.get(id, { searchesList: false })], search);
    } catch (thrown) {
      if (!(thrown instanceof SalonError)) throw thrown;
      if (thrown.code === 'not_supported') isSupported = false;
      else if (thrown.code !== 'not_found') throw thrown;
    }
  };
  const [first, ...rest] = missing;
  // The first request shows whether the server supports this at all.
  if (first !== undefined) await work(first);
  await forEachConcurrent(iterate(rest), { most: concurrency, mayGoOn: () => isSupported, work });
  return isSupported;
}

/** Adds the names on the first page and returns how many more pages there are. */
async function readFirstPage(
  search: NameSearch,
): Promise<{ readonly pages: number; readonly resume: ResumePoint | undefined }> {
  for await (const { rows, total, resume } of search.client.clients.list(undefined, {
    limit: pageSizes.max,
  })) {
    addNames(rows, search);
    const left = (total ?? Number.POSITIVE_INFINITY) - rows.length;
    return { pages: Math.ceil(left / Math.max(1, rows.length)), resume };
  }
  return { pages: 0, resume: undefined };
}

function addNames(
  rows: readonly (NameFields & { readonly id: unknown })[],
  { missing, names }: NameSearch,
): void {
  for (const row of rows) {
    const id = toText(row.id);
    const name = missing.delete(id) ? nameOfClient(row) : '';
    if (name !== '') names.set(id, name);
  }
}

async function* iterate(ids: readonly string[]): AsyncGenerator<string> {
  yield* ids;
}

function findByName(text: string, known: readonly NamedStylist[]): NamedStylist {
  const matches = known.filter(({ name }) => name.toLowerCase() === text.trim().toLowerCase());
  const [only, another] = matches;
  if (another !== undefined) {
    throw new SalonError('usage', `${matches.length} stylists are called "${text}".`, {
      hint: `Use an ID instead: ${matches.map(({ id }) => id).join(', ')}.`,
    });
  }
  if (only !== undefined) return only;
  const names = known.map(({ name }) => name);
  const near = closest(text, names);
  throw new SalonError('not_found', `No stylist matches "${text}".`, {
    hint: near === undefined ? 'List all stylists: salon stylists list' : `Did you mean ${near}?`,
    members: { resource: 'stylist', id: text },
  });
}

/** A stylist with their display name, else their full name, else their ID. */
export function toNamedStylist({ id, display_name, active, ...names }: Stylist): NamedStylist {
  return {
    id: toText(id),
    name: toText(display_name) || fullName(names) || toText(id),
    active: active !== false,
  };
}

function fullName(record: NameFields): string {
  return [record.first_name, record.last_name].map(toText).filter(Boolean).join(' ');
}
