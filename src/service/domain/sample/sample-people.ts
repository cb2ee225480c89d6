import type { Client } from '../../../contract/client.ts';
import type { Stylist } from '../../../contract/stylist.ts';
import { dayMs } from '../../../time/time.ts';
import { toStylistServices, toWorkingHours } from './sample-hours.ts';
import { type SeededRandom, toRecordTimes } from './sample-random.ts';
import sample from './sample-salon.json' with { type: 'json' };

export function createSampleStylist(
  random: SeededRandom,
  index: number,
  { createdMs, hasLunch }: { readonly createdMs: number; readonly hasLunch: boolean },
): Stylist {
  const { first, last } = random.pick(sample.names);
  const [firstName = '', lastName = ''] = sample.stylists[index] ?? [random.pick(first), random.pick(last)];
  return {
    id: random.id('stylist', createdMs),
    first_name: firstName,
    last_name: lastName,
    display_name: firstName,
    email: null,
    phone: null,
    active: true,
    services: [...new Set(toStylistServices(index).map(({ name }) => name))],
    ...toRecordTimes(createdMs),
    working_hours: toWorkingHours(index, hasLunch),
  };
}

interface ClientsOptions {
  readonly count: number;
  /** When a client was added; rises with the index. */
  readonly joinedMs: (index: number) => number;
  /** Stylists a client may prefer. */
  readonly stylistIds: readonly string[];
}

/** How far apart the records of one person are, at least in part: the second was added later. */
const duplicateDistance = 40;

/** Clients in the order of time, the first ones of every salon alike. A few are duplicates of earlier ones. */
export function* createSampleClients(random: SeededRandom, options: ClientsOptions): Generator<Client> {
  const { count, joinedMs, stylistIds } = options;
  const earlier: Client[] = [];
  for (let index = 0; index < count; index++) {
    const preferred = stylistIds[index % stylistIds.length] ?? null;
    const created = createClient(random, index, { createdMs: joinedMs(index), preferred });
    const former = earlier.length < duplicateDistance ? undefined : earlier.shift();
    const client = former === undefined ? created : toDuplicate(created, index, former);
    earlier.push(client);
    yield client;
  }
}

/** Every client has an email or a phone number, most have both. */
function createClient(
  random: SeededRandom,
  index: number,
  { createdMs, preferred }: { readonly createdMs: number; readonly preferred: string | null },
): Client {
  const known = sample.clients[index];
  const { first, last } = random.pick(sample.names);
  const [firstName, lastName] = [known?.first ?? random.pick(first), known?.last ?? random.pick(last)];
  const email = random.chance(0.85) ? createEmail(random, firstName, lastName) : null;
  const phone = email === null || random.chance(0.8) ? createPhone(random, index) : null;
  return {
    id: random.id('client', createdMs),
    first_name: firstName,
    last_name: known !== undefined || random.chance(0.97) ? lastName : null,
    email: known === undefined ? email : known.email,
    phone: known === undefined ? phone : known.phone,
    birthday: random.chance(0.6) ? createBirthday(random, createdMs) : null,
    notes: random.chance(0.2) ? random.pick(sample.clientNotes) : null,
    preferred_stylist_id: random.chance(0.4) ? preferred : null,
    tags: [...new Set([random.pick(sample.clientTags), random.pick(sample.clientTags)])].slice(
      0,
      random.below(3),
    ),
    email_marketing_consent: email !== null && random.chance(0.5),
    sms_marketing_consent: phone !== null && random.chance(0.3),
    external_id: random.chance(0.3) ? `C-${10_000 + random.below(90_000)}` : null,
    ...toRecordTimes(createdMs),
  };
}

/** At a domain reserved for examples (RFC 2606). */
function createEmail(random: SeededRandom, firstName: string, lastName: string): string {
  const latin = toPlainLetters(`${firstName}.${lastName}`)
    .toLowerCase()
    .replace(/[^a-z.]/g, '');
  const handle = /^[a-z]+\.[a-z]+$/.test(latin) ? latin : 'hello';
  return `${handle}${random.below(1000)}@example.${random.pick(['com', 'org', 'net'])}`;
}

function createBirthday(random: SeededRandom, createdMs: number): string {
  const ageDays = 16 * 365 + random.below(65 * 365);
  return new Date(createdMs - ageDays * dayMs).toISOString().slice(0, 10);
}

/**
 * A phone number that hardly any other client of the salon has, in a range that France, Britain, Germany or North
 * America reserves for fiction.
 */
function createPhone(random: SeededRandom, index: number): string {
  const range = random.pick(random.chance(0.75) ? sample.phones.french : sample.phones.others);
  // A prime, so that every number of a range is used before one repeats.
  return range.replace(/#+/, ({ length }) => String((index * 7_919) % 10 ** length).padStart(length, '0'));
}

const duplicateEvery = 67;
const siblingEvery = 151;

/**
 * Some clients are one person with an earlier client, entered again: the same phone or email, and the name spelled
 * another way. A few others share a phone with their family.
 */
function toDuplicate(client: Client, index: number, former: Client): Client {
  const { first_name, last_name, email, phone } = former;
  if (index % siblingEvery === siblingEvery - 1 && phone !== null) return { ...client, last_name, phone };
  if (index % duplicateEvery !== duplicateEvery - 1) return client;
  const spellings = [
    {
      first_name: first_name && toPlainLetters(first_name),
      last_name: last_name && toPlainLetters(last_name),
    },
    // The last letter doubled.
    { last_name: last_name?.replace(/(\p{L})$/u, '$1$1') ?? null },
    { email: email ?? client.email },
    { first_name: last_name, last_name: first_name },
  ];
  const spelling = spellings[Math.floor(index / duplicateEvery) % spellings.length];
  return { ...client, first_name, last_name, phone: phone ?? client.phone, ...spelling };
}

/** Without accents. */
function toPlainLetters(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}
