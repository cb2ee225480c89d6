import { foldHeading } from './column-words.ts';
import programs from './known-programs.json' with { type: 'json' };

/** A program whose exports have headings of its own. The table says where each heading was found. */
export interface KnownProgram {
  readonly name: string;
  /** What separates the entries of a cell. */
  readonly separator?: string | undefined;
  /** Whether it puts `'` before numbers. */
  readonly isGuarded: boolean;
  /** What the column of a heading has; undefined for a heading that it does not use. */
  meaningOf(heading: string): string | undefined;
}

/** Number 1 stands for all numbers. */
const toKey = (heading: string) => foldHeading(heading).replace(/\d+/g, '1');

const known = programs.map(({ name, marks, columns, ...program }) => {
  const keys = new Map(
    Object.entries(columns).flatMap(([meaning, headings]) =>
      headings.map((heading) => [toKey(heading), meaning] as const),
    ),
  );
  const { separator, isGuarded = false } = program as { separator?: string; isGuarded?: boolean };
  const meaningOf = (heading: string) => keys.get(toKey(heading));
  return { name, marks: new Set(marks.map(toKey)), separator, isGuarded, meaningOf };
});

/** The program that most of the headings are of, one of which is used by no other; undefined for a sheet of people. */
export function findProgram(headings: readonly string[]): KnownProgram | undefined {
  const likely = known
    .filter(({ marks }) => headings.some((heading) => marks.has(toKey(heading))))
    .map((program) => ({
      program,
      count: headings.filter((heading) => program.meaningOf(heading) !== undefined).length,
    }));
  return likely.toSorted((one, other) => other.count - one.count)[0]?.program;
}
