import type { Writer } from './engine.ts';
import type { CollectionKey } from './pages.ts';

/**
 * The row-count index: positions of a sequence are counted in blocks of 32, those in blocks of 32 again, and so on.
 * The n-th record of ten million is found by adding up at most about a hundred numbers, whatever was deleted.
 */
export const blockLevels = [1, 2, 3, 4] as const;
export const fanOut = 32;

/** Stays below the number of parameters an engine accepts. */
const rowsPerStatement = 1000;

/** Adds a range of new records to the row counts, or takes deleted ones out (`step` -1). */
export async function updateRowCounts(
  tx: Writer,
  { accountId, collection }: CollectionKey,
  { first, count, step }: { first: number; count: number; step: 1 | -1 },
): Promise<void> {
  const rows = blockLevels.flatMap((level) =>
    splitIntoBlocks(first, count, fanOut ** level).map(({ block, size }) => [
      accountId,
      collection,
      level,
      block,
      size * step,
    ]),
  );
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const batch = rows.slice(start, start + rowsPerStatement);
    const text = `insert into blocks (account_id, collection, level, block, live)
      values ${batch.map(() => '(?, ?, ?, ?, ?)').join(', ')}
      on conflict (account_id, collection, level, block) do update set live = blocks.live + excluded.live`;
    await tx.run(text, batch.flat());
  }
}

/** The blocks that a range of positions covers, and how many positions of each. Positions start at 1, blocks at 0. */
function splitIntoBlocks(first: number, count: number, blockSize: number) {
  const parts = [];
  const end = first + count;
  for (let seq = first; seq < end; ) {
    const block = Math.floor((seq - 1) / blockSize);
    const next = Math.min(end, (block + 1) * blockSize + 1);
    parts.push({ block, size: next - seq });
    seq = next;
  }
  return parts;
}
