/** A name as its words, sorted. */
type Words = readonly string[];

/** Shorter words, and numbers, differ by a character without being a typing mistake. */
function canBeMistyped(word: string): boolean {
  return word.length >= 3 && !/\d/.test(word);
}

/** Enough for every hash and form to share one exact number: 2^32 · 2^20. */
const formsAtMost = 2 ** 20;

/**
 * Pairs of names that differ by one letter in one word: added, missing, another one, or two swapped. Such words have a
 * form in common once a letter is left out of each, so names are compared only with those that share such a form.
 */
export function* findSimilarNames(names: readonly Words[]): Generator<readonly [number, number]> {
  if (names.length > formsAtMost)
    throw new RangeError(`At most ${formsAtMost} different names are compared.`);
  const entries: number[] = [];
  names.forEach((words, index) => {
    if (words.length < 2) return;
    for (const hash of hashVariants(words)) entries.push(hash * formsAtMost + index);
  });
  const sorted = Float64Array.from(entries).sort();
  const seen = new Set<number>();
  for (let start = 0; start < sorted.length; ) {
    const hash = Math.floor((sorted[start] ?? 0) / formsAtMost);
    let end = start + 1;
    while (end < sorted.length && Math.floor((sorted[end] ?? 0) / formsAtMost) === hash) end += 1;
    for (let one = start; one < end; one += 1) {
      for (let other = one + 1; other < end; other += 1) {
        const pair = [(sorted[one] ?? 0) % formsAtMost, (sorted[other] ?? 0) % formsAtMost] as const;
        const key = pair[0] * formsAtMost + pair[1];
        if (pair[0] === pair[1] || seen.has(key)) continue;
        seen.add(key);
        if (isSimilar(names[pair[0]] ?? [], names[pair[1]] ?? [])) yield pair;
      }
    }
    start = end;
  }
}

function hashVariants(words: Words): ReadonlySet<number> {
  const hashes = new Set<number>();
  words.forEach((word, index) => {
    if (!canBeMistyped(word)) return;
    const others = words.filter((_, other) => other !== index).join(' ');
    hashes.add(hashText(`${others}|${word}`));
    for (let left = 0; left < word.length; left += 1) {
      hashes.add(hashText(`${others}|${word.slice(0, left)}${word.slice(left + 1)}`));
    }
  });
  return hashes;
}

/** FNV-1a, 32 bits. Names with the same hash are compared, so a collision costs time only. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Whether all words but one are the same, and that one differs by a letter. */
export function isSimilar(one: Words, other: Words): boolean {
  if (one.length !== other.length || one.length < 2) return false;
  const left = without(one, other);
  const right = without(other, one);
  const [a = '', b = ''] = [left[0], right[0]];
  if (left.length !== 1 || right.length !== 1) return false;
  return canBeMistyped(a) && canBeMistyped(b) && differsByOneLetter(a, b);
}

function without(words: Words, others: Words): string[] {
  const left = [...others];
  return words.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function differsByOneLetter(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  if (short.length < long.length) return short.slice(start) === long.slice(start + 1);
  const isSwapped = short[start] === long[start + 1] && short[start + 1] === long[start];
  return (
    short.slice(start + 1) === long.slice(start + 1) ||
    (isSwapped && short.slice(start + 2) === long.slice(start + 2))
  );
}
