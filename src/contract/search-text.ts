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
};

/** Text for comparison: without case, accents, apostrophes and width, and with single spaces. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}'’‘`´ʼ]/gu, '')
    .replace(/[ßæœøđðħıłþ]/g, (letter) => plainLetters[letter] ?? letter)
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

/** What a search looks at: names and email folded, the phone number as it is dialled abroad and at home. */
export function toSearchText(names: readonly string[], email: string, phone: string): string {
  const { digits, dialled } = parsePhone(phone);
  const phones = dialled === digits ? [digits] : [digits, dialled];
  return [names.join(' '), email].map(foldText).concat(phones.join(' ')).join('\n').trim();
}

/** What a search text must contain: all words, or one of the forms of a phone number. */
export interface SearchTerms {
  readonly words: readonly string[];
  readonly phones: readonly string[];
}

/** The terms of what somebody typed. Email addresses keep their dots. No word: nothing is searched for. */
export function toSearchTerms(typed: string): SearchTerms {
  const words = foldText(typed)
    .split(/[\s,;\p{Pd}]+/u)
    .filter((word) => word !== '');
  return { words: [...new Set(words)], phones: looksLikePhone(typed) ? toPhoneTerms(typed) : [] };
}

/** Whether a search text, as `toSearchText` makes it, has the terms. */
export function matchesTerms(text: string, { words, phones }: SearchTerms): boolean {
  return (
    (words.length > 0 && words.every((word) => text.includes(word))) ||
    phones.some((digits) => text.includes(digits))
  );
}

function toPhoneTerms(typed: string): readonly string[] {
  const { digits, dialled } = parsePhone(typed);
  return [...new Set([digits, dialled])];
}
