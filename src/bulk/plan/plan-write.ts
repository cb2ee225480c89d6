import { createHash, randomUUID } from 'node:crypto';
import type { PlanCounts, PlannedRow } from '../edit/planned-row.ts';
import { createPartialFile } from '../export/partial-file.ts';
import { createCounting } from './plan-counts.ts';
import { type PlanHead, renderCounts, renderHead, renderRow, renderSeal } from './plan-form.ts';

/** Characters that are handed to the system at once. */
const blockLength = 65_536;

/**
 * Writes a plan, whole or not at all, in memory that does not grow with its rows. It holds records, so its owner
 * alone may read it. Throws `output_failed`, and whatever `rows` throws.
 */
export async function writePlan(
  path: string,
  head: PlanHead,
  rows: AsyncIterable<PlannedRow>,
): Promise<PlanCounts> {
  const file = await createPartialFile({ path, target: path, mode: 0o600 }, `plan-${randomUUID()}`);
  const hash = createHash('sha256');
  const counting = createCounting();
  let block = '';

  async function write(text: string, most = blockLength): Promise<void> {
    block += text;
    if (block.length < most) return;
    hash.update(block);
    await file.write(block);
    block = '';
  }

  try {
    await write(renderHead(head));
    let isFirst = true;
    for await (const row of rows) {
      await write(renderRow(row, { isFirst }));
      counting.add(row);
      isFirst = false;
    }
    await write(renderCounts(counting.counts()), 0);
    await file.write(renderSeal(hash.digest('hex')));
    await file.commit();
    return counting.counts();
  } catch (error) {
    await file.discard();
    throw error;
  }
}
