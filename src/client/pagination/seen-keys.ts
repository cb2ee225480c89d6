import { createHash } from 'node:crypto';
import { openTempDatabase } from '../temp-database.ts';

/** At most 2 MB. More would make exports larger, and no faster. */
const defaultInMemory = 25_000;

/** Keeps up to `maxInMemory` keys in memory, and more of them in a temporary database. */
export function openSeenKeys(maxInMemory = defaultInMemory) {
  let store = createMemoryStore();
  let isInMemory = true;
  let size = 0;
  return {
    /** Adds keys, and returns for each of them whether it is new. */
    add(keys: readonly string[]) {
      if (isInMemory && size + keys.length > maxInMemory) {
        const database = openDatabaseStore();
        for (const key of store.sorted()) database.add(key);
        store = database;
        isInMemory = false;
      }
      const isNew = keys.map(store.add);
      size += isNew.filter(Boolean).length;
      return isNew;
    },
    /** Returns for each key whether it has been added. */
    has: (keys: readonly string[]) => keys.map(store.has),
    get size() {
      return size;
    },
    /** The same for the same keys, in any order. Reads all of them. */
    digest() {
      const hash = createHash('sha256');
      for (const key of store.sorted()) hash.update(`${key}\n`);
      return hash.digest('hex');
    },
    [Symbol.dispose]: () => store.close(),
  };
}

/** A set of keys of any size that needs a bounded amount of memory. */
export type SeenKeys = ReturnType<typeof openSeenKeys>;

function createMemoryStore() {
  const keys = new Set<string>();
  return {
    /** Returns whether the key is new. */
    add: (key: string) => keys.size < keys.add(key).size,
    has: (key: string) => keys.has(key),
    sorted: (): Iterable<string> => [...keys].sort(),
    close() {},
  };
}

function openDatabaseStore(): ReturnType<typeof createMemoryStore> {
  const database = openTempDatabase('CREATE TABLE seen (key TEXT PRIMARY KEY) WITHOUT ROWID');
  const insert = database.prepare('INSERT OR IGNORE INTO seen VALUES (?)');
  const find = database.prepare('SELECT 1 FROM seen WHERE key = ?');
  const select = database.prepare('SELECT key FROM seen ORDER BY key');
  return {
    add: (key) => insert.run(key).changes === 1,
    has: (key) => find.get(key) !== undefined,
    sorted: () => Iterator.from(select.iterate()).map(({ key }) => String(key)),
    close: () => database.close(),
  };
}
