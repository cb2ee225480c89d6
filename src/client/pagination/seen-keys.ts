import { createHash } from 'node:crypto';
import { openTempDatabase } from '../temp-database.ts';

/** More would make exports larger, and no faster. */
const defaultInMemory = 5_000;

/**
 * Keeps up to `maxInMemory` keys in memory, and more of them in a temporary database. While they ascend, as IDs do in
 * the order of creation, none can be there twice: they are kept as they come, and get an index once one does not, or is
 * looked for.
 */
export function openSeenKeys(maxInMemory = defaultInMemory) {
  const memory = createMemoryStore();
  let store: KeyStore = memory;
  let greatest: string | undefined = '';
  let size = 0;
  return {
    /** Adds keys, and returns for each of them whether it is new. */
    add(keys: readonly string[]) {
      if (store === memory && size + keys.length > maxInMemory) store = openDatabaseStore(memory.takeAll());
      if (greatest !== undefined && isAscending(greatest, keys)) {
        store.keep(keys);
        greatest = keys.at(-1) ?? greatest;
        size += keys.length;
        return keys.map(() => true);
      }
      createIndex();
      const isNew = store.add(keys);
      size += isNew.filter(Boolean).length;
      return isNew;
    },
    /** Returns for each key whether it has been added. */
    has(keys: readonly string[]) {
      createIndex();
      return store.has(keys);
    },
    get size() {
      return size;
    },
    /** The same for the same keys, in any order. Reads all of them. */
    digest() {
      createIndex();
      const hash = createHash('sha256');
      for (const key of store.sorted()) hash.update(`${key}\n`);
      return hash.digest('hex');
    },
    [Symbol.dispose]: () => store.close(),
  };

  function createIndex(): void {
    if (greatest !== undefined) store.index();
    greatest = undefined;
  }
}

/** A set of keys of any size that needs a bounded amount of memory. */
export type SeenKeys = ReturnType<typeof openSeenKeys>;

/** Shorter keys come first, so that numbers ascend, too. */
function isAscending(greatest: string, keys: readonly string[]): boolean {
  return keys.every((key, index) => {
    const before = index === 0 ? greatest : String(keys[index - 1]);
    return before.length === key.length ? before < key : before.length < key.length;
  });
}

type KeyStore = Omit<ReturnType<typeof createMemoryStore>, 'takeAll'>;

function createMemoryStore() {
  let kept: (readonly string[])[] = [];
  const all = new Set<string>();
  return {
    /** Keys that are not in the index. */
    keep: (keys: readonly string[]) => void kept.push(keys),
    index() {
      for (const key of kept.flat()) all.add(key);
      kept = [];
    },
    /** Removes all keys, and returns them. Those in the index do not ascend. */
    takeAll() {
      const taken = { indexed: [...all], kept };
      all.clear();
      kept = [];
      return taken;
    },
    add: (keys: readonly string[]) => keys.map((key) => all.size < all.add(key).size),
    has: (keys: readonly string[]) => keys.map((key) => all.has(key)),
    sorted: (): Iterable<string> => [...all].sort(),
    close() {},
  };
}

/** A statement for a page: one for each key takes three times as long. */
function openDatabaseStore({ indexed, kept }: { indexed: string[]; kept: (readonly string[])[] }): KeyStore {
  const schema = `CREATE TABLE kept (names TEXT);
    CREATE TABLE seen (name TEXT PRIMARY KEY, page INTEGER) WITHOUT ROWID`;
  const database = openTempDatabase(schema, 2_048);
  const keep = database.prepare('INSERT INTO kept VALUES (?)');
  const insert = database.prepare('INSERT OR IGNORE INTO seen SELECT value, ?2 FROM json_each(?1)');
  const find = database.prepare('SELECT key AS at, page FROM json_each(?) JOIN seen ON name = value');
  const select = database.prepare('SELECT name FROM seen ORDER BY name');
  let page = 0;
  const findKeys = (keys: readonly string[], isFound = (_page: unknown) => true) => {
    const rows = find.all(JSON.stringify(keys)).filter((row) => isFound(row['page']));
    return new Set(rows.map(({ at }) => keys[Number(at)]));
  };
  const store: KeyStore = {
    keep: (keys) => void keep.run(JSON.stringify(keys)),
    index: () =>
      database.exec('INSERT INTO seen SELECT value, 0 FROM kept, json_each(names); DELETE FROM kept'),
    add(keys) {
      page += 1;
      if (insert.run(JSON.stringify(keys), page).changes === keys.length) return keys.map(() => true);
      const added = findKeys(keys, (its) => its === page);
      return keys.map((key) => added.delete(key));
    },
    has(keys) {
      const found = findKeys(keys);
      return keys.map((key) => found.has(key));
    },
    sorted: () => Iterator.from(select.iterate()).map(({ name }) => String(name)),
    close: () => database.close(),
  };
  store.add(indexed);
  for (const keys of kept) store.keep(keys);
  return store;
}
