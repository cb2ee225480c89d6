import { createReplacer, foldText } from './search-text.ts';

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
