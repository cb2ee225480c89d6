import { SalonError } from '../../contract/errors.ts';
import { dayMs } from '../../time/time.ts';
import { findShift } from '../flags/moments.ts';

/** The words of one appointment of several. What they lack is that of the part before. */
interface PartWords {
  readonly words: readonly string[];
  /** Parts of the same step are at once, and those of the next one after it. */
  readonly step: number;
  /** The pause before the step. */
  readonly pauseMs: number;
}

/** What several people do alike is said once, with the first of them. */
export interface VisitWords {
  readonly parts: readonly PartWords[];
  readonly isAlike: boolean;
}

const isPartWord = (word = '') => word === 'with' || word === 'for';
const endsClients = (word = '') => word.endsWith(':');

/**
 * Splits `Ana Costa and Ben Okafor for Cut`, and `Ana Costa: Balayage with Mia, then in 30m Blow-dry with Theo`. `isClient`
 * tells whether a name such as `Smith and Sons` is that of one client. Throws `usage` for a pause of a day, and for a missing name.
 */
export async function splitVisit(
  given: readonly string[],
  isClient: (name: string) => Promise<boolean>,
): Promise<VisitWords> {
  const words = given.map((word) => word.replace(/,$/, '')).filter((word) => word !== '');
  const end = words.findIndex(isPartWord);
  const isAlike = !words.some(endsClients) && (end < 0 || !words.includes('then', end));
  const head = isAlike && end >= 0 ? words.slice(0, end) : words;
  const parts: PartWords[] = [];
  for (const [step, own] of splitWords(head, (word) => word === 'then').entries()) {
    const [pauseMs, rest] = step === 0 ? [0, own] : takePause(own);
    for (const chunk of isAlike ? [rest] : splitWords(rest, isNextClient)) {
      const colon = chunk.findIndex(endsClients);
      const untilPart = step === 0 ? Math.max(0, chunk.findIndex(isPartWord)) : 0;
      const count = isAlike ? chunk.length : colon < 0 ? untilPart : colon + 1;
      const clients = chunk.slice(0, count).map((word) => word.replace(/:$/, ''));
      const what = chunk.slice(count);
      const isNamed = what.length === 0 || isPartWord(what[0]) || (step === 0 && colon < 0);
      const names = splitWords(clients, (word) => word === 'and');
      const isOne = names.length > 1 && (await isClient(clients.join(' ')));
      for (const name of isOne ? [clients] : names)
        parts.push({ words: [...name, ...(isNamed ? what : ['for', ...what])], step, pauseMs });
    }
  }
  if (parts.length > 1 && parts.some((part) => part.words.length === 0)) {
    throw new SalonError('usage', 'A name is missing before or after "and" or "then".');
  }
  return { parts: isAlike ? withTail(parts, words.slice(head.length)) : parts, isAlike };
}

/** The rest of the line with the first part; of several stylists each of the parts gets one, in turn. */
function withTail(parts: readonly PartWords[], tail: readonly string[]): readonly PartWords[] {
  const start = tail.indexOf('with') + 1;
  const section =
    start === 0 ? [] : tail.slice(start, start + [...tail.slice(start), 'for'].findIndex(isPartWord));
  const stylists = splitWords(section, (word) => word === 'and');
  const isEach = stylists.length > 1 && stylists.length <= parts.length;
  if (!isEach)
    return parts.map((part, at) => (at === 0 ? { ...part, words: [...part.words, ...tail] } : part));
  const rest = tail.toSpliced(start - 1, section.length + 1);
  return parts.map((part, at) => {
    const stylist = ['with', ...(stylists[at % stylists.length] ?? [])];
    return { ...part, words: [...part.words, ...stylist, ...(at === 0 ? rest : [])] };
  });
}

function splitWords(
  words: readonly string[],
  isBorder: (word: string, at: number, words: readonly string[]) => boolean,
): readonly (readonly string[])[] {
  const borders = [
    -1,
    ...[...words.keys()].filter((at) => isBorder(words[at] ?? '', at, words)),
    words.length,
  ];
  return borders.slice(1).map((border, index) => words.slice((borders[index] ?? 0) + 1, border));
}

/** Whether it is the `and` of `Ana: Cut and style and Ben: Beard trim` that comes before Ben. */
function isNextClient(word: string, at: number, words: readonly string[]): boolean {
  const next = words.findIndex((other, index) => index > at && (other === 'and' || endsClients(other)));
  return word === 'and' && endsClients(words[next]) && words.slice(0, at).some(endsClients);
}

function takePause(words: readonly string[]): readonly [number, readonly string[]] {
  if (words[0] !== 'in') return [0, words];
  const lengths = [4, 3, 2].filter((count) => findShift(words.slice(0, count).join(' ')) !== undefined);
  const [count = 0] = lengths;
  const pauseMs = findShift(words.slice(0, count).join(' ')) ?? dayMs;
  if (pauseMs < dayMs) return [pauseMs, words.slice(count)];
  throw new SalonError(
    'usage',
    `A pause is shorter than a day, not "${words.slice(1, count || 3).join(' ')}".`,
    {
      hint: 'Write it as in 30m or in 1h30m. Book what is on another day by itself.',
    },
  );
}
