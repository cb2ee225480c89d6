/**
 * Random values that repeat: the same seed gives the same values in the same order. xorshift32 with a mixing step: good
 * enough to look real, unfit for secrets.
 */
export function createSeededRandom(seed: string) {
  let state = toState(seed);

  /** From 0 to 1, exclusive. */
  function fraction(): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (Math.imul(state, 0x9e3779b1) >>> 0) / 2 ** 32;
  }

  return {
    fraction,
    /** A whole number from 0 to `end`, exclusive. */
    below: (end: number) => Math.floor(fraction() * end),
    chance: (probability: number) => fraction() < probability,
    pick: <const Items extends readonly [unknown, ...unknown[]]>(items: Items): Items[number] =>
      items[Math.floor(fraction() * items.length)] ?? items[0],
    bytes: (size: number) => Uint8Array.from({ length: size }, () => fraction() * 256),
  };
}

export type SeededRandom = ReturnType<typeof createSeededRandom>;

/** FNV-1a. The state must not be zero, where the generator would stay. */
function toState(seed: string): number {
  let hash = 0x811c9dc5;
  for (const character of seed) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash | 1;
}
