import type { Environment } from './context.ts';

const drawnBytes = 4096;

/** Makes a source of randomness that asks the system for much at once: that costs the same as a little. */
export function createRandomPool(environment: Environment): Environment['random'] {
  let drawn: Uint8Array = new Uint8Array();
  let next = 0;
  return (size) => {
    if (size > drawnBytes) {
      return environment.random(size);
    }
    if (next + size > drawn.length) {
      drawn = environment.random(drawnBytes);
      next = 0;
    }
    next += size;
    return drawn.subarray(next - size, next);
  };
}
