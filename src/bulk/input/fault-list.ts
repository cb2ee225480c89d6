import type { RowFault } from './sheet-form.ts';

/** Counts all faults and keeps the first ones. */
export interface FaultList {
  add(fault: RowFault): void;
  readonly count: number;
  /** By line; those of one line in the order in which they were found. */
  kept(): readonly RowFault[];
}

const mostKept = 1_000;

export function createFaultList(): FaultList {
  const kept: RowFault[] = [];
  let count = 0;
  return {
    add(fault) {
      count += 1;
      // Parts of a text keep the whole of it in memory, here a piece of the file for every fault.
      if (kept.length < mostKept) kept.push(JSON.parse(JSON.stringify(fault)));
    },
    get count() {
      return count;
    },
    kept: () => kept.toSorted((one, other) => one.line - other.line),
  };
}
