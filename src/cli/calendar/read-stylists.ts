import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Stylist } from '../../contract/stylist.ts';
import { closest } from '../../contract/closest.ts';
import type { CalendarStylist } from './render/visit.ts';
import { toText } from './to-text.ts';

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
