import type { Environment } from './context.ts';

/** Drawn at once: a call for random bytes costs as much as many bytes. */
const poolBytes = 4096;
const maxPooled = 64;

/** The same randomness, drawn in batches where only a few bytes are needed. No byte is given out twice or kept. */
export function poolRandom(random: Environment['random']): Environment['random'] {
  let pool = new Uint8Array(0);
  let next = 0;
  return (size) => {
    if (size > maxPooled) return random(size);
    if (next + size > pool.length) {
      pool = new Uint8Array(random(poolBytes));
      next = 0;
    }
    const bytes = pool.slice(next, next + size);
    pool.fill(0, next, next + size);
    next += size;
    return bytes;
  };
}
