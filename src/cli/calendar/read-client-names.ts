import { forEachConcurrent } from '../../bulk/concurrent.ts';
import type { SalonClient } from '../../client/client.ts';
import type { ResumePoint } from '../../client/pagination/page.ts';
import type { Client } from '../../contract/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { pageSizes } from '../../contract/limits.ts';
import { isUnseen } from './read-stylists.ts';
import { toText } from './to-text.ts';

export interface NameReading {
  readonly client: SalonClient;
  /** Single records that are asked for at once. */
  readonly width: number;
  /** Told how many requests are to come. */
  readonly announce: (requests: number) => void;
  readonly warn: (text: string) => void;
}

/** So few are asked for one by one without a look at the list. */
const few = 2;

/**
 * Names of clients, with the fewest requests: one by one, or out of the list, whichever is cheaper. Who is not there
 * any more has none, and nobody has where the server does not show clients to this key.
 */
export async function readClientNames(
  ids: Iterable<string>,
  reading: NameReading,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const missing = new Set(ids);
  missing.delete('');
  try {
    await findNames({ ...reading, missing, names });
  } catch (thrown) {
    if (!isUnseen(thrown)) throw thrown;
    reading.warn(`${thrown.message} Clients are shown by their identifiers.`);
  }
  return names;
}

interface Search extends NameReading {
  readonly missing: Set<string>;
  readonly names: Map<string, string>;
}

async function findNames(search: Search): Promise<void> {
  const { missing, announce } = search;
  // What cannot stand in an address is looked for in the list alone.
  const canBeAsked = [...missing].every(isIdentifier);
  if (canBeAsked && missing.size <= few && (await askOneByOne(search))) return;
  const { pages, resume } = await readFirstPage(search);
  if (missing.size === 0 || pages === 0) return;
  announce(Math.min(missing.size, pages));
  if (canBeAsked && missing.size < pages && (await askOneByOne(search))) return;
  await readList(search, resume);
}

/** False where the server reads no single clients. */
async function askOneByOne(search: Search): Promise<boolean> {
  const { client, width, missing } = search;
  let canAsk = true;
  const work = async (id: string) => {
    try {
      note(await client.clients.get(id, { searchesList: false }), search);
    } catch (thrown) {
      if (!(thrown instanceof SalonError)) throw thrown;
      if (thrown.code === 'not_supported') canAsk = false;
      else if (thrown.code !== 'not_found') throw thrown;
    }
  };
  const rest = each([...missing]);
  // The first one goes alone: what it teaches of the server holds for the others.
  const first = await rest.next();
  if (!first.done) await work(first.value);
  await forEachConcurrent(rest, { most: width, mayGoOn: () => canAsk, work });
  return canAsk;
}

/** Reads what a first page has, and says how many more there are. */
async function readFirstPage(
  search: Search,
): Promise<{ readonly pages: number; readonly resume: ResumePoint | undefined }> {
  for await (const page of search.client.clients.list(undefined, { limit: pageSizes.most })) {
    for (const record of page.rows) note(record, search);
    const { rows, total, resume } = page;
    const left = (total ?? Number.POSITIVE_INFINITY) - rows.length;
    return { pages: Math.ceil(left / Math.max(1, rows.length)), resume };
  }
  return { pages: 0, resume: undefined };
}

async function readList(search: Search, from: ResumePoint | undefined): Promise<void> {
  for await (const { rows } of search.client.clients.list(undefined, { from })) {
    for (const record of rows) note(record, search);
    if (search.missing.size === 0) return;
  }
}

function note({ id, first_name, last_name, email, phone }: Client, { missing, names }: Search): void {
  const own = toText(id);
  if (!missing.delete(own)) return;
  const fullName = [first_name, last_name].map(toText).filter(Boolean).join(' ');
  const name = fullName || toText(email) || toText(phone);
  if (name !== '') names.set(own, name);
}

async function* each(ids: readonly string[]): AsyncGenerator<string> {
  yield* ids;
}
