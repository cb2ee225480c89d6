import { looksLikePhone, parsePhone } from './phone-forms.ts';

/**
 * Arabic letters that look like Persian ones: yeh, kaf and heh have several forms, alef wasla is an alef, and the last one,
 * which only stretches a word, is left out.
 */
const alikeLetters = {
  from: '\u064a\u0649\u0643\u06aa\u0629\u06c3\u06d5\u06c1\u06be\u0671\u0640',
  to: '\u06cc\u06cc\u06a9\u06a9\u0647\u0647\u0647\u0647\u0647\u0627',
} as const;

/** Letters that Unicode does not decompose into a letter and an accent. */
const plainLetters: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...alikeLetters.from].map((letter, index) => [letter, alikeLetters.to[index] ?? '']),
  ),
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

const otherLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

/** Text in which only the case can differ, as most names and addresses are. */
const plainText = /^[\w@.+-]+(?: [\w@.+-]+)*$/;

const accentsAndApostrophes = /[\p{M}'\u2019\u2018`\u00b4\u02bc]/gu;

/** Text for comparison: without case, accents, apostrophes and width, and with single spaces. */
export function foldText(text: string): string {
  if (plainText.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(accentsAndApostrophes, '')
    .replace(otherLetters, (letter) => plainLetters[letter] ?? letter)
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

/** With the long vowel mark of Japanese. */
const eastAsian = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]+$/u;

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

/** What a search text must contain: one spelling of each word, or one form of a phone number. */
export type SearchTerms = readonly (readonly string[])[];

/** The terms of a search: words in any order, or a phone number or a part of one in any form. */
export function toSearchTerms(typed: string): SearchTerms {
  const text = foldText(typed);
  // "030/23125018" is how many people write an area code.
  const phone = typed.replace(/(?<=\d{2}\)?\s*)\/(?=\s*\d{3})/g, ' ');
  if (looksLikePhone(phone)) return [[...new Set([text, ...toPhoneTerms(phone)])]];
  const transcribed = typed
    .normalize('NFC')
    .toLowerCase()
    .replace(transcribedLetters, (letter) => transcriptions[letter] ?? letter);
  const [words, others] = [splitTyped(text), splitTyped(foldText(transcribed))];
  if (words.length === 0) return [[text || typed]];
  const terms = words.map((word, index) => [...new Set([...toSpellings(word), others[index] ?? word])]);
  return [...new Map(terms.map((spellings) => [spellings[0], spellings])).values()];
}

const transcriptions: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

const transcribedLetters = new RegExp(`[${Object.keys(transcriptions).join('')}]`, 'g');
/** Of a longer word, only so many pairs of letters may be an umlaut: each one doubles the spellings. */
const maxUmlauts = 3;

/** A word, and with `ae`, `oe`, `ue` and `aa` as an umlaut, which `foldText` makes a plain vowel: "mueller" is "muller". */
function toSpellings(word: string): readonly string[] {
  const umlauts = [...word.matchAll(/[aou](?=e)|a(?=a)/g)].slice(0, maxUmlauts).map(({ index }) => index + 1);
  const spellings = umlauts.reduceRight<readonly string[]>(
    (all, at) => all.flatMap((one) => [one, one.slice(0, at) + one.slice(at + 1)]),
    [word],
  );
  // Two letters are in most names.
  return spellings.filter((one) => one === word || one.length > 2);
}

/** Email addresses keep their dots. */
function splitTyped(text: string): readonly string[] {
  return text.split(/[\s,;\p{Pd}]+/u).filter((word) => word !== '');
}

/** Whether a search text, as `toSearchText` makes it, has the terms. */
export function matchesTerms(text: string, terms: SearchTerms): boolean {
  return terms.every((spellings) => spellings.some((one) => text.includes(one)));
}

function toPhoneTerms(typed: string): readonly string[] {
  const { digits, national, dialled } = parsePhone(typed);
  const isSpecific = (national ?? '').length >= minNationalDigits;
  // A person who types "0049171" is about to dial abroad; "0018" is the end of a number.
  const abroad = digits.startsWith('00') && digits.length >= 6 ? [digits.slice(2)] : [];
  // At the start of its line is a number that was stored without a country code.
  return [digits, ...(isSpecific ? [`\n${dialled}`] : []), ...abroad];
}

/** Fewer digits after the country code are in most numbers. */
const minNationalDigits = 4;
