import { setImmediate } from 'node:timers/promises';
import { type CurrentRecordsOptions, readCurrentRecords } from './current-records.ts';
import { mergeInRowOrder, openPartitionedLines, partitionCount } from './partitioned-lines.ts';
import type { PlannedRow } from './planned-row.ts';
import { type JoinedRow, type KeyedRow, openRecordJoin } from './record-join.ts';

/** A plan that is not written down yet. What it keeps in temporary files goes when it is disposed of. */
export interface PlanDraft extends Disposable {
  /** Records in the list; null where nobody told. */
  readonly records: number | null;
  /** In the order of the sheet; they can be read once. */
  readonly rows: AsyncIterable<PlannedRow>;
}

/** What every draft is made with. */
export interface DraftParts extends Pick<CurrentRecordsOptions, 'client' | 'watch'> {
  /** Where temporary files may lie: they hold records. */
  readonly folder: string;
  /** Single records that are asked for at once; 8. */
  readonly width?: number | undefined;
}

export interface Drafting<Item> extends DraftParts, Pick<CurrentRecordsOptions, 'noun' | 'match'> {
  /** In their order. */
  readonly rows: AsyncIterable<KeyedRow<Item>>;
  readonly plan: (pair: JoinedRow<Item>, isSure: boolean) => PlannedRow;
}

/** Reads the records that rows name, and plans every row by the one it names. */
export async function openDraft<Item>(drafting: Drafting<Item>): Promise<PlanDraft> {
  const { folder, width = 8 } = drafting;
  using opened = new DisposableStack();
  const pairing = opened.use(openRecordJoin<Item>(folder, drafting.match));
  for await (const row of drafting.rows) pairing.addRow(row);
  const { total, isSure } = await readCurrentRecords({ ...drafting, pairing, width });
  const kept = opened.move();
  return { records: total ?? null, rows: planRows(), [Symbol.dispose]: () => kept.dispose() };

  /** One partition after the other; then all of them are merged. */
  async function* planRows(): AsyncGenerator<PlannedRow> {
    using planned = openPartitionedLines(folder);
    for (let partition = 0; partition < partitionCount; partition += 1) {
      for (const pair of pairing.pairs(partition)) {
        planned.add(partition, JSON.stringify(drafting.plan(pair, isSure)));
      }
      // Whoever waits for something else, such as an interruption, has a turn.
      await setImmediate();
    }
    yield* mergeInRowOrder<PlannedRow>(planned);
  }
}
