import { type PartitionedLines, partitionCount } from './partitioned-lines.ts';

/**
 * Merges what lies in partitions into the order of its rows. In each partition rows ascend, and each row is in one
 * of them: the next is at the front of some partition, where a map finds it.
 */
export function* mergeInRowOrder<Row extends { readonly row: number }>(
  lines: PartitionedLines,
): Generator<Row, void> {
  const fronts = new Map<number, { readonly front: Row; readonly rest: Generator<string, void> }>();
  for (let partition = 0; partition < partitionCount; partition += 1) advance(lines.read(partition));
  for (let row = 0; fronts.size > 0; row += 1) {
    const next = fronts.get(row);
    if (next === undefined) continue;
    fronts.delete(row);
    advance(next.rest);
    yield next.front;
  }

  function advance(rest: Generator<string, void>): void {
    const next = rest.next();
    if (next.done) return;
    const front: Row = JSON.parse(next.value);
    fronts.set(front.row, { front, rest });
  }
}
