/** A set of row numbers: a bit each, so that a million take 125 kB. */
export interface RowSet {
  add(row: number): void;
  has(row: number): boolean;
}

export function createRowSet(): RowSet {
  let bits = new Uint8Array(1_024);
  return {
    add(row) {
      const index = row >>> 3;
      if (index >= bits.length) {
        const larger = new Uint8Array(Math.max(bits.length * 2, index + 1));
        larger.set(bits);
        bits = larger;
      }
      bits[index] = (bits[index] ?? 0) | (1 << (row & 7));
    },
    has: (row) => ((bits[row >>> 3] ?? 0) & (1 << (row & 7))) !== 0,
  };
}
