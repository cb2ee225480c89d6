import { createHash } from 'node:crypto';
import { openTempDatabase } from '../temp-database.ts';

/** More would make exports larger, and no faster. */
const defaultInMemory = 5_000;

/**
 * Keeps keys. While they ascend, as IDs do in the order of creation, none can be there twice: they are kept as they come,
 * the first `maxInMemory` of them in memory, and get an index in a temporary database once one does not, or is looked for.
 */
export function openSeenKeys(maxInMemory = defaultInMemory) {
  let inMemory: (readonly string[])[] = [];
  let database: ReturnType<typeof openKeyDatabase> | undefined;
  /** Undefined once there is an index. */
  let greatest: string | undefined = '';
  let size = 0;
  return {
    /** Adds keys, and returns for each of them whether it is new. */
    add(keys: readonly string[]) {
      if (greatest !== undefined && isAscending(greatest, keys)) {
        greatest = keys.at(-1) ?? greatest;
        size += keys.length;
        inMemory.push(keys);
        if (size > maxInMemory) storeKeys();
        return keys.map(() => true);
      }
      const isNew = openIndex().add(keys);
      size += isNew.filter(Boolean).length;
      return isNew;
    },
    /** Returns for each key whether it has been added. */
    has: (keys: readonly string[]) => openIndex().has(keys),
    get size() {
      return size;
    },
    /** The same for the same keys, in any order. Reads all of them. */
    digest() {
      const hash = createHash('sha256');
      for (const key of openIndex().sorted()) hash.update(`${key}\n`);
      return hash.digest('hex');
    },
    [Symbol.dispose]: () => database?.close(),
  };

  function storeKeys() {
    database ??= openKeyDatabase();
    for (const keys of inMemory) database.keep(keys);
    inMemory = [];
    return database;
  }

  function openIndex() {
    const stored = storeKeys();
    if (greatest !== undefined) stored.index();
    greatest = undefined;
    return stored;
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

/** A statement for a page: one for each key takes three times as long. */
function openKeyDatabase() {
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
  return {
    /** Keys that are not in the index. */
    keep: (keys: readonly string[]) => void keep.run(JSON.stringify(keys)),
    /** Adds those to the index. */
    index: () =>
      database.exec('INSERT INTO seen SELECT value, 0 FROM kept, json_each(names); DELETE FROM kept'),
    add(keys: readonly string[]) {
      page += 1;
      if (insert.run(JSON.stringify(keys), page).changes === keys.length) return keys.map(() => true);
      const added = findKeys(keys, (its) => its === page);
      return keys.map((key) => added.delete(key));
    },
    has(keys: readonly string[]) {
      const found = findKeys(keys);
      return keys.map((key) => found.has(key));
    },
    sorted: () => Iterator.from(select.iterate()).map(({ name }) => String(name)),
    close: () => database.close(),
  };
}
