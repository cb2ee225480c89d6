import { isSamePhone } from '../../contract/phone-forms.ts';
import { isSimilar } from './name-pairs.ts';

/** What duplicates are recognised by. */
export interface ComparedClient {
  readonly id: string;
  readonly name: string;
  /** The words of the name, folded and sorted; empty without a name. */
  readonly words: readonly string[];
  /** Whether these are first and last name. A single word, such as a first name, is no whole name. */
  readonly hasWholeName: boolean;
  /** In lower case; empty without one. */
  readonly email: string;
  readonly phone: string;
  /** Empty without one. */
  readonly birthday: string;
}

/** From the surest to the least sure. */
export const sureness = ['certain', 'likely', 'possible'] as const;

export type Sureness = (typeof sureness)[number];

export interface Evidence {
  readonly sure: Sureness;
  /** Such as `same phone and email, similar name`. */
  readonly why: string;
}

type Comparison = 'same' | 'different' | 'unknown';

/** Whether two clients may be the same person; undefined without any reason to think so. */
export function compareClients(one: ComparedClient, other: ComparedClient): Evidence | undefined {
  const email = compare(one.email, other.email);
  const phone = compare(one.phone, other.phone, isSamePhone);
  const birthday = compare(one.birthday, other.birthday);
  const name = compareNames(one, other);
  const contacts = [email, phone].filter((result) => result === 'same').length;
  const hasSameName = name === 'same' || name === 'similar';
  if (contacts === 0 && !hasSameName) return undefined;
  const same = [
    ...(phone === 'same' ? ['phone'] : []),
    ...(email === 'same' ? ['email'] : []),
    ...(name === 'same' ? ['name'] : []),
    ...(birthday === 'same' ? ['birthday'] : []),
  ];
  const why = [
    ...(same.length === 0 ? [] : [`same ${same.join(' and ')}`]),
    ...(name === 'similar' ? ['similar name'] : []),
    ...(name === 'different' ? ['other name'] : []),
    ...(birthday === 'different' ? ['other birthday'] : []),
  ].join(', ');
  const isContradicted = [email, phone].includes('different');
  const level = toLevel({ contacts, name, hasSameBirthday: birthday === 'same', isContradicted });
  const lowered = birthday === 'different' ? Math.min(level + 1, sureness.length - 1) : level;
  return { sure: sureness[lowered] ?? 'possible', why };
}

interface Findings {
  /** Of phone and email, how many are the same. */
  readonly contacts: number;
  readonly name: Comparison | 'similar';
  readonly hasSameBirthday: boolean;
  /** Whether phone or email differ. */
  readonly isContradicted: boolean;
}

/** 0 for certain, 1 for likely, 2 for possible. People of one family share a phone, and many people share a name. */
function toLevel({ contacts, name, hasSameBirthday, isContradicted }: Findings): number {
  if (name === 'same' && contacts > 0) return 0;
  if (name !== 'different' && (contacts === 2 || (contacts === 1 && hasSameBirthday))) return 0;
  if (contacts === 2 || (contacts === 1 && name !== 'different')) return 1;
  if (contacts === 0 && (hasSameBirthday || !isContradicted)) return 1;
  return 2;
}

function compare(
  one: string,
  other: string,
  isSame: (one: string, other: string) => boolean = (a, b) => a === b,
): Comparison {
  if (one === '' || other === '') return 'unknown';
  return isSame(one, other) ? 'same' : 'different';
}

function compareNames(one: ComparedClient, other: ComparedClient): Comparison | 'similar' {
  if (one.words.length === 0 || other.words.length === 0) return 'unknown';
  if (one.words.join(' ') === other.words.join(' ')) return one.hasWholeName ? 'same' : 'unknown';
  return isSimilar(one.words, other.words) ? 'similar' : 'different';
}
