import type { SalonClient } from '../../client/client.ts';
import { readWhole } from '../../client/pagination/whole-list.ts';
import { closest } from '../../contract/closest.ts';
import { SalonError } from '../../contract/errors.ts';
import { toIdText } from '../../contract/identifiers.ts';
import type { Stylist } from '../../contract/stylist.ts';

export interface NamedStylist {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
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
