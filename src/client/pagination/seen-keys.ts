import { createHash } from 'node:crypto';
import { openTempDatabase } from '../temp-database.ts';

/** At most 2 MB. More would make exports larger, and no faster. */
const defaultInMemory = 25_000;

/** Keeps up to `maxInMemory` keys in memory, and more of them in a temporary database. */
export function openSeenKeys(maxInMemory = defaultInMemory) {
  const memory = createMemoryStore();
  let store: KeyStore = memory;
  let size = 0;
  return {
    /** Adds keys, and returns for each of them whether it is new. */
    add(keys: readonly string[]) {
      if (store === memory && size + keys.length > maxInMemory) {
        store = openDatabaseStore();
        store.add(memory.takeAll());
      }
      const isNew = store.add(keys);
      size += isNew.filter(Boolean).length;
      return isNew;
    },
    /** Returns for each key whether it has been added. */
    has: (keys: readonly string[]) => store.has(keys),
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

type KeyStore = Omit<ReturnType<typeof createMemoryStore>, 'takeAll'>;

function createMemoryStore() {
  const all = new Set<string>();
  return {
    add: (keys: readonly string[]) => keys.map((key) => all.size < all.add(key).size),
    has: (keys: readonly string[]) => keys.map((key) => all.has(key)),
    /** In the order in which they were added. Removes them. */
    takeAll() {
      const keys = [...all];
      all.clear();
      return keys;
    },
    sorted: (): Iterable<string> => [...all].sort(),
    close() {},
  };
}

/**
 * While keys ascend, as IDs do in the order of creation, none can be there twice: they are written as they come, and
 * get an index once one does not, or is looked for. A statement for a page: one for each key takes three times as long.
 */
function openDatabaseStore(): KeyStore {
  const schema = `CREATE TABLE ascending (names TEXT);
    CREATE TABLE seen (name TEXT PRIMARY KEY, page INTEGER) WITHOUT ROWID`;
  const database = openTempDatabase(schema, 2_048);
  const keep = database.prepare('INSERT INTO ascending VALUES (?)');
  const insert = database.prepare('INSERT OR IGNORE INTO seen SELECT value, ?2 FROM json_each(?1)');
  const find = database.prepare('SELECT key AS at, page FROM json_each(?) JOIN seen ON name = value');
  const select = database.prepare('SELECT name FROM seen ORDER BY name');
  let page = 0;
  let greatest: string | undefined = '';
  const findKeys = (keys: readonly string[], isFound = (_page: unknown) => true) => {
    const rows = find.all(JSON.stringify(keys)).filter((row) => isFound(row['page']));
    return new Set(rows.map(({ at }) => keys[Number(at)]));
  };
  return {
    add(keys) {
      if (greatest !== undefined && isAscending([greatest, ...keys])) {
        keep.run(JSON.stringify(keys));
        greatest = keys.at(-1) ?? greatest;
        return keys.map(() => true);
      }
      createIndex();
      page += 1;
      if (insert.run(JSON.stringify(keys), page).changes === keys.length) return keys.map(() => true);
      const added = findKeys(keys, (its) => its === page);
      return keys.map((key) => added.delete(key));
    },
    has(keys) {
      createIndex();
      const found = findKeys(keys);
      return keys.map((key) => found.has(key));
    },
    sorted() {
      createIndex();
      return Iterator.from(select.iterate()).map(({ name }) => String(name));
    },
    close: () => database.close(),
  };

  function createIndex(): void {
    if (greatest === undefined) return;
    greatest = undefined;
    database.exec('INSERT INTO seen SELECT value, 0 FROM ascending, json_each(names); DELETE FROM ascending');
  }
}

/** Shorter keys come first, so that numbers ascend, too. */
function isAscending(keys: readonly string[]): boolean {
  return keys.every((key, index) => {
    const before = keys[index - 1];
    if (before === undefined) return true;
    return before.length === key.length ? before < key : before.length < key.length;
  });
}
