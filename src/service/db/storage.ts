import type { Reader } from './engine.ts';

/** What the rows of a log have stored since its oldest one, by their running totals. */
const ofLog = (table: 'events' | 'audit_entries') => {
  const total = (direction: 'asc' | 'desc') => `coalesce((select log.stored_bytes from ${table} as log
    where log.account_id = ? order by log.seq ${direction} limit 1), 0)`;
  return `${total('desc')} - ${total('asc')}`;
};

/**
 * An expression for the bytes of the texts that an account stores: records, bodies of events, and the audit log. Takes
 * the values of `toStoredBytesValues`.
 */
export const storedBytes = `cast((select coalesce(sum(c.bytes), 0) from collections as c where c.account_id = ?)
  + ${ofLog('events')} + ${ofLog('audit_entries')} as bigint)`;

export function toStoredBytesValues(accountId: string): string[] {
  return Array(5).fill(accountId);
}

/** The bytes of the texts that an account stores. */
export async function readStoredBytes(reader: Reader, accountId: string): Promise<number> {
  const [row] = await reader.run<{ bytes: number }>(
    `select ${storedBytes} as bytes`,
    toStoredBytesValues(accountId),
  );
  return row?.bytes ?? 0;
}
