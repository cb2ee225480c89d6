import type { Fields } from '../../client/http/decode.ts';
import { keyOf } from '../../client/pagination/page.ts';
import { hashFnv1a } from '../export/write-pages.ts';
import { toMatchKey } from '../input/edit-fields.ts';
import { openPartitionedLines, partitionCount } from './partitioned-lines.ts';

/** Something with a place in a sheet that names a record by a key; null where it names none. */
export interface KeyedRow<Item> {
  readonly row: number;
  readonly line: number;
  readonly key: string | null;
  readonly item: Item;
}

/** A row and what it names. */
export interface JoinedRow<Item> extends KeyedRow<Item> {
  /** The record with the row's key, one of several where `ids` are; undefined where there is none. */
  readonly found: MatchedRecord | undefined;
  /** Lines of every row with this key, a few of them where there are many. */
  readonly lines: readonly number[];
}

export interface MatchedRecord {
  readonly record: Fields;
  readonly ids: readonly string[];
}

/**
 * Brings rows and records together that have the same key, in memory that grows with neither: both are spread over
 * partitions by their key, and one partition is looked at at a time.
 */
export interface RecordJoin<Item> extends Disposable {
  addRow(row: KeyedRow<Item>): void;
  /** Rows that name a record. */
  readonly size: number;
  /** Takes a record, if a row may name it. */
  addRecord(record: Fields): void;
  /** Keys of rows for which no record has come, each once. */
  missing(): Generator<string, void>;
  /** The rows of one partition in their order. */
  pairs(partition: number): Generator<JoinedRow<Item>, void>;
}

/** How many of a crowd are named. */
const mostNamed = 5;

/** `match` is the field of a record that the keys are of. */
export function openRecordJoin<Item>(folder: string, match: string): RecordJoin<Item> {
  const rows = openPartitionedLines(folder);
  const records = openPartitionedLines(folder);
  const sieve = createSieve();
  let size = 0;
  return {
    addRow(keyed) {
      const { key, row, line, item } = keyed;
      // Rows that name nothing meet no record, wherever they lie.
      const hash = key === null ? row : hashFnv1a(key);
      rows.add(hash % partitionCount, toLine({ key, row, line }, item));
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
      if (hash === undefined || !sieve.mayHold(hash)) return;
      records.add(hash % partitionCount, toLine({ key, id: keyOf(record) }, record));
    },
    *missing() {
      for (let partition = 0; partition < partitionCount; partition += 1) {
        const known = new Set(readSightings(partition).keys());
        for (const text of rows.read(partition)) {
          const { key } = readLabel<RowLabel>(text);
          if (key === null || known.has(key)) continue;
          known.add(key);
          yield key;
        }
      }
    },
    *pairs(partition) {
      const linesOf = readLines(partition);
      const sightings = readSightings(partition);
      for (const text of rows.read(partition)) {
        const { key, row, line } = readLabel<RowLabel>(text);
        const seen = key === null ? undefined : sightings.get(key);
        const found = seen && { record: readContent<Fields>(seen.text), ids: seen.ids };
        const lines = key === null ? [line] : (linesOf.get(key) ?? []);
        yield { key, row, line, item: readContent<Item>(text), found, lines };
      }
    },
    [Symbol.dispose]() {
      rows[Symbol.dispose]();
      records[Symbol.dispose]();
    },
  };

  function readLines(partition: number): Map<string, number[]> {
    const linesOf = new Map<string, number[]>();
    for (const text of rows.read(partition)) {
      const { key, line } = readLabel<RowLabel>(text);
      if (key !== null) append(linesOf, key, line);
    }
    return linesOf;
  }

  /** Records as they were put aside, unread: only the newest one of each key is ever looked into. */
  function readSightings(partition: number) {
    const idsOf = new Map<string, string[]>();
    const sightings = new Map<string, { readonly text: string; readonly ids: readonly string[] }>();
    for (const text of records.read(partition)) {
      const { key, id } = readLabel<{ key: string; id: string }>(text);
      sightings.set(key, { text, ids: append(idsOf, key, id) });
    }
    return sightings;
  }
}

type RowLabel = Omit<KeyedRow<unknown>, 'item'>;

/** What is needed of a line again and again, and behind a tab, which JSON never holds, all of it. */
function toLine(label: object, content: unknown): string {
  return `${JSON.stringify(label)}\t${JSON.stringify(content)}`;
}

function readLabel<Label>(line: string): Label {
  return JSON.parse(line.slice(0, line.indexOf('\t')));
}

function readContent<Content>(line: string): Content {
  return JSON.parse(line.slice(line.indexOf('\t') + 1));
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
