/** Country calling codes of one and two digits; all others have three (ITU-T E.164). */
const shortCodes = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** Numbers that people dial within a country start with a zero in most countries. */
const nationalPrefixes: Readonly<Record<string, string>> = { 1: '', 7: '8', 36: '06' };

export interface PhoneNumber {
  /** All digits, without the `00` of an international number. */
  readonly digits: string;
  /** The number without its country code and leading zero; undefined if it is in national form already. */
  readonly national: string | undefined;
  /** As people dial it within its country. */
  readonly dialled: string;
}

/** Whether a text is a phone number, or a part of one: digits and what people write between them. */
export function looksLikePhone(text: string): boolean {
  return /^\+?[\d\s.\-()[\]]+$/.test(text) && /\d/.test(text);
}

/** What is dialled once the call is answered, at the end of a number. */
export const extensionForm =
  /[\s,;]*\(?(?:;ext=|(?:\b(?:extension|extn?|durchwahl|dw|nebenstelle|poste|interno|int|anexo|ramal|toestel|wew|linka)\b|(?<=[\d\s)(])[x#])[.:]?)\s*(?<digits>\d{1,7})\)?$/i;

/** Whether a text may be a phone number in any form: also with slashes, full-width digits or an extension, or as a link. */
export function mayBePhone(text: string): boolean {
  return looksLikePhone(
    tidyPhone(text)
      .replace(extensionForm, '')
      .replace(/^tel:|\//gi, ''),
  );
}

/** A text without the slashes that it has as a phone number, which no path can contain. */
export function withoutPhoneSlashes(text: string): string {
  return mayBePhone(text) ? text.replaceAll('/', ' ') : text;
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
  const [home, abroad] = a.national === undefined ? [a.digits, b.national] : [b.digits, a.national];
  // Before a number at home, most countries dial 0, others 8, 06, 01 or 1.
  return home.endsWith(abroad ?? '') && /^(?:0[126]?|8|1)?$/.test(home.slice(0, -(abroad ?? '').length));
}

function withoutZeros({ digits }: PhoneNumber): string {
  return digits.replace(/^0+/, '');
}

/** A written number with plain digits, blanks and hyphens, and without marks that cannot be seen. */
export function tidyPhone(written: string): string {
  return written
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\s+/g, ' ')
    .trim();
}
