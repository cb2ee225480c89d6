import type { Database } from '../../src/service/db/database.ts';
import { insertRecords } from '../../src/service/db/records/records.ts';

const collection = 'appointments';

/**
 * Adds appointments whose JSON is only their index. A third of them are of stylist `a`, the others of `b`, and they start
 * at one of seven times.
 */
export async function addManyAppointments(
  database: Database,
  accountId: string,
  count: number,
): Promise<void> {
  await database.transaction({ accountId }, (tx) =>
    insertRecords(tx, { accountId, collection }, { count, rows: createRows(accountId, count) }),
  );
}

function* createRows(accountId: string, count: number) {
  for (let index = 0; index < count; index++) {
    yield {
      account_id: accountId,
      id: `apt_${accountId}_${index}`,
      client_id: 'c',
      stylist_id: index % 3 === 0 ? 'a' : 'b',
      status: 'confirmed' as const,
      start_ms: index % 7,
      end_ms: 0,
      payment: null,
      created_ms: index,
      updated_ms: index,
      record: String(index),
    };
  }
}
