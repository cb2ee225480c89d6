/** Something that takes lines of a column, `from` inclusive, `to` exclusive. */
export interface Placed {
  readonly from: number;
  readonly to: number;
}

/** Where something stands beside others at the same time: the which-th of how many. */
export interface InLane<Item extends Placed> {
  readonly item: Item;
  readonly lane: number;
  readonly lanes: number;
}

/**
 * Puts what shares a line side by side, and nothing else: each gets the first lane that is free, and what hangs
 * together shares the width alike.
 */
export function toLanes<Item extends Placed>(items: readonly Item[]): readonly InLane<Item>[] {
  const sorted = items.toSorted((a, b) => a.from - b.from || b.to - a.to);
  const placed: InLane<Item>[] = [];
  let together: { readonly item: Item; readonly lane: number }[] = [];
  let freeFrom: number[] = [];
  const settle = () => {
    const lanes = freeFrom.length;
    for (const { item, lane } of together) placed.push({ item, lane, lanes });
    [together, freeFrom] = [[], []];
  };
  let end = 0;
  for (const item of sorted) {
    if (item.from >= end) settle();
    const free = freeFrom.findIndex((from) => from <= item.from);
    const lane = free === -1 ? freeFrom.length : free;
    freeFrom[lane] = item.to;
    end = Math.max(end, item.to);
    together.push({ item, lane });
  }
  settle();
  return placed;
}
