/** The keys of the rows that a walk handed out last. */
export interface RecentKeys {
  /** Takes the keys of a page. */
  add(keys: readonly string[]): void;
  keys(): readonly string[];
}

/** Of fewer rows all may be gone by the time a walk goes on; of fewer pages a part of one would come again. */
const leastRows = 1_000;
const leastPages = 2;

/** A trail that goes on from the keys of an earlier walk. */
export function createRecentKeys(before: readonly string[] = []): RecentKeys {
  const pages = [before];
  let rows = before.length;
  return {
    keys: () => pages.flat(),
    add(keys) {
      if (keys.length === 0) return;
      pages.push(keys);
      rows += keys.length;
      for (let [oldest] = pages; oldest !== undefined && mayGo(oldest); [oldest] = pages) {
        rows -= oldest.length;
        pages.shift();
      }
    },
  };

  function mayGo(oldest: readonly string[]): boolean {
    return pages.length > leastPages && rows - oldest.length >= leastRows;
  }
}
