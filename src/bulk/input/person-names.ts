import { foldText } from '../../contract/search-text.ts';
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

/** What was noticed in the names of a sheet. */
export interface NameReport {
  /** Names that can be split in several ways: how many, and the first ones. */
  readonly unclear: { readonly count: number; readonly examples: readonly string[] };
  /** Titles that were left out. */
  readonly titles: readonly string[];
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
  't d' af av`.split(/\s+/),
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
    report: (): NameReport => ({ unclear: { count, examples: [...examples] }, titles: [...leftOut] }),
  };
}

/** Whether a cell shows the name that a person has. */
export function showsName(cell: string, first: unknown, last: unknown): boolean {
  const current = [first, last].filter((name) => typeof name === 'string' && name !== '');
  return current.length > 0 && foldText(current.join(' ')) === foldText(cell);
}

/** Titles stand before a name, or have a dot. A comma stays with the word before it. */
function withoutTitles(cell: string): {
  readonly words: readonly string[];
  readonly removed: readonly string[];
} {
  const all = cell
    .trim()
    .replace(/\s*,\s*/g, ', ')
    .split(/\s+/);
  const removed: string[] = [];
  const words: string[] = [];
  for (const word of all) {
    const bare = foldText(word).replace(/[.,-]/g, '');
    const isFirst = words.length === 0 || words.at(-1)?.endsWith(',') === true;
    const isTitle = titles.has(bare) && (word.endsWith('.') || (isFirst && bare.length > 1));
    if (isTitle) removed.push(word);
    else words.push(word);
  }
  return words.length === 0 ? { words: all, removed: [] } : { words, removed };
}

/** Every way to split a name, from the shortest first name to the longest. */
function toReadings(given: readonly string[], order: NameOrder, hasTitle: boolean): readonly PersonName[] {
  const comma = given.findIndex((word) => word.endsWith(','));
  const hasOneComma = comma !== -1 && given.findLastIndex((word) => word.endsWith(',')) === comma;
  if (hasOneComma && comma < given.length - 1 && !given.slice(comma + 1).some((word) => suffix.test(word))) {
    const last = given
      .slice(0, comma + 1)
      .join(' ')
      .replace(/,$/, '');
    return [{ first: given.slice(comma + 1).join(' '), last }];
  }
  const words = given.map((word) => word.replace(/,$/, '')).filter((word) => word !== '');
  const whole = words.join(' ');
  if (words.length === 0) return [];
  // Only last names follow a title alone: Frau Weber.
  if (words.length === 1) return [hasTitle ? { first: '', last: whole } : { first: whole, last: '' }];
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
  const isParticle = (word: string | undefined) => particles.has(word?.toLowerCase() ?? '');
  if (order === 'first_name last_name') {
    const start = words.findIndex(isParticle);
    const isSurname = start === 0 && (words[0] === words[0]?.toLowerCase() || isParticle(words[1]));
    if (isSurname) return [{ first: '', last: whole }];
    if (start === 0) return [{ first: '', last: whole }, splitAt(1)];
    if (start === 1) return [splitAt(1)];
    if (start > 1) return [splitAt(1), splitAt(start)];
  }
  return words.length === 2 ? [splitAt(1)] : [splitAt(1), splitAt(words.length - 1)];
}
