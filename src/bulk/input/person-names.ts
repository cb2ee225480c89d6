import { foldText } from '../../text/search-text.ts';
import { UnclearCell } from '../sheet/sheet-form.ts';

/** Fields of a column with whole names, in the order of the words in its cells. */
export const nameOrders = ['first_name last_name', 'last_name first_name'] as const;

export type NameOrder = (typeof nameOrders)[number];

/** Where names of three words and more are split: before the last word, or after the first. */
export const nameSplits = ['last-word', 'first-word'] as const;

export type NameSplit = (typeof nameSplits)[number];

interface PersonName {
  readonly first: string;
  readonly last: string;
}

const titles = new Set(
  `herr herrn frau dr med prof mr mrs ms mx miss mme mlle m monsieur madame mademoiselle sr sra srta senor senora dona
  sig sigra signor signora dott dottssa dra dhr mevr mw meneer mevrouw pan pani mgr inz ing dipl dipling mag`.split(
    /\s+/,
  ),
);
/** Words that last names begin with. */
const particles = new Set(
  `van von vom de der den del della delle dello degli dei di da do dos das du la le las los zu zum zur ten ter te op in
  't d' af av het dal dalla v.d. v/d vd`.split(/\s+/),
);
/** What follows a comma and is no first name. */
const suffix = /^(?:jr|sr|junior|senior|phd|md|mba|ii|iii|iv)\.?$/i;
const maxExamples = 10;

/** Reads the names of a sheet. `split` decides those that can be split in several ways. */
export function createNameReader(split: NameSplit | undefined) {
  const examples = new Set<string>();
  const leftOut = new Set<string>();
  let count = 0;

  function read(cell: string, order: NameOrder): PersonName | UnclearCell {
    const { words, removed } = withoutTitles(cell);
    for (const title of removed) leftOut.add(title);
    const [only, ...others] = toReadings(words, order, removed.length > 0);
    if (only === undefined || others.length === 0) return only ?? { first: '', last: '' };
    const byLength = [only, ...others].filter(({ first }) => first !== '');
    const chosen = split === undefined ? undefined : byLength.at(split === 'first-word' ? 0 : -1);
    if (chosen !== undefined) return chosen;
    count += 1;
    if (examples.size < maxExamples) examples.add(cell.trim());
    const forms = [only, ...others].map(({ first, last }) => `"${last}, ${first}"`.replace(/, "$/, '"'));
    return new UnclearCell(
      `${cell.trim()} may be ${forms.join(' or ')}. Write it so, or add --split-names last-word or first-word.`,
    );
  }

  return {
    read,
    /** Names that can be split in several ways: how many, and the first ones; and the titles that were left out. */
    report: () => ({ unclear: { count, examples: [...examples] }, titles: [...leftOut] }),
  };
}

/** Whether a cell shows the name that a person has. */
export function showsName(cell: string, first: unknown, last: unknown): boolean {
  const current = [first, last].filter((name) => typeof name === 'string' && name !== '');
  return current.length > 0 && foldText(current.join(' ')) === foldText(cell);
}

/** `van den Berg` for `van den` and `Berg`, also if the last name begins with it already; and `d'Arc`. */
export function withPrefix(prefix: string, last: string): string {
  const [start, name] = [prefix.trim(), last.trim()];
  if (start === '' || foldText(`${name} `).startsWith(`${foldText(start)} `)) return last;
  return /['’]$/.test(start) ? `${start}${name}` : `${start} ${name}`;
}

/**
 * The first name of `Berg, Nia van den`, and what its last name begins with: particles in small letters at the end, or two
 * and more, which are no first name: `BERG, NIA VAN DEN`, but `Nguyen, Anna Van`.
 */
function splitParticles(text: string) {
  const words = text.split(' ');
  const findEnd = (of: (word: string) => string) =>
    words.findLastIndex((word) => !particles.has(of(word).replace('’', "'"))) + 1;
  const anyEnd = findEnd((word) => word.toLowerCase());
  const end = anyEnd > 0 && words.length - anyEnd > 1 ? anyEnd : findEnd((word) => word);
  return { first: words.slice(0, end).join(' '), prefix: words.slice(end).join(' ') };
}

/** Titles stand before a name, or have a dot. A comma stays with the word before it. */
function withoutTitles(cell: string) {
  const text = cell.trim().replace(/\s*,\s*/g, ', ');
  const removed: string[] = [];
  const words: string[] = [];
  for (const word of text.split(/\s+/)) {
    const bare = foldText(word).replace(/[.,-]/g, '');
    const isFirst = words.at(-1)?.endsWith(',') !== false;
    const isTitle = titles.has(bare) && (word.endsWith('.') || (isFirst && bare.length > 1));
    (isTitle ? removed : words).push(word);
  }
  return words.length === 0 ? { words: text.split(/\s+/), removed: [] } : { words, removed };
}

/** Every way to split a name, from the shortest first name to the longest. */
function toReadings(given: readonly string[], order: NameOrder, hasTitle: boolean): readonly PersonName[] {
  const parts = given.join(' ').split(', ');
  const [last = '', first = ''] = parts;
  if (parts.length === 2 && !first.split(' ').some((word) => suffix.test(word))) {
    const { first: name, prefix } = splitParticles(first);
    return [{ first: name, last: withPrefix(prefix, last) }];
  }
  const words = given.map((word) => word.replace(/,$/, '')).filter((word) => word !== '');
  const [only = ''] = words;
  if (words.length === 0) return [];
  // Only last names follow a title alone: Frau Weber.
  const isLast = hasTitle || order === 'last_name first_name';
  if (words.length === 1) return [isLast ? { first: '', last: only } : { first: only, last: '' }];
  const splitAt = (at: number, isLastFirst = order === 'last_name first_name'): PersonName => {
    const [start, end] = [words.slice(0, at).join(' '), words.slice(at).join(' ')];
    return isLastFirst ? { first: end, last: start } : { first: start, last: end };
  };
  // The last name in capitals, as in France: DUPONT Marie.
  const capitals = words.map((word) => /^\p{Lu}[\p{Lu}'’-]+$/u.test(word));
  const turn = capitals.findIndex((isCapital) => isCapital !== capitals[0]);
  if (turn > 0 && capitals.slice(turn).every((isCapital) => isCapital !== capitals[0])) {
    return [splitAt(turn, capitals[0])];
  }
  return [...new Set(findSplits(words, order))].map((at) => splitAt(at));
}

/** The words before which the second part of a name may begin. */
function findSplits(words: readonly string[], order: NameOrder): readonly number[] {
  const isParticle = (word = '') => particles.has(word.toLowerCase());
  const start = order === 'first_name last_name' ? words.findIndex(isParticle) : -1;
  if (start === -1) return [1, words.length - 1];
  if (start > 0) return [1, start];
  const isSurname = words[0] === words[0]?.toLowerCase() || isParticle(words[1]);
  return isSurname ? [0] : [0, 1];
}
