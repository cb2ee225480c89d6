import type { SalonClient } from '../../client/client.ts';
import type { EditedRecords } from '../edit/edited-records.ts';
import type { PlannedRow } from '../edit/planned-row.ts';
import type { Keyed } from './current/pairing.ts';
import { openDraft } from './plan-draft.ts';
import { openPlan, type Plan } from './plan-read.ts';
import { writePlan } from './plan-write.ts';

export interface Refreshing {
  readonly plan: Plan;
  readonly client: SalonClient;
  readonly records: EditedRecords;
  /** Where the rows can be kept meanwhile. */
  readonly path: string;
  readonly folder: string;
}

/**
 * The rows of a plan as they are carried out. Where the server can be asked for single records each is looked at in
 * its turn; where not, the whole list is read once more, and rows come with what their records hold now.
 */
export async function readCurrentRows({
  plan,
  client,
  records,
  path,
  folder,
}: Refreshing): Promise<Plan['rows']> {
  const first = await findFirst(plan);
  if (first === undefined || (await records.readsOne(first))) return plan.rows;
  const { noun } = plan.head.edit;
  using refreshed = await openDraft<PlannedRow>({
    client,
    folder,
    noun,
    match: 'id',
    rows: toKeyed(plan.rows()),
    plan: ({ item, found }) => ({ ...item, present: found?.record ?? null }),
  });
  await writePlan(path, plan.head, refreshed.rows);
  return (await openPlan(path)).rows;
}

/** The first record that is to be changed or removed. */
async function findFirst(plan: Plan): Promise<string | undefined> {
  for await (const { id } of toKeyedItems(plan.rows())) return id ?? undefined;
  return undefined;
}

async function* toKeyed(rows: AsyncIterable<PlannedRow>): AsyncGenerator<Keyed<PlannedRow>> {
  for await (const item of toKeyedItems(rows)) yield { row: item.row, line: item.line, key: item.id, item };
}

async function* toKeyedItems(rows: AsyncIterable<PlannedRow>): AsyncGenerator<PlannedRow> {
  for await (const row of rows) if (row.act === 'update' || row.act === 'delete') yield row;
}
