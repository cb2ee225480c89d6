import { setImmediate } from 'node:timers/promises';
import type { PlannedRow } from '../edit/planned-row.ts';
import { type Keyed, openPairing, type Pair } from './current/pairing.ts';
import { openPartitionedLines, partitionCount } from './current/partitioned-lines.ts';
import { type PresentReading, readPresent } from './current/present.ts';
import { mergeInRowOrder } from './current/row-order.ts';

/** A plan that is not written down yet. What it keeps in temporary files goes when it is disposed of. */
export interface PlanDraft extends Disposable {
  /** Records in the list; null where nobody told. */
  readonly records: number | null;
  /** In the order of the sheet; they can be read once. */
  readonly rows: AsyncIterable<PlannedRow>;
}

/** What every draft is made with. */
export interface DraftParts extends Pick<PresentReading, 'client' | 'watch'> {
  /** Where temporary files may lie: they hold records. */
  readonly folder: string;
  /** Single records that are asked for at once; 8. */
  readonly width?: number | undefined;
}

export interface Drafting<Item> extends DraftParts, Pick<PresentReading, 'noun' | 'match'> {
  /** In their order. */
  readonly rows: AsyncIterable<Keyed<Item>>;
  readonly plan: (pair: Pair<Item>, isSure: boolean) => PlannedRow;
}

/** Reads the records that rows name, and plans every row by the one it names. */
export async function openDraft<Item>(drafting: Drafting<Item>): Promise<PlanDraft> {
  const { folder, width = 8 } = drafting;
  using opened = new DisposableStack();
  const pairing = opened.use(openPairing<Item>(folder, drafting.match));
  for await (const row of drafting.rows) pairing.addRow(row);
  const { total, isSure } = await readPresent({ ...drafting, pairing, width });
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
