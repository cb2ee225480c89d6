/**
 * Answers what was read before under a name, as long as nobody has written since, in whatever process; otherwise
 * reads it. What is not there is looked for each time.
 */
export type Cache = <Value>(
  name: string,
  read: () => Promise<Value | undefined>,
) => Promise<Value | undefined>;

/** So that a memory stays small where nothing is ever written. */
const mostKept = 1000;

/** Makes a memory. `readMark` answers another number after every commit of anybody. */
export function createCache(readMark: () => number): Cache {
  const kept = new Map<string, unknown>();
  let keptSince: number | undefined;

  return async <Value>(name: string, read: () => Promise<Value | undefined>) => {
    const mark = readMark();
    if (mark !== keptSince || kept.size >= mostKept) {
      kept.clear();
      keptSince = mark;
    }
    const known = kept.get(name) as Value | undefined;
    if (known !== undefined) {
      return known;
    }
    const found = await read();
    // Whoever asked meanwhile may have begun anew, after a write that this has not seen.
    if (found !== undefined && mark === keptSince) {
      kept.set(name, found);
    }
    return found;
  };
}
