import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { extensionForm, isSamePhone, looksLikePhone, tidyPhone } from './phone-forms.ts';

const maxRecent = 1000;

/** Reads and compares phone numbers, national ones as of a country. */
export type Phones = ReturnType<typeof createPhones>;

export function createPhones(country?: string | undefined) {
  const known = country !== undefined && isSupportedCountry(country) ? country : undefined;
  const recent = new Map<string, PhoneReading>();

  /** A cell is read several times in a row, and what people are compared with again and again. */
  function read(written: string): PhoneReading {
    const reading = recent.get(written) ?? readPhoneNumber(written, known);
    if (recent.size > maxRecent) recent.clear();
    recent.set(written, reading);
    return reading;
  }

  return {
    country: known as string | undefined,
    callingCode: callingCodeOf(known),
    read,
    /** Whether two texts dial the same number. */
    isSame(one: string, other: string): boolean {
      const [a, b] = [read(one).number, read(other).number];
      const areRead = (a ?? b) !== undefined && (known !== undefined || (a !== undefined && b !== undefined));
      return areRead ? a === b : isSamePhone(one, other);
    },
    /** The digits that a number may be stored with; none if it cannot be read. */
    toStoredDigits(written: string): readonly string[] {
      const { number } = read(written);
      const parsed = number === undefined ? undefined : parsePhoneNumberFromString(number);
      if (parsed === undefined) return [];
      const { countryCallingCode: code, nationalNumber } = parsed;
      const digits = `${code}${nationalNumber}`;
      const abroad = [digits, `00${digits}`];
      if (known !== undefined && code !== callingCodeOf(known)) return abroad;
      const dialled = parsed.formatNational().replace(/\D/g, '');
      return [...new Set([...abroad, dialled, nationalNumber, code + dialled])];
    },
  };
}

/** What a written phone number dials. */
export interface PhoneReading {
  /** In E.164, such as `+493012345`; undefined if no such number can exist, or several are meant. */
  readonly number: string | undefined;
  /** As written, with plain characters and without a slash after the area code. */
  readonly plain: string;
  /** What is dialled once the call is answered, as written; empty without it. */
  readonly extension: string;
  /** Whether the country has such numbers. Plans change, so a number that is not valid may be new. */
  readonly isValid: boolean;
  /** The numbers that it may be, if there are several. */
  readonly readings: readonly string[];
}

/** `49` for `DE`; undefined for a country without a plan. */
export function callingCodeOf(country = ''): string | undefined {
  return isSupportedCountry(country) ? getCountryCallingCode(country) : undefined;
}

/**
 * Reads a phone number in any form that people write: `030/123 45`, `0049 (0)30 12345`, `tel:+49-30-12345;ext=6`. National
 * ones are those of the country.
 */
export function readPhoneNumber(written: string, country = ''): PhoneReading {
  const tidy = tidyPhone(written);
  const extension = extensionForm.exec(tidy);
  const text = joinSlashes(toPlain(tidy.slice(0, extension?.index)));
  const found = looksLikePhone(text)
    ? toReadings(text, isSupportedCountry(country) ? country : undefined)
    : [];
  const valid = found.filter((one) => one.isValid());
  const numbers = [...new Set((valid.length > 0 ? valid : found).map(({ number }) => String(number)))];
  return {
    number: numbers.length === 1 ? numbers[0] : undefined,
    plain: extension === null ? text : tidy,
    extension: extension?.groups?.['digits'] ?? '',
    isValid: valid.length > 0,
    readings: numbers.length > 1 ? numbers : [],
  };
}

/** Without what a link adds, as in `tel:171-12345;phone-context=+49`, brackets around a code, and marks of a pause. */
function toPlain(tidy: string): string {
  const link = /^tel:([^;]*)(?:.*;phone-context=(\+[\d-]+))?/i.exec(tidy);
  const phone = link === null ? tidy : `${link[2] ?? ''}${link[1]}`;
  return phone
    .replace(/^\((\+|00)(\d{1,4})\)/, '$1$2 ')
    .replace(/^\+\s*00/, '+')
    .replaceAll('~', '')
    .trim();
}

/** A slash after an area code is a blank. Others separate two numbers, and stay. */
function joinSlashes(phone: string): string {
  const [start = '', ...others] = phone.split('/');
  const isAbroad = /^(?:\+|00)/.test(start);
  const isArea = /^\+?[\d\s()-]+$/.test(start) && start.replace(/\D/g, '').length <= (isAbroad ? 9 : 5);
  const isShort = phone.replace(/\D/g, '').length <= (isAbroad ? 16 : 12);
  const areParts = others.every((part, index) => /^\s*\d/.test(part) && (index > 0 || (isArea && isShort)));
  return areParts && others.length < 3 ? [start, ...others].join(' ') : phone;
}

/** Shorter numbers without their first zero may as well be without an area code. */
const minBareDigits = 9;
/** Except in small territories, whose codes have three digits, fewer are dialled at home only, such as 11880. */
const minWholeDigits = 7;

/** Every possible number that a text may mean. */
function toReadings(phone: string, country: CountryCode | undefined): readonly PhoneNumber[] {
  if (phone.startsWith('+')) return parseAbroad(phone);
  const digits = phone.replace(/\D/g, '');
  const code = callingCodeOf(country);
  const home = country === undefined ? [] : parse(phone, country);
  const [own] = home;
  const isAbroad = own !== undefined && own.countryCallingCode !== code;
  // The library knows 00 in the countries alone that dial it themselves.
  if (/^00[1-9]/.test(digits) && digits.length > 9) {
    const abroad = parseAbroad(`+${phone.replace(/^\D*0\D*0/, '')}`);
    const isOwn = abroad.some((one) => one.countryCallingCode === code && one.isValid());
    return isAbroad && !isOwn ? [...abroad, ...home] : abroad;
  }
  if (isAbroad || code === undefined) return home;
  const lost = digits.startsWith(code) ? parseAbroad(`+${phone}`) : [];
  if (own === undefined) return lost;
  const isBare = digits === own.nationalNumber && digits !== own.formatNational().replace(/\D/g, '');
  const validLost = lost.filter((one) => one.isValid());
  if (isBare && validLost.length > 0) return validLost;
  if (isBare && digits.length < minBareDigits) return [];
  if (code.length < 3 && digits.length < minWholeDigits) return [];
  // The library takes 011 for the start of a national number outside America, and 49 and 1 in Germany.
  const american = code !== '1' && /^011[1-9]\d{9}/.test(digits) ? parseAbroad(`+${digits.slice(3)}`) : [];
  const foreign = isBare && digits.length > 10 ? parseAbroad(`+${digits}`) : [];
  return [...home, ...(own.isValid() && !isBare ? validLost : lost), ...american, ...foreign];
}

/** `+39 (0)312 …` is a number with or without the zero. */
function parseAbroad(phone: string): readonly PhoneNumber[] {
  return phone.includes('(0)') ? [...parse(phone), ...parse(phone.replace('(0)', ' '))] : parse(phone);
}

function parse(phone: string, country?: CountryCode): readonly PhoneNumber[] {
  const found = parsePhoneNumberFromString(phone, {
    ...(country && { defaultCountry: country }),
    extract: false,
  });
  return found?.isPossible() ? [found] : [];
}
