import { SalonError } from '../../contract/errors.ts';
import { type IdentifierKind, isIdentifier, kindOfId } from '../../contract/identifiers.ts';
import { pageSizes } from '../../contract/limits.ts';
import { mayBePhone, withoutPhoneSlashes } from '../../text/phone-forms.ts';
import type { Phones } from '../../text/phone-reader.ts';
import { toSearchTerms } from '../../text/search-text.ts';
import type { SalonClient } from '../client.ts';
import { quote } from '../http/quote.ts';
import { hasFilter, toFilterParameters } from '../pagination/list-query.ts';
import type { Page } from '../pagination/page.ts';
import { type PagedList, readWhole } from '../pagination/paginate.ts';
import { endsPhone, hasTerms, idOnly, isExactly, type Person, readPerson } from './person.ts';

export interface FoundPerson extends Person {
  /** Whether the reference is this person's whole name, email address, phone number or ID; not a part of one. */
  readonly isExact: boolean;
}

export interface FindOptions {
  /** The most people to return, exact matches first; 50. All exact matches count, however many there are. */
  readonly limit?: number | undefined;
  /**
   * Whether the result decides what is changed. The search of a server of another kind may miss people, so the whole
   * list is then searched here.
   */
  readonly isWrite?: boolean | undefined;
  /** Whether the search may end at the limit, so that a second exact match may be missed. For choices to pick from. */
  readonly stopsAtLimit?: boolean | undefined;
  /** Whether the reference is known to be no ID, which is then not asked for. */
  readonly isNoId?: boolean | undefined;
}

/** Responses of servers that do not know a search, or that a text is not the ID of a record. */
const refusals: readonly (string | number | undefined)[] = [
  ...['not_found', 'not_supported'],
  ...[400, 404, 405, 410, 422],
];
/** What some servers also respond to a text that cannot be one of their IDs. */
const idRefusals: typeof refusals = [...refusals, 'unexpected_response', 500];

/** Longer lists are read again. */
const maxRemembered = 5_000;

/**
 * Finds people by ID, name with its words in any order, email address, phone number in any form, or a part of these.
 * Accents and case do not matter. If there is none, the list is empty. Throws `usage` for a reference that can be none.
 */
export type PersonFinder = ReturnType<typeof createPersonFinder>;

/** `readCountry` reads the ISO 3166 code of the country of national phone numbers. */
export function createPersonFinder(
  client: SalonClient,
  readCountry?: (() => Promise<string | undefined>) | undefined,
) {
  let phones: Promise<Phones> | undefined;
  let stylists: Promise<readonly Person[]> | undefined;
  /** A whole list that was read here, for choices to pick from while a person types. */
  let everybody: readonly Person[] | undefined;
  /** Whether the server is one of ours, whose search finds everybody; undefined before it is known. */
  let isOurs: boolean | undefined;

  return {
    /** An ID of the contract costs no request, and its record is only the ID. An empty reference finds the first clients. */
    async findClients(reference: string, options: FindOptions = {}): Promise<readonly FoundPerson[]> {
      const text = parseReference(reference, 'client');
      if (kindOfId(text) === 'client') return [toFound(idOnly(text), text)];
      const matches = createMatches(text, options, {
        phones: mayBePhone(text) ? await readPhones() : undefined,
      });
      if (isOurs !== false && !client.isForeign) {
        const list = client.clients.list(undefined, { parameters: toSearch(text), limit: pageSizes.max });
        if (await orIfRefused(readOurs(list, matches), false)) return matches.found();
      }
      isOurs = false;
      return findElsewhere(text, matches, options);
    },
    /** A first name alone is exact, too. Throws `not_supported` if the server has no list of stylists. */
    async findStylists(reference: string, options: FindOptions = {}): Promise<readonly FoundPerson[]> {
      const text = parseReference(reference, 'stylist');
      if (kindOfId(text) === 'stylist') return [toFound(idOnly(text), text)];
      const matches = createMatches(text, options, { isExactMatch: isStylistExactly });
      try {
        stylists ??= readAll(client.stylists.list({}, { searchesAppointments: false }), 'stylists');
        matches.add(await stylists);
      } catch (thrown) {
        // Its appointments still contain the IDs of stylists.
        if (/^[\w.:~-]+$/.test(text) && thrown instanceof SalonError && thrown.code === 'not_supported')
          return [toFound(idOnly(text), text)];
        throw thrown;
      }
      return matches.found();
    },
    /** Compares phone numbers; loaded when first needed. */
    readPhones,
    /** Whether the server itself finds everybody, in one request. Known after a search. */
    isFast: () => isOurs === true,
  };

  function readPhones(): Promise<Phones> {
    phones ??= openPhones();
    return phones;
  }

  async function openPhones(): Promise<Phones> {
    const { createPhones } = await import('../../text/phone-reader.ts');
    return createPhones(await readCountry?.());
  }

  function toSearch(text: string): Record<string, string> {
    return text === '' ? {} : toFilterParameters({ q: text }, client.dialect());
  }

  /** Returns false if the first page shows that the server is not ours. */
  async function readOurs(list: PagedList<unknown>, matches: Matches): Promise<boolean> {
    let first: Page<unknown> | undefined;
    for await (const page of list) {
      if (page.version === undefined) return false;
      first = page;
      matches.add(page.rows.flatMap(toPeople));
    }
    isOurs = first !== undefined;
    const { rows = [], total = 0, resume } = first ?? {};
    if (rows.length >= total || !matches.needsMore()) return isOurs;
    const rest = client.clients.list(undefined, { parameters: toSearch(matches.reference), from: resume });
    for await (const page of rest) matches.add(page.rows.flatMap(toPeople));
    return true;
  }

  async function findElsewhere(
    text: string,
    matches: Matches,
    { isWrite = false, stopsAtLimit = false, isNoId = false }: FindOptions,
  ): Promise<readonly FoundPerson[]> {
    if (stopsAtLimit && everybody !== undefined) {
      matches.add(everybody);
      return matches.found();
    }
    const byId = stopsAtLimit || isNoId ? undefined : await findById(text);
    if (byId !== undefined) return [byId];
    if (!isWrite && text !== '' && hasFilter('q', client.dialect())) {
      const list = client.clients.list(undefined, { parameters: toSearch(text), limit: pageSizes.max });
      matches.add(await orIfRefused(readAll(list, 'clients'), []));
      if (matches.found().length > 0) return matches.found();
    }
    const read: Person[] = [];
    for await (const { rows } of readWhole(client.clients.list(), 'clients')) {
      const people = rows.flatMap(toPeople);
      matches.add(people);
      if (matches.isFull()) return matches.found();
      if (read.length <= maxRemembered) read.push(...people);
    }
    if (read.length <= maxRemembered) everybody = read;
    return matches.found();
  }

  async function findById(text: string): Promise<FoundPerson | undefined> {
    if (text === '') return undefined;
    const request = client.clients.get(text, { searchesList: false });
    const person = readPerson(await orIfRefused(request, undefined, idRefusals));
    return person && toFound(person, text);
  }
}

/** The result of a request, or another value if the server refuses the search or finds no record. */
export async function orIfRefused<Result, Other>(
  request: Promise<Result>,
  other: Other,
  responses = refusals,
): Promise<Result | Other> {
  try {
    return await request;
  } catch (thrown) {
    if (!(thrown instanceof SalonError)) throw thrown;
    if (responses.includes(thrown.code) || responses.includes(thrown.status)) return other;
    throw thrown;
  }
}

/** Inexact matches that are kept, to choose the best ones from. */
const maxOthers = pageSizes.max;

/** The people found so far for a reference. */
type Matches = ReturnType<typeof createMatches>;

function createMatches(
  reference: string,
  { limit = 50, stopsAtLimit = false }: FindOptions,
  { isExactMatch = isExactly, phones }: { isExactMatch?: typeof isExactly; phones?: Phones | undefined },
) {
  const terms = toSearchTerms(reference, phones?.toStoredDigits(reference));
  const exact = new Map<string, FoundPerson>();
  const others = new Map<string, FoundPerson>();
  const isFull = () => stopsAtLimit && exact.size + others.size >= limit;
  return {
    reference,
    isFull,
    /** Whether further rows can change the result: there is an exact match, which may not be the only one. */
    needsMore: () => !isFull() && exact.size === 1,
    add(people: readonly Person[]) {
      for (const person of people) {
        if (isExactMatch(person, reference, phones)) exact.set(person.id, { ...person, isExact: true });
        else if (others.size < maxOthers && (reference === '' || hasTerms(person, terms)))
          others.set(person.id, { ...person, isExact: false });
      }
    },
    found(): readonly FoundPerson[] {
      const rank = (person: Person) => (endsPhone(person, reference) ? 0 : 1);
      const sorted = [...others.values()].toSorted((one, other) => rank(one) - rank(other));
      return [...exact.values(), ...sorted].slice(0, Math.max(limit, Math.min(exact.size, 2)));
    },
  };
}

/** A stylist is known by the first name, too. */
function isStylistExactly(person: Person, reference: string): boolean {
  return isExactly({ ...person, names: [...person.names, person.firstName] }, reference);
}

function toFound(person: Person, reference: string): FoundPerson {
  return { ...person, isExact: person.id === reference };
}

function toPeople(row: unknown): readonly Person[] {
  const person = readPerson(row);
  return person === undefined ? [] : [person];
}

async function readAll(list: PagedList<unknown>, noun: string): Promise<readonly Person[]> {
  const people: Person[] = [];
  for await (const { rows } of readWhole(list, noun)) people.push(...rows.flatMap(toPeople));
  return people;
}

/** Trims a reference. Throws `usage` for one that cannot be sent or is the ID of something else. */
function parseReference(reference: string, noun: 'client' | 'stylist'): string {
  const text = withoutPhoneSlashes(reference.trim());
  if (text !== '' && !isIdentifier(text)) {
    throw new SalonError('usage', `"${quote(text, 80)}" does not name a ${noun}.`, {
      hint: `Enter a name, email address, phone number or ID, without "/", "?", "#" and "%".`,
    });
  }
  const kind = kindOfId(text);
  if (kind === undefined || kind === noun) return text;
  throw new SalonError('usage', `${text} is the ID of ${nameKind(kind)}, not of a ${noun}.`, {
    hint: `Enter the name, email address, phone number or ID of a ${noun}.`,
  });
}

/** `a client`, `an API key` */
export function nameKind(kind: IdentifierKind): string {
  const noun = kind.replace('_', ' ').replace('api', 'API');
  return /^[aeiou]/i.test(noun) ? `an ${noun}` : `a ${noun}`;
}
