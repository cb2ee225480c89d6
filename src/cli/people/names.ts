import { forEachConcurrent } from '../../bulk/concurrent.ts';
import type { SalonClient } from '../../client/client.ts';
import type { ResumePoint } from '../../client/pagination/page.ts';
import type { Client } from '../../contract/client.ts';
import { closest } from '../../contract/closest.ts';
import { SalonError } from '../../contract/errors.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { pageSizes } from '../../contract/limits.ts';
import type { Stylist } from '../../contract/stylist.ts';
import type { CalendarStylist } from '../calendar/calendar-contents.ts';

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

/** What a record says in a text or a number; empty for whatever else a foreign server puts there. */
export function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A stylist as far as a calendar needs them. */
export interface KnownStylist extends CalendarStylist {
  readonly active: boolean;
}

/** What a server may lack, or keep to itself, without a calendar being the worse for it. */
const unseen: ReadonlySet<string> = new Set(['not_supported', 'insufficient_scope', 'permission_denied']);

/** Whether an error means that the server does not show something to this key. */
export function isUnseen(thrown: unknown): thrown is SalonError {
  return thrown instanceof SalonError && unseen.has(thrown.code);
}

/** The stylists of a salon; undefined where the server does not show them. */
export async function readStylists(
  client: SalonClient,
  explain: (text: string) => void,
): Promise<readonly KnownStylist[] | undefined> {
  const known: KnownStylist[] = [];
  try {
    for await (const { rows } of client.stylists.list({}, { searchesAppointments: false })) {
      known.push(...rows.map(toKnown));
    }
    return known;
  } catch (thrown) {
    if (!isUnseen(thrown)) throw thrown;
    explain(`${thrown.message} Stylists are those that the appointments name.`);
    return undefined;
  }
}

/** Those that are asked for, by identifier or by name, in that order. Throws `not_found` and `usage`. */
export function pickStylists(
  asked: readonly string[],
  known: readonly KnownStylist[] | undefined,
): readonly KnownStylist[] {
  const picked = asked.map((text) => {
    if (known === undefined) return { id: text, name: text, active: true };
    return known.find(({ id }) => id === text) ?? findByName(text, known);
  });
  return [...new Map(picked.map((stylist) => [stylist.id, stylist])).values()];
}

function findByName(text: string, known: readonly KnownStylist[]): KnownStylist {
  const named = known.filter(({ name }) => name.toLowerCase() === text.trim().toLowerCase());
  const [only, another] = named;
  if (another !== undefined) {
    throw new SalonError('usage', `${named.length} stylists are called "${text}".`, {
      hint: `Name one by identifier: ${named.map(({ id }) => id).join(', ')}.`,
    });
  }
  if (only !== undefined) return only;
  const near = closest(
    text,
    known.map(({ name }) => name),
  );
  throw new SalonError('not_found', `There is no stylist "${text}".`, {
    hint: near === undefined ? 'See them with: salon stylists list' : `Did you mean ${near}?`,
    members: { resource: 'stylist', id: text },
  });
}

function toKnown({ id, display_name, first_name, last_name, active }: Stylist): KnownStylist {
  const fullName = [first_name, last_name].map(toText).filter(Boolean).join(' ');
  return { id: toText(id), name: toText(display_name) || fullName || toText(id), active: active !== false };
}
