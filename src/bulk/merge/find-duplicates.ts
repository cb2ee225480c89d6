import { readPerson } from '../../client/references/person.ts';
import { normaliseEmail } from '../../contract/formats.ts';
import { toIdText } from '../../contract/identifiers.ts';
import { parsePhone } from '../../text/phone-forms.ts';
import type { Phones } from '../../text/phone-reader.ts';
import { toWords } from '../../text/search-text.ts';
import {
  type ComparedClient,
  compareClients,
  type Evidence,
  findSimilarNames,
  type Sureness,
  sureness,
} from './duplicate-evidence.ts';

/** Two clients who may be the same person. */
interface DuplicatePair extends Evidence {
  /** Number of the group that the pair belongs to, from 1: pairs with a client in common are in one group. */
  readonly group: number;
  /** The one who comes first in the list, which is the older one on our service. */
  readonly client: ComparedClient;
  readonly duplicate: ComparedClient;
}

/** What is compared of a record; undefined for one without an ID. */
export function toComparedClient(record: unknown, phones?: Phones): ComparedClient | undefined {
  const person = readPerson(record);
  if (person === undefined) return undefined;
  const { id, name, email, phone } = person;
  // Others are a display name, which may be a nickname, and East Asian names with a space.
  const full = person.names.at(-1) ?? '';
  const words = toWords(full).toSorted();
  const hasWholeName = isWholeWord.test(full) || person.names.some((one) => toWords(one).length > 1);
  const birthday = toIdText(person.record['birthday'] ?? person.record['birthdate']) ?? '';
  const contact = { email: normaliseEmail(email), phone: toWholePhone(phones?.read(phone).number ?? phone) };
  return { id, name, words, hasWholeName, ...contact, birthday };
}

/** Chinese, Japanese and Korean full names are also written as one word. */
const isWholeWord = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]{3,}$/u;

/** Shorter ones are extensions, or typed to fill a field. */
function toWholePhone(phone: string): string {
  const { digits } = parsePhone(phone);
  return digits.length < 6 || /^(\d)\1+$/.test(digits) ? '' : phone;
}

/**
 * Finds clients with the same phone number in any form, the same email address, or the same or nearly the same name.
 * Only clients that share one of these are compared. In a group of many, such as a family name with hundreds of
 * clients, each is compared with the first one and its neighbours, so that all of them are found, but not all pairs.
 */
export function findDuplicates(clients: readonly ComparedClient[], atLeast: Sureness) {
  /** Pairs by sureness, those that were not asked for included. */
  const counts = { certain: 0, likely: 0, possible: 0 };
  const found: FoundPair[] = [];
  const seen = new Set<number>();
  const wanted = sureness.indexOf(atLeast);
  for (const [first, second] of findCandidates(clients)) {
    const [one, other] = first < second ? [first, second] : [second, first];
    const key = one * clients.length + other;
    const [a, b] = [clients[one], clients[other]];
    if (one === other || seen.has(key) || a === undefined || b === undefined) continue;
    seen.add(key);
    const evidence = compareClients(a, b);
    if (evidence === undefined) continue;
    counts[evidence.sure] += 1;
    if (sureness.indexOf(evidence.sure) <= wanted) found.push({ ...evidence, one, other });
  }
  /** The surest first, those of a group together. */
  const pairs = toGroups(found, clients);
  return { pairs, counts };
}

function* findCandidates(clients: readonly ComparedClient[]): Generator<readonly [number, number]> {
  const toBlocks = (keysOf: (client: ComparedClient) => Iterable<string>) => {
    const blocks = new Map<string, number[]>();
    for (const [index, client] of clients.entries()) {
      for (const key of keysOf(client)) {
        const block = blocks.get(key);
        if (block === undefined) blocks.set(key, [index]);
        else block.push(index);
      }
    }
    return blocks;
  };
  const emails = toBlocks(({ email }) => (email === '' ? [] : [email]));
  const phones = toBlocks(({ phone }) => toPhoneKeys(phone));
  const names = toBlocks(({ words, hasWholeName }) => (hasWholeName ? [words.join(' ')] : []));
  for (const block of [...emails.values(), ...phones.values(), ...names.values()]) yield* pairUp(block);
  const blocks = [...names.values()];
  const forms = [...names.keys()].map((name) => name.split(' '));
  for (const [one, other] of findSimilarNames(forms))
    yield* pairAcross(blocks[one] ?? [], blocks[other] ?? []);
}

/** Numbers that may be the same share a key: all digits, and what is dialled within the country. */
function toPhoneKeys(phone: string): ReadonlySet<string> {
  if (phone === '') return new Set();
  const { digits, national, dialled } = parsePhone(phone);
  const short = (number: string) => number.replace(/^0+/, '');
  return new Set([short(digits), short(dialled), ...(national === undefined ? [] : [short(national)])]);
}

/** In a block of more clients, not every pair is compared. */
const smallBlock = 12;

function* pairUp(block: readonly number[]): Generator<readonly [number, number]> {
  const isSmall = block.length <= smallBlock;
  for (const [at, one] of block.entries()) {
    for (const other of isSmall ? block.slice(at + 1) : block.slice(at + 1, at + 2)) yield [one, other];
    if (!isSmall && at > 1) yield [block[0] ?? one, one];
  }
}

function* pairAcross(
  ones: readonly number[],
  others: readonly number[],
): Generator<readonly [number, number]> {
  const isSmall = ones.length * others.length <= smallBlock;
  for (const one of isSmall ? ones : ones.slice(0, 1)) {
    for (const other of isSmall ? others : others.slice(0, 1)) yield [one, other];
  }
}

type FoundPair = Evidence & { readonly one: number; readonly other: number };

function toGroups(found: readonly FoundPair[], clients: readonly ComparedClient[]): DuplicatePair[] {
  const parents = new Map<number, number>();
  const rootOf = (index: number): number => {
    let root = index;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    if (root !== index) parents.set(index, root);
    return root;
  };
  for (const { one, other } of found) {
    const [a, b] = [rootOf(one), rootOf(other)];
    if (a !== b) parents.set(Math.max(a, b), Math.min(a, b));
  }
  const bySureness = (pair: Evidence) => sureness.indexOf(pair.sure);
  const groups = [...Map.groupBy(found, ({ one }) => rootOf(one))].map(([root, pairs]) => ({
    root,
    best: Math.min(...pairs.slice(0, 1000).map(bySureness)),
    pairs: pairs.toSorted((a, b) => bySureness(a) - bySureness(b) || a.one - b.one || a.other - b.other),
  }));
  groups.sort((a, b) => a.best - b.best || a.root - b.root);
  return groups.flatMap(({ pairs }, index) =>
    pairs.flatMap(({ one, other, sure, why }) => {
      const [client, duplicate] = [clients[one], clients[other]];
      if (client === undefined || duplicate === undefined) return [];
      return [{ group: index + 1, sure, why, client, duplicate }];
    }),
  );
}
