import type { IdentifierKind } from '../../../contract/identifiers.ts';
import { createId } from '../records.ts';

/**
 * Random values that repeat: the same seed gives the same values in the same order. xorshift32 with a mixing step: good
 * enough to look real, unfit for secrets.
 */
export function createSeededRandom(seed: string) {
  // FNV-1a. The state must not be zero, where the generator would stay.
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  state |= 1;

  /** From 0 to 1, exclusive. */
  function fraction(): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (Math.imul(state, 0x9e3779b1) >>> 0) / 2 ** 32;
  }

  const below = (end: number) => Math.floor(fraction() * end);
  const bytes = (size: number) => Uint8Array.from({ length: size }, () => fraction() * 256);
  return {
    fraction,
    /** A whole number from 0 to `end`, exclusive. */
    below,
    chance: (probability: number) => fraction() < probability,
    /** One of the items, of which there must be at least one. */
    pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
    id: (kind: IdentifierKind, createdMs: number) =>
      createId(kind, { now: () => new Date(createdMs), random: bytes }),
  };
}

export type SeededRandom = ReturnType<typeof createSeededRandom>;

/** The times of a record, which are its last members. */
export function toRecordTimes(createdMs: number, updatedMs = createdMs) {
  return { created_at: new Date(createdMs).toISOString(), updated_at: new Date(updatedMs).toISOString() };
}
