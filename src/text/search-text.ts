import { looksLikePhone, parsePhone, tidyPhone } from './phone-forms.ts';

/** A function that replaces letters; each pair is a letter and what it becomes. */
function createReplacer(pairs: string): (text: string) => string {
  const table = new Map(pairs.split(' ').map((pair) => [pair.charAt(0), pair.slice(1)]));
  const letters = new RegExp(`[${[...table.keys()].join('')}]`, 'g');
  return (text) => text.replace(letters, (letter) => table.get(letter) ?? letter);
}

/**
 * Letters that Unicode does not decompose into a letter and an accent, each with the plain ones of CLDR's Latin-ASCII; \u0259
 * and those after it, which it lacks, with the letter that they follow in the root collation.
 */
const latinLetters =
  'ßss æae œoe øo đd ðd ħh ıi ĸq łl ŋn þth ŧt ǥg ɓb ɖd ɗd ɛe ƒf ɨi ƙk ʉu ʋv ƴy ƶz əe ɣg ɔo ʒz';

/**
 * Arabic letters that look like Persian ones: yeh, kaf and heh have several forms, alef wasla is an alef, and the last one,
 * which only stretches a word, is left out.
 */
const arabicLetters =
  '\u064a\u06cc \u0649\u06cc \u0643\u06a9 \u06aa\u06a9 \u0629\u0647 \u06c3\u0647 \u06d5\u0647 \u06c1\u0647 \u06be\u0647 \u0671\u0627 \u0640';

const toPlainLetters = createReplacer(`${latinLetters} ${arabicLetters} ςσ`);

/** Text in which only the case can differ, as most names and addresses are. */
const plainText = /^[\w@.+-]+(?: [\w@.+-]+)*$/;

/** With the signs that write a letter such as Hawaiian and Uzbek \u02bb, and the dots of Catalan "l·l". */
const accentsAndApostrophes = /[\p{M}'\u2019\u2018`\u02b9-\u02bf\u00b7\u2022\u2027\u2219]/gu;

/** Text for comparison: without case, accents, apostrophes and width, and with single spaces. */
export function foldText(text: string): string {
  if (plainText.test(text)) return text.toLowerCase();
  const bare = text
    .replaceAll('\u00b4', "'")
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(accentsAndApostrophes, '');
  return toPlainLetters(bare)
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
  return [foldNames(names.join(' ')), foldText(email), phones.join(' ')].join('\n');
}

/** The Azerbaijani "ə" is written "e" where it looks like one, and "a" as it sounds: "Əli" is "eli" and "ali". */
function foldNames(names: string): string {
  const sounds = names.replace(/ə/gi, 'a');
  return sounds === names ? foldText(names) : `${foldText(names)} ${foldText(sounds)}`;
}

/** What a search text must contain: one spelling of each word, or one form of a phone number. */
export type SearchTerms = readonly (readonly string[])[];

/**
 * The terms of a search: words in any order, or a phone number or a part of one in any form. `storedDigits` are those that
 * a whole number may be stored with.
 */
export function toSearchTerms(typed: string, storedDigits: readonly string[] = []): SearchTerms {
  const text = foldText(typed);
  // "030/23125018" is how many people write an area code.
  const phone = tidyPhone(typed).replace(/(?<=\d{2}\)?\s*)\/(?=\s*\d{3})/g, ' ');
  if (looksLikePhone(phone) || storedDigits.length > 0) {
    const stored = storedDigits.map((digits) => `\n${digits}`);
    return [[...new Set([text, ...toPhoneTerms(phone), ...stored])]];
  }
  const transcribed = transcribe(typed.normalize('NFC').toLowerCase()).replaceAll('l.l', 'll');
  const [words, others] = [splitTyped(text), splitTyped(foldText(transcribed))];
  if (words.length === 0) return [[text || typed]];
  const terms = words.map((word, index) => [...new Set([...toSpellings(word), others[index] ?? word])]);
  return [...new Map(terms.map((spellings) => [spellings[0], spellings])).values()];
}

/** How letters are written without them, other than folded. */
const transcribe = createReplacer('äae öoe üue øoe åaa đdj əa');

/** Of a longer word, only so many pairs of letters may be one letter: each one doubles the spellings. */
const maxPairs = 3;

/** A word, and with `ae`, `oe`, `ue`, `aa` and `dj` as one letter, which `foldText` makes plain: "mueller" is "muller". */
function toSpellings(word: string): readonly string[] {
  const pairs = [...word.matchAll(/[aou](?=e)|a(?=a)|d(?=j)/g)];
  const seconds = pairs.slice(0, maxPairs).map(({ index }) => index + 1);
  const spellings = seconds.reduceRight<readonly string[]>(
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

/** Characters that decide the order. Cursors contain them, and cursors must stay short. */
const sortKeyLength = 64;

/** Cyrillic and Persian letters coded behind their alphabet, with what they follow in CLDR's root collation. */
const followers =
  'әа~ ґг~ ғг~~ ђд~ єе~ җж~ ѕз~ іи~ ји~~ қк~ љл~ ңн~ њн~~ өо~ ћт~ үу~ ұу~~ ҳх~ һх~~ ҷч~ џч~~ ' +
  '\u067e\u0628~ \u0686\u062c~ \u0698\u0632~ \u06a9\u0642~ \u06af\u0642~~';

/** With the last code of all in place of `~`. */
const toPlaces = createReplacer(followers.replaceAll('~', '\uffff'));

/**
 * The key that texts are sorted by, by code point: as they are folded, so that "Ł" is with "L". Rows and cursors of the
 * service hold it: see `folded-columns.ts` before you change it.
 */
export function toSortKey(text: string): string {
  return toPlaces(foldText(text)).slice(0, sortKeyLength).toWellFormed();
}

/** Compares by code point, as databases do: JavaScript compares halves of characters. */
export function compareTexts(one: string, other: string): number {
  for (let index = 0; ; index += 1) {
    const [a, b] = [one.codePointAt(index) ?? -1, other.codePointAt(index) ?? -1];
    if (a !== b) return a - b;
    if (a < 0) return 0;
  }
}

/** Compares names and other texts for people; of equal ones, the texts decide. */
export function compareNames(one: string, other: string): number {
  return compareTexts(toSortKey(one), toSortKey(other)) || compareTexts(one, other);
}
