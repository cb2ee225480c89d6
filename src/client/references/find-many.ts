import { normaliseEmail } from '../../contract/formats.ts';
import { kindOfId } from '../../contract/identifiers.ts';
import { pageSizes } from '../../contract/limits.ts';
import { looksLikePhone, mayBePhone, toDigits } from '../../text/phone-forms.ts';
import type { Phones } from '../../text/phone-reader.ts';
import { toNameKey } from '../../text/search-text.ts';
import type { SalonClient } from '../client.ts';
import { readWhole, takeFirst } from '../pagination/paginate.ts';
import { externalIdOf, externalIdPrefix, isExactly, type Person, readPerson } from './person.ts';
import type { PersonFinder } from './person-finder.ts';

/** Up to this many clients are searched for without looking at the list first. */
const few = 2;
/** Of people who match one reference, those that are kept. */
const maxKept = 5;

/**
 * Finds the clients that many references mean exactly, at most five each, with the fewest requests: a search for each,
 * or the whole list. A reference with one person is certain.
 */
export async function findManyClients(
  client: SalonClient,
  finder: Pick<PersonFinder, 'findClients' | 'readPhones'>,
  references: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly Person[]>> {
  // No server is known to search for external IDs.
  const isSearched = ![...references].some((reference) => toExternalId(reference) !== undefined);
  if (isSearched && references.size <= few) return searchEach();
  const phones = [...references].some(mayBePhone) ? await finder.readPhones() : undefined;
  const found = createExactMatches(references, phones);
  const list = client.clients.list(undefined, { limit: pageSizes.max });
  const first = await takeFirst(list);
  const { rows = [], total = Number.POSITIVE_INFINITY, resume, version } = first ?? {};
  found.add(rows);
  const pages = Math.ceil((total - rows.length) / Math.max(1, rows.length));
  if (rows.length === 0 || pages <= 0) return found.people;
  if (isSearched && version !== undefined && references.size < pages) return searchEach();
  for await (const page of readWhole(client.clients.list(undefined, { from: resume }), 'clients'))
    found.add(page.rows);
  return found.people;

  async function searchEach(): Promise<ReadonlyMap<string, readonly Person[]>> {
    const each = [...references].map(async (reference) => {
      const people = await finder.findClients(reference, { isWrite: true, limit: maxKept });
      return [reference, people.filter(({ isExact }) => isExact)] as const;
    });
    return new Map(await Promise.all(each));
  }
}

/** Matches the rows of a list with references. Memory grows with the references, not with the list. */
function createExactMatches(references: ReadonlySet<string>, phones: Phones | undefined) {
  const keys = [...references].flatMap((reference) =>
    keysOfReference(reference).map((key) => ({ key, reference })),
  );
  const byKey = Map.groupBy(keys, ({ key }) => key);
  const people = new Map<string, Person[]>();
  return {
    people,
    add(rows: readonly unknown[]): void {
      for (const row of rows) {
        const person = readPerson(row);
        if (person === undefined) continue;
        const found = keysOfPerson(person).flatMap((key) => byKey.get(key) ?? []);
        const meant = new Set(found.map(({ reference }) => reference));
        for (const reference of meant)
          if (isExactly(person, reference, phones) || toExternalId(reference) === externalIdOf(person))
            addPerson(person, reference);
      }
    },
  };

  /** An ID comes before a name. */
  function addPerson(person: Person, reference: string): void {
    const same = people.get(reference) ?? [];
    if (same[0]?.id === reference || same.some(({ id }) => id === person.id)) return;
    if (person.id === reference) people.set(reference, [person]);
    else if (same.length < maxKept) people.set(reference, [...same, person]);
  }
}

function keysOfReference(reference: string): readonly string[] {
  const phone = mayBePhone(reference) ? [toPhoneKey(reference)] : [];
  return [
    `id:${reference}`,
    `external:${toExternalId(reference)}`,
    `name:${toNameKey(reference)}`,
    `email:${normaliseEmail(reference)}`,
    ...phone,
  ];
}

function keysOfPerson(person: Person): readonly string[] {
  const { id, names, email, phone } = person;
  const byName = names.map((name) => `name:${toNameKey(name)}`);
  return [
    `id:${id}`,
    `external:${externalIdOf(person)}`,
    ...byName,
    `email:${normaliseEmail(email)}`,
    toPhoneKey(phone),
  ];
}

/** Of a reference that may be one: it has the prefix, or looks like the ID of another program. */
function toExternalId(reference: string): string | undefined {
  if (reference.startsWith(externalIdPrefix)) return reference.slice(externalIdPrefix.length);
  return kindOfId(reference) === undefined && isLikelyId(reference) ? reference : undefined;
}

/** The last digits, which all forms of a number have. */
function toPhoneKey(phone: string): string {
  return `phone:${toDigits(phone).slice(-7)}`;
}

/**
 * Whether a text is taken as an ID without looking: one of the contract's, a short or very long number, or letters and
 * digits in the length or form of other servers' IDs. A server refuses an ID that it does not have.
 */
export function isLikelyId(text: string): boolean {
  if (kindOfId(text) !== undefined || /^(?:\d{1,6}|\d{16,64})$/.test(text)) return true;
  const isLong = text.length >= 16 && /\d/.test(text);
  const hasPrefix = /^[a-z]{2,4}_/.test(text);
  return (isLong || hasPrefix) && /^[\w.:~-]{1,64}$/.test(text) && !looksLikePhone(text);
}
