import { createHash } from 'node:crypto';
import { openTempDatabase } from '../temp-database.ts';

/** A set of keys of any size that needs a bounded amount of memory. */
export interface SeenKeys extends Disposable {
  /** Adds keys, and returns for each of them whether it is new. */
  add(keys: readonly string[]): boolean[];
  /** Returns for each key whether it has been added. */
  has(keys: readonly string[]): boolean[];
  readonly size: number;
  /** The same for the same keys, whatever order they were added in. Reads all of them. */
  digest(): string;
}

/** At most 10 MB, and 4 MB while keys ascend. */
const defaultInMemory = 125_000;

/**
 * Keeps up to `mostInMemory` keys in memory, and more of them in a temporary database. While keys ascend, as in
 * creation order, none can be a duplicate, so they are only kept as text.
 */
export function openSeenKeys(mostInMemory = defaultInMemory): SeenKeys {
  let ascending: string[] = [];
  let newest = '';
  let store: KeyStore | undefined;
  let size = 0;
  return {
    add(keys) {
      if (areAscending(keys) && size + keys.length <= mostInMemory) {
        ascending.push(JSON.stringify(keys));
        newest = keys.at(-1) ?? newest;
        size += keys.length;
        return new Array<boolean>(keys.length).fill(true);
      }
      const isNew = keys.map(openStore(keys.length).add);
      for (const one of isNew) if (one) size += 1;
      return isNew;
    },
    has: (keys) =>
      areAscending(keys) ? new Array<boolean>(keys.length).fill(false) : keys.map(openStore(0).has),
    get size() {
      return size;
    },
    digest() {
      const hash = createHash('sha256');
      for (const key of openStore(0).sorted()) hash.update(`${key}\n`);
      return hash.digest('hex');
    },
    [Symbol.dispose]: () => store?.close(),
  };

  /** Whether keys continue the ascending ones, so that all are new. */
  function areAscending(keys: readonly string[]): boolean {
    if (store !== undefined) return false;
    let last = newest;
    for (const key of keys) {
      if (key <= last) return false;
      last = key;
    }
    return true;
  }

  /** Opens a store with room for `count` more keys. */
  function openStore(count: number): KeyStore {
    const needsDatabase = size + count > mostInMemory;
    if (store !== undefined && (store.isDatabase || !needsDatabase)) return store;
    const next = needsDatabase ? openDatabaseStore() : createMemoryStore();
    for (const key of store?.sorted() ?? []) next.add(key);
    for (const text of ascending) for (const key of JSON.parse(text) as string[]) next.add(key);
    ascending = [];
    store = next;
    return next;
  }
}

interface KeyStore {
  readonly isDatabase: boolean;
  /** Returns whether the key is new. */
  readonly add: (key: string) => boolean;
  readonly has: (key: string) => boolean;
  sorted(): Iterable<string>;
  close(): void;
}

function createMemoryStore(): KeyStore {
  const keys = new Set<string>();
  return {
    isDatabase: false,
    add: (key) => keys.size < keys.add(key).size,
    has: (key) => keys.has(key),
    sorted: () => [...keys].sort(),
    close() {},
  };
}

function openDatabaseStore(): KeyStore {
  const database = openTempDatabase('CREATE TABLE seen (key TEXT PRIMARY KEY) WITHOUT ROWID');
  const insert = database.prepare('INSERT OR IGNORE INTO seen VALUES (?)');
  const find = database.prepare('SELECT 1 FROM seen WHERE key = ?');
  const select = database.prepare('SELECT key FROM seen ORDER BY key');
  return {
    isDatabase: true,
    add: (key) => insert.run(key).changes === 1,
    has: (key) => find.get(key) !== undefined,
    sorted: () => Iterator.from(select.iterate()).map(({ key }) => String(key)),
    close: () => database.close(),
  };
}
