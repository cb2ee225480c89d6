import { openScratchFile, type ScratchFile } from './scratch-file.ts';
import { compareKeys, keyIn, type SortKey, type SortOrder } from './sort-order.ts';

/** Puts any number of rows in order, in bounded memory. */
export interface RowSorter<T> extends Disposable {
  add(rows: readonly T[]): void;
  readonly size: number;
  /** All of them, in order; rows with the same key in the order they were added. */
  sorted(): Generator<T, void>;
}

export interface SorterOptions {
  readonly order: SortOrder;
  /** Where rows lie that do not fit into memory. */
  readonly folder: string;
  /** Rows kept in memory; 20,000. */
  readonly mostInMemory?: number;
}

type Entry<T> = readonly [key: SortKey, row: T];

/** A part of the scratch file whose entries are in order. */
interface Run {
  readonly from: number;
  readonly to: number;
}

/** Sorts what fits into memory, writes it away as a run, and merges the runs at the end: some bytes of memory a row. */
export function openRowSorter<T>({ order, folder, mostInMemory = 20_000 }: SorterOptions): RowSorter<T> {
  const runs: Run[] = [];
  let entries: Entry<T>[] = [];
  let size = 0;
  let file: ScratchFile | undefined;
  const compare = ([one]: Entry<T>, [other]: Entry<T>) => compareKeys(one, other, order);
  return {
    add(rows) {
      for (const row of rows) {
        entries.push([keyIn(row, order), row]);
        if (entries.length === mostInMemory) writeAway();
      }
      size += rows.length;
    },
    get size() {
      return size;
    },
    *sorted() {
      const written = runs.map((run) => readRun<T>(file, run));
      for (const [, row] of mergeAll([...written, entries.sort(compare).values()], compare)) yield row;
    },
    [Symbol.dispose]: () => file?.[Symbol.dispose](),
  };

  function writeAway(): void {
    file ??= openScratchFile(folder);
    const from = runs.at(-1)?.to ?? 0;
    const to = writeRun(file, entries.sort(compare), from);
    runs.push({ from, to });
    entries = [];
  }
}

/** Entries written at a time, and bytes read. */
const entriesAtOnce = 500;
const bytesAtOnce = 65_536;
const lineFeed = 10;

/** Writes an entry a line and answers where they end. */
function writeRun(file: ScratchFile, entries: readonly Entry<unknown>[], from: number): number {
  let position = from;
  for (let index = 0; index < entries.length; index += entriesAtOnce) {
    const lines = entries.slice(index, index + entriesAtOnce).map((entry) => `${JSON.stringify(entry)}\n`);
    const bytes = Buffer.from(lines.join(''));
    file.write(bytes, position);
    position += bytes.length;
  }
  return position;
}

function* readRun<T>(file: ScratchFile | undefined, { from, to }: Run): Generator<Entry<T>, void> {
  let rest = Buffer.alloc(0);
  for (let position = from; position < to; position += bytesAtOnce) {
    const block = Buffer.alloc(Math.min(bytesAtOnce, to - position));
    file?.read(block, position);
    const bytes = Buffer.concat([rest, block]);
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      yield JSON.parse(bytes.toString('utf8', start, end)) as Entry<T>;
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
}

type Compare<T> = (one: Entry<T>, other: Entry<T>) => number;

function mergeAll<T>(runs: readonly Iterator<Entry<T>>[], compare: Compare<T>): Iterable<Entry<T>> {
  const [only] = runs;
  if (only !== undefined && runs.length === 1) return Iterator.from(only);
  const half = runs.length >> 1;
  const [front, back] = [mergeAll(runs.slice(0, half), compare), mergeAll(runs.slice(half), compare)];
  return merge(front, back, compare);
}

/** What is in `front` comes first among equals. */
function* merge<T>(
  front: Iterable<Entry<T>>,
  back: Iterable<Entry<T>>,
  compare: Compare<T>,
): Generator<Entry<T>, void> {
  const [ones, others] = [front[Symbol.iterator](), back[Symbol.iterator]()];
  let [one, other] = [ones.next(), others.next()];
  while (one.done !== true || other.done !== true) {
    const isFront = other.done === true || (one.done !== true && compare(one.value, other.value) <= 0);
    if (isFront && one.done !== true) {
      yield one.value;
      one = ones.next();
    } else if (other.done !== true) {
      yield other.value;
      other = others.next();
    }
  }
}
