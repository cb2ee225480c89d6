import type { Writer } from './engine.ts';
import type { Tables } from './tables.ts';

/** Notes that a ticket was used, until it would have expired anyway. Returns false when it was used before. */
export async function insertUsedTicket(
  tx: Writer,
  ticket: Tables['used_tickets'],
  now: number,
): Promise<boolean> {
  await tx.deleteFrom('used_tickets').where('expires_ms', '<=', now).execute();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('used_tickets')
    .values(ticket)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}
