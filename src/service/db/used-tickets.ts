import type { Reader, Writer } from './engine.ts';
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

/** Whether a ticket was used. */
export async function isTicketUsed(reader: Reader, hash: string): Promise<boolean> {
  const row = await reader
    .selectFrom('used_tickets')
    .select('hash')
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row !== undefined;
}
