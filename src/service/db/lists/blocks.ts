import { sql } from 'kysely';
import type { Writer } from '../engine.ts';
import type { CollectionName } from '../tables.ts';

/** One account's list. */
export interface CollectionKey {
  readonly accountId: string;
  readonly collection: CollectionName;
}

/**
 * Places of a sequence are counted in blocks of 32, those in blocks of 32 again, and so on, so that the n-th
 * live record of ten million is found by adding up a hundred small numbers, whatever was deleted before it.
 */
const shifts = { 1: 5, 2: 10, 3: 15, 4: 20 } as const;
const levels = [1, 2, 3, 4] as const;
const topLevel = 4;
const fanOut = 32;

/** Rows of one statement, below what an engine takes as parameters. */
const rowsPerStatement = 1000;

/** Counts `count` new records from the place `first` on. */
export async function countIn(
  tx: Writer,
  { accountId, collection }: CollectionKey,
  range: { first: number; count: number },
): Promise<void> {
  const rows = levels.flatMap((level) =>
    toStretches(range, shifts[level]).map(({ block, live }) => [accountId, collection, level, block, live]),
  );
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const some = rows.slice(start, start + rowsPerStatement);
    await tx.run(some.length === levels.length ? addFew : renderAdd(some.length), some.flat());
  }
}

/** Adds to the counts of so many blocks. */
function renderAdd(blocks: number): string {
  return `insert into blocks (account_id, collection, level, block, live)
    values ${Array.from({ length: blocks }, () => '(?, ?, ?, ?, ?)').join(', ')}
    on conflict (account_id, collection, level, block) do update set live = blocks.live + excluded.live`;
}

/** For one record: the same text each time is found at once. */
const addFew = renderAdd(levels.length);

/** Counts one deleted record out. */
export async function countOut(
  tx: Writer,
  { accountId, collection }: CollectionKey,
  seq: number,
): Promise<void> {
  for (const level of levels) {
    await tx
      .updateTable('blocks')
      .set({ live: sql`live - 1` })
      .where('account_id', '=', accountId)
      .where('collection', '=', collection)
      .where('level', '=', level)
      .where('block', '=', toBlock(seq, shifts[level]))
      .execute();
  }
}

/**
 * An expression for the place right before the live record that `:offset` others precede in a list, which
 * `:accountId` and `:collection` name; null when there is no such record. It walks from block to block on the
 * outermost level, from whichever end is nearer, into the one that holds the record, and so on inwards, then at most
 * 32 places. `rest` records are left to pass in the direction of `step`. A block that had been emptied before blocks
 * were counted has no row.
 */
export function placeBefore(collection: CollectionName): string {
  const isHere = 'rest < ifnull(live, 0)';
  const before = 'iif(step = 1, rest, live - 1 - rest)';
  const isNearEnd = `walk.level > 1 and 2 * ${before} >= live`;
  return `(
    with recursive list as materialized (
      select total, last_seq, 2 * :offset >= total as is_near_end from collections
      where account_id = :accountId and name = :collection and :offset < total
    ),
    walk(level, block, rest, step) as (
      select
        ${topLevel},
        iif(is_near_end, (last_seq - 1) >> ${shifts[topLevel]}, 0),
        iif(is_near_end, total - 1 - :offset, :offset),
        iif(is_near_end, -1, 1)
      from list
      union all
      select
        walk.level - (${isHere}),
        iif(${isHere}, walk.block * ${fanOut} + iif(${isNearEnd}, ${fanOut - 1}, 0), walk.block + step),
        iif(${isHere}, iif(${isNearEnd}, live - 1 - ${before}, ${before}), rest - ifnull(live, 0)),
        iif(${isHere}, iif(${isNearEnd}, -1, 1), step)
      from walk left join blocks on account_id = :accountId and collection = :collection
        and blocks.level = walk.level and blocks.block = walk.block
      where walk.level > 0 and walk.block between 0 and (select last_seq + ${fanOut} from list)
    ),
    found as materialized (select block, rest from walk where level = 0)
    select seq - 1 from ${collection}
    where account_id = :accountId and seq > (select block from found)
    order by seq limit 1 offset coalesce((select rest from found), 0)
  )`;
}

/** The blocks a range of places falls into, and how much of it into each. */
function toStretches({ first, count }: { first: number; count: number }, shift: number) {
  const stretches = [];
  const end = first + count;
  for (let seq = first; seq < end; ) {
    const block = toBlock(seq, shift);
    const next = Math.min(end, (block + 1) * 2 ** shift + 1);
    stretches.push({ block, live: next - seq });
    seq = next;
  }
  return stretches;
}

// Places begin at 1, blocks at 0.
function toBlock(seq: number, shift: number): number {
  return Math.floor((seq - 1) / 2 ** shift);
}
