import { pageSizes } from '../../contract/limits.ts';
import type { Phones } from '../../text/phone-reader.ts';
import { toSearchTerms } from '../../text/search-text.ts';
import { endsPhone, hasTerms, isExactly, type Person, readPerson } from './person.ts';

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

/** Inexact matches that are kept, to choose the best ones from. */
const maxOthers = pageSizes.max;

/** The people found so far for a reference. */
export type Matches = ReturnType<typeof createMatches>;

export function createMatches(
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
    add(records: readonly unknown[]) {
      for (const person of records.map(readPerson)) {
        if (person === undefined) continue;
        if (isExactMatch(person, reference, phones)) exact.set(person.id, { ...person, isExact: true });
        else if (others.size < maxOthers && (reference === '' || hasTerms(person, terms)))
          others.set(person.id, { ...person, isExact: false });
      }
    },
    found(): readonly FoundPerson[] {
      // An ID comes before a name.
      const named = exact.get(reference);
      if (named !== undefined) return [named];
      const rank = (person: Person) => (endsPhone(person, reference) ? 0 : 1);
      const sorted = [...others.values()].toSorted((one, other) => rank(one) - rank(other));
      return [...exact.values(), ...sorted].slice(0, Math.max(limit, Math.min(exact.size, 2)));
    },
  };
}
