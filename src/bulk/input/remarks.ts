import { countOf } from '../../text/numbers.ts';
import { quote } from '../../text/quote.ts';

const maxExamples = 10;

/** What of a file becomes no row, or another one than it says: how often, and the first examples. */
export function createRemarks() {
  const found = new Map<string, { count: number; readonly examples: Set<string> }>();
  return {
    /** `organisations`, ` left out` and the name of one. */
    note(noun: string, what: string, example: string): void {
      const key = `${noun}\n${what}`;
      const { count, examples } = found.get(key) ?? { count: 0, examples: new Set() };
      if (examples.size < maxExamples) examples.add(quote(example, 60));
      found.set(key, { count: count + 1, examples });
    },
    /** `3 organisations left out: Studio Kranz GmbH, Haarbedarf Nord, …` */
    sentences: (): readonly string[] =>
      Array.from(found, ([key, { count, examples }]) => {
        const [noun = '', what = ''] = key.split('\n');
        const more = count > examples.size && examples.size === maxExamples ? ', …' : '';
        return `${countOf(count, noun)}${what}: ${[...examples].join(', ')}${more}`;
      }),
  };
}
