/** Returns what was read under a key before, unless anybody has written since; then reads it again. */
export type Cache = <Value>(
  key: string,
  read: () => Promise<Value | undefined>,
) => Promise<Value | undefined>;

/** A bound for databases that nobody writes to. */
const maxEntries = 1000;

/** Creates a cache that is emptied whenever `readDataVersion` changes. Missing values are not cached. */
export function createCache(readDataVersion: () => number): Cache {
  const entries = new Map<string, unknown>();
  let cachedVersion: number | undefined;

  return async <Value>(key: string, read: () => Promise<Value | undefined>) => {
    const version = readDataVersion();
    if (version !== cachedVersion || entries.size >= maxEntries) {
      entries.clear();
      cachedVersion = version;
    }
    const known = entries.get(key) as Value | undefined;
    if (known !== undefined) {
      return known;
    }
    const found = await read();
    // The cache may have been emptied meanwhile, after a write that this read has not seen.
    if (found !== undefined && version === cachedVersion) {
      entries.set(key, found);
    }
    return found;
  };
}
