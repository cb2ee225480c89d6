import { CompiledQuery, sql } from 'kysely';
import type { Writer } from './engine.ts';
import type { CollectionName } from './tables.ts';

/** One account's list. */
export interface Place {
  readonly accountId: string;
  readonly collection: CollectionName;
}

/**
 * Places of a sequence are counted in blocks of 256, and those in blocks of 256 again, so that the n-th live
 * record of ten million is found by adding up a few hundred small numbers, whatever was deleted before it.
 */
const shifts = { 1: 8, 2: 16 } as const;
const fanOut = 256;

/** Rows of one statement, below what an engine takes as parameters. */
const rowsPerStatement = 1000;

/** Counts `count` new records from the place `first` on. */
export async function countIn(
  tx: Writer,
  { accountId, collection }: Place,
  range: { first: number; count: number },
): Promise<void> {
  const rows = Object.entries(shifts).flatMap(([level, shift]) =>
    toStretches(range, shift).map(({ block, live }) => [accountId, collection, Number(level), block, live]),
  );
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const some = rows.slice(start, start + rowsPerStatement);
    const text = `insert into blocks (account_id, collection, level, block, live)
      values ${some.map(() => '(?, ?, ?, ?, ?)').join(', ')}
      on conflict (account_id, collection, level, block) do update set live = blocks.live + excluded.live`;
    await tx.executeQuery(CompiledQuery.raw(text, some.flat()));
  }
}

/** Counts one deleted record out. */
export async function countOut(tx: Writer, { accountId, collection }: Place, seq: number): Promise<void> {
  for (const [level, shift] of Object.entries(shifts)) {
    await tx
      .updateTable('blocks')
      .set({ live: sql`live - 1` })
      .where('account_id', '=', accountId)
      .where('collection', '=', collection)
      .where('level', '=', Number(level))
      .where('block', '=', toBlock(seq, shift))
      .execute();
  }
}

/**
 * An expression for the place right before the live record that `:offset` others precede in a list, which
 * `:accountId` and `:collection` name; null when there is no such record. It walks the counts of the outer
 * blocks, then of the inner ones, then at most 256 places.
 */
export function placeBefore(collection: CollectionName): string {
  const counts = 'account_id = :accountId and collection = :collection';
  return `(
    with outer_block as materialized (
      select block, through - live as before from (
        select block, live, sum(live) over (order by block rows unbounded preceding) as through
        from blocks where ${counts} and level = 2
      ) where through > :offset limit 1
    ), inner_block as materialized (
      select block, (select before from outer_block) + through - live as before from (
        select block, live, sum(live) over (order by block rows unbounded preceding) as through
        from blocks where ${counts} and level = 1
          and block >= (select block * ${fanOut} from outer_block)
      ) where (select before from outer_block) + through > :offset limit 1
    )
    select seq - 1 from ${collection}
    where account_id = :accountId and seq > (select block * ${fanOut} from inner_block)
    order by seq limit 1 offset coalesce(:offset - (select before from inner_block), 0)
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
