import { countOf } from '../../text/numbers.ts';
import { quote } from '../../text/quote.ts';

const maxExamples = 10;

/** What of a file becomes no row, or another one than it says: how often, and the first examples. */
export function createRemarks() {
  const found = new Map<string, { count: number; readonly examples: Set<string> }>();
  return {
    /** `what` follows a count: `organisations left out`. */
    note(what: string, example: string): void {
      const { count, examples } = found.get(what) ?? { count: 0, examples: new Set() };
      if (examples.size < maxExamples) examples.add(quote(example, 60));
      found.set(what, { count: count + 1, examples });
    },
    /** `3 organisations left out: Studio Kranz GmbH, Haarbedarf Nord, …` */
    sentences: (): readonly string[] =>
      Array.from(found, ([what, { count, examples }]) => {
        const [noun = '', ...others] = what.split(' ');
        const shown = [...examples].join(', ');
        return `${[countOf(count, noun), ...others].join(' ')}: ${shown}${count > examples.size && examples.size === maxExamples ? ', …' : ''}`;
      }),
  };
}
