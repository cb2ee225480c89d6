import { parseJson } from '../../contract/json.ts';
import type { Fields } from '../fields.ts';
import { decodeBytes, type RowLines } from './row-lines.ts';

/** Answered by unread rows alone. A WeakMap would keep them in memory until the next full garbage collection. */
const linesOfRows = Symbol('lines');

/**
 * The rows of some lines, as an array that is parsed when anything but its length is read. An export that only copies
 * values takes them from the lines.
 */
export function createUnreadRows(lines: RowLines): readonly Fields[] {
  const rows: Fields[] = [];
  let unread: RowLines | undefined = lines;
  const read = () => {
    if (unread !== undefined) for (const row of parseLines(unread)) rows.push(row);
    unread = undefined;
    return rows;
  };
  const proxy: readonly Fields[] = new Proxy(rows, {
    get(_rows, name) {
      if (name === linesOfRows) return unread;
      if (name === 'length') return unread?.ids.length ?? rows.length;
      if (name === 'slice' && unread !== undefined) return slice;
      const value: unknown = Reflect.get(read(), name);
      return typeof value === 'function' ? value.bind(rows) : value;
    },
    has: (_rows, name) => Reflect.has(read(), name),
    ownKeys: () => Reflect.ownKeys(read()),
    getOwnPropertyDescriptor: (_rows, name) => Reflect.getOwnPropertyDescriptor(read(), name),
  });
  return proxy;

  function slice(start = 0, end = lines.ids.length): readonly Fields[] {
    return start === 0 && end >= lines.ids.length ? proxy : read().slice(start, end);
  }
}

/** The lines of rows that have not been parsed yet; undefined for other rows. */
export function findUnreadLines(rows: readonly unknown[]): RowLines | undefined {
  return (rows as { readonly [linesOfRows]?: RowLines })[linesOfRows];
}

function parseLines({ bytes }: RowLines): readonly Fields[] {
  const array = `[${decodeBytes(bytes).trimEnd().replaceAll('\n', ',')}]`;
  return parseJson(array) as readonly Fields[];
}
