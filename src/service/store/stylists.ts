import { sql } from 'kysely';
import type { Reader } from './engine.ts';

/** How a stylist stands with an account; undefined when the account has no such stylist. */
export async function readStylistStanding(
  reader: Reader,
  key: { accountId: string; id: string },
): Promise<'active' | 'inactive' | undefined> {
  const { rows } = await sql<{ active: 0 | 1 }>`
    select active from stylists where account_id = ${key.accountId} and id = ${key.id}
  `.execute(reader);
  return rows[0] === undefined ? undefined : rows[0].active === 1 ? 'active' : 'inactive';
}
