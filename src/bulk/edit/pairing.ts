import type { Fields } from '../../client/record.ts';
import { keyOf } from '../../client/walk/page.ts';
import { hashFnv1a } from '../export/shard.ts';
import { toMatchKey } from './match-key.ts';
import { openPartitionedLines, partitionCount } from './partitioned-lines.ts';

/** Something with a place in a sheet that names a record by a key; null where it names none. */
export interface Keyed<Item> {
  readonly row: number;
  readonly line: number;
  readonly key: string | null;
  readonly item: Item;
}

/** A row and what it names. */
export interface Pair<Item> extends Keyed<Item> {
  /** The record with the row's key, one of several where `ids` are; undefined where there is none. */
  readonly found: Found | undefined;
  /** Lines of every row with this key, a few of them where there are many. */
  readonly lines: readonly number[];
}

export interface Found {
  readonly record: Fields;
  readonly ids: readonly string[];
}

/**
 * Brings rows and records together that have the same key, in memory that grows with neither: both are spread over
 * partitions by their key, and one partition is looked at at a time.
 */
export interface Pairing<Item> extends Disposable {
  addRow(row: Keyed<Item>): void;
  /** Rows that name a record. */
  readonly size: number;
  /** Takes a record, if a row may name it. */
  addRecord(record: Fields): void;
  /** Keys of rows for which no record has come, each once. */
  missing(): Generator<string, void>;
  /** The rows of one partition in their order. */
  pairs(partition: number): Generator<Pair<Item>, void>;
}

/** How many of a crowd are named. */
const mostNamed = 5;

/** `match` is the field of a record that the keys are of. */
export function openPairing<Item>(folder: string, match: string): Pairing<Item> {
  const rows = openPartitionedLines(folder);
  const records = openPartitionedLines(folder);
  const sieve = createSieve();
  let size = 0;
  return {
    addRow(keyed) {
      const { key, row } = keyed;
      // Rows that name nothing meet no record, wherever they lie.
      const hash = key === null ? row : hashFnv1a(key);
      rows.add(hash % partitionCount, JSON.stringify(keyed));
      if (key === null) return;
      sieve.add(hash);
      size += 1;
    },
    get size() {
      return size;
    },
    addRecord(record) {
      const key = toMatchKey(match, record[match]);
      const hash = key === undefined ? undefined : hashFnv1a(key);
      if (hash !== undefined && sieve.mayHold(hash)) {
        records.add(hash % partitionCount, JSON.stringify(record));
      }
    },
    *missing() {
      for (let partition = 0; partition < partitionCount; partition += 1) {
        const known = new Set(readFound(partition).keys());
        for (const { key } of readRows(partition)) {
          if (key === null || known.has(key)) continue;
          known.add(key);
          yield key;
        }
      }
    },
    *pairs(partition) {
      const lines = readLinesByKey(partition);
      const found = readFound(partition);
      for (const keyed of readRows(partition)) {
        const { key, line } = keyed;
        yield key === null
          ? { ...keyed, found: undefined, lines: [line] }
          : { ...keyed, found: found.get(key), lines: lines.get(key) ?? [] };
      }
    },
    [Symbol.dispose]() {
      rows[Symbol.dispose]();
      records[Symbol.dispose]();
    },
  };

  function* readRows(partition: number): Generator<Keyed<Item>, void> {
    for (const line of rows.read(partition)) yield JSON.parse(line);
  }

  function readLinesByKey(partition: number): Map<string, number[]> {
    const lines = new Map<string, number[]>();
    for (const { key, line } of readRows(partition)) {
      if (key !== null) append(lines, key, line);
    }
    return lines;
  }

  /** A record that came twice counts as it came last. */
  function readFound(partition: number): Map<string, Found> {
    const ids = new Map<string, string[]>();
    const found = new Map<string, Found>();
    for (const line of records.read(partition)) {
      const record: Fields = JSON.parse(line);
      const key = toMatchKey(match, record[match]) ?? '';
      const named = append(ids, key, keyOf(record));
      found.set(key, { record, ids: named });
    }
    return found;
  }
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): Value[] {
  const list = lists.get(key) ?? [];
  if (list.length === 0) lists.set(key, list);
  if (list.length < mostNamed && !list.includes(value)) list.push(value);
  return list;
}

/** Bits of which each key sets one: at a million keys, one in seventy of the others looks like one of them. */
const sieveBits = 2 ** 26;

function createSieve() {
  const bits = new Uint8Array(sieveBits / 8);
  const at = (hash: number) => (hash % sieveBits) >>> 3;
  return {
    add(hash: number): void {
      bits[at(hash)] = (bits[at(hash)] ?? 0) | (1 << (hash & 7));
    },
    mayHold: (hash: number) => ((bits[at(hash)] ?? 0) & (1 << (hash & 7))) !== 0,
  };
}
