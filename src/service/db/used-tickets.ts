import type { Reader, Writer } from './engine.ts';
import { toInsert } from './rows.ts';

/** A step of a sign-in that cannot be repeated. */
interface UsedTicketRow {
  /** SHA-256, in hexadecimal. */
  hash: string;
  expires_ms: number;
}

/** Notes that a ticket was used, until it would have expired anyway. Returns false when it was used before. */
export async function insertUsedTicket(tx: Writer, ticket: UsedTicketRow, now: number): Promise<boolean> {
  await tx.run('delete from used_tickets where expires_ms <= ?', [now]);
  const ending = 'on conflict (hash) do nothing returning hash';
  return (await tx.run(...toInsert('used_tickets', [ticket], ending))).length > 0;
}

/** Whether a ticket was used. */
export async function isTicketUsed(reader: Reader, hash: string): Promise<boolean> {
  return (await reader.run('select hash from used_tickets where hash = ?', [hash])).length > 0;
}
