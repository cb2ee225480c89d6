import { keyOf } from '../../client/pagination/page.ts';

/** One of several parts of a list, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/**
 * Whether a row belongs to a shard: the 32-bit FNV-1a hash of its identifier in UTF-8 (of its JSON where it has none),
 * modulo the count, plus one, is the shard's index. The shards of one moment are disjoint, and together they are the list.
 */
export function isInShard(row: unknown, { index, count }: Shard): boolean {
  return (hashFnv1a(keyOf(row)) % count) + 1 === index;
}

/** FNV-1a with 32 bits over the text in UTF-8. */
export function hashFnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
