import type { Client } from '../../../contract/client.ts';
import type { Stylist } from '../../../contract/stylist.ts';
import { createId } from '../records.ts';
import { dayMs } from '../validation.ts';
import type { SeededRandom } from './random.ts';

interface ClientOptions {
  readonly random: SeededRandom;
  readonly createdMs: number;
  /** Stylists a client may prefer. */
  readonly stylistIds: readonly string[];
}

const skills = [
  ['Cut', 'Colour', 'Styling'],
  ['Cut', 'Styling'],
  ['Cut', 'Beard'],
  ['Colour', 'Treatments', 'Styling'],
] as const;

export function createSampleStylist(random: SeededRandom, createdMs: number): Stylist {
  const { first, last } = random.pick(nameFamilies);
  const [firstName, lastName] = [random.pick(first), random.pick(last)];
  const at = new Date(createdMs).toISOString();
  return {
    id: createSampleId('stylist', random, createdMs),
    first_name: firstName,
    last_name: lastName,
    display_name: firstName,
    email: null,
    phone: null,
    active: true,
    services: [...random.pick(skills)],
    created_at: at,
    updated_at: at,
  };
}

/** Every client has an email or a phone number, most have both. */
export function createSampleClient({ random, createdMs, stylistIds }: ClientOptions): Client {
  const { first, last } = random.pick(nameFamilies);
  const [firstName, lastName] = [random.pick(first), random.pick(last)];
  const email = random.chance(0.85) ? createEmail(random, firstName, lastName) : null;
  const phone = email === null || random.chance(0.8) ? createPhone(random) : null;
  const at = new Date(createdMs).toISOString();
  return {
    id: createSampleId('client', random, createdMs),
    first_name: firstName,
    last_name: random.chance(0.97) ? lastName : null,
    email,
    phone,
    birthday: random.chance(0.6) ? createBirthday(random, createdMs) : null,
    notes: random.chance(0.2) ? random.pick(clientNotes) : null,
    preferred_stylist_id: random.chance(0.4) ? (stylistIds[random.below(stylistIds.length)] ?? null) : null,
    tags: [...new Set([random.pick(clientTags), random.pick(clientTags)])].slice(0, random.below(3)),
    email_marketing_consent: email !== null && random.chance(0.5),
    sms_marketing_consent: phone !== null && random.chance(0.3),
    external_id: random.chance(0.3) ? `C-${10_000 + random.below(90_000)}` : null,
    created_at: at,
    updated_at: at,
  };
}

export function createSampleId(
  kind: 'stylist' | 'client' | 'appointment' | 'payment',
  random: SeededRandom,
  createdMs: number,
): string {
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

/** From the ranges that Britain, France and North America reserve for fiction. */
function createPhone(random: SeededRandom): string {
  const digits = (length: number) => String(random.below(10 ** length)).padStart(length, '0');
  return random.pick([
    () => `+447700900${digits(3)}`,
    () => `+3363998${digits(4)}`,
    () => `+1${random.pick(['202', '312', '415'])}55501${digits(2)}`,
  ])();
}

function createBirthday(random: SeededRandom, createdMs: number): string {
  const ageDays = 16 * 365 + random.below(65 * 365);
  return new Date(createdMs - ageDays * dayMs).toISOString().slice(0, 10);
}

type Names = readonly [string, ...string[]];

/** First and last names of one language or region. */
export interface NameFamily {
  readonly first: Names;
  readonly last: Names;
}

const nameFamilies: readonly [NameFamily, ...NameFamily[]] = [
  {
    first: ['Olivia', 'Amelia', 'Grace', 'Harriet', 'Oscar', 'Theo', 'Nia', 'Callum', 'Erin', 'Rhys'],
    last: ['Smith', 'Taylor', 'O’Brien', 'Evans', 'MacLeod', 'Walker', 'Hughes', 'Bennett', 'Price', 'Shaw'],
  },
  {
    first: ['Zoë', 'Chloé', 'Élodie', 'François', 'Anaïs', 'Rémi', 'Noémie', 'Gaëlle', 'Loïc', 'Inès'],
    last: ['Lefèvre', 'Dupont', 'Béranger', 'Garçon', 'Lemaître', 'Moreau', 'd’Aubigné', 'Château', 'Forêt'],
  },
  {
    first: ['Jürgen', 'Anneliese', 'Björn', 'Käthe', 'Sören', 'Heike', 'Åsa', 'Øyvind', 'Freja', 'Maj-Britt'],
    last: [
      'Müller',
      'Groß',
      'Schäfer',
      'Ødegaard',
      'Ångström',
      'von der Leitner',
      'Weiß',
      'Nørgaard',
      'Köhler',
    ],
  },
  {
    first: ['José', 'Begoña', 'Núria', 'João', 'Conceição', 'Íñigo', 'Lucía', 'Thiago', 'Ximena', 'Álvaro'],
    last: ['García Márquez', 'Muñoz', 'Gonçalves', 'de la Peña', 'Araújo', 'Ibáñez', 'Simões', 'Núñez'],
  },
  {
    first: ['Łukasz', 'Zuzanna', 'Želimir', 'Jiří', 'Božena', 'Şebnem', 'Çağlar', 'Ștefan', 'Ilse', 'Dóra'],
    last: ['Wójcik', 'Dvořák', 'Čapek', 'Yılmaz', 'Ionescu', 'Szőke', 'Krzyżanowska', 'Nagy', 'Özdemir'],
  },
  {
    first: ['Анна', 'Дмитрий', 'Оксана', 'Ελένη', 'Γιώργος', 'Светлана', 'Тарас', 'Κατερίνα'],
    last: ['Иванова', 'Шевченко', 'Παπαδόπουλος', 'Кузнецов', 'Γεωργίου', 'Бондаренко'],
  },
  {
    first: ['小明', '美玲', '雅婷', '子轩', '陽菜', '翔太', '結衣', '健一', '지민', '서연', '민준'],
    last: ['王', '李', '陳', '张', '佐藤', '鈴木', '高橋', '김', '박', '최'],
  },
  {
    first: ['فاطمة', 'محمد', 'ليلى', 'يوسف', 'مريم', 'עומר', 'נועה', 'زینب', 'دارا'],
    last: ['الحداد', 'المصري', 'العلي', 'منصور', 'כהן', 'לוי', 'رضایی'],
  },
  {
    first: ['Priya', 'Arjun', 'Ananya', 'Nguyễn Thị', 'Minh', 'Adaeze', 'Kwame', 'Thandiwe', 'Chidi', 'Siti'],
    last: ['Sharma', 'Patel', 'Krishnan', 'Phạm', 'Trần', 'Okonkwo', 'Mensah', 'Dlamini', 'Adébáyọ̀'],
  },
];

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
