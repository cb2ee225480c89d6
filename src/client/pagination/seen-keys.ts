import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
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

/** About 10 MB. */
const defaultInMemory = 125_000;

/** Keys are kept in memory up to `mostInMemory` of them, and in a temporary database beyond that. */
export function openSeenKeys(mostInMemory = defaultInMemory): SeenKeys {
  const inMemory = new Set<string>();
  let stored: StoredKeys | undefined;
  return {
    add: (keys) => keys.map(add),
    has: (keys) => keys.map((key) => inMemory.has(key) || stored?.has(key) === true),
    get size() {
      return inMemory.size + (stored?.size() ?? 0);
    },
    digest() {
      const hash = createHash('sha256');
      for (const key of stored?.sorted() ?? [...inMemory].sort()) hash.update(`${key}\n`);
      return hash.digest('hex');
    },
    [Symbol.dispose]: () => stored?.database.close(),
  };

  function add(key: string): boolean {
    if (stored !== undefined) return stored.add(key);
    if (inMemory.has(key)) return false;
    inMemory.add(key);
    if (inMemory.size > mostInMemory) spill();
    return true;
  }

  function spill(): void {
    stored = openStoredKeys();
    for (const key of inMemory) stored.add(key);
    inMemory.clear();
  }
}

interface StoredKeys {
  readonly database: DatabaseSync;
  add(key: string): boolean;
  has(key: string): boolean;
  size(): number;
  sorted(): Iterable<string>;
}

function openStoredKeys(): StoredKeys {
  const database = openTempDatabase('CREATE TABLE seen (key TEXT PRIMARY KEY) WITHOUT ROWID');
  const insert = database.prepare('INSERT OR IGNORE INTO seen VALUES (?)');
  const find = database.prepare('SELECT 1 FROM seen WHERE key = ?');
  let size = 0;
  return {
    database,
    add(key) {
      const isNew = insert.run(key).changes === 1;
      if (isNew) size += 1;
      return isNew;
    },
    has: (key) => find.get(key) !== undefined,
    size: () => size,
    sorted: () =>
      Iterator.from(database.prepare('SELECT key FROM seen ORDER BY key').iterate()).map(({ key }) =>
        String(key),
      ),
  };
}
