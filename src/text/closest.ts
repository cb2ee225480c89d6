/** The candidate that is most similar to a mistyped word, if any is similar enough. */
export function closest(word: string, candidates: readonly string[], maxEdits?: number): string | undefined {
  const wanted = word.slice(0, 64).toLowerCase();
  let best: string | undefined;
  let fewest = (maxEdits ?? Math.ceil(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const edits = countEdits(wanted, candidate.slice(0, 64).toLowerCase());
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

/** ` Did you mean birthday?`, to follow a sentence about a mistyped word; empty if no candidate is similar enough. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = closest(word, candidates);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** The Damerau–Levenshtein distance (restricted to adjacent swaps). */
function countEdits(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(current, column - 1) + 1,
        at(last, column) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
