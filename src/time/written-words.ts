import { foldText } from '../text/search-text.ts';
import { clock } from './clock-times.ts';
import { monthNames, weekdayNames } from './local-days.ts';

/** The numbers of a written date: `day` and `month`, or `one` and `two`, whose order is not certain. */
export interface DateParts {
  readonly weekday?: string | undefined;
  readonly year?: string | undefined;
  readonly month?: string | undefined;
  readonly day?: string | undefined;
  readonly one?: string | undefined;
  readonly two?: string | undefined;
  /** The word for the month, if it is one. */
  readonly name?: string | undefined;
}

const forms = [
  /(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})/.source,
  /(?<year>\d{4})[/.](?<month>\d{1,2})[/.](?<day>\d{1,2})/.source,
  // With dots, every country writes the day first.
  /(?<day>\d{1,2})\. ?(?<month>\d{1,2})\.(?: ?(?<year>\d{4}|\d{2}))?/.source,
  /(?<one>\d{1,2})\/(?<two>\d{1,2})(?:\/(?<year>\d{4}|\d{2}))?/.source,
  /(?<one>\d{1,2})-(?<two>\d{1,2})-(?<year>\d{4}|\d{2})/.source,
  /(?<day>\d{1,2})(?<mark>\.|er|st|nd|rd|th|o|a)?[ -]*(?:(?:de|of) )?(?<name>[a-z]{3,})\.?(?:[ -]*(?:del? )?(?<year>\d{4}|\d{2}))?/
    .source,
  /(?<name>[a-z]{3,})\.? (?<day>\d{1,2})(?<mark>st|nd|rd|th)?(?: (?<year>\d{4}))?/.source,
].map((form) => new RegExp(`^(?:(?<weekday>[a-z]{2,}(?:-feira)?)\\.? (?:den )?)?${form}$`));

/** In lower case, without accents and commas, and with plain blanks. */
export function toPlainWords(text: string): string {
  return foldText(text)
    .replace(/(?<=\d)t(?=\d)/, ' ')
    .replace(/,? +|, */g, ' ');
}

/** What a text says of a day, such as `31. dezember 1980`, in plain words; undefined for other texts. */
export function parseDate(text: string): DateParts | undefined {
  const parts = forms.map((form) => form.exec(text)?.groups).find(Boolean);
  const { name, mark, weekday } = parts ?? {};
  if (weekday !== undefined && findWeekday(weekday) === undefined) return undefined;
  if (name === undefined) return parts;
  const month = findMonth(name, text.startsWith(name) ? ['en', 'en-AU'] : undefined);
  // Croats write their ordinals with a dot, Poles without one: "3. listopada" is in October there, not in November.
  const isOther = mark === '.' && (findMonth(name, ['hr']) ?? month) !== month;
  return month === undefined || isOther ? undefined : { ...parts, month: String(month) };
}

/** `31 décembre 1980` as `31.12.1980`; other texts unchanged. */
export function withMonthNumber(cell: string): string {
  const { name, day, month, year } = parseDate(toPlainWords(cell)) ?? {};
  return name === undefined || year === undefined ? cell : `${day}.${month}.${year}`;
}

/** The eight languages, with the countries that have months of their own. CLDR knows the words. */
const locales = [
  ...['en', 'en-AU', 'de', 'de-AT', 'fr', 'fr-CA', 'fr-MA', 'es', 'es-MX', 'es-PE'],
  ...['it', 'pt', 'pt-PT', 'nl', 'nl-BE', 'pl'],
];

/** Finds what a word means by the words of each language, which are read once. */
export function createFinder<Meaning>(readWords: (locale: string) => ReadonlyMap<string, Meaning>) {
  const wordsOf = new Map<string, ReadonlyMap<string, Meaning>>();
  return (word: string, languages: readonly string[] = locales): Meaning | undefined => {
    for (const locale of languages) {
      const words = wordsOf.get(locale) ?? readWords(locale);
      wordsOf.set(locale, words);
      const meaning = words.get(word);
      if (meaning !== undefined) return meaning;
    }
    return undefined;
  };
}

/** The number of a month by its name or abbreviation in plain words. No word names two months of these languages. */
export const findMonth = createFinder(readMonths);

/** The number of a weekday by its name or abbreviation in plain words; Sunday is 0. None is that of two days. */
export const findWeekday = createFinder(readWeekdays);

/** The weekday of a word alone, which may be a name where it is short, other than in English. */
export function readWeekday(word: string): number | undefined {
  return findWeekday(word, word.length > 3 ? locales : ['en']);
}

/**
 * Whether a word that may be a name is a day, too: `English` such as that of Tuesday Weld, `other` such as that of Plácido
 * Domingo, or `short` such as Sam, which is one only before a date.
 */
export function findDayName(given: string): 'English' | 'other' | 'short' | undefined {
  const word = toPlainWords(given);
  if (findWeekday(word, ['en']) !== undefined) return 'English';
  if (findRelative(word, ['en']) !== undefined) return undefined;
  if ((readWeekday(word) ?? findRelative(word)) !== undefined) return 'other';
  return findWeekday(word) === undefined ? undefined : 'short';
}

function readWeekdays(locale: string): ReadonlyMap<string, number> {
  const words = new Map(Object.entries(locale === 'en' ? { tues: 2, weds: 3, thur: 4, thurs: 4 } : {}));
  for (const weekday of ['long', 'short'] as const) {
    const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' });
    for (const index of weekdayNames.keys()) {
      const name = foldText(format.format(Date.UTC(2026, 0, 4 + index))).replace(/\.$/, '');
      const others = [name.replace('-feira', ''), name.replace('-feira', 's-feiras')];
      // "On Wednesday" is "w środę", and the day is "środa".
      if (locale === 'pl') others.push(name.replace(/a$/, 'e'));
      for (const word of [name, ...others]) words.set(word, index);
    }
  }
  return words;
}

/** How many days or weeks from now phrases such as `morgen` and `semaine prochaine` are, in plain words. */
export const findRelative = createFinder((locale) => {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const words = new Map<string, readonly [count: number, unit: 'day' | 'week']>();
  for (const unit of ['day', 'week'] as const) {
    for (const count of [-2, -1, 0, 1, 2]) {
      const name = foldText(format.format(count, unit)).replace(/^(?:la|w) /, '');
      for (const word of [name, name.replace('dzisiaj', 'dzis')])
        if (!/\d/.test(word)) words.set(word, [count, unit]);
    }
  }
  return words;
});

/** As they stand alone, and in a date, which are two words in Polish. */
function readMonths(locale: string): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  for (const month of ['long', 'short'] as const) {
    for (const more of [{}, { day: 'numeric', year: 'numeric' }] as const) {
      const format = new Intl.DateTimeFormat(locale, { month, ...more, timeZone: 'UTC' });
      for (const index of monthNames.keys()) {
        const parts = format.formatToParts(Date.UTC(2026, index));
        const name = parts.find(({ type }) => type === 'month')?.value ?? '';
        words.set(foldText(name).replace(/\.$/, ''), index + 1);
      }
    }
  }
  return words;
}

/** What stands before a time in the other languages. */
const before = String.raw`(?:(?:um|a|as|a las?|alle|om|o) )?(?:(?:ore|godz\.?) )?`;

const limit =
  '(?:(?:(?<after>after|ab|nach|apres|despues de|dopo|depois d[ae]s?)|(?<until>before|vor|avant|antes d[ae]s?|prima delle|voor|przed)) (?:las? |le )?)?';

/** A clock time in plain words, with an optional day before or after it; parts that the text lacks have no group. */
export const clockForms = [
  new RegExp(`^(?:(?<day>.+?) )??(?<at>at |in the |this )?${limit}${before}(?:${clock})$`),
  new RegExp(`^(?<at>at )?${limit}(?:${clock}) (?<day>.+)$`),
];
