import { crc32 } from 'node:zlib';
import { isSamePhone } from '../../text/phone-forms.ts';
import { isSameBirthday } from '../../time/birthdays.ts';

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
  const birthday = compare(one.birthday, other.birthday, isSameBirthday);
  const name = compareNames(one, other);
  const contacts = [email, phone].filter((result) => result === 'same').length;
  const hasSameName = name === 'same' || name === 'similar';
  if (contacts === 0 && !hasSameName) return undefined;
  const same = Object.entries({ phone, email, name, birthday }).flatMap(([field, result]) =>
    result === 'same' ? [field] : [],
  );
  const why = [
    ...(same.length === 0 ? [] : [`same ${same.join(' and ')}`]),
    ...(name === 'similar' ? ['similar name'] : []),
    ...(name === 'different' ? ['other name'] : []),
    ...(birthday === 'different' ? ['other birthday'] : []),
  ].join(', ');
  const isContradicted = [email, phone].includes('different');
  const hasSameBirthday = birthday === 'same';
  // People of one family share a phone, and many people share a name.
  const isCertain =
    (name === 'same' && contacts > 0) ||
    (name !== 'different' && (contacts === 2 || (contacts === 1 && hasSameBirthday)));
  const isLikely =
    contacts === 2 ||
    (contacts === 1 && name !== 'different') ||
    (contacts === 0 && (hasSameBirthday || !isContradicted));
  const level = isCertain ? 0 : isLikely ? 1 : 2;
  return { sure: sureness[birthday === 'different' ? level + 1 : level] ?? 'possible', why };
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

/** A name as its words, sorted. */
type Words = readonly string[];

/** Shorter words, and numbers, differ by a character without being a typing mistake. */
function canBeMistyped(word: string): boolean {
  return word.length >= 3 && !/\d/.test(word);
}

/** Enough for every hash and form to share one exact number: 2^32 · 2^20. */
const maxForms = 2 ** 20;

/**
 * Pairs of names that differ by one letter in one word: added, missing, another one, or two swapped. Such words have a
 * form in common once a letter is left out of each, so names are compared only with those that share such a form.
 */
export function* findSimilarNames(names: readonly Words[]): Generator<readonly [number, number]> {
  if (names.length > maxForms) throw new RangeError(`At most ${maxForms} different names are compared.`);
  const entries: number[] = [];
  names.forEach((words, index) => {
    if (words.length < 2) return;
    for (const hash of hashVariants(words)) entries.push(hash * maxForms + index);
  });
  const sorted = Float64Array.from(entries).sort();
  const seen = new Set<number>();
  for (let start = 0; start < sorted.length; ) {
    const hash = Math.floor((sorted[start] ?? 0) / maxForms);
    let end = start + 1;
    while (end < sorted.length && Math.floor((sorted[end] ?? 0) / maxForms) === hash) end += 1;
    for (let one = start; one < end; one += 1) {
      for (let other = one + 1; other < end; other += 1) {
        const pair = [(sorted[one] ?? 0) % maxForms, (sorted[other] ?? 0) % maxForms] as const;
        const key = pair[0] * maxForms + pair[1];
        if (pair[0] === pair[1] || seen.has(key)) continue;
        seen.add(key);
        if (isSimilar(names[pair[0]] ?? [], names[pair[1]] ?? [])) yield pair;
      }
    }
    start = end;
  }
}

function hashVariants(words: Words): ReadonlySet<number> {
  const hashes = new Set<number>();
  words.forEach((word, index) => {
    if (!canBeMistyped(word)) return;
    const others = words.filter((_, other) => other !== index).join(' ');
    // Names with the same hash are compared, so a collision costs time only.
    hashes.add(crc32(`${others}|${word}`));
    for (let left = 0; left < word.length; left += 1) {
      hashes.add(crc32(`${others}|${word.slice(0, left)}${word.slice(left + 1)}`));
    }
  });
  return hashes;
}

/** Whether all words but one are the same, and that one differs by a letter. */
export function isSimilar(one: Words, other: Words): boolean {
  if (one.length !== other.length || one.length < 2) return false;
  const left = without(one, other);
  const right = without(other, one);
  const [a = '', b = ''] = [left[0], right[0]];
  if (left.length !== 1 || right.length !== 1) return false;
  return canBeMistyped(a) && canBeMistyped(b) && differsByOneLetter(a, b);
}

function without(words: Words, others: Words): string[] {
  const left = [...others];
  return words.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function differsByOneLetter(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  if (short.length < long.length) return short.slice(start) === long.slice(start + 1);
  const isSwapped = short[start] === long[start + 1] && short[start + 1] === long[start];
  return (
    short.slice(start + 1) === long.slice(start + 1) ||
    (isSwapped && short.slice(start + 2) === long.slice(start + 2))
  );
}
