import type { Fields } from '../../client/json-object.ts';
import { readPerson } from '../../client/references/person.ts';
import { normalisePhone } from '../../contract/formats.ts';
import { kindOfId, toIdText } from '../../contract/identifiers.ts';
import type { Phones } from '../../text/phone-reader.ts';
import { toNameKey, toWords } from '../../text/search-text.ts';
import { isSameBirthday } from '../../time/birthdays.ts';
import { toMatchKey } from '../input/edit-fields.ts';
import type { ExistingPerson } from './plan-format.ts';

/** What a client, or a row that may be one, is recognised by. */
export type Traits = ReturnType<typeof readTraits>;

/** Unknown traits are empty. */
export function readTraits(fields: Fields, phones?: Phones) {
  const text = (field: string) => toIdText(fields[field])?.trim() ?? '';
  const { names = [], firstName = '', email, phone = '' } = readPerson({ ...fields, id: 'none' }) ?? {};
  const [name, birthday] = [toNameKey(names.at(-1) ?? ''), text('birthday')];
  const externalId = text('external_id');
  return {
    // Any other ID may be that of another program.
    id: kindOfId(text('id')) === 'client' ? text('id') : '',
    externalId,
    email: toMatchKey('email', email) ?? '',
    // As dialled from abroad, or the digits it has: spreadsheet programs remove `+` and leading zeros.
    phone: (phones?.read(phone).number ?? normalisePhone(phone)).replace(/^[+0]+/, ''),
    birthday,
    name,
    // A first name and a birthday are those of several people.
    nameAndBirthday: name === toNameKey(firstName) || birthday === '' ? '' : `${name}\n${birthday.slice(-5)}`,
    first: toWords(firstName),
    /** Compared only in imports, where nothing else is the same. */
    soleName: '',
  };
}

/**
 * Finds whom a row means: by ID, else by external ID, else by email or phone with a name that fits, since families share
 * these, else by name and birthday. All `people` fit equally well; where `differs` is not null, they are only alike.
 */
export function findMeant<Known extends Traits>(wanted: Traits, known: readonly Known[]) {
  const alike = known.flatMap((person) =>
    compareTraits(wanted, person).map((found) => ({ ...found, person })),
  );
  const [best] = alike.toSorted((one, other) => one.rank - other.rank);
  return best && { ...best, people: alike.filter(({ rank }) => rank === best.rank).map((one) => one.person) };
}

type Likeness = Pick<ExistingPerson, 'same' | 'differs'> & { readonly rank: number };

/** A lower rank is more certain. */
function compareTraits(one: Traits, other: Traits): readonly Likeness[] {
  const compare = (trait: Exclude<keyof Traits, 'first'>) => {
    const [own, others] = [one[trait], other[trait]];
    if (own === '' || others === '') return undefined;
    return trait === 'birthday' ? isSameBirthday(own, others) : own === others;
  };
  if (compare('id')) return [{ rank: 0, same: 'ID', differs: null }];
  if (compare('externalId')) return [{ rank: 1, same: 'external ID', differs: null }];
  const same = compare('email') ? 'email' : compare('phone') ? 'phone' : undefined;
  if (same === undefined) {
    const isOtherId = compare('externalId') === false;
    if (!compare('nameAndBirthday') && compare('soleName') && compare('birthday') !== false && !isOtherId) {
      const isUnknown = [one, other].some(({ email, phone }) => email === '' && phone === '');
      if (isUnknown) return [{ rank: 8, same: 'name', differs: 'all else' }];
      return [{ rank: 9, same: 'name', differs: 'phone and email' }];
    }
    if (!compare('nameAndBirthday') || !compare('birthday')) return [];
    const isOther = compare('email') === false || compare('phone') === false;
    return [{ rank: isOther ? 6 : 3, same: 'name and birthday', differs: isOther ? 'phone or email' : null }];
  }
  if (compare('name')) {
    if (compare('birthday') === false) return [{ rank: 5, same, differs: 'birthday' }];
    // Of several who share one of them, the client with both is meant.
    const hasBoth = compare('email') && compare('phone');
    return [{ rank: hasBoth ? 2 : 2.5, same: `${same} and name`, differs: null }];
  }
  const fits = fitsName(one, other);
  if (fits === false || compare('birthday') === false) return [{ rank: 7, same, differs: 'name' }];
  // Of two without a name, a family's phone says less than an email address.
  const isMeant = fits ?? (same === 'email' && one.name === other.name);
  return [isMeant ? { rank: 3, same, differs: null } : { rank: 4, same, differs: 'unclear name' }];
}

/** Whether one name is the other with more words. Undefined where no first name tells people of one family apart. */
function fitsName(one: Traits, other: Traits): boolean | undefined {
  const names = [one, other].map(({ name }) => toWords(name));
  const [short = [], long = []] = names.toSorted((a, b) => a.length - b.length);
  if (!short.every((word) => long.includes(word))) return false;
  return short.some((word) => one.first.includes(word) && other.first.includes(word)) || undefined;
}
