import type { Client } from '../../../contract/client.ts';

/** How far apart the records of one person are, at least in part: the second was added later. */
export const duplicateDistance = 40;

const duplicateEvery = 67;
const siblingEvery = 151;

/**
 * Some clients are one person with an earlier client, entered again: the same phone or email, and the name spelled
 * another way. A few others share a phone with their family. Undefined for everyone else.
 */
export function toDuplicate(client: Client, index: number, earlier: readonly Client[]): Client | undefined {
  const former = earlier[0];
  if (former === undefined || earlier.length < duplicateDistance) return undefined;
  if (index % siblingEvery === siblingEvery - 1 && former.phone !== null) {
    return { ...client, last_name: former.last_name, phone: former.phone };
  }
  if (index % duplicateEvery !== duplicateEvery - 1) return undefined;
  const { first_name, last_name, email, phone } = former;
  const again = { ...client, first_name, last_name, phone: phone ?? client.phone };
  switch (Math.floor(index / duplicateEvery) % 4) {
    case 0:
      return { ...again, first_name: withoutAccents(first_name), last_name: withoutAccents(last_name) };
    case 1:
      return { ...again, last_name: withTypo(last_name) };
    case 2:
      return { ...again, email: email ?? client.email };
    default:
      return { ...again, first_name: last_name, last_name: first_name };
  }
}

function withoutAccents(name: string | null): string | null {
  return name?.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC') ?? null;
}

/** The last letter doubled. */
function withTypo(name: string | null): string | null {
  return name?.replace(/(\p{L})$/u, '$1$1') ?? null;
}
