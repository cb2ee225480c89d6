import type { Client } from '../../../contract/client.ts';
import type { IdentifierKind } from '../../../contract/identifiers.ts';
import type { Stylist } from '../../../contract/stylist.ts';
import { dayMs } from '../../../time/time.ts';
import { createId } from '../records.ts';
import { knownClients, knownStylists, type Names, nameFamilies } from './person-names.ts';
import type { SeededRandom } from './random.ts';
import { toStylistServices, toWorkingHours } from './stylist-work.ts';

interface ClientOptions {
  readonly random: SeededRandom;
  /** Position in the order of creation. */
  readonly index: number;
  readonly createdMs: number;
  /** Stylists a client may prefer. */
  readonly stylistIds: readonly string[];
  /** Clients created shortly before. */
  readonly earlier: readonly Client[];
}

export function createSampleStylist(
  random: SeededRandom,
  index: number,
  { createdMs, lunchMinute }: { readonly createdMs: number; readonly lunchMinute?: number | undefined },
): Stylist {
  const { first, last } = random.pick(nameFamilies);
  const [firstName, lastName] = knownStylists[index] ?? [random.pick(first), random.pick(last)];
  const at = new Date(createdMs).toISOString();
  return {
    id: createSampleId('stylist', random, createdMs),
    first_name: firstName,
    last_name: lastName,
    display_name: firstName,
    email: null,
    phone: null,
    active: true,
    services: [...new Set(toStylistServices(index).map(({ service }) => service))],
    created_at: at,
    updated_at: at,
    working_hours: toWorkingHours(index, lunchMinute),
  };
}

/** Every client has an email or a phone number, most have both. A few are duplicates of earlier ones. */
export function createSampleClient(options: ClientOptions): Client {
  const { random, index, createdMs, stylistIds, earlier } = options;
  const known = knownClients[index];
  const { first, last } = random.pick(nameFamilies);
  const [firstName, lastName] = [known?.first ?? random.pick(first), known?.last ?? random.pick(last)];
  const email = random.chance(0.85) ? createEmail(random, firstName, lastName) : null;
  const phone = email === null || random.chance(0.8) ? createPhone(random, index) : null;
  const at = new Date(createdMs).toISOString();
  const client: Client = {
    id: createSampleId('client', random, createdMs),
    first_name: firstName,
    last_name: known !== undefined || random.chance(0.97) ? lastName : null,
    email: known === undefined ? email : known.email,
    phone: known === undefined ? phone : known.phone,
    birthday: random.chance(0.6) ? createBirthday(random, createdMs) : null,
    notes: random.chance(0.2) ? random.pick(clientNotes) : null,
    preferred_stylist_id: random.chance(0.4) ? (stylistIds[index % stylistIds.length] ?? null) : null,
    tags: [...new Set([random.pick(clientTags), random.pick(clientTags)])].slice(0, random.below(3)),
    email_marketing_consent: email !== null && random.chance(0.5),
    sms_marketing_consent: phone !== null && random.chance(0.3),
    external_id: random.chance(0.3) ? `C-${10_000 + random.below(90_000)}` : null,
    created_at: at,
    updated_at: at,
  };
  return toDuplicate(client, index, earlier) ?? client;
}

export function createSampleId(kind: IdentifierKind, random: SeededRandom, createdMs: number): string {
  return createId(kind, { now: () => new Date(createdMs), random: (size) => random.bytes(size) });
}

/** At a domain reserved for examples (RFC 2606). */
function createEmail(random: SeededRandom, firstName: string, lastName: string): string {
  const latin = `${firstName}.${lastName}`
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z.]/g, '');
  const handle = /^[a-z]+\.[a-z]+$/.test(latin) ? latin : 'hello';
  return `${handle}${random.below(1000)}@example.${random.pick(['com', 'org', 'net'])}`;
}

function createBirthday(random: SeededRandom, createdMs: number): string {
  const ageDays = 16 * 365 + random.below(65 * 365);
  return new Date(createdMs - ageDays * dayMs).toISOString().slice(0, 10);
}

const clientNotes: Names = [
  'Prefers mornings.',
  'Allergic to ammonia: use the gentle range.',
  'Likes a quiet appointment.',
  'Fine, straight hair; very sensitive scalp.',
  'Last colour formula: 7.1 + 8.3, 20 vol, 35 minutes.',
  'Brings the dog. The dog is called Biscuit.',
  'Needs step-free access.',
  'Growing out a fringe: do not cut it, whatever he says.',
];

const clientTags: Names = ['vip', 'regular', 'colour', 'bridal', 'student', 'new', 'curls', 'newsletter'];

export const bookingNotes: Names = [
  'Running ten minutes late.',
  'Patch test done.',
  'Wants to talk about going shorter.',
  'First visit.',
  'Bring the photo from last time.',
];

export const cancellationReasons: Names = ['ill', 'moved to another day', 'double booked', 'no reason given'];

/** Ranges that France, Britain, Germany and North America reserve for fiction. */
const french: Names = [
  '+3319900####',
  '+3326191####',
  '+3335301####',
  '+3346571####',
  '+3353649####',
  '+3363998####',
];
const others: Names = [
  '+447700900###',
  '+442079460###',
  '+441134960###',
  '+441214960###',
  '+441314960###',
  '+493023125###',
  '+498999998###',
  '+120255501##',
];

/** A phone number that hardly any other client of the salon has. */
function createPhone(random: SeededRandom, index: number): string {
  const range = random.pick(random.chance(0.75) ? french : others);
  // A prime, so that every number of a range is used before one repeats.
  return range.replace(/#+/, ({ length }) => String((index * 7_919) % 10 ** length).padStart(length, '0'));
}

/** How far apart the records of one person are, at least in part: the second was added later. */
export const duplicateDistance = 40;

const duplicateEvery = 67;
const siblingEvery = 151;

/**
 * Some clients are one person with an earlier client, entered again: the same phone or email, and the name spelled
 * another way. A few others share a phone with their family. Undefined for everyone else.
 */
function toDuplicate(client: Client, index: number, earlier: readonly Client[]): Client | undefined {
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
