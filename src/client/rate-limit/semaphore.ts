/** Lets at most so many tasks run side by side; the others wait in the order they came. */
export type Semaphore = <Result>(task: () => Promise<Result>) => Promise<Result>;

export function createSemaphore(width: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = width;
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
