import { type HashLog, openHashLog } from './hash-log.ts';

/** Remembers which keys have been seen, in at most 6 MiB of memory however many there are. */
export interface SeenKeys extends Disposable {
  /** Says of each key whether it is new, and remembers it. */
  note(keys: readonly string[]): boolean[];
  /** Says of each key whether it was seen before. */
  recall(keys: readonly string[]): boolean[];
  readonly size: number;
  /** The same for the same keys, in whatever order they came. */
  digest(): string;
}

/** Bits of the filter, and how many of them a key sets. At two million keys one new key in 10,000 is looked up. */
const filterBits = 2 ** 25;
const bitsPerKey = 4;

/**
 * While keys ascend, each is compared with the one before and that is all. After the first that does not, a filter
 * says which keys are certainly new, and the log of all hashes settles the others. A key is told from another
 * by 64 bits.
 */
export function openSeenKeys(folder: string): SeenKeys {
  const log = openHashLog(folder);
  let newest = '';
  let filter: Uint32Array | undefined;
  let [size, lowSum, highSum] = [0, 0, 0];
  return {
    note(keys) {
      if (filter === undefined && areAscending(keys, newest)) {
        for (const key of keys) add(key);
        newest = keys.at(-1) ?? newest;
        return keys.map(() => true);
      }
      const seen = recall(keys);
      const here = new Set<string>();
      return keys.map((key, index) => {
        if (seen[index] === true || here.has(key)) return false;
        here.add(key);
        add(key);
        return true;
      });
    },
    recall,
    get size() {
      return size;
    },
    digest: () => `${size}:${highSum}:${lowSum}`,
    [Symbol.dispose]: () => log[Symbol.dispose](),
  };

  function add(key: string): void {
    const [low, high] = hashOf(key);
    log.add(low, high);
    if (filter !== undefined) mark(filter, low, high);
    size += 1;
    lowSum = (lowSum + low) >>> 0;
    highSum = (highSum + high) >>> 0;
  }

  function recall(keys: readonly string[]): boolean[] {
    const found = keys.map(() => false);
    if (filter === undefined && areAscending(keys, newest)) return found;
    filter ??= createFilter(log);
    const doubtful = new Map<number, { high: number; index: number }[]>();
    let open = 0;
    for (const [index, key] of keys.entries()) {
      const [low, high] = hashOf(key);
      if (!isMarked(filter, low, high)) continue;
      const alike = doubtful.get(low) ?? [];
      doubtful.set(low, [...alike, { high, index }]);
      open += 1;
    }
    if (open === 0) return found;
    log.scan((low, high) => {
      for (const asked of doubtful.get(low) ?? []) {
        if (asked.high !== high || found[asked.index] === true) continue;
        found[asked.index] = true;
        open -= 1;
      }
      return open === 0 ? 'enough' : 'more';
    });
    return found;
  }
}

function areAscending(keys: readonly string[], after: string): boolean {
  let last = after;
  for (const key of keys) {
    if (key <= last) return false;
    last = key;
  }
  return true;
}

function createFilter(log: HashLog): Uint32Array {
  const filter = new Uint32Array(filterBits / 32);
  log.scan((low, high) => {
    mark(filter, low, high);
    return 'more';
  });
  return filter;
}

function mark(filter: Uint32Array, low: number, high: number): void {
  for (let turn = 0; turn < bitsPerKey; turn += 1) {
    const bit = toBit(low, high, turn);
    filter[bit >>> 5] = (filter[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
}

function isMarked(filter: Uint32Array, low: number, high: number): boolean {
  for (let turn = 0; turn < bitsPerKey; turn += 1) {
    const bit = toBit(low, high, turn);
    if (((filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
  }
  return true;
}

function toBit(low: number, high: number, turn: number): number {
  return (low + Math.imul(turn, high | 1)) & (filterBits - 1);
}

/** Two lanes of 32 bits over the characters, mixed into one another at the end. */
function hashOf(key: string): readonly [low: number, high: number] {
  let low = 0x2545f491;
  let high = key.length;
  for (let index = 0; index < key.length; index += 1) {
    const unit = key.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x9e3779b1);
    high = Math.imul((high << 7) ^ (high >>> 25) ^ unit, 0x85ebca77);
  }
  const mixed = scatter(low ^ (high >>> 15));
  return [mixed, scatter(high ^ (mixed >>> 3))];
}

function scatter(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
