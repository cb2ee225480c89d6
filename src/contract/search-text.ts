import { looksLikePhone, parsePhone } from './phone-forms.ts';

/** Letters that Unicode does not decompose into a letter and an accent. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
  ς: 'σ',
};

/** Text in which only the case can differ, as most names and addresses are. */
const plainText = /^[\w@.+-]+(?: [\w@.+-]+)*$/;

/** Text for comparison: without case, accents, apostrophes and width, and with single spaces. */
export function foldText(text: string): string {
  if (plainText.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}'’‘`´ʼ]/gu, '')
    .replace(/[ßæœøđðħıłþς]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/[\s\p{Z}\p{C}]+/gu, ' ')
    .trim();
}

/** The words of a name. A hyphen separates them, so that "Anna-Lena" is "Anna Lena". */
export function toWords(text: string): readonly string[] {
  return foldText(text)
    .split(/[\s,;.\p{Pd}]+/u)
    .filter((word) => word !== '');
}

/** The same for a name with its words in any order. */
export function toNameKey(name: string): string {
  return [...toWords(name)].sort().join(' ');
}

const eastAsian = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u;

/** The full names of a person. Chinese, Japanese and Korean ones are also written last name first, without a space. */
export function toFullNames(first: string, last: string): readonly string[] {
  const full = [first, last].filter((name) => name !== '').join(' ');
  const isEastAsian = eastAsian.test(first) && eastAsian.test(last);
  return full === '' ? [] : [full, ...(isEastAsian ? [last + first] : [])];
}

/** What a search looks at, in three lines: names, email, and the phone number as dialled abroad and at home. */
export function toSearchText(names: readonly string[], email: string, phone: string): string {
  const { digits, dialled } = parsePhone(phone);
  const phones = dialled === digits ? [digits] : [digits, dialled];
  return [foldText(names.join(' ')), foldText(email), phones.join(' ')].join('\n');
}

/** What a search text must contain: all words; of a phone number, one of its forms. */
export type SearchTerms = { readonly allOf: readonly string[] } | { readonly anyOf: readonly string[] };

/** The terms of what somebody typed: words in any order, or a phone number or a part of one in any form. */
export function toSearchTerms(typed: string): SearchTerms {
  const text = foldText(typed);
  // "030/23125018" is how many people write an area code.
  const phone = typed.replace(/(?<=\d{2}\)?\s*)\/(?=\s*\d{3})/g, ' ');
  if (looksLikePhone(phone)) return { anyOf: [...new Set([text, ...toPhoneTerms(phone)])] };
  // Email addresses keep their dots.
  const words = text.split(/[\s,;\p{Pd}]+/u).filter((word) => word !== '');
  return { allOf: words.length === 0 ? [text || typed] : [...new Set(words)] };
}

/** Whether a search text, as `toSearchText` makes it, has the terms. */
export function matchesTerms(text: string, terms: SearchTerms): boolean {
  return 'allOf' in terms
    ? terms.allOf.every((word) => text.includes(word))
    : terms.anyOf.some((form) => text.includes(form));
}

function toPhoneTerms(typed: string): readonly string[] {
  const { digits, national, dialled } = parsePhone(typed);
  const isSpecific = (national ?? '').length >= fewestNationalDigits;
  // Somebody who types "0049171" is about to dial abroad; "0018" is the end of a number.
  const abroad = digits.startsWith('00') && digits.length >= 6 ? [digits.slice(2)] : [];
  // At the start of its line is a number that was stored without a country code.
  return [digits, ...(isSpecific ? [`\n${dialled}`] : []), ...abroad];
}

/** Fewer digits after the country code are in most numbers. */
const fewestNationalDigits = 4;
