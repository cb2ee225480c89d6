/** How a list changes between two requests. */
export interface Drift {
  readonly seed: number;
  readonly rows: number;
  /**
   * `balanced`: every deletion comes with an insertion, so that the total does not change. `moves`: the list is in
   * another order than creation order, and rows move in it.
   */
  readonly changes: 'none' | 'deletions' | 'insertions' | 'mixed' | 'balanced' | 'moves';
  /** Chance of changes before a request, from 0 to 1. */
  readonly rate: number;
  /** Maximum number of rows that change at once. */
  readonly burst: number;
  /** Whether IDs ascend with creation, as ULIDs nearly do, or are random. */
  readonly ids: 'ascending' | 'scattered';
}

export interface Row {
  readonly id: string;
  readonly seq: number;
  /** The sort key, ties by `seq`; 0 in creation order. */
  readonly rank: number;
}

export interface Slice {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly version: number;
  readonly hasMore: boolean;
}

/** A list that changes while it is read. */
export interface DriftingList {
  /** Changes the list at random. */
  drift(): void;
  page(page: number, perPage: number): Slice;
  /** The rows after a row, which may have been deleted. */
  after(row: Pick<Row, 'rank' | 'seq'>, perPage: number): Slice;
  /** IDs of the rows that have existed throughout without moving, in order. */
  stable(): string[];
  readonly dice: Dice;
}

/** Numbers from 0 up to 1, the same for the same seed. */
type Dice = () => number;

function createDice(seed: number): Dice {
  let state = (seed ^ 0x5bd1e995) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export function createDriftingList({ seed, rows, changes, rate, burst, ids }: Drift): DriftingList {
  const dice = createDice(seed);
  const list: Row[] = [];
  let [created, version] = [0, 1];
  for (let index = 0; index < rows; index += 1) insert();
  /** A list that keeps growing would never be read to its end. */
  const mostCreated = 2 * rows + 100;
  const atStart = [...list];
  return {
    dice,
    drift() {
      if (changes === 'none' || dice() >= rate) return;
      for (let left = 1 + Math.floor(dice() * burst); left > 0; left -= 1) change();
      version += 1;
    },
    page: (page, perPage) => slice((page - 1) * perPage, perPage),
    after(last, perPage) {
      return slice(findStart(last), perPage);
    },
    stable() {
      const present = new Set(list);
      return atStart.filter((row) => present.has(row)).map(({ id }) => id);
    },
  };

  function change(): void {
    const isInsertion = changes === 'insertions' || (changes === 'mixed' && dice() < 0.5);
    if ((isInsertion || changes === 'balanced') && created >= mostCreated) return;
    const [gone] = isInsertion ? [] : list.splice(Math.floor(dice() * list.length), 1);
    if (isInsertion || (changes === 'balanced' && gone !== undefined)) insert();
    if (changes === 'moves' && gone !== undefined) place({ ...gone, rank: dice() });
  }

  function insert(): void {
    created += 1;
    const number = ids === 'ascending' ? created : Math.imul(created, 0x9e3779b1) >>> 0;
    const id = `row_${String(number).padStart(10, '0')}`;
    place({ id, seq: created, rank: changes === 'moves' ? dice() : 0 });
  }

  function place(row: Row): void {
    list.splice(findStart(row), 0, row);
  }

  /** The index of the first row after another one, by binary search. */
  function findStart(row: Pick<Row, 'rank' | 'seq'>): number {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = list[middle];
      if (other !== undefined && isBehind(other, row)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  function slice(start: number, size: number): Slice {
    const end = start + size;
    return { rows: list.slice(start, end), total: list.length, version, hasMore: end < list.length };
  }
}

function isBehind(row: Row, other: Pick<Row, 'rank' | 'seq'>): boolean {
  return row.rank > other.rank || (row.rank === other.rank && row.seq > other.seq);
}

/** A row's position, as in a cursor. */
export function renderCursor({ rank, seq }: Row): string {
  return `${rank}_${seq}`;
}

export function parseCursor(cursor: string): Pick<Row, 'rank' | 'seq'> {
  const [rank, seq] = cursor.split('_').map(Number);
  return { rank: rank ?? 0, seq: seq ?? 0 };
}
