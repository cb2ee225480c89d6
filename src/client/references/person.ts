import { normaliseEmail } from '../../contract/formats.ts';
import { toIdText } from '../../contract/identifiers.ts';
import { isSamePhone, mayBePhone, toDigits } from '../../text/phone-forms.ts';
import type { Phones } from '../../text/phone-reader.ts';
import {
  matchesTerms,
  type SearchTerms,
  toFullNames,
  toNameKey,
  toSearchText,
} from '../../text/search-text.ts';
import { namesOfField } from '../dialect/record-names.ts';
import { type Fields, isFields, simplifyName } from '../json-object.ts';

/** A client or stylist, as any server may describe one. */
export interface Person {
  readonly id: string;
  /** A full name, else the email address, the phone number or the ID. */
  readonly name: string;
  /** Every name by which the person may be called. */
  readonly names: readonly string[];
  readonly firstName: string;
  readonly email: string;
  readonly phone: string;
  /** As the server sent it. */
  readonly record: Fields;
}

const fieldNames = {
  first: namesOfField('first_name'),
  last: namesOfField('last_name'),
  display: ['displayname'],
  full: ['name', 'fullname'],
  email: namesOfField('email'),
  phone: namesOfField('phone'),
} as const;

/** A person of whom only the ID is known. */
export function idOnly(id: string): Person {
  return { id, name: id, names: [], firstName: '', email: '', phone: '', record: { id } };
}

/** Reads a person from a record; undefined if it has no ID. */
export function readPerson(row: unknown): Person | undefined {
  if (!isFields(row)) return undefined;
  const id = toIdText(row['id']);
  if (id === undefined || id === '') return undefined;
  const fields = new Map(
    Object.entries(row).map(([name, value]) => [simplifyName(name).replace(/\d/g, ''), value]),
  );
  const read = (field: keyof typeof fieldNames) =>
    fieldNames[field].map((name) => (toIdText(fields.get(name)) ?? '').trim()).find((text) => text !== '') ??
    '';
  const [first, display, email, phone] = [read('first'), read('display'), read('email'), read('phone')];
  const full = toFullNames(first, read('last'));
  const names = [...new Set([display, ...(full.length > 0 ? full : [read('full')])])].filter(
    (name) => name !== '',
  );
  return { id, name: names[0] ?? (email || phone || id), names, firstName: first, email, phone, record: row };
}

/** `Ana Costa (ana@costa.example, cli_…)`: tells people of one name apart. */
export function describePerson({ id, name, names, email, phone }: Person): string {
  const details = [email || phone, id].filter((detail) => detail !== '' && detail !== name);
  return `${names.at(-1) ?? name} (${details.join(', ')})`;
}

/** Empty if there is none. */
export function externalIdOf({ record }: Pick<Person, 'record'>): string {
  return toIdText(record['external_id'])?.trim() ?? '';
}

/** What a reference to a client by external ID begins with. */
export const externalIdPrefix = 'external ID ';

/** Whether a reference is exactly this person's ID, name (words in any order), email address or phone number. */
export function isExactly({ id, names, email, phone }: Person, reference: string, phones?: Phones): boolean {
  if (reference === id) return true;
  if (email !== '' && normaliseEmail(email) === normaliseEmail(reference)) return true;
  const isSame = phones?.isSame ?? isSamePhone;
  if (phone !== '' && mayBePhone(reference) && isSame(phone, reference)) return true;
  const key = toNameKey(reference);
  return key !== '' && names.some((name) => toNameKey(name) === key);
}

/** Whether a person has the terms of a search. */
export function hasTerms({ names, email, phone }: Person, terms: SearchTerms): boolean {
  return matchesTerms(toSearchText(names, email, phone), terms);
}

/** Whether a reference is the end of a person's phone number, by which people are often asked for. */
export function endsPhone({ phone }: Person, reference: string): boolean {
  return mayBePhone(reference) && toDigits(phone).endsWith(toDigits(reference));
}
