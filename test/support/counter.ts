/** Counts how often it is called: 1, 2, 3… */
export function createCounter(): () => number {
  let count = 0;
  return () => {
    count += 1;
    return count;
  };
}
