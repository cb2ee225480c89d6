import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/json-object.ts';
import { findManyClients, isLikelyId } from '../../client/references/find-many.ts';
import {
  describePerson,
  externalIdOf,
  externalIdPrefix,
  type Person,
} from '../../client/references/person.ts';
import { createPersonFinder } from '../../client/references/person-finder.ts';
import { isIdentifier, kindOfId, toIdText } from '../../contract/identifiers.ts';
import { looksLikePhone } from '../../text/phone-forms.ts';
import { quote } from '../../text/quote.ts';
import { toWords } from '../../text/search-text.ts';
import type { RowProblem } from '../sheet/sheet-form.ts';
import type { PlannedRow } from './plan-format.ts';

type Noun = 'client' | 'stylist';

/** The fields whose cells may have a name, email address or phone number instead of an ID. */
const nounOf: readonly (readonly [string, Noun])[] = [
  ['client_id', 'client'],
  ['stylist_id', 'stylist'],
  ['preferred_stylist_id', 'stylist'],
];

/** Finds out whom the rows of a sheet mean. Cells that have an ID, or show the current value, cost no request. */
export function createPeopleReferences(
  client: SalonClient,
  {
    readCountry,
    isImport = false,
  }: { readCountry?: Parameters<typeof createPersonFinder>[1]; isImport?: boolean },
) {
  const wanted = { client: new Set<string>(), stylist: new Set<string>() };
  const found: Record<Noun, ReadonlyMap<string, readonly Person[]>> = {
    client: new Map(),
    stylist: new Map(),
  };
  const finder = createPersonFinder(client, readCountry);
  // Our IDs say what they are: the number of a list is that of another program.
  const mayBeId = (text: string, noun: Noun) =>
    isImport && !client.isForeign
      ? kindOfId(text) === noun
      : isLikelyId(text) && (kindOfId(text) ?? noun) === noun;
  let areAllPossible = true;

  function peopleOf(reference: Reference): readonly Person[] {
    const texts = toEach(reference).map(({ text }) => text);
    const find = (text: string) => found[reference.noun].get(text) ?? [];
    const number = texts.find((text) => text.startsWith(externalIdPrefix));
    const name = texts.find((text) => text !== number && !text.includes('@') && !looksLikePhone(text));
    const known = texts
      .filter((text) => text !== name)
      .map(find)
      .filter(({ length }) => length > 0);
    const [people = name === undefined ? [] : find(name)] = known;
    return people.filter(
      (person) =>
        known.every((others) => others.some(({ id }) => id === person.id)) &&
        // Families share an email address and a phone.
        (known.length === 0 || name === undefined || fitsName(person, name)) &&
        (number === undefined || ['', number.slice(externalIdPrefix.length)].includes(externalIdOf(person))),
    );
  }

  function findReferences(fields: Fields = {}): readonly Reference[] {
    return nounOf.flatMap(([field, noun]) => {
      const value = fields[field];
      if (typeof value !== 'string') return [];
      const text = value.trim();
      return text === '' || mayBeId(text, noun) ? [] : [{ field, noun, text }];
    });
  }

  /** The current value, if that is one of the people. */
  function keepsCurrent(
    { field }: Reference,
    before: Fields | undefined,
    people: readonly Person[],
  ): boolean {
    const current = toIdText(before?.[field]);
    return current !== undefined && people.some(({ id }) => id === current);
  }

  return {
    /** Every row, before `resolve`. */
    add(row: PlannedRow) {
      for (const { noun, text } of findReferences(row.change).flatMap(toEach)) {
        // It can mean somebody: it has no slash, and is not the ID of something else.
        if (isIdentifier(text) && kindOfId(text) === undefined) wanted[noun].add(text);
        else areAllPossible = false;
      }
      // Certain as each may be, they may be several people.
      if (findReferences(row.change).some((reference) => toEach(reference).length > 1))
        areAllPossible = false;
    },
    /** How many there are, each counted once. */
    get size() {
      return wanted.client.size + wanted.stylist.size;
    },
    /** Looks up all references, each once. Returns false if any matches no person, or several. */
    async resolve() {
      if (wanted.client.size > 0) found.client = await findManyClients(client, finder, wanted.client);
      const stylists = [...wanted.stylist].map(async (text) => {
        const people = await finder.findStylists(text);
        return [text, people.filter(({ isExact }) => isExact)] as const;
      });
      found.stylist = new Map(await Promise.all(stylists));
      const isCertain = (noun: Noun) =>
        [...wanted[noun]].every((text) => found[noun].get(text)?.length === 1);
      return areAllPossible && isCertain('client') && isCertain('stylist');
    },
    /** Why the references of a row cannot be used. */
    findProblems(row: PlannedRow) {
      return findReferences(row.change).flatMap((reference): readonly RowProblem[] => {
        const people = peopleOf(reference);
        if (people.length === 1 || keepsCurrent(reference, row.before, people)) return [];
        return [{ line: row.line, column: reference.field, ...toProblem(reference, people) }];
      });
    },
    /** The row with IDs in place of references, and with the names of the people. */
    apply(row: PlannedRow): PlannedRow {
      const references = findReferences(row.change);
      if (references.length === 0) return row;
      const change = { ...row.change };
      const people: Record<string, string> = {};
      for (const reference of references) {
        const { field } = reference;
        const [person] = peopleOf(reference);
        if (keepsCurrent(reference, row.before, peopleOf(reference))) delete change[field];
        else if (person !== undefined) {
          change[field] = person.record['id'];
          people[field] = person.name;
        }
      }
      const { line, id, repairs } = row;
      if (row.act === 'update' && Object.keys(change).length === 0)
        return { row: row.row, line, act: 'none', id, repairs };
      return { ...row, change, people };
    },
  };
}

export type PeopleReferences = ReturnType<typeof createPeopleReferences>;

interface Reference {
  readonly field: string;
  readonly noun: Noun;
  readonly text: string;
}

/** Each of the texts that say together who is meant: email address, phone and name. */
function toEach(reference: Reference): readonly Reference[] {
  const texts = reference.text.split('\n').map((text) => text.trim());
  return texts.filter((text) => text !== '').map((text) => ({ ...reference, text }));
}

/** Whether a name has the first name of a person, if one is known. */
function fitsName({ firstName }: Person, name: string): boolean {
  const words = toWords(name);
  const first = toWords(firstName);
  return first.length === 0 || first.some((word) => words.includes(word));
}

function toProblem(reference: Reference, people: readonly Person[]): Pick<RowProblem, 'code' | 'reason'> {
  const { noun } = reference;
  const texts = toEach(reference).map(({ text }) => text);
  const text = texts.join(', ');
  const shown = JSON.stringify(quote(text, 80));
  const kind = kindOfId(text);
  const other = `Is the ID of another kind of record (${kind?.replace('_', ' ')}).`;
  if (kind !== undefined) return { code: 'invalid_value', reason: other };
  const both = texts.length > 1 ? ' all of' : '';
  if (people.length === 0) return { code: 'not_found', reason: `No ${noun} matches${both} ${shown}.` };
  const reason = `More than one ${noun} matches ${shown}: ${people.map(describePerson).join(', ')}.`;
  return { code: 'ambiguous', reason };
}
