/** Country calling codes of one and two digits; all others have three (ITU-T E.164). */
const shortCodes = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** Numbers that people dial within a country start with a zero in most countries. */
const nationalPrefixes: Readonly<Record<string, string>> = { 1: '', 7: '8', 36: '06' };

export interface PhoneNumber {
  /** All digits, without the `00` of an international number. */
  readonly digits: string;
  /** The number without its country code and leading zero; undefined if it is in national form already. */
  readonly national: string | undefined;
  /** As it is dialled within its country. */
  readonly dialled: string;
}

/** Whether a text is a phone number, or a part of one: digits and what people write between them. */
export function looksLikePhone(text: string): boolean {
  return /^\+?[\d\s.\-()[\]]+$/.test(text) && /\d/.test(text);
}

/** The digits of a phone number, without the zero in `+44 (0)20`. */
export function toDigits(phone: string): string {
  return phone.replace(/^(\s*(?:\+|00).*?)\(0\)/, '$1').replace(/\D/g, '');
}

/** Reads a phone number. One with `+` or `00` is international, any other national. */
export function parsePhone(phone: string): PhoneNumber {
  const digits = toDigits(phone);
  const isPlus = phone.trim().startsWith('+');
  // Only a whole number: "0018" may be the end of one.
  const isDialled = digits.startsWith('00') && digits.length > 9;
  if (!isPlus && !isDialled) return { digits, national: undefined, dialled: digits };
  const international = isDialled ? digits.slice(2) : digits;
  const code = shortCodes.exec(international)?.[0] ?? international.slice(0, 3);
  const national = international.slice(code.length);
  // Italian numbers keep their zero.
  const prefix = national.startsWith('0') ? '' : (nationalPrefixes[code] ?? '0');
  return { digits: international, national, dialled: prefix + national };
}

/** Whether two phone numbers are the same. A national one is the same as an international one of any country. */
export function isSamePhone(one: string, other: string): boolean {
  const [a, b] = [parsePhone(one), parsePhone(other)];
  if (a.digits === '' || b.digits === '') return false;
  if (a.digits === b.digits) return true;
  if (a.national === undefined && b.national === undefined) return withoutZeros(a) === withoutZeros(b);
  if (a.national !== undefined && b.national !== undefined) return false;
  const [national, international] = a.national === undefined ? [a, b] : [b, a];
  return [international.dialled, international.national].includes(national.digits);
}

function withoutZeros({ digits }: PhoneNumber): string {
  return digits.replace(/^0+/, '');
}

/**
 * How numbers are dialled at home: country, calling code, and the digits before a number, or without such digits the
 * lengths of a whole number. Italian landlines keep their zero, and mobile numbers begin with 3.
 */
const nationalForms =
  `AT 43 0,AU 61 0,BE 32 0,BG 359 0,CH 41 0,DE 49 0,FI 358 0,FR 33 0,GB 44 0,HR 385 0,IE 353 0,IL 972 0,JP 81 0,
NL 31 0,NZ 64 0,RO 40 0,SE 46 0,SI 386 0,SK 421 0,TR 90 0,UA 380 0,ZA 27 0,HU 36 06,CA 1 - 10,US 1 - 10,CY 357 - 8,CZ 420 - 9,
DK 45 - 8,EE 372 - 7 8,ES 34 - 9,GR 30 - 10,LV 371 - 8,MT 356 - 8,NO 47 - 8,PL 48 - 9,PT 351 - 9,IT 39 - 9 10 11`
    .split(/,\s*/)
    .map((line) => line.split(' '));

/** The countries whose national numbers are understood. */
export const phoneCountries = nationalForms.map(([country = '']) => country);

/** `49` for `DE`; undefined for a country whose national numbers are not understood. */
export function callingCodeOf(country: string | undefined): string | undefined {
  return nationalForms.find(([name]) => name === country)?.[1];
}

/**
 * A phone number with the country code of its country, from any form that people write: `030/123 45`, `0049 (0)30 12345`.
 * In a number that may be incomplete, or whose country's forms are not known, only slashes and `(0)` are removed.
 */
export function toInternationalPhone(written: string, country: string | undefined): string {
  const plain = written
    .trim()
    .replace(/\p{Pd}/gu, '-')
    .replace(/^\((\+\d{1,3})\)\s*/, '$1 ');
  const phone = joinSlashes(plain);
  if (!looksLikePhone(phone)) return written;
  const isItalian = /^\s*(?:\+|00)\s*39/.test(phone);
  const digits = isItalian ? phone.replace(/\D/g, '') : toDigits(phone);
  if (phone.startsWith('+')) return phone.includes('(0)') ? `+${digits}` : phone;
  if (/^00[1-9]/.test(digits) && digits.length > 9) return `+${digits.slice(2)}`;
  const [, code = '', prefix = '', ...lengths] = nationalForms.find(([name]) => name === country) ?? [];
  if (code === '') return phone;
  if (prefix !== '-') {
    const isWhole = digits.startsWith(prefix) && !digits.startsWith('00');
    return isWhole ? `+${code}${digits.slice(prefix.length)}` : phone;
  }
  if (code === '39' && !/^[03]/.test(digits)) return phone;
  if (lengths.includes(String(digits.length))) return `+${code}${digits}`;
  const hasCode = digits.startsWith(code) && lengths.includes(String(digits.length - code.length));
  return hasCode ? `+${digits}` : phone;
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
